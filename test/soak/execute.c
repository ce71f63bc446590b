/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executions of the client's soak: in place or not, donated or not, at once or
/// later, on one device or several, failing, late.
#include "model.h"

#include <string.h>

/// How an execution is asked for.
struct manner {
  bool is_donated;
  jitrun_execute_options_t options;
};

/// As programs add: beyond the largest number comes the smallest.
static int32_t add_around(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

static struct manner pick_manner(struct soak *soak) {
  struct manner manner = {.options = {.size = sizeof manner.options}};
  manner.is_donated = jr_soak_random(soak, 2);
  switch (jr_soak_random(soak, 3)) {
  case 0:
    manner.options.is_async = true;
    break;
  case 1:
    manner.options.timeout_ns = INT64_C(600000000000);
    break;
  default:
    break;
  }
  return manner;
}

static jitrun_buffer_t *make_scalar(struct soak *soak, size_t device,
                                    int32_t value) {
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  jitrun_buffer_t *buffer = NULL;
  jitrun_error_t *error =
      jitrun_buffer_from_host(soak->shared->devices[device], &tensor,
                              JITRUN_HOST_COPY_NOW, NULL, NULL, &buffer);
  if (error)
    jr_soak_fail(soak, "a scalar: %s", jitrun_error_message(error));
  return buffer;
}

/// What becomes of an argument that was given away, or was to be.
static void mark_donated(struct slot *slot, bool is_donated,
                         const jitrun_error_t *error) {
  // What is refused before the start donates nothing.
  if (is_donated && !slot->is_held &&
      (!error || jitrun_error_code(error) != JITRUN_FAILED_PRECONDITION))
    slot->is_gone = true;
}

static void keep_output(struct soak *soak, jitrun_buffer_t *output,
                        size_t device, jitrun_code_t code,
                        const int32_t *values) {
  struct slot *slot = jr_soak_free_slot(soak);
  *slot = (struct slot){.buffer = output, .device = device, .error = code};
  memcpy(slot->values, values, sizeof slot->values);
}

/// Checks what a call that ran on one slot returned; true when it has outputs.
static bool check_outcome(struct soak *soak, const struct slot *slot,
                          const struct manner *manner, const char *what,
                          jitrun_error_t *error) {
  struct slot expected = *slot;
  if (manner->options.is_async)
    expected.error = JITRUN_OK; // that comes later
  if (slot->is_held && manner->is_donated)
    expected.is_gone = true; // as good as
  bool is_done = !error;
  jr_soak_expect(soak, &expected, what, error);
  return is_done;
}

static void run_add(struct soak *soak, bool is_in_place) {
  struct slot *slot = jr_soak_used_slot(soak);
  static const uint32_t first[] = {0};
  if (!slot || slot->device != 0) // whom the executables are for
    return;
  struct manner manner = pick_manner(soak);
  int32_t amount = (int32_t)jr_soak_random(soak, 1000);
  jitrun_buffer_t *args[] = {slot->buffer,
                             make_scalar(soak, slot->device, amount)};
  jitrun_buffer_t *outputs[2] = {NULL, NULL};
  const jitrun_launch_t launch = {.args = args,
                                  .arg_count = 2,
                                  .donated = first,
                                  .donated_count = manner.is_donated,
                                  .outputs = outputs,
                                  .output_count = is_in_place ? 1 : 2};
  jitrun_executable_t *executable =
      is_in_place ? soak->shared->add : soak->shared->result;
  jitrun_error_t *error =
      jitrun_executable_execute(executable, &launch, 1, &manner.options);
  struct slot before = *slot;
  mark_donated(slot, manner.is_donated && !before.is_gone, error);
  bool is_done = check_outcome(soak, &before, &manner, "an execution", error);
  jitrun_buffer_release(args[1]);
  jitrun_buffer_release(outputs[1]);
  int32_t values[JR_SOAK_SIZE];
  for (size_t i = 0; i < JR_SOAK_SIZE; i++)
    values[i] = add_around(before.values[i], amount);
  if (is_done)
    keep_output(soak, outputs[0], 0, before.error, values);
  else if (outputs[0])
    jr_soak_fail(soak, "an execution that failed gave an output");
}

static void run_failing(struct soak *soak) {
  struct slot *slot = jr_soak_live_slot(soak, 0);
  struct manner manner = pick_manner(soak);
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {.args = &slot->buffer,
                                  .arg_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  jitrun_error_t *error = jitrun_executable_execute(soak->shared->fail, &launch,
                                                    1, &manner.options);
  struct slot expected = *slot;
  expected.error = manner.options.is_async ? JITRUN_OK : JITRUN_INTERNAL;
  jr_soak_expect(soak, &expected, "a call that fails", error);
  if (manner.options.is_async)
    keep_output(soak, output, 0, JITRUN_INTERNAL, slot->values);
}

/// Longer than its deadline, most times.
static void run_late(struct soak *soak) {
  struct slot *slot = jr_soak_live_slot(soak, 0);
  jitrun_buffer_t *output = NULL;
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .timeout_ns = 500000};
  const jitrun_launch_t launch = {.args = &slot->buffer,
                                  .arg_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  jitrun_error_t *error =
      jitrun_executable_execute(soak->shared->nap, &launch, 1, &options);
  if (error && jitrun_error_code(error) != JITRUN_DEADLINE_EXCEEDED)
    jr_soak_fail(soak, "a late execution: %s", jitrun_error_message(error));
  if (!error)
    keep_output(soak, output, 0, JITRUN_OK, slot->values);
  jitrun_error_free(error);
}

/// A sum over devices: each gets those of all.
static void run_sum(struct soak *soak) {
  size_t count = 2 + jr_soak_random(soak, 3);
  struct manner manner = pick_manner(soak);
  const struct slot *first = NULL;
  jitrun_buffer_t *outputs[JR_SOAK_DEVICES] = {NULL};
  jitrun_launch_t launches[JR_SOAK_DEVICES];
  int32_t sums[JR_SOAK_SIZE] = {0};
  for (size_t i = 0; i < count; i++) {
    struct slot *slot = jr_soak_live_slot(soak, i);
    first = first ? first : slot;
    for (size_t j = 0; j < JR_SOAK_SIZE; j++)
      sums[j] = add_around(sums[j], slot->values[j]);
    launches[i] = (jitrun_launch_t){.args = &slot->buffer,
                                    .arg_count = 1,
                                    .outputs = &outputs[i],
                                    .output_count = 1};
  }
  jitrun_error_t *error = jitrun_executable_execute(
      soak->shared->sum[count - 2], launches, count, &manner.options);
  jr_soak_expect(soak, first, "a sum", error);
  for (size_t i = 0; i < count; i++)
    keep_output(soak, outputs[i], i, JITRUN_OK, sums);
}

/// A chain of naps that is cancelled on its way, or not.
static void run_job(struct soak *soak) {
  struct slot *slot = jr_soak_live_slot(soak, 0);
  jitrun_buffer_t *output = NULL;
  jitrun_job_t *job = NULL;
  bool is_cancelled = jr_soak_random(soak, 2);
  const jitrun_launch_t launch = {.args = &slot->buffer,
                                  .arg_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  jr_soak_expect(
      soak, slot, "starting a job",
      jitrun_executable_start(soak->shared->nap, &launch, 1, NULL, &job));
  if (is_cancelled)
    jitrun_job_cancel(job);
  jitrun_error_t *error = jitrun_buffer_wait(output, -1);
  jitrun_code_t code = error ? jitrun_error_code(error) : JITRUN_OK;
  if (code != JITRUN_OK && (code != JITRUN_CANCELLED || !is_cancelled))
    jr_soak_fail(soak, "a job: %s", jitrun_error_message(error));
  jitrun_error_free(error);
  keep_output(soak, output, 0, code, slot->values);
  if (jr_soak_random(soak, 2))
    jitrun_error_free(jitrun_job_wait(job, -1));
  jitrun_job_release(job);
}

void jr_soak_execute(struct soak *soak) {
  switch (jr_soak_random(soak, 9)) {
  case 0:
    run_failing(soak);
    break;
  case 1:
    run_late(soak);
    break;
  case 2:
  case 3:
    run_sum(soak);
    break;
  case 4:
    run_job(soak);
    break;
  default:
    run_add(soak, jr_soak_random(soak, 2));
    break;
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the devices of one execution have in common while they run, and the
/// jobs that callers know it by. Who ends first counts: the token of a launch
/// is set once, by the launch or by whoever stops it.
#include "client/executable.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "customcalls/world.h"
#include "runtime/async.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_NAMED = 4 };

jitrun_error_t *jr_batch_create(const jitrun_execute_options_t *options,
                                struct jr_batch **out_batch) {
  struct jr_batch *batch = jr_calloc(1, sizeof *batch);
  *out_batch = batch;
  if (!batch)
    return jr_error_no_memory();
  batch->reference_count = 1;
  batch->options = *options;
  jitrun_profile_retain(options->profile);
  (void)pthread_mutex_init(&batch->lock, NULL);
  return NULL;
}

void jr_batch_retain(struct jr_batch *batch) {
  (void)__atomic_fetch_add(&batch->reference_count, 1, __ATOMIC_RELAXED);
}

void jr_batch_release(struct jr_batch *batch) {
  if (!batch ||
      __atomic_sub_fetch(&batch->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  jitrun_profile_release(batch->options.profile);
  jitrun_error_free(batch->error);
  jitrun_async_release(batch->ended);
  (void)pthread_mutex_destroy(&batch->lock);
  free(batch);
}

/// Gives up the launches. They are not listed any more.
static void drop_launches(struct jr_batch *batch) {
  (void)pthread_mutex_lock(&batch->lock);
  struct jr_launch **launches = batch->launches;
  batch->launches = NULL;
  (void)pthread_mutex_unlock(&batch->lock);
  for (size_t i = 0; launches && i < batch->launch_count; i++)
    jr_launch_release(launches[i]);
  free(launches);
}

jitrun_error_t *jr_batch_list(struct jr_batch *batch,
                              struct jr_launch *const *launches, size_t count,
                              int64_t timeout_ns) {
  batch->executable = launches[0]->executable;
  batch->watched.timeout_ns = timeout_ns;
  JITRUN_TRY(jr_watch_prepare(batch->executable->client->watch, batch));
  JITRUN_TRY(jr_token_create(&batch->ended));
  batch->launches = jr_calloc(count, sizeof(void *));
  if (!batch->launches)
    return jr_error_no_memory();
  for (size_t i = 0; i < count; i++) {
    jr_launch_retain(launches[i]);
    batch->launches[i] = launches[i];
  }
  batch->launch_count = count;
  batch->left = count;
  return NULL;
}

void jr_batch_begin(struct jr_batch *batch) {
  if (batch->launches)
    jr_watch_add(batch->executable->client->watch, batch);
}

void jr_batch_unlist(struct jr_batch *batch) {
  drop_launches(batch);
}

/// One thing less that the batch waits for; the last ends it. All that was
/// kept for it is given up before anybody is told.
static void leave_batch(/*own*/ struct jr_batch *batch) {
  if (__atomic_sub_fetch(&batch->left, 1, __ATOMIC_ACQ_REL) > 0) {
    jr_batch_release(batch);
    return;
  }
  jitrun_async_t *ended = batch->ended;
  jr_watch_remove(batch->executable->client->watch, batch);
  drop_launches(batch);
  jitrun_async_retain(ended);
  jr_batch_release(batch);
  jitrun_error_free(jitrun_async_set_token(ended));
  jitrun_async_release(ended);
}

void jr_batch_leave(struct jr_launch *launch) {
  struct jr_batch *batch = launch->batch;
  bool is_listed = batch->ended != NULL;
  __atomic_store_n(&launch->stage, JR_LAUNCH_OVER, __ATOMIC_RELAXED);
  if (is_listed)
    jr_batch_retain(batch);
  jr_launch_release(launch);
  if (is_listed)
    leave_batch(batch);
}

/// True when an error says more than the one that the batch has.
static bool is_cause(const jitrun_error_t *error, const jitrun_error_t *kept) {
  return !kept || (jr_error_follows(kept) && !jr_error_follows(error));
}

void jr_batch_keep(struct jr_batch *batch, jitrun_error_t *error) {
  (void)pthread_mutex_lock(&batch->lock);
  jitrun_error_t *dropped = error;
  if (is_cause(error, batch->error)) {
    dropped = batch->error;
    batch->error = error;
  }
  (void)pthread_mutex_unlock(&batch->lock);
  jitrun_error_free(dropped);
}

/// Has the batch not end before leave_batch(); false when it has.
static bool enter_batch(struct jr_batch *batch) {
  size_t left = __atomic_load_n(&batch->left, __ATOMIC_RELAXED);
  while (left > 0 &&
         !__atomic_compare_exchange_n(&batch->left, &left, left + 1, true,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    ;
  if (left > 0)
    jr_batch_retain(batch);
  return left > 0;
}

/// Gives outputs that are not ready the error; true when there were any.
static bool fail_outputs(struct jr_batch *batch, const jitrun_error_t *error) {
  struct jr_async_error *shared = jr_async_error_create(jr_error_copy(error));
  bool is_any = false;
  for (size_t i = 0; i < batch->launch_count; i++) {
    jr_async_error_retain(shared);
    is_any |=
        jr_async_complete(batch->launches[i]->done, JITRUN_ASYNC_ERROR, shared);
  }
  jr_async_error_release(shared);
  return is_any;
}

void jr_batch_stop(struct jr_batch *batch, jitrun_error_t *error) {
  if (!enter_batch(batch)) {
    jitrun_error_free(error);
    return;
  }
  __atomic_store_n(&batch->cancel, 1, __ATOMIC_RELAXED);
  if (error && fail_outputs(batch, error))
    jr_batch_keep(batch, error);
  else
    jitrun_error_free(error);
  leave_batch(batch);
}

/// Where the launch is.
static void append_stage(const struct jr_launch *launch,
                         struct jr_bytes *text) {
  uint64_t stage = __atomic_load_n(&launch->stage, __ATOMIC_RELAXED);
  const jitrun_site_t *site =
      jitrun_program_site_get(launch->executable->program,
                              __atomic_load_n(&launch->site, __ATOMIC_RELAXED));
  char waits[JR_WAITING_SIZE] = "";
  if (stage == JR_LAUNCH_QUEUED) {
    jr_bytes_append_text(text, ", behind other work of the device");
    return;
  }
  if (stage < JR_LAUNCH_OVER) {
    jr_bytes_appendf(text, ", waiting for argument %" PRIu64, stage);
    return;
  }
  if (!site) {
    jr_bytes_append_text(text, ", between custom calls");
    return;
  }
  jr_bytes_appendf(text, ", in custom call '%s'", site->target);
  if (site->file && site->line > 0)
    jr_bytes_appendf(text, " at %s:%" PRIu32 ":%" PRIu32, site->file,
                     site->line, site->column);
  if (launch->executable->world)
    (void)jr_world_describe(launch->executable->world, (uint32_t)launch->place,
                            waits);
  if (waits[0])
    jr_bytes_appendf(text, " waiting %s", waits);
}

void jr_batch_describe(const struct jr_batch *batch, struct jr_bytes *text) {
  const jitrun_executable_t *executable = batch->executable;
  size_t count = 0;
  jr_bytes_appendf(text, "entry '%s'", executable->entry->name);
  for (size_t i = 0; i < batch->launch_count; i++) {
    const struct jr_launch *launch = batch->launches[i];
    if (__atomic_load_n(&launch->stage, __ATOMIC_RELAXED) == JR_LAUNCH_OVER ||
        count++ >= MOST_NAMED)
      continue;
    jr_bytes_appendf(text, "%s on device %s (replica %zu, partition %zu)",
                     count == 1 ? "" : ";", launch->device->name,
                     i / executable->partition_count,
                     i % executable->partition_count);
    append_stage(launch, text);
  }
  if (count > MOST_NAMED)
    jr_bytes_appendf(text, "; and on %zu more", count - MOST_NAMED);
}

/// The site of the first launch that is in one; NULL: none is.
static const jitrun_site_t *find_site(const struct jr_batch *batch) {
  for (size_t i = 0; i < batch->launch_count; i++) {
    const struct jr_launch *launch = batch->launches[i];
    const jitrun_site_t *site = jitrun_program_site_get(
        batch->executable->program,
        __atomic_load_n(&launch->site, __ATOMIC_RELAXED));
    if (site &&
        __atomic_load_n(&launch->stage, __ATOMIC_RELAXED) == JR_LAUNCH_RUNS)
      return site;
  }
  return NULL;
}

jitrun_error_t *jr_batch_late(const struct jr_batch *batch,
                              int64_t timeout_ns) {
  struct jr_bytes text = {0};
  const jitrun_site_t *site = find_site(batch);
  jr_bytes_appendf(&text, "not done after %.9g s: ",
                   (double)timeout_ns / (double)JR_NS_PER_S);
  jr_batch_describe(batch, &text);
  const char *words = jr_bytes_text(&text);
  jitrun_error_t *error =
      words ? jr_error_text(JITRUN_DEADLINE_EXCEEDED, words, text.size)
            : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return site ? jr_error_at(error, site->file, site->line, site->column)
              : error;
}

/// A job is the batch.
static struct jr_batch *batch_of(const jitrun_job_t *job) {
  return (struct jr_batch *)(uintptr_t)job;
}

jitrun_error_t *jitrun_executable_start(jitrun_executable_t *executable,
                                        const jitrun_launch_t *launches,
                                        size_t launch_count,
                                        const jitrun_execute_options_t *options,
                                        jitrun_job_t **out_job) {
  struct jr_batch *batch = NULL;
  JR_NEED(out_job);
  *out_job = NULL;
  JR_NEED(executable);
  JR_NEED(launches);
  JITRUN_TRY(
      jr_execute_all(executable, launches, launch_count, options, &batch));
  *out_job = (jitrun_job_t *)batch;
  return NULL;
}

void jitrun_job_retain(jitrun_job_t *job) {
  if (job)
    jr_batch_retain(batch_of(job));
}

void jitrun_job_release(jitrun_job_t *job) {
  jr_batch_release(batch_of(job));
}

jitrun_async_t *jitrun_job_ended(const jitrun_job_t *job) {
  return job ? batch_of(job)->ended : NULL;
}

void jitrun_job_cancel(jitrun_job_t *job) {
  if (job)
    jr_batch_stop(batch_of(job),
                  jr_error(JITRUN_CANCELLED, "the job was cancelled"));
}

/// FAILED_PRECONDITION when this thread is that of a device in the job.
static jitrun_error_t *refuse_own(struct jr_batch *batch) {
  jitrun_error_t *error = NULL;
  (void)pthread_mutex_lock(&batch->lock);
  for (size_t i = 0; batch->launches && i < batch->launch_count; i++) {
    const struct jr_launch *launch = batch->launches[i];
    if (!error && jr_worker_is_own(launch->device->worker) &&
        __atomic_load_n(&launch->stage, __ATOMIC_RELAXED) != JR_LAUNCH_OVER)
      error = jr_error(JITRUN_FAILED_PRECONDITION,
                       "the thread of device %s would wait for itself: it has "
                       "its own part of the job to end",
                       launch->device->name);
  }
  (void)pthread_mutex_unlock(&batch->lock);
  return error;
}

/// The client may be gone once the job has ended; the launches keep it before.
static jitrun_client_t *retain_client(struct jr_batch *batch) {
  jitrun_client_t *client = NULL;
  (void)pthread_mutex_lock(&batch->lock);
  if (batch->launches)
    client = batch->executable->client;
  jitrun_client_retain(client);
  (void)pthread_mutex_unlock(&batch->lock);
  return client;
}

/// Waits until all have ended, or the time is over.
static jitrun_error_t *wait_batch(jitrun_client_t *client,
                                  const struct jr_batch *batch,
                                  int64_t timeout_ns) {
  int64_t limit_ns = jr_client_timeout(client, timeout_ns);
  jitrun_error_free(jitrun_async_wait(batch->ended, limit_ns));
  return jr_watch_late(client->watch, batch, limit_ns);
}

jitrun_error_t *jitrun_job_wait(jitrun_job_t *job, int64_t timeout_ns) {
  JR_NEED(job);
  struct jr_batch *batch = batch_of(job);
  jitrun_error_t *error = refuse_own(batch);
  jitrun_client_t *client = error ? NULL : retain_client(batch);
  if (client)
    error = wait_batch(client, batch, timeout_ns);
  jitrun_client_release(client);
  if (error)
    return error;
  // The last one gives its launches up before it says so.
  jitrun_error_free(jitrun_async_wait(batch->ended, -1));
  (void)pthread_mutex_lock(&batch->lock);
  error = jr_error_copy(batch->error);
  (void)pthread_mutex_unlock(&batch->lock);
  return error;
}

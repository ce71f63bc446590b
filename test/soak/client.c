/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The client's soak: threads that make seeded random calls of the client API
/// and know what must come of each. Ends with an error on a wrong element, an
/// error that is lost or wrong, memory of a caller that is given back twice or
/// never, memory that devices still count in the end, and on a hang.
///
///   client [--seconds=N | --steps=N] [--seed=N] [--threads=N]
#include "model.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_THREADS = 64,
  PATIENCE_S = 120, ///< for one that is late, in the end
  BLOCK_ALIGNMENT = 64
};

static const char program[] =
    "func.func private @fail(memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.fail\", message = \"as asked\", code = 13 : "
    "i32}"
    "\n"
    "func.func private @sleep() attributes {\n"
    "  rt.custom_call = \"jitrun.sleep\", ms = 2 : i32}\n"
    "func.func private @all(memref<4xi32>, memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.all_reduce\", reduction = \"sum\"}\n"
    "func.func @add(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  scf.for %i = %c0 to %c4 step %c1 {\n"
    "    %x = memref.load %a[%i] : memref<4xi32>\n"
    "    %y = arith.addi %x, %b : i32\n"
    "    memref.store %y, %a[%i] : memref<4xi32>\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func @result(%a: memref<4xi32>, %b: i32) -> (memref<4xi32>, i32) {\n"
    "  %r = memref.alloc() : memref<4xi32>\n"
    "  memref.copy %a, %r : memref<4xi32> to memref<4xi32>\n"
    "  func.call @add(%r, %b) : (memref<4xi32>, i32) -> ()\n"
    "  return %r, %b : memref<4xi32>, i32\n"
    "}\n"
    "func.func @fails(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @fail(%a) : (memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func @nap(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @sleep() : () -> ()\n"
    "  return\n"
    "}\n"
    "func.func @sum(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @all(%a, %a) : (memref<4xi32>, memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n";

static const int64_t sizes[] = {JR_SOAK_SIZE};

static uint64_t now_ns(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void jr_soak_fail(const struct soak *soak, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fprintf(stderr, "client: seed %" PRIu64 ", step %" PRIu64 ": ",
                soak->shared->seed, soak->step);
  (void)vfprintf(stderr, format, args);
  (void)fprintf(stderr, "\n");
  va_end(args);
  _exit(1);
}

static void require(const char *what, jitrun_error_t *error) {
  if (!error)
    return;
  (void)fprintf(stderr, "client: %s: %s\n", what, jitrun_error_message(error));
  exit(1);
}

/// Marsaglia's xorshift64 (2003).
uint64_t jr_soak_random(struct soak *soak, uint64_t bound) {
  soak->random ^= soak->random << 13;
  soak->random ^= soak->random >> 7;
  soak->random ^= soak->random << 17;
  return (soak->random >> 11) % bound;
}

void jr_soak_release(struct slot *slot) {
  if (slot->is_held)
    jitrun_buffer_unhold(slot->buffer);
  jitrun_buffer_release(slot->buffer);
  *slot = (struct slot){0};
}

static struct slot *slot_behind(struct soak *soak, size_t first, size_t i) {
  return &soak->slots[(first + i) % JR_SOAK_SLOTS];
}

struct slot *jr_soak_free_slot(struct soak *soak) {
  size_t first = jr_soak_random(soak, JR_SOAK_SLOTS);
  struct slot *victim = NULL;
  for (size_t i = 0; i < JR_SOAK_SLOTS; i++) {
    struct slot *slot = slot_behind(soak, first, i);
    if (!slot->buffer)
      return slot;
    if (slot->step != soak->step)
      victim = slot;
  }
  jr_soak_release(victim);
  return victim;
}

struct slot *jr_soak_used_slot(struct soak *soak) {
  size_t first = jr_soak_random(soak, JR_SOAK_SLOTS);
  for (size_t i = 0; i < JR_SOAK_SLOTS; i++) {
    struct slot *slot = slot_behind(soak, first, i);
    if (!slot->buffer)
      continue;
    slot->step = soak->step;
    return slot;
  }
  return NULL;
}

struct slot *jr_soak_live_slot(struct soak *soak, size_t device) {
  size_t first = jr_soak_random(soak, JR_SOAK_SLOTS);
  for (size_t i = 0; i < JR_SOAK_SLOTS; i++) {
    struct slot *slot = slot_behind(soak, first, i);
    if (!slot->buffer || slot->is_gone || slot->error ||
        slot->device != device || slot->step == soak->step)
      continue;
    slot->step = soak->step;
    return slot;
  }
  return jr_soak_make(soak, device);
}

void jr_soak_expect(const struct soak *soak, const struct slot *slot,
                    const char *what, jitrun_error_t *error) {
  jitrun_code_t wanted =
      slot->is_gone ? JITRUN_FAILED_PRECONDITION : slot->error;
  jitrun_code_t found = error ? jitrun_error_code(error) : JITRUN_OK;
  if (found != wanted)
    jr_soak_fail(soak, "%s: %s instead of %s: %s", what,
                 jitrun_code_name(found), jitrun_code_name(wanted),
                 error ? jitrun_error_message(error) : "");
  if (wanted == JITRUN_INTERNAL &&
      !strstr(jitrun_error_message(error), "as asked"))
    jr_soak_fail(soak, "%s: another error: %s", what,
                 jitrun_error_message(error));
  jitrun_error_free(error);
}

/// Host memory that a buffer has until it gives it back.
struct block {
  int32_t values[JR_SOAK_SIZE];
  struct soak *soak;
  int64_t uses;
};

static void give_back(void *context) {
  struct block *block = context;
  struct soak *soak = block->soak;
  if (__atomic_sub_fetch(&block->uses, 1, __ATOMIC_RELAXED) != 0)
    jr_soak_fail(soak, "host memory is given back twice");
  (void)__atomic_fetch_sub(&soak->shared->blocks, 1, __ATOMIC_RELAXED);
  free(block);
}

struct slot *jr_soak_make(struct soak *soak, size_t device) {
  struct slot *slot = jr_soak_free_slot(soak);
  struct block *block = aligned_alloc(BLOCK_ALIGNMENT, BLOCK_ALIGNMENT);
  if (!block)
    jr_soak_fail(soak, "out of memory");
  *block = (struct block){.soak = soak, .uses = 1};
  (void)__atomic_fetch_add(&soak->shared->blocks, 1, __ATOMIC_RELAXED);
  *slot = (struct slot){.device = device, .step = soak->step};
  for (size_t i = 0; i < JR_SOAK_SIZE; i++)
    slot->values[i] = block->values[i] = (int32_t)jr_soak_random(soak, 1000);
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_S32,
                                  .rank = 1,
                                  .dims = sizes,
                                  .data = block->values};
  jitrun_error_t *error =
      jitrun_buffer_from_host(soak->shared->devices[device], &tensor,
                              (jitrun_host_memory_t)jr_soak_random(soak, 3),
                              give_back, block, &slot->buffer);
  jr_soak_expect(soak, slot, "making a buffer", error);
  return slot;
}

static void make(struct soak *soak) {
  (void)jr_soak_make(soak, jr_soak_random(soak, JR_SOAK_DEVICES));
}

static void read_slot(struct soak *soak, struct slot *slot) {
  int32_t found[JR_SOAK_SIZE] = {0};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = sizes, .data = found};
  jitrun_error_t *error = jitrun_buffer_to_host(slot->buffer, &tensor, -1);
  bool is_read = !error;
  jr_soak_expect(soak, slot, "reading", error);
  for (size_t i = 0; is_read && i < JR_SOAK_SIZE; i++) {
    if (found[i] != slot->values[i])
      jr_soak_fail(soak, "element %zu is %" PRId32 ", not %" PRId32, i,
                   found[i], slot->values[i]);
  }
}

static void read_any(struct soak *soak) {
  struct slot *slot = jr_soak_used_slot(soak);
  if (slot)
    read_slot(soak, slot);
}

/// Another handle of the same memory, or a copy on another device.
static void share(struct soak *soak) {
  struct slot *slot = jr_soak_used_slot(soak);
  if (!slot)
    return;
  struct slot *other = jr_soak_free_slot(soak);
  jitrun_buffer_t *buffer = NULL;
  size_t device = slot->device;
  jitrun_error_t *error;
  if (jr_soak_random(soak, 2)) {
    device = jr_soak_random(soak, JR_SOAK_DEVICES);
    error = jitrun_buffer_copy_to(slot->buffer, soak->shared->devices[device],
                                  &buffer);
  } else {
    error = jitrun_buffer_view(slot->buffer, 0, JITRUN_DTYPE_S32, sizes, 1,
                               &buffer);
  }
  struct slot expected = *slot;
  expected.error = JITRUN_OK; // the copy has the error
  jr_soak_expect(soak, &expected, "sharing", error);
  if (slot->is_gone)
    return;
  *other = *slot;
  other->buffer = buffer;
  other->device = device;
  other->is_held = false;
}

/// A tuple of two, of which one is taken out again.
static void make_tuple(struct soak *soak) {
  struct slot *slot = jr_soak_used_slot(soak);
  if (!slot)
    return;
  const struct slot *other = jr_soak_live_slot(soak, slot->device);
  jitrun_buffer_t *const elements[] = {other->buffer, slot->buffer};
  jitrun_buffer_t *tuple = NULL;
  jitrun_buffer_t *taken = NULL;
  struct slot expected = *slot;
  expected.error = JITRUN_OK; // the element has it
  jr_soak_expect(soak, &expected, "making a tuple",
                 jitrun_tuple_create(soak->shared->devices[slot->device],
                                     elements, 2, &tuple));
  if (slot->is_gone)
    return;
  jr_soak_expect(soak, &expected, "taking an element",
                 jitrun_tuple_element(tuple, 1, &taken));
  if (jr_soak_random(soak, 2))
    jitrun_buffer_delete(tuple);
  jitrun_buffer_release(tuple);
  struct slot *element = jr_soak_free_slot(soak);
  *element = *slot;
  element->buffer = taken;
  element->is_held = false;
}

static void delete_any(struct soak *soak) {
  struct slot *slot = jr_soak_used_slot(soak);
  if (!slot)
    return;
  jitrun_buffer_delete(slot->buffer);
  slot->is_gone = true;
  if (!jitrun_buffer_is_deleted(slot->buffer))
    jr_soak_fail(soak, "a deleted buffer is not");
}

static void release_any(struct soak *soak) {
  struct slot *slot = jr_soak_used_slot(soak);
  if (slot)
    jr_soak_release(slot);
}

static void hold_any(struct soak *soak) {
  struct slot *slot = jr_soak_used_slot(soak);
  void *data = NULL;
  if (!slot)
    return;
  if (slot->is_held) {
    jitrun_buffer_unhold(slot->buffer);
    slot->is_held = false;
    return;
  }
  jr_soak_expect(soak, slot, "holding",
                 jitrun_buffer_hold(slot->buffer, -1, &data));
  slot->is_held = !slot->is_gone && !slot->error;
  if (slot->is_held && memcmp(data, slot->values, sizeof slot->values) != 0)
    jr_soak_fail(soak, "a held buffer has other elements");
}

static void exhaust(struct soak *soak) {
  static const int64_t many[] = {INT64_C(1) << 40};
  jitrun_buffer_t *buffer = NULL;
  jitrun_error_t *error = jitrun_buffer_allocate(
      soak->shared->devices[0], JITRUN_DTYPE_S8, many, 1, &buffer);
  if (!error || jitrun_error_code(error) != JITRUN_RESOURCE_EXHAUSTED || buffer)
    jr_soak_fail(soak, "a terabyte was had");
  jitrun_error_free(error);
}

static void act(struct soak *soak) {
  static void (*const actions[])(struct soak *soak) = {
      make,           read_any,        read_any,        share,
      make_tuple,     delete_any,      release_any,     hold_any,
      exhaust,        jr_soak_execute, jr_soak_execute, jr_soak_execute,
      jr_soak_execute};
  actions[jr_soak_random(soak, sizeof actions / sizeof actions[0])](soak);
}

static void *run_thread(void *context) {
  struct soak *soak = context;
  const struct shared *shared = soak->shared;
  while (shared->steps ? soak->step < shared->steps
                       : now_ns() < shared->end_ns) {
    soak->step++;
    act(soak);
  }
  for (size_t i = 0; i < JR_SOAK_SLOTS; i++) {
    if (soak->slots[i].buffer) {
      read_slot(soak, &soak->slots[i]);
      jr_soak_release(&soak->slots[i]);
    }
  }
  return NULL;
}

static jitrun_executable_t *load(const struct shared *shared, const char *entry,
                                 uint32_t replicas) {
  const jitrun_executable_options_t options = {
      .size = sizeof options, .entry = entry, .replica_count = replicas};
  jitrun_executable_t *executable = NULL;
  require(entry, jitrun_executable_load_memory(shared->client, program,
                                               strlen(program), "soak.mlir",
                                               &options, &executable));
  return executable;
}

static void open_shared(struct shared *shared) {
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = JR_SOAK_DEVICES,
                                           .memory_limit_bytes = 1 << 24};
  require("a client", jitrun_client_create(&options, &shared->client));
  for (size_t i = 0; i < JR_SOAK_DEVICES; i++)
    require("a device",
            jitrun_client_local_device(shared->client, i, &shared->devices[i]));
  shared->add = load(shared, "add", 0);
  shared->result = load(shared, "result", 0);
  shared->fail = load(shared, "fails", 0);
  shared->nap = load(shared, "nap", 0);
  for (uint32_t i = 0; i < 3; i++)
    shared->sum[i] = load(shared, "sum", i + 2);
}

static uint64_t bytes_in_use(const struct shared *shared) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < JR_SOAK_DEVICES; i++) {
    jitrun_memory_stats_t stats = {.size = sizeof stats};
    require("statistics",
            jitrun_device_memory_stats(shared->devices[i], &stats));
    bytes += stats.in_use_bytes;
  }
  return bytes;
}

/// Executions past their deadline end by themselves.
static void close_shared(struct shared *shared) {
  jitrun_executable_t *const all[] = {
      shared->add,    shared->result, shared->fail,  shared->nap,
      shared->sum[0], shared->sum[1], shared->sum[2]};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    jitrun_executable_release(all[i]);
  uint64_t end_ns = now_ns() + PATIENCE_S * UINT64_C(1000000000);
  while (now_ns() < end_ns &&
         (bytes_in_use(shared) ||
          __atomic_load_n(&shared->blocks, __ATOMIC_RELAXED)))
    (void)usleep(1000);
  if (bytes_in_use(shared) > 0 || shared->blocks > 0) {
    (void)fprintf(stderr,
                  "client: seed %" PRIu64 ": %" PRIu64 " bytes and %" PRId64
                  " blocks are left\n",
                  shared->seed, bytes_in_use(shared), shared->blocks);
    exit(1);
  }
  jitrun_client_release(shared->client);
}

static uint64_t run_threads(struct shared *shared, size_t count) {
  static struct soak soaks[MAX_THREADS];
  pthread_t threads[MAX_THREADS];
  uint64_t steps = 0;
  for (size_t i = 0; i < count; i++) {
    soaks[i].shared = shared;
    soaks[i].random =
        (shared->seed * MAX_THREADS + i) * 0x9E3779B97F4A7C15u | 1;
    if (pthread_create(&threads[i], NULL, run_thread, &soaks[i]) != 0)
      jr_soak_fail(&soaks[i], "a thread cannot be made");
  }
  for (size_t i = 0; i < count; i++) {
    (void)pthread_join(threads[i], NULL);
    steps += soaks[i].step;
  }
  return steps;
}

static uint64_t read_option(int argc, char **argv, const char *name,
                            uint64_t otherwise) {
  for (int i = 1; i < argc; i++) {
    size_t size = strlen(name);
    if (strncmp(argv[i], name, size) == 0 && argv[i][size] == '=')
      return strtoull(argv[i] + size + 1, NULL, 10);
  }
  return otherwise;
}

int main(int argc, char **argv) {
  static struct shared shared;
  uint64_t seconds = read_option(argc, argv, "--seconds", 10);
  uint64_t threads = read_option(argc, argv, "--threads", 4);
  shared.steps = read_option(argc, argv, "--steps", 0);
  shared.seed = read_option(argc, argv, "--seed", (uint64_t)time(NULL));
  if (threads == 0 || threads > MAX_THREADS) {
    (void)fprintf(stderr, "client: 1 to %d threads\n", MAX_THREADS);
    return 2;
  }
  shared.end_ns = now_ns() + seconds * 1000000000u;
  // A hang ends the process.
  (void)alarm((unsigned)(shared.steps ? 0 : seconds) + 2 * PATIENCE_S);
  open_shared(&shared);
  uint64_t steps = run_threads(&shared, threads);
  close_shared(&shared);
  printf("client: seed %" PRIu64 ": %" PRIu64 " steps of %" PRIu64
         " threads, 0 failures\n",
         shared.seed, steps, threads);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Specialisers, with the compiler: which program runs, what is kept, what
/// becomes of errors, and many threads at once.
#include "expect.h"

#include "jitrun/specialize.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/// Fills %a with %v; test.probe may be asked to fail when it is loaded.
static const char fill_text[] =
    "func.func private @fill(memref<?xi32>, i32)\n"
    "    attributes {rt.custom_call = \"jitrun.memset\"}\n"
    "func.func private @probe(memref<?xi32>)\n"
    "    attributes {rt.custom_call = \"test.probe\"}\n"
    "func.func @main(%a: memref<?xi32>, %b: memref<?xi32>, %v: i32) {\n"
    "  call @probe(%b) : (memref<?xi32>) -> ()\n"
    "  call @fill(%a, %v) : (memref<?xi32>, i32) -> ()\n"
    "  return\n"
    "}\n";

/// The same with a value that is compiled in.
static const char value_text[] =
    "func.func private @fill(memref<?xi32>, i32)\n"
    "    attributes {rt.custom_call = \"jitrun.memset\"}\n"
    "func.func @other() {\n"
    "  return\n"
    "}\n"
    "func.func @main(%a: memref<?xi32> {rt.constraint = \"rank\"},\n"
    "                %b: memref<?xi32> {rt.constraint = \"shape\"},\n"
    "                %v: i32 {rt.constraint = \"value\"}) {\n"
    "  call @fill(%a, %v) : (memref<?xi32>, i32) -> ()\n"
    "  return\n"
    "}\n";

static atomic_bool probe_fails;
static atomic_int probe_loaded;

static jitrun_error_t *probe_instantiate(jitrun_call_t *call) {
  if (atomic_load(&probe_fails))
    return call->site->api->error(call, JITRUN_UNAVAILABLE, "not today",
                                  SIZE_MAX);
  atomic_fetch_add(&probe_loaded, 1);
  return NULL;
}

static jitrun_error_t *probe_execute(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static const jitrun_customcall_t probe = {.size = sizeof probe,
                                          .name = "test.probe",
                                          .platform = "host",
                                          .execute = probe_execute,
                                          .instantiate = probe_instantiate};

static jitrun_registry_t *registry;

static int create_registry(void **state) {
  (void)state;
  expect_ok(jitrun_registry_create(&registry));
  expect_ok(jitrun_registry_register(registry, &probe));
  return 0;
}

/// Errors are not counted here: the compiler counts those that it makes.
static int release_registry(void **state) {
  (void)state;
  jitrun_registry_release(registry);
  return 0;
}

/// A runner that keeps the tasks until they are asked for.
struct queue {
  void (*tasks[16])(void *);
  void *contexts[16];
  size_t count;
};

static void push_task(void *context, void (*task)(void *), void *task_context) {
  struct queue *queue = context;
  if (queue->count >= 16)
    abort();
  queue->tasks[queue->count] = task;
  queue->contexts[queue->count++] = task_context;
}

static void run_tasks(struct queue *queue) {
  for (size_t i = 0; i < queue->count; i++)
    queue->tasks[i](queue->contexts[i]);
  queue->count = 0;
}

static jitrun_error_t *open_text(const char *text,
                                 jitrun_specialize_options_t options,
                                 jitrun_specializer_t **out_specializer) {
  const jitrun_open_options_t open_options = {
      .size = sizeof open_options, .registry = registry, .opt_level = 0};
  options.size = sizeof options;
  return jitrun_specializer_open_memory(text, strlen(text), "test.mlir",
                                        &open_options, &options,
                                        out_specializer);
}

/// Arguments of main, of these sizes.
struct fill_args {
  int32_t a[16], b[16], value;
  int64_t a_size, b_size;
  jitrun_tensor_t tensors[3];
};

static const jitrun_tensor_t *make_args(struct fill_args *args, int64_t a,
                                        int64_t b, int32_t value) {
  *args = (struct fill_args){.value = value, .a_size = a, .b_size = b};
  args->tensors[0] = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S32,
                                       .rank = 1,
                                       .dims = &args->a_size,
                                       .data = args->a};
  args->tensors[1] = args->tensors[0];
  args->tensors[1].dims = &args->b_size;
  args->tensors[1].data = args->b;
  args->tensors[2] =
      (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S32, .data = &args->value};
  return args->tensors;
}

static bool is_filled(const struct fill_args *args) {
  for (int64_t i = 0; i < 16; i++) {
    if (args->a[i] != (i < args->a_size ? args->value : 0))
      return false;
  }
  return true;
}

/// Gets and runs; the size that the program has of %a and %b, "?,4".
static const char *run_sizes(jitrun_specializer_t *specializer, int64_t a,
                             int64_t b) {
  static char text[64];
  struct fill_args args;
  jitrun_program_t *program;
  const jitrun_entry_t *entry;
  (void)make_args(&args, a, b, (int32_t)(100 * a + b));
  expect_ok(
      jitrun_specializer_get(specializer, args.tensors, 3, &program, &entry));
  int64_t sizes[2];
  for (int i = 0; i < 2; i++)
    sizes[i] = jitrun_type_dims(entry->params[i].type)[0];
  (void)snprintf(text, sizeof text, "%lld,%lld",
                 (long long)(sizes[0] == JITRUN_DYNAMIC ? -1 : sizes[0]),
                 (long long)(sizes[1] == JITRUN_DYNAMIC ? -1 : sizes[1]));
  expect_ok(jitrun_program_run(program, entry, args.tensors, 3, NULL, 0, NULL));
  assert_true(is_filled(&args));
  jitrun_program_release(program);
  return text;
}

static jitrun_specializer_stats_t
read_stats(jitrun_specializer_t *specializer) {
  jitrun_specializer_stats_t stats = {.size = sizeof stats};
  jitrun_specializer_stats(specializer, &stats);
  return stats;
}

#define EXPECT_STATS(specializer, ...)                                         \
  do {                                                                         \
    const uint64_t wanted_[6] = {__VA_ARGS__};                                 \
    jitrun_specializer_stats_t found_ = read_stats(specializer);               \
    assert_memory_equal(&found_.hits, wanted_, sizeof wanted_);                \
  } while (0)

/// The default program runs until the task has run.
static void enabled(void **state) {
  (void)state;
  struct queue queue = {0};
  jitrun_specializer_t *specializer;
  jitrun_program_t *program;
  expect_ok(open_text(fill_text,
                      (jitrun_specialize_options_t){.runner = push_task,
                                                    .runner_context = &queue},
                      &specializer));
  expect_ok(jitrun_specializer_default(specializer, &program));
  jitrun_program_release(program);
  assert_string_equal(run_sizes(specializer, 1, 5), "-1,-1");
  assert_string_equal(run_sizes(specializer, 1, 6), "-1,-1");
  assert_int_equal(queue.count, 1); /* both are served by 1x? */
  expect_error(jitrun_specializer_wait_all(specializer, 0),
               JITRUN_DEADLINE_EXCEEDED, "1 program is still being compiled");
  EXPECT_STATS(specializer, 0, 2, 0, 0, 0, 0);
  run_tasks(&queue);
  expect_ok(jitrun_specializer_wait_all(specializer, -1));
  assert_string_equal(run_sizes(specializer, 1, 7), "1,-1");
  assert_string_equal(run_sizes(specializer, 1, 1), "-1,-1");
  EXPECT_STATS(specializer, 1, 3, 1, 0, 0, 1);
  run_tasks(&queue);
  jitrun_specializer_close(specializer);
}

/// In mode ENABLED no more compiles are under way than programs are kept.
static void compiles_are_bounded(void **state) {
  (void)state;
  struct queue queue = {0};
  jitrun_specializer_t *specializer;
  expect_ok(open_text(fill_text,
                      (jitrun_specialize_options_t){.cache_limit = 1,
                                                    .runner = push_task,
                                                    .runner_context = &queue},
                      &specializer));
  assert_string_equal(run_sizes(specializer, 1, 5), "-1,-1");
  assert_string_equal(run_sizes(specializer, 5, 1), "-1,-1");
  assert_int_equal(queue.count, 1);
  run_tasks(&queue);
  assert_string_equal(run_sizes(specializer, 5, 1), "-1,-1");
  run_tasks(&queue);
  assert_string_equal(run_sizes(specializer, 5, 1), "-1,1");
  EXPECT_STATS(specializer, 1, 3, 2, 0, 1, 1);
  jitrun_specializer_close(specializer);
}

static void disabled(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  const jitrun_specialize_options_t options = {.mode =
                                                   JITRUN_SPECIALIZE_DISABLED};
  expect_ok(open_text(fill_text, options, &specializer));
  assert_string_equal(run_sizes(specializer, 1, 1), "-1,-1");
  EXPECT_STATS(specializer, 0);
  jitrun_specializer_close(specializer);
  expect_error(open_text(value_text, options, &specializer),
               JITRUN_FAILED_PRECONDITION,
               "compilation options disabled specialization, yet operands have "
               "unresolved constraints: [resolved, shape, value]");
  assert_null(specializer);
}

/// An entry with nothing to specialise has the default program, even so.
static void always_static(void **state) {
  (void)state;
  static const char text[] =
      "func.func @main(%a: memref<4xi32> {rt.constraint = \"shape\"}) {\n"
      "  return\n"
      "}\n";
  jitrun_specializer_t *specializer;
  jitrun_program_t *program;
  expect_ok(open_text(
      text, (jitrun_specialize_options_t){.mode = JITRUN_SPECIALIZE_ALWAYS},
      &specializer));
  assert_int_equal(jitrun_specializer_entry(specializer)->params[0].constraint,
                   JITRUN_CONSTRAINT_SHAPE);
  expect_ok(jitrun_specializer_default(specializer, &program));
  assert_int_equal(jitrun_program_entry_get(program, 0)->param_count, 1);
  jitrun_program_release(program);
  jitrun_specializer_close(specializer);
}

/// A constrained entry has no default program, whatever the mode.
static void constraints(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  jitrun_program_t *program;
  expect_ok(
      open_text(value_text, (jitrun_specialize_options_t){0}, &specializer));
  expect_error(jitrun_specializer_default(specializer, &program),
               JITRUN_FAILED_PRECONDITION,
               "default executable is not available");
  assert_null(program);
  assert_string_equal(run_sizes(specializer, 4, 4), "4,4");
  assert_string_equal(run_sizes(specializer, 5, 4), "-1,4");
  struct fill_args args;
  (void)make_args(&args, 4, 4, 404);
  expect_ok(
      jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL));
  (void)make_args(&args, 4, 4, -7);
  expect_ok(
      jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL));
  assert_true(is_filled(&args));
  EXPECT_STATS(specializer, 1, 3, 3, 0, 0, 3);
  jitrun_specializer_close(specializer);
}

/// Rows that are apart in memory need a program of their own.
static void strides(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @fill(memref<?x?xi32>, i32)\n"
      "    attributes {rt.custom_call = \"jitrun.memset\"}\n"
      "func.func @main(%a: memref<?x?xi32> {rt.constraint = \"shape\"}) {\n"
      "  %c7 = arith.constant 7 : i32\n"
      "  call @fill(%a, %c7) : (memref<?x?xi32>, i32) -> ()\n"
      "  return\n"
      "}\n";
  static const int32_t dense[8] = {7, 7, 7, 7};
  static const int32_t apart[8] = {7, 7, 0, 7, 7};
  const int64_t dims[] = {2, 2};
  const int64_t rows[] = {3, 1};
  int32_t data[8] = {0};
  jitrun_tensor_t arg = {
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = dims, .data = data};
  jitrun_specializer_t *specializer;
  expect_ok(open_text(text, (jitrun_specialize_options_t){0}, &specializer));
  expect_ok(jitrun_specializer_run(specializer, &arg, 1, NULL, 0, NULL));
  assert_memory_equal(data, dense, sizeof data);
  memset(data, 0, sizeof data);
  arg.strides = rows;
  expect_ok(jitrun_specializer_run(specializer, &arg, 1, NULL, 0, NULL));
  assert_memory_equal(data, apart, sizeof data);
  EXPECT_STATS(specializer, 0, 2, 2, 0, 0, 2);
  jitrun_specializer_close(specializer);
}

static void wrong_arguments(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  jitrun_program_t *program;
  const jitrun_entry_t *entry;
  struct fill_args args;
  (void)make_args(&args, 4, 4, 1);
  expect_ok(
      open_text(value_text, (jitrun_specialize_options_t){0}, &specializer));
  expect_error(
      jitrun_specializer_get(specializer, args.tensors, 2, &program, &entry),
      JITRUN_INVALID_ARGUMENT, "expected 3 arguments, got: 2");
  args.tensors[0].rank = 2;
  expect_error(
      jitrun_specializer_get(specializer, args.tensors, 3, &program, &entry),
      JITRUN_INVALID_ARGUMENT, "failed to resolve symbolic shape");
  assert_null(program);
  (void)make_args(&args, 4, 4, 1);
  args.tensors[0].dtype = JITRUN_DTYPE_F32;
  expect_error(
      jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL),
      JITRUN_INVALID_ARGUMENT, "the element type differs");
  jitrun_specializer_close(specializer);
}

static void wrong_options(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  expect_error(open_text(fill_text,
                         (jitrun_specialize_options_t){
                             .mode = (jitrun_specialize_mode_t)9},
                         &specializer),
               JITRUN_INVALID_ARGUMENT, "there is no mode 9");
  expect_error(open_text(fill_text,
                         (jitrun_specialize_options_t){.entry = "none"},
                         &specializer),
               JITRUN_NOT_FOUND, "there is no entry 'none' to specialise");
  expect_error(open_text("\x7f"
                         "ELF\x02\x01\x01",
                         (jitrun_specialize_options_t){0}, &specializer),
               JITRUN_FAILED_PRECONDITION, "'test.mlir' is compiled already");
  expect_error(
      open_text("func.func", (jitrun_specialize_options_t){0}, &specializer),
      JITRUN_INVALID_ARGUMENT, "expected");
  const jitrun_specialize_options_t no_size = {.size = 1};
  expect_error(
      jitrun_specializer_open_memory("", 0, NULL, NULL, &no_size, &specializer),
      JITRUN_INVALID_ARGUMENT, "have size 1");
  expect_error(
      jitrun_specializer_open_memory(NULL, 3, NULL, NULL, NULL, &specializer),
      JITRUN_INVALID_ARGUMENT, "their address is NULL");
  expect_error(jitrun_specializer_open_file(NULL, NULL, NULL, &specializer),
               JITRUN_INVALID_ARGUMENT, "needs a path");
  expect_error(
      jitrun_specializer_open_file("/none.mlir", NULL, NULL, &specializer),
      JITRUN_NOT_FOUND, "/none.mlir");
  jitrun_specializer_close(NULL);
}

/// Another entry than the default one, by name; others are as they were.
static void named_entry(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  expect_ok(open_text(value_text,
                      (jitrun_specialize_options_t){.entry = "other"},
                      &specializer));
  assert_string_equal(jitrun_specializer_entry(specializer)->name, "other");
  expect_ok(jitrun_specializer_run(specializer, NULL, 0, NULL, 0, NULL));
  jitrun_specializer_close(specializer);
  static const char no_main[] = "func.func @f(%a: memref<?xi32>) {\n"
                                "  return\n"
                                "}\n"
                                "func.func @g() {\n"
                                "  return\n"
                                "}\n";
  expect_ok(open_text(no_main, (jitrun_specialize_options_t){0}, &specializer));
  assert_string_equal(jitrun_specializer_entry(specializer)->name, "f");
  jitrun_specializer_close(specializer);
}

/// The least recently used program goes; one that is still held runs on.
static void eviction(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  jitrun_program_t *program;
  const jitrun_entry_t *entry;
  struct fill_args args;
  expect_ok(open_text(value_text,
                      (jitrun_specialize_options_t){.cache_limit = 2},
                      &specializer));
  (void)make_args(&args, 2, 2, 202);
  expect_ok(
      jitrun_specializer_get(specializer, args.tensors, 3, &program, &entry));
  (void)run_sizes(specializer, 3, 3);
  (void)run_sizes(specializer, 2, 2);
  (void)run_sizes(specializer, 4, 4); /* 3 goes */
  EXPECT_STATS(specializer, 1, 3, 3, 0, 1, 2);
  (void)run_sizes(specializer, 2, 2);
  EXPECT_STATS(specializer, 2, 3, 3, 0, 1, 2);
  (void)run_sizes(specializer, 3, 3); /* 4 goes */
  (void)run_sizes(specializer, 5, 5); /* 2 goes */
  EXPECT_STATS(specializer, 2, 5, 5, 0, 3, 2);
  jitrun_specializer_close(specializer);
  expect_ok(jitrun_program_run(program, entry, args.tensors, 3, NULL, 0, NULL));
  assert_true(is_filled(&args));
  jitrun_program_release(program);
}

/// Those who wait get the error; it is tried again once its time has come.
static void errors_are_retried(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  struct fill_args args;
  (void)make_args(&args, 4, 4, 9);
  expect_ok(open_text(fill_text,
                      (jitrun_specialize_options_t){
                          .mode = JITRUN_SPECIALIZE_ALWAYS, .retry_ns = 1},
                      &specializer));
  atomic_store(&probe_fails, true);
  for (int i = 0; i < 9; i++)
    expect_error(
        jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL),
        JITRUN_UNAVAILABLE, "not today");
  EXPECT_STATS(specializer, 0, 9, 0, 9, 0, 0);
  atomic_store(&probe_fails, false);
  expect_ok(
      jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL));
  assert_true(is_filled(&args));
  EXPECT_STATS(specializer, 0, 10, 1, 9, 0, 1);
  jitrun_specializer_close(specializer);
}

/// Until then the same error is given, with location and notes.
static void errors_are_kept(void **state) {
  (void)state;
  jitrun_specializer_t *specializer;
  struct fill_args args;
  (void)make_args(&args, 4, 4, 9);
  expect_ok(
      open_text(fill_text,
                (jitrun_specialize_options_t){.mode = JITRUN_SPECIALIZE_ALWAYS,
                                              .retry_ns = UINT64_MAX},
                &specializer));
  atomic_store(&probe_fails, true);
  for (int i = 0; i < 3; i++) {
    jitrun_error_t *err =
        jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL);
    assert_string_equal(jitrun_error_location(err), "test.mlir:6:3");
    size_t last = jitrun_error_note_count(err) - 1;
    assert_string_equal(jitrun_error_note_get(err, last),
                        "while specialising entry 'main'");
    expect_error(err, JITRUN_UNAVAILABLE, "not today");
    atomic_store(&probe_fails, false);
  }
  EXPECT_STATS(specializer, 0, 3, 0, 1, 0, 0);
  jitrun_specializer_close(specializer);
}

static void keep_text(void *context, const char *text, size_t size_bytes) {
  assert_int_equal(strlen(text), size_bytes);
  (void)snprintf(context, 256, "%s", text);
}

/// Where the default program runs instead, the caller is told.
static void errors_are_told(void **state) {
  (void)state;
  char told[256] = "";
  struct queue queue = {0};
  jitrun_specializer_t *specializer;
  expect_ok(open_text(fill_text,
                      (jitrun_specialize_options_t){.retry_ns = UINT64_MAX,
                                                    .runner = push_task,
                                                    .runner_context = &queue,
                                                    .diagnostic = keep_text,
                                                    .diagnostic_context = told},
                      &specializer));
  assert_string_equal(run_sizes(specializer, 1, 1), "-1,-1");
  atomic_store(&probe_fails, true);
  run_tasks(&queue);
  atomic_store(&probe_fails, false);
  assert_non_null(strstr(told, "test.mlir:6:3: not today"));
  assert_non_null(strstr(told, "while specialising entry 'main'"));
  assert_string_equal(run_sizes(specializer, 1, 1), "-1,-1");
  assert_int_equal(queue.count, 0);
  EXPECT_STATS(specializer, 0, 2, 0, 1, 0, 0);
  jitrun_specializer_close(specializer);
}

enum { THREADS = 8, ROUNDS = 30, SIZES = 3 };

struct worker {
  jitrun_specializer_t *specializer;
  pthread_t thread;
  int wrong;
};

static void *run_worker(void *context) {
  struct worker *worker = context;
  for (int i = 0; i < ROUNDS; i++) {
    struct fill_args args;
    (void)make_args(&args, 2 + i % SIZES, 2 + i % SIZES, 5);
    jitrun_error_t *err = jitrun_specializer_run(
        worker->specializer, args.tensors, 3, NULL, 0, NULL);
    worker->wrong += err != NULL || !is_filled(&args);
    jitrun_error_free(err);
  }
  return NULL;
}

static jitrun_specializer_stats_t run_threads(const char *text,
                                              size_t cache_limit) {
  struct worker workers[THREADS];
  jitrun_specializer_t *specializer;
  expect_ok(open_text(text,
                      (jitrun_specialize_options_t){.cache_limit = cache_limit},
                      &specializer));
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (struct worker){.specializer = specializer};
    assert_int_equal(
        pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]), 0);
  }
  int wrong = 0;
  for (int i = 0; i < THREADS; i++) {
    (void)pthread_join(workers[i].thread, NULL);
    wrong += workers[i].wrong;
  }
  assert_int_equal(wrong, 0);
  expect_ok(jitrun_specializer_wait_all(specializer, -1));
  jitrun_specializer_stats_t stats = read_stats(specializer);
  jitrun_specializer_close(specializer);
  return stats;
}

/// Whoever asks first compiles, all others wait for that.
static void threads_compile_once(void **state) {
  (void)state;
  jitrun_specializer_stats_t stats = run_threads(value_text, 0);
  assert_int_equal(stats.compiled, SIZES);
  assert_int_equal(stats.hits + stats.misses, THREADS * ROUNDS);
}

static void threads_in_background(void **state) {
  (void)state;
  jitrun_specializer_stats_t stats = run_threads(fill_text, 0);
  assert_int_equal(stats.compiled, 1); /* both sizes alike, whichever */
  assert_int_equal(stats.hits + stats.misses, THREADS * ROUNDS);
}

/// With less room than is needed programs come and go under the threads.
static void threads_evict(void **state) {
  (void)state;
  jitrun_specializer_stats_t stats = run_threads(value_text, 1);
  assert_true(stats.compiled >= SIZES);
  assert_int_equal(stats.compiled, stats.evicted + stats.kept);
  assert_int_equal(stats.kept, 1);
}

static void open_and_run(void *context) {
  (void)context;
  const jitrun_open_options_t open_options = {
      .size = sizeof open_options, .executor = JITRUN_EXECUTOR_THUNKS};
  jitrun_specializer_t *specializer;
  struct fill_args args;
  (void)make_args(&args, 3, 4, 9);
  jitrun_error_t *err =
      jitrun_specializer_open_memory(value_text, sizeof value_text - 1, NULL,
                                     &open_options, NULL, &specializer);
  if (!err)
    err = jitrun_specializer_run(specializer, args.tensors, 3, NULL, 0, NULL);
  assert_true(err || is_filled(&args));
  jitrun_error_free(err);
  jitrun_specializer_close(specializer);
}

static void no_memory(void **state) {
  (void)state;
  sweep_allocations(open_and_run, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enabled),
      cmocka_unit_test(compiles_are_bounded),
      cmocka_unit_test(disabled),
      cmocka_unit_test(always_static),
      cmocka_unit_test(constraints),
      cmocka_unit_test(strides),
      cmocka_unit_test(wrong_arguments),
      cmocka_unit_test(wrong_options),
      cmocka_unit_test(named_entry),
      cmocka_unit_test(eviction),
      cmocka_unit_test(errors_are_retried),
      cmocka_unit_test(errors_are_kept),
      cmocka_unit_test(errors_are_told),
      cmocka_unit_test(threads_compile_once),
      cmocka_unit_test(threads_in_background),
      cmocka_unit_test(threads_evict),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, create_registry, release_registry);
}

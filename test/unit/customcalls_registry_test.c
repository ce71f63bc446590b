/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Registries: what is there at first, registering, finding, what is refused,
/// and use from several threads.
#include "expect.h"

#include "customcalls/parts.h"
#include "customcalls/registry.h"
#include "jitrun/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static jitrun_customcall_t make_call(const char *name, const char *platform) {
  return (jitrun_customcall_t){.size = sizeof(jitrun_customcall_t),
                               .name = name,
                               .platform = platform,
                               .execute = do_nothing};
}

static jitrun_error_t *register_name(jitrun_registry_t *registry,
                                     const char *name, const char *platform) {
  jitrun_customcall_t call = make_call(name, platform);
  return jitrun_registry_register(registry, &call);
}

static int create(void **state) {
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  *state = registry;
  return 0;
}

static int release(void **state) {
  jitrun_registry_release(*state);
  return 0;
}

/// Calls that every registry has.
static size_t count_builtins(void) {
  size_t count = 0;
  for (size_t i = 0; i < JR_PART_COUNT; i++)
    count += jr_part_get(i)->call_count;
  return count;
}

static void check_part(const struct jitrun_part *part) {
  for (size_t i = 0; i < part->call_count; i++) {
    expect_ok(jr_record_check(&part->calls[i]));
    assert_non_null(part->calls[i].summary);
    assert_ptr_equal(jr_part_of_call(part->calls[i].name), part);
  }
}

static void test_builtins(void **state) {
  jitrun_registry_t *registries[] = {*state, jitrun_registry_default()};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(jitrun_registry_call_count(registries[i]),
                     count_builtins());
    const jitrun_customcall_t *call =
        jr_registry_find(registries[i], "jitrun.memcpy", "host");
    assert_non_null(call);
    assert_string_equal(call->name, "jitrun.memcpy");
    assert_null(jr_registry_find(registries[i], "jitrun.memcpy", "cuda"));
    assert_null(jr_registry_find(registries[i], "jitrun", "host"));
  }
  assert_true(jr_parts_complete());
  for (size_t i = 0; i < JR_PART_COUNT; i++)
    check_part(jr_part_get(i));
  assert_null(jr_part_get(JR_PART_COUNT));
  assert_null(jr_part_of_call("jitrun"));
}

static void test_default(void **state) {
  (void)state;
  jitrun_registry_t *registry = jitrun_registry_default();
  jitrun_registry_retain(registry);
  jitrun_registry_release(registry);
  jitrun_registry_release(registry);
  assert_ptr_equal(jitrun_registry_default(), registry);
  assert_non_null(jr_registry_find(registry, "jitrun.noop", "host"));
  jitrun_registry_release(NULL);
}

static void test_register(void **state) {
  jitrun_registry_t *registry = *state;
  expect_ok(register_name(registry, "a.b", "host"));
  expect_ok(register_name(registry, "a.b", "cuda"));
  expect_ok(register_name(registry, "z", "hip"));
  assert_string_equal(jr_registry_find(registry, "a.b", "cuda")->platform,
                      "cuda");
  expect_error(register_name(registry, "a.b", "host"), JITRUN_ALREADY_EXISTS,
               "custom call 'a.b' is already registered for platform 'host'");
  assert_int_equal(jitrun_registry_call_count(registry), count_builtins() + 3);
}

/// XLA's calls give way to those that a program brings, once.
static void test_replace(void **state) {
  jitrun_registry_t *registry = *state;
  const jitrun_customcall_t *known =
      jr_registry_find(registry, "xla.gpu.gemm", "host");
  assert_non_null(known);
  expect_ok(register_name(registry, "xla.gpu.gemm", "host"));
  const jitrun_customcall_t *call =
      jr_registry_find(registry, "xla.gpu.gemm", "host");
  assert_non_null(call);
  assert_ptr_not_equal(call, known);
  assert_int_equal(jitrun_registry_call_count(registry), count_builtins());
  expect_error(register_name(registry, "xla.gpu.gemm", "host"),
               JITRUN_ALREADY_EXISTS, "'xla.gpu.gemm' is already registered");
  expect_ok(register_name(registry, "xla.gpu.gemm", "cuda"));
  assert_ptr_equal(
      jr_registry_find(jitrun_registry_default(), "xla.gpu.gemm", "host"),
      known);
}

static void test_order(void **state) {
  jitrun_registry_t *registry = *state;
  expect_ok(register_name(registry, "#b", "host"));
  expect_ok(register_name(registry, "#a", "host"));
  expect_ok(register_name(registry, "#a", "cuda"));
  assert_string_equal(jitrun_registry_call_get(registry, 0)->platform, "cuda");
  assert_string_equal(jitrun_registry_call_get(registry, 1)->platform, "host");
  assert_string_equal(jitrun_registry_call_get(registry, 2)->name, "#b");
  size_t count = jitrun_registry_call_count(registry);
  assert_null(jitrun_registry_call_get(registry, count));
  for (size_t i = 1; i < count; i++)
    assert_true(strcmp(jitrun_registry_call_get(registry, i - 1)->name,
                       jitrun_registry_call_get(registry, i)->name) <= 0);
}

static void test_records_stay(void **state) {
  jitrun_registry_t *registry = *state;
  static char names[500][16];
  expect_ok(register_name(registry, "first", "host"));
  const jitrun_customcall_t *first =
      jr_registry_find(registry, "first", "host");
  for (int i = 0; i < 500; i++) {
    (void)snprintf(names[i], sizeof(names[i]), "n%d", (i * 37) % 500);
    expect_ok(register_name(registry, names[i], "host"));
  }
  for (int i = 0; i < 500; i++)
    assert_ptr_equal(jr_registry_find(registry, names[i], "host")->name,
                     names[i]);
  assert_ptr_equal(jr_registry_find(registry, "first", "host"), first);
}

static void test_missing(void **state) {
  jitrun_registry_t *registry = *state;
  expect_error(
      jr_registry_missing(registry, "jitrun.gemmm", "host"), JITRUN_NOT_FOUND,
      "custom call 'jitrun.gemmm' is not registered for platform 'host' "
      "(did you mean 'jitrun.gemm'?): register it, or load the "
      "plug-in that has it");
  expect_error(jr_registry_missing(registry, "entirely.different", "host"),
               JITRUN_NOT_FOUND, "for platform 'host': register it");
  expect_ok(register_name(registry, "jitrun.gemm", "hip"));
  expect_error(jr_registry_missing(registry, "jitrun.gemm", "cuda"),
               JITRUN_NOT_FOUND,
               "custom call 'jitrun.gemm' is not registered for platform "
               "'cuda'; it is for 'hip', 'host': ");
}

static void test_refused_records(void **state) {
  jitrun_registry_t *registry = *state;
  size_t count = jitrun_registry_call_count(registry);
  jitrun_customcall_t call = make_call("x", "host");
  call.size = 8;
  expect_error(jitrun_registry_register(registry, NULL),
               JITRUN_INVALID_ARGUMENT, "is NULL");
  expect_error(jitrun_registry_register(registry, &call),
               JITRUN_INVALID_ARGUMENT, "is 8: set it to sizeof");
  call.size = offsetof(jitrun_customcall_t, module); // of an older header
  expect_error(jitrun_registry_register(registry, &call),
               JITRUN_INVALID_ARGUMENT,
               "and build it with the jitrun/customcall.h of this jitrun");
  expect_error(register_name(registry, NULL, "host"), JITRUN_INVALID_ARGUMENT,
               "has no name");
  expect_error(register_name(registry, "", "host"), JITRUN_INVALID_ARGUMENT,
               "has no name");
  expect_error(register_name(registry, "x", ""), JITRUN_INVALID_ARGUMENT,
               "custom call 'x' has no platform");
  call = make_call("x", "host");
  call.execute = NULL;
  expect_error(jitrun_registry_register(registry, &call),
               JITRUN_INVALID_ARGUMENT, "custom call 'x' has no execute");
  assert_int_equal(jitrun_registry_call_count(registry), count);
}

static void test_refused_modules(void **state) {
  (void)state;
  jitrun_module_t module = {.size = 4, .name = "m"};
  jitrun_customcall_t call = make_call("x", "host");
  call.module = &module;
  expect_error(jr_record_check(&call), JITRUN_INVALID_ARGUMENT,
               "the module of custom call 'x' is not usable: its size is 4");
  module = (jitrun_module_t){.size = sizeof module};
  expect_error(jr_record_check(&call), JITRUN_INVALID_ARGUMENT,
               "the module of custom call 'x' is not usable: it has no name");
  module.name = "m";
  expect_ok(jr_record_check(&call));
}

static void refuse_signature(jitrun_signature_t signature, const char *part) {
  jitrun_customcall_t call = make_call("x", "host");
  call.signature = &signature;
  expect_error(jr_record_check(&call), JITRUN_INVALID_ARGUMENT, part);
}

static void refuse_param(jitrun_param_t param, const char *part) {
  refuse_signature((jitrun_signature_t){.size = sizeof(jitrun_signature_t),
                                        .results = &param,
                                        .result_count = 1},
                   part);
}

static void refuse_attr(jitrun_attr_param_t attr, const char *part) {
  refuse_signature((jitrun_signature_t){.size = sizeof(jitrun_signature_t),
                                        .attrs = &attr,
                                        .attr_count = 1},
                   part);
}

static void test_refused_signatures(void **state) {
  (void)state;
  const size_t size = sizeof(jitrun_signature_t);
  refuse_signature((jitrun_signature_t){.size = 1}, "its size is 1");
  refuse_signature((jitrun_signature_t){.size = size, .flags = 64},
                   "flags other than");
  refuse_signature((jitrun_signature_t){.size = size, .arg_count = 2},
                   "declares 2 arguments, but the array of them is NULL");
  refuse_signature((jitrun_signature_t){.size = size, .attr_count = 0x10000000},
                   "declares 268435456 attributes; at most 4096");
  const uint64_t f32 = JITRUN_DTYPES(JITRUN_DTYPE_F32);
  refuse_param((jitrun_param_t){.dtypes = f32}, "result 0 has no name");
  refuse_param((jitrun_param_t){.name = "p"}, "allows no element type");
  refuse_param((jitrun_param_t){.name = "p", .dtypes = f32, .kind = 7},
               "none of jitrun_kind_t");
  refuse_param((jitrun_param_t){.name = "p", .dtypes = f32, .flags = 1},
               "which only attributes take");
  refuse_param((jitrun_param_t){.name = "p", .dtypes = f32, .min_rank = 1},
               "a range of ranks that holds none");
  refuse_param((jitrun_param_t){.name = "p", .dtypes = f32, .max_rank = -2},
               "a range of ranks that holds none");
  refuse_param((jitrun_param_t){.name = "p", .dtypes = f32, .type_name = "t"},
               "has a type name, which only JITRUN_KIND_OPAQUE takes");
  refuse_param((jitrun_param_t){.name = "p", .kind = JITRUN_KIND_ASYNC_SCALAR},
               "allows no element type");
  refuse_attr((jitrun_attr_param_t){.kind = JITRUN_ATTR_STRING},
              "attribute 0 has no name");
  refuse_attr((jitrun_attr_param_t){.name = "a", .kind = 8},
              "none of jitrun_attr_kind_t");
  refuse_attr((jitrun_attr_param_t){.name = "a", .kind = JITRUN_ATTR_ARRAY},
              "allows no element type");
  refuse_attr((jitrun_attr_param_t){.name = "a", .flags = 2, .dtypes = f32},
              "flags other than JITRUN_OPTIONAL");
  refuse_attr((jitrun_attr_param_t){.name = "a",
                                    .kind = JITRUN_ATTR_STRING,
                                    .type_name = "t.color"},
              "has a type_name, which only scalars and dictionaries take");
  jitrun_attr_param_t twice[] = {{.name = "a", .dtypes = f32},
                                 {.name = "a", .dtypes = f32}};
  refuse_signature(
      (jitrun_signature_t){.size = size, .attrs = twice, .attr_count = 2},
      "attribute 1 has the name of an earlier one");
}

/// Registers enough to grow, with each allocation failing in turn: what is
/// there afterwards is all or nothing.
static void register_many(void *context) {
  (void)context;
  jitrun_registry_t *registry = NULL;
  jitrun_error_t *error = jitrun_registry_create(&registry);
  enum { MORE = 50 }; // than there is room for without an allocation
  static char names[MORE][8];
  size_t count = count_builtins();
  for (size_t i = 0; i < MORE && !error; i++) {
    (void)snprintf(names[i], sizeof(names[i]), "n%zu", i);
    error = register_name(registry, names[i], "host");
    count += error ? 0 : 1;
  }
  if (registry) {
    assert_int_equal(jitrun_registry_call_count(registry), count);
    jitrun_error_free(jr_registry_missing(registry, "no", "host"));
  }
  jitrun_registry_release(registry);
  jitrun_error_free(error);
}

static void test_allocations(void **state) {
  (void)state;
  sweep_allocations(register_many, NULL);
}

#define THREADS 4
#define NAMES 200

struct worker {
  jitrun_registry_t *registry;
  char names[NAMES][32];
  int failures;
};

/// Every thread registers its own names and looks for those of all.
static void *run_worker(void *context) {
  struct worker *worker = context;
  for (int i = 0; i < NAMES; i++) {
    jitrun_error_t *error =
        register_name(worker->registry, worker->names[i], "host");
    worker->failures += error != NULL;
    jitrun_error_free(error);
    worker->failures +=
        !jr_registry_find(worker->registry, worker->names[i], "host");
    jitrun_error_free(jr_registry_missing(worker->registry, "w", "host"));
    jitrun_registry_retain(worker->registry);
    jitrun_registry_release(worker->registry);
  }
  jitrun_registry_release(worker->registry);
  return NULL;
}

static void test_threads(void **state) {
  jitrun_registry_t *registry = *state;
  static struct worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (struct worker){.registry = registry};
    for (int j = 0; j < NAMES; j++)
      (void)snprintf(workers[i].names[j], sizeof(workers[i].names[j]), "w%d.%d",
                     i, j);
    jitrun_registry_retain(registry);
    assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]),
                     0);
  }
  for (int i = 0; i < THREADS; i++) {
    (void)pthread_join(threads[i], NULL);
    assert_int_equal(workers[i].failures, 0);
  }
  assert_int_equal(jitrun_registry_call_count(registry),
                   count_builtins() + (size_t)THREADS * NAMES);
}

#define REGISTRY_TEST(name)                                                    \
  cmocka_unit_test_setup_teardown(name, create, release)

int main(void) {
  const struct CMUnitTest tests[] = {
      REGISTRY_TEST(test_builtins),
      cmocka_unit_test(test_default),
      REGISTRY_TEST(test_replace),
      REGISTRY_TEST(test_register),
      REGISTRY_TEST(test_order),
      REGISTRY_TEST(test_records_stay),
      REGISTRY_TEST(test_missing),
      REGISTRY_TEST(test_refused_records),
      cmocka_unit_test(test_refused_modules),
      cmocka_unit_test(test_refused_signatures),
      cmocka_unit_test(test_allocations),
      REGISTRY_TEST(test_threads),
  };
  return cmocka_run_group_tests_name("customcalls_registry", tests, NULL,
                                     check_no_errors);
}

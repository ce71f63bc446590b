/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The cache of compiled programs as the library has it: threads that fill one
/// folder at once, and what of a registry makes another program.
#include "expect.h"

#include "jitrun/program.h"
#include "runtime/cache.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program_text[] = "func.func @main(%a: i32) -> i32 {\n"
                                   "  %x = arith.addi %a, %a : i32\n"
                                   "  return %x : i32\n"
                                   "}\n";

static char folder[] = "/tmp/jitrun-cache-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  memset(folder + sizeof folder - 7, 'X', 6);
  return mkdtemp(folder) ? 0 : -1;
}

static size_t count_files(bool removes) {
  size_t count = 0;
  DIR *open_folder = opendir(folder);
  for (const struct dirent *entry;
       open_folder && (entry = readdir(open_folder));) {
    char path[sizeof folder + sizeof entry->d_name];
    if (entry->d_name[0] == '.')
      continue;
    count++;
    (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (removes)
      (void)unlink(path);
  }
  if (open_folder)
    (void)closedir(open_folder);
  return count;
}

static int remove_folder(void **state) {
  (void)state;
  (void)count_files(true);
  return rmdir(folder);
}

/// How the folder was used; fails when the program does not give twice `value`.
static jitrun_error_t *run_once(jitrun_registry_t *registry, int32_t value,
                                jitrun_cache_use_t *out_use) {
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .registry = registry,
                                         .opt_level = -1,
                                         .cache_dir = folder};
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_program_t *program = NULL;
  int32_t result = 0;
  const jitrun_tensor_t argument = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  const jitrun_tensor_t output = {.dtype = JITRUN_DTYPE_S32, .data = &result};
  JITRUN_TRY(jitrun_program_open_memory(program_text, sizeof program_text - 1,
                                        "test.mlir", &options, &program));
  jitrun_program_stats(program, &stats);
  *out_use = stats.cache;
  jitrun_error_t *error =
      jitrun_program_run(program, NULL, &argument, 1, &output, 1, NULL);
  jitrun_program_release(program);
  if (!error && result != 2 * value)
    error = jr_error(JITRUN_INTERNAL, "%d gives %d", value, result);
  return error;
}

static void expect_use(jitrun_registry_t *registry, jitrun_cache_use_t wanted) {
  jitrun_cache_use_t use = JITRUN_CACHE_UNUSED;
  expect_ok(run_once(registry, 21, &use));
  assert_int_equal(use, wanted);
}

static void *run_many(void *context) {
  size_t *passed = context;
  for (int32_t i = 0; i < 10; i++) {
    jitrun_cache_use_t use = JITRUN_CACHE_UNUSED;
    jitrun_error_t *error = run_once(NULL, i, &use);
    *passed +=
        !error && (use == JITRUN_CACHE_HIT || use == JITRUN_CACHE_STORED);
    jitrun_error_free(error);
  }
  return NULL;
}

static void test_threads_fill_one_folder(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  size_t passed[THREADS] = {0};
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_many, &passed[i]),
                     0);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(passed[i], 10);
  }
  assert_int_equal(count_files(false), 1);
  expect_use(NULL, JITRUN_CACHE_HIT);
}

static void test_attribute_types_count(void **state) {
  (void)state;
  static const jitrun_attr_case_t cases[] = {{"left", 1}, {"right", 2}};
  static const jitrun_attr_type_t type = {.size = sizeof type,
                                          .name = "test.side",
                                          .cases = cases,
                                          .case_count = 2,
                                          .dtype = JITRUN_DTYPE_S32};
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  expect_use(registry, JITRUN_CACHE_STORED);
  expect_use(registry, JITRUN_CACHE_HIT);
  expect_use(NULL, JITRUN_CACHE_HIT); // the default one has no more
  expect_ok(jitrun_registry_add_attr_type(registry, &type));
  expect_use(registry, JITRUN_CACHE_STORED);
  expect_use(registry, JITRUN_CACHE_HIT);
  assert_int_equal(count_files(false), 2);
  jitrun_registry_release(registry);
}

/// The name of the image of a compile.
static void make_name(const struct jr_compile_options *options,
                      char out_path[256]) {
  const struct jr_compile_input input = {
      .data = program_text, .size = sizeof program_text - 1, .name = "a.mlir"};
  struct jr_cache cache;
  expect_ok(jr_cache_open(folder, 0, &input, options, jitrun_registry_default(),
                          &cache));
  (void)snprintf(out_path, 256, "%s", (const char *)cache.path.data);
  jr_cache_close(&cache);
}

static void test_every_option_counts(void **state) {
  (void)state;
  static const struct jr_specialization one = {
      .entry = "main", .key = "1", .key_bytes = 1};
  static const struct jr_specialization two = {
      .entry = "main", .key = "2", .key_bytes = 1};
  static const struct jr_compile_options options[] = {
      {.form = JR_FORM_OBJECT},
      {.form = JR_FORM_IMAGE},
      {.form = JR_FORM_OBJECT, .opt_level = 1},
      {.form = JR_FORM_OBJECT, .cpu = "x86-64"},
      {.form = JR_FORM_OBJECT, .cpu = ""},
      {.form = JR_FORM_OBJECT, .target = "x86_64-linux-gnu"},
      {.form = JR_FORM_OBJECT, .prefix = "a"},
      {.form = JR_FORM_OBJECT, .prefix = "b"},
      {.form = JR_FORM_OBJECT, .check = true},
      {.form = JR_FORM_OBJECT, .debug_info = true},
      {.form = JR_FORM_OBJECT, .specialization = &one},
      {.form = JR_FORM_OBJECT, .specialization = &two},
  };
  enum { COUNT = sizeof options / sizeof options[0] };
  char names[COUNT][256];
  for (size_t i = 0; i < COUNT; i++) {
    make_name(&options[i], names[i]);
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(names[i], names[j]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_threads_fill_one_folder, make_folder,
                                      remove_folder),
      cmocka_unit_test_setup_teardown(test_attribute_types_count, make_folder,
                                      remove_folder),
      cmocka_unit_test_setup_teardown(test_every_option_counts, make_folder,
                                      remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

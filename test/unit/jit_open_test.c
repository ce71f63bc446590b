/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiling in a process that goes on: several compiles at once, and programs
/// that come and go without leaving anything behind.
#include "expect.h"
#include "jit_program.h"

#include "jitrun/program.h"

#include "base/files.h"

#include <pthread.h>

/// Doubles every element of a buffer of 8, in native code, then calls noop.
static const char program_text[] =
    "func.func private @noop(memref<8xf32>)\n"
    "    attributes {rt.custom_call = \"jitrun.noop\"}\n"
    "func.func @main(%a: memref<8xf32>) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c8 = arith.constant 8 : index\n"
    "  scf.for %i = %c0 to %c8 step %c1 {\n"
    "    %x = memref.load %a[%i] : memref<8xf32>\n"
    "    %y = arith.addf %x, %x : f32\n"
    "    memref.store %y, %a[%i] : memref<8xf32>\n"
    "  }\n"
    "  call @noop(%a) : (memref<8xf32>) -> ()\n"
    "  return\n"
    "}\n";

/// Opens, runs and releases once; false when anything is not as it should be.
static bool run_once(float first) {
  jitrun_program_t *program = NULL;
  jitrun_error_t *error =
      open_program(program_text, jitrun_registry_default(), &program);
  float values[8] = {first, 1, 2, 3, 4, 5, 6, 7};
  const int64_t dims[] = {8};
  const jitrun_tensor_t argument = {
      .dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = values};
  if (!error)
    error = jitrun_program_run(program, NULL, &argument, 1, NULL, 0, NULL);
  jitrun_program_release(program);
  bool passed = !error && values[0] == 2 * first && values[7] == 14;
  jitrun_error_free(error);
  return passed;
}

static void *run_many(void *context) {
  size_t *passed = context;
  for (int i = 0; i < 5; i++)
    *passed += run_once((float)i);
  return NULL;
}

static void test_several_compiles_at_once(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  size_t passed[THREADS] = {0};
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_many, &passed[i]),
                     0);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(passed[i], 5);
  }
}

static size_t count_mappings(void) {
  struct jr_bytes maps = {0};
  expect_ok(jr_file_read("/proc/self/maps", &maps));
  size_t lines = 0;
  for (size_t i = 0; i < maps.size; i++)
    lines += maps.data[i] == '\n';
  jr_bytes_deinit(&maps);
  return lines;
}

static void test_released_programs_leave_nothing(void **state) {
  (void)state;
  if (JITRUN_SANITIZER)
    skip(); /* its own mappings come and go */
  for (int i = 0; i < 20; i++)
    assert_true(run_once(3));
  size_t before = count_mappings();
  for (int i = 0; i < 60; i++)
    assert_true(run_once(3));
  assert_in_range(count_mappings(), 0, before + 8);
}

static void test_unresolved_names_are_listed(void **state) {
  (void)state;
  const struct jr_compile_input input = {.data = program_text,
                                         .size = sizeof program_text - 1,
                                         .name = "test.mlir"};
  const struct jr_compile_options options = {
      .size = sizeof options, .form = JR_FORM_OBJECT, .prefix = "test"};
  struct jr_compile_output output;
  struct jr_loaded_code code;
  expect_ok(jr_compile(&input, &options, &output));
  expect_error(jr_orc_load(output.data, output.size, "jitrun_image_other", NULL,
                           0, &code),
               JITRUN_NOT_FOUND, "jitrun_image_other");
  expect_error(jr_orc_load("no object", 9, "jitrun_image_test", NULL, 0, &code),
               JITRUN_INTERNAL, "ORC cannot add the object");
  free(output.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_several_compiles_at_once),
      cmocka_unit_test(test_released_programs_leave_nothing),
      cmocka_unit_test(test_unresolved_names_are_listed),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening programs from files and memory, and the options of compiling; what
/// needs the compiler is tested elsewhere.
#include "expect.h"
#include "sample_calls.h"

#include "base/files.h"
#include "jitrun/compile.h"
#include "runtime/compiler.h"
#include "runtime/image.h"

#include <stdio.h>
#include <unistd.h>

/// A sealed table, as a file has it.
struct fixture {
  struct sample sample;
  jitrun_registry_t *registry;
  jitrun_open_options_t options;
  char path[64];
};

static int set_up(void **state) {
  static struct fixture fixture;
  memset(&sample_calls, 0, sizeof sample_calls);
  expect_ok(build_sample(&fixture.sample));
  expect_ok(jr_image_seal(fixture.sample.image, fixture.sample.size));
  expect_ok(create_registry(&fixture.registry));
  fixture.options = (jitrun_open_options_t){.size = sizeof fixture.options,
                                            .registry = fixture.registry};
  (void)snprintf(fixture.path, sizeof fixture.path, "open-test-%ld.bin",
                 (long)getpid());
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *fixture = *state;
  (void)unlink(fixture->path);
  jitrun_registry_release(fixture->registry);
  free(fixture->sample.image);
  return 0;
}

static void test_memory(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  // At an address that is aligned to nothing.
  unsigned char *copy = malloc(fixture->sample.size + 1);
  assert_non_null(copy);
  memcpy(copy + 1, fixture->sample.image, fixture->sample.size);
  expect_ok(jitrun_program_open_memory(copy + 1, fixture->sample.size, NULL,
                                       &fixture->options, &program));
  free(copy);
  assert_int_equal(jitrun_program_site_count(program), 4);
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_program_stats(program, &stats);
  assert_true(stats.load_ns > 0);
  assert_int_equal(stats.parse_ns, 0);
  jitrun_program_release(program);
}

static void test_file(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  expect_ok(jr_file_write(fixture->path, fixture->sample.image,
                          fixture->sample.size));
  expect_ok(
      jitrun_program_open_file(fixture->path, &fixture->options, &program));
  jitrun_program_release(program);
  expect_error(
      jitrun_program_open_file("missing.o", &fixture->options, &program),
      JITRUN_NOT_FOUND, "missing.o");
  assert_null(program);
  expect_error(jitrun_program_open_file("/", &fixture->options, &program),
               JITRUN_INVALID_ARGUMENT, "'/'");
}

static void test_damaged(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  fixture->sample.image[fixture->sample.size / 2] ^= 1;
  jitrun_error_t *err =
      jitrun_program_open_memory(fixture->sample.image, fixture->sample.size,
                                 "x.o", &fixture->options, &program);
  assert_null(program);
  assert_int_equal(jitrun_error_code(err), JITRUN_DATA_LOSS);
  size_t count = jitrun_error_note_count(err);
  assert_string_equal(jitrun_error_note_get(err, count - 1),
                      "while opening 'x.o'");
  jitrun_error_free(err);
  expect_error(jitrun_program_open_memory(NULL, 1, NULL, NULL, &program),
               JITRUN_INVALID_ARGUMENT, "NULL");
}

static void test_opening_options(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  fixture->options.opt_level = 4;
  expect_error(jitrun_program_open_file("x.mlir", &fixture->options, &program),
               JITRUN_INVALID_ARGUMENT, "optimisation level 4");
}

/// Only where there is no compiler to be found.
static void test_no_compiler(void **state) {
  struct fixture *fixture = *state;
  const struct jr_compiler *compiler;
  jitrun_program_t *program;
  jitrun_error_t *err = jr_compiler_open(&compiler);
  if (!err)
    skip();
  assert_null(compiler);
  expect_error(err, JITRUN_UNIMPLEMENTED, "libjitrun-jit.so.");
  expect_error(jitrun_program_open_memory("module {}", 9, NULL,
                                          &fixture->options, &program),
               JITRUN_UNIMPLEMENTED, "install it beside libjitrun");
}

static void test_compile_options(void **state) {
  (void)state;
  jitrun_compile_options_t options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  expect_error(jitrun_compile_file("x.mlir", "x.o", NULL),
               JITRUN_INVALID_ARGUMENT, "options");
  expect_error(jitrun_compile_file("x.mlir", "x.o", &options),
               JITRUN_INVALID_ARGUMENT, "no form 0");
  options.emit = JITRUN_EMIT_SHARED;
  expect_error(jitrun_compile_file("x.mlir", "-", &options),
               JITRUN_INVALID_ARGUMENT, "standard output");
  options.prefix = "9a";
  expect_error(jitrun_compile_file("x.mlir", "x.so", &options),
               JITRUN_INVALID_ARGUMENT, "prefix '9a'");
  options.prefix = "a9";
  options.opt_level = -2;
  expect_error(jitrun_compile_file("x.mlir", "x.so", &options),
               JITRUN_INVALID_ARGUMENT, "optimisation level -2");
  options.opt_level = 0;
  expect_error(jitrun_compile_file("missing.mlir", "x.so", &options),
               JITRUN_NOT_FOUND, "missing.mlir");
}

static void open_without_memory(void *context) {
  struct fixture *fixture = context;
  jitrun_program_t *program;
  jitrun_error_t *err =
      jitrun_program_open_memory(fixture->sample.image, fixture->sample.size,
                                 NULL, &fixture->options, &program);
  if (err)
    assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(err);
  jitrun_program_release(program);
}

static void test_no_memory(void **state) {
  sweep_allocations(open_without_memory, *state);
}

#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_memory),      TEST(test_file),
      TEST(test_damaged),     TEST(test_opening_options),
      TEST(test_no_compiler), TEST(test_compile_options),
      TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

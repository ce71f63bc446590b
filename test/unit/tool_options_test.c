/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The command line: each kind of value, verbs, flag files. Messages are in
/// test/lit/tool.
#include "expect.h"
#include "option_emit.h"
#include "options.h"

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 16 };

/// Parses NULL-terminated arguments.
static jitrun_error_t *parse(const char **arguments,
                             struct jr_options *out_options) {
  const char *argv[MAX_ARGUMENTS] = {"jitrun"};
  int argc = 1;
  while (arguments[argc - 1]) {
    argv[argc] = arguments[argc - 1];
    argc++;
  }
  return jr_options_parse(argc, argv, out_options);
}

#define ARGS(...) ((const char *[]){__VA_ARGS__, NULL})

static void assert_refused(const char **arguments, const char *expected) {
  struct jr_options options;
  expect_error(parse(arguments, &options), JITRUN_INVALID_ARGUMENT, expected);
}

static void test_run(void **state) {
  (void)state;
  struct jr_options options;
  assert_null(parse(ARGS("x.mlir", "--entry=f", "--input=2xf32", "--input",
                         "i32=7", "-O3", "--atol=0.5", "--repeat=2",
                         "--timeout=1.5", "--executor=thunks"),
                    &options));
  assert_int_equal(options.verb, JR_VERB_RUN);
  assert_string_equal(options.file, "x.mlir");
  assert_string_equal(options.entry, "f");
  assert_int_equal(options.inputs.count, 2);
  assert_int_equal(options.opt_level, 3);
  assert_true(options.atol == 0.5 && options.rtol < 0);
  assert_int_equal(options.repeat, 2);
  assert_int_equal(options.timeout_ns, 1500000000);
  assert_int_equal(options.executor, JITRUN_EXECUTOR_THUNKS);
  jr_options_deinit(&options);
}

static void test_defaults(void **state) {
  (void)state;
  struct jr_options options;
  assert_null(parse(ARGS("run", "-"), &options));
  assert_string_equal(options.file, "-");
  assert_int_equal(options.opt_level, -1);
  assert_int_equal(options.executor, JITRUN_EXECUTOR_AUTO);
  assert_int_equal(options.timeout_ns, 0);
  jr_options_deinit(&options);
}

static void test_emit(void **state) {
  (void)state;
  static const struct {
    const char *path, *emit;
    jitrun_emit_t expected;
  } rows[] = {
      {"x.o", "--emit=object", JITRUN_EMIT_OBJECT},
      {"x.so", "--emit=so", JITRUN_EMIT_SHARED},
      {"x.ll", "--emit=llvm", JITRUN_EMIT_LLVM},
      {"x.s", "--emit=s", JITRUN_EMIT_ASM},
      {"x.h", "--emit=header", JITRUN_EMIT_HEADER},
      {"x.mlir", "--emit=mlir", JITRUN_EMIT_MLIR},
      {"x.mlirbc", "--emit=bytecode", JITRUN_EMIT_BYTECODE},
      {"x.image", "--emit=image", JITRUN_EMIT_IMAGE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct jr_options options;
    assert_null(parse(ARGS("compile", "x.mlir", "-o", rows[i].path), &options));
    assert_int_equal(options.emits[0], rows[i].expected);
    jr_options_deinit(&options);
    assert_null(parse(ARGS("compile", "x", "-o", "y", rows[i].emit), &options));
    assert_int_equal(options.emits[0], rows[i].expected);
    jr_options_deinit(&options);
  }
}

static void test_emit_several(void **state) {
  (void)state;
  struct jr_options options;
  assert_null(parse(ARGS("compile", "x", "-o", "y", "--emit=h,o,h"), &options));
  assert_int_equal(options.emit_count, 2);
  assert_int_equal(options.emits[0], JITRUN_EMIT_HEADER);
  assert_int_equal(options.emits[1], JITRUN_EMIT_OBJECT);
  jr_options_deinit(&options);
  assert_null(
      parse(ARGS("compile", "x", "-o", "y", "--emit=all,image"), &options));
  assert_int_equal(options.emit_count, JR_EMIT_COUNT);
  jr_options_deinit(&options);
  static const char *const wrong[] = {"--emit=o,", "--emit=", "--emit=o,,h",
                                      "--emit=al"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    expect_error(parse(ARGS("compile", "x", "-o", "y", wrong[i]), &options),
                 JITRUN_INVALID_ARGUMENT, "--emit=");
}

/// Of several kinds each is OUT with its own ending.
static void test_emit_paths(void **state) {
  (void)state;
  static const struct {
    const char *out, *object, *header;
  } rows[] = {
      {"y", "y.o", "y.h"},
      {"a.b/y.so", "a.b/y.o", "a.b/y.h"},
      {"a.o/y", "a.o/y.o", "a.o/y.h"},
      {"y.txt", "y.txt.o", "y.txt.h"},
      {"y.o.mlir", "y.o.o", "y.o.h"},
      {".o", ".o.o", ".o.h"},
      {"a/.o", "a/.o.o", "a/.o.h"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct jr_options options;
    const char *path = NULL;
    assert_null(
        parse(ARGS("compile", "x", "-o", rows[i].out, "--emit=o,h"), &options));
    assert_null(jr_emit_path(&options, 0, &path));
    assert_string_equal(path, rows[i].object);
    assert_null(jr_emit_path(&options, 1, &path));
    assert_string_equal(path, rows[i].header);
    jr_options_deinit(&options);
  }
}

static void test_bytes(void **state) {
  (void)state;
  if (JITRUN_SANITIZER != 0)
    skip();
  struct jr_options options;
  assert_null(parse(ARGS("calls", "--memory-limit=2G"), &options));
  assert_int_equal(options.memory_limit, UINT64_C(2) << 30);
  jr_options_deinit(&options);
  assert_refused(ARGS("x", "--memory-limit=99999999999999G"), "give a number");
  assert_refused(ARGS("x", "--memory-limit=M"), "give a number of bytes");
  assert_refused(ARGS("x", "--memory-limit="), "give a number of bytes");
}

static void test_wrong_values(void **state) {
  (void)state;
  assert_refused(ARGS("x", "--atol=-1"), "--atol=-1: give a number from 0 on");
  assert_refused(ARGS("x", "--rtol=nan"), "give a number from 0 on");
  assert_refused(ARGS("x", "--repeat=0"), "give a whole number from 1 on");
  assert_refused(ARGS("x", "--timeout=inf"), "give seconds");
  assert_refused(ARGS("x", "--timeout=-1"), "give seconds");
  assert_refused(ARGS("x", "-O4"), "-O4: give -O0, -O1, -O2 or -O3");
  assert_refused(ARGS("x", "--executor=x"), "give auto, jit or thunks");
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file) {
    fail_msg("cannot write %s", path);
    return;
  }
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

static void test_flagfile(void **state) {
  (void)state;
  struct jr_options options;
  write_file("flags-a", "# inputs\n\n  --input=2xf32=1, 2 \r\n"
                        "--flagfile=flags-b\n--stats");
  write_file("flags-b", "--input=i32=7\n");
  assert_null(parse(ARGS("--flagfile=flags-a", "x", "--input=i8"), &options));
  assert_int_equal(options.inputs.count, 3);
  assert_string_equal(options.input_texts.items[0], "2xf32=1, 2");
  assert_string_equal(options.input_texts.items[1], "i32=7");
  assert_true(options.stats);
  jr_options_deinit(&options);
  write_file("flags-b", "--flagfile=flags-a\n");
  assert_refused(ARGS("x", "--flagfile", "flags-a"), "more than 8 deep");
  assert_refused(ARGS("x", "--flagfile"), "'--flagfile' needs a value");
  (void)unlink("flags-a");
  (void)unlink("flags-b");
}

static void test_after_dashes(void **state) {
  (void)state;
  struct jr_options options;
  assert_null(parse(ARGS("run", "--", "--flagfile=x"), &options));
  assert_string_equal(options.file, "--flagfile=x");
  jr_options_deinit(&options);
}

static void parse_once(void *context) {
  (void)context;
  struct jr_options options;
  jitrun_error_t *error = parse(
      ARGS("x", "--flagfile=flags-c", "--plugin=p", "--input=i8"), &options);
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  else
    jr_options_deinit(&options);
}

static void test_no_memory(void **state) {
  (void)state;
  write_file("flags-c", "--input=2xf32=1,2\n");
  sweep_allocations(parse_once, NULL);
  (void)unlink("flags-c");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run),          cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_emit),         cmocka_unit_test(test_emit_several),
      cmocka_unit_test(test_emit_paths),   cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_wrong_values), cmocka_unit_test(test_flagfile),
      cmocka_unit_test(test_after_dashes), cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

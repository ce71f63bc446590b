/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What specialising makes of a program, as MLIR text and as a table.
#include "expect.h"

#include "jit/compile.h"
#include "jitrun/types.h"

#include <stdio.h>
#include <stdlib.h>

/// Compiles to MLIR text after a stage; to be freed.
static jitrun_error_t *print_stage(const char *text, const char *stage,
                                   const struct jr_known_arg *args,
                                   size_t count, char **out_text) {
  const struct jr_specialization specialization = {
      .entry = "main", .args = args, .arg_count = count};
  const struct jr_compile_input input = {
      .data = text, .size = strlen(text), .name = "test.mlir"};
  const struct jr_compile_options options = {.size = sizeof options,
                                             .form = JR_FORM_MLIR,
                                             .stage = stage,
                                             .prefix = "test",
                                             .specialization = &specialization};
  struct jr_compile_output output;
  jitrun_error_t *err = jr_compile(&input, &options, &output);
  *out_text = output.data;
  return err;
}

static void expect_text(const char *text, const char *const *parts) {
  for (; *parts; parts++) {
    if (!strstr(text, *parts))
      fail_msg("\"%s\" is missing in:\n%s", *parts, text);
  }
}

static const char shapes_text[] =
    "func.func private @use(memref<?x?xf32>, index)\n"
    "    attributes {rt.custom_call = \"test.use\"}\n"
    "func.func @main(%a: memref<?x?xf32> {jitrun.output},\n"
    "                %b: memref<?x?xf32>, %c: memref<2xf32>) {\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %d = memref.dim %a, %c1 : memref<?x?xf32>\n"
    "  call @use(%b, %d) : (memref<?x?xf32>, index) -> ()\n"
    "  return\n"
    "}\n";

/// Sizes that are known are in the types; ids are an attribute.
static void shapes_are_types(void **state) {
  (void)state;
  const int64_t a[] = {4, 8};
  const int64_t b[] = {8, -2};
  const struct jr_known_arg args[] = {
      {.rank = 2, .dims = a}, {.rank = 2, .dims = b}, {0}};
  const char *const parts[] = {
      "@main(%arg0: memref<4x8xf32> {jitrun.output}, "
      "%arg1: memref<8x?xf32> {rt.symbolic_shape = dense<[8, -2]> : "
      "tensor<2xi64>}, %arg2: memref<2xf32>)",
      "arith.constant 8 : index",
      "memref.cast %arg1 : memref<8x?xf32> to memref<?x?xf32>", NULL};
  char *text;
  expect_ok(print_stage(shapes_text, "specialize", args, 3, &text));
  expect_text(text, parts);
  assert_null(strstr(text, "memref.dim"));
  free(text);
}

static void shapes_that_do_not_fit(void **state) {
  (void)state;
  const int64_t dims[] = {4, 8, 1};
  const struct jr_known_arg rank[] = {{.rank = 3, .dims = dims}, {0}, {0}};
  const struct jr_known_arg size[] = {{0}, {0}, {.rank = 1, .dims = dims}};
  char *text;
  expect_error(print_stage(shapes_text, "specialize", rank, 3, &text),
               JITRUN_INVALID_ARGUMENT,
               "failed to resolve symbolic shape: argument 0 is "
               "memref<?x?xf32>");
  expect_error(print_stage(shapes_text, "specialize", size, 3, &text),
               JITRUN_INVALID_ARGUMENT,
               "failed to resolve symbolic shape: argument 2 is memref<2xf32>");
  expect_error(print_stage(shapes_text, "specialize", rank, 2, &text),
               JITRUN_INVALID_ARGUMENT, "expected 3 arguments, got: 2");
  expect_error(
      print_stage("func.func @f() { return }", "specialize", rank, 0, &text),
      JITRUN_NOT_FOUND, "no function 'main'");
}

/// A layout stays: only sizes become known.
static void layouts_stay(void **state) {
  (void)state;
  static const char source[] =
      "func.func private @use(memref<?x2xf32, strided<[?, 1], offset: ?>>)\n"
      "    attributes {rt.custom_call = \"test.use\"}\n"
      "func.func @main(%a: memref<?x2xf32, strided<[?, 1], offset: ?>>) {\n"
      "  call @use(%a) : (memref<?x2xf32, strided<[?, 1], offset: ?>>) -> ()\n"
      "  return\n"
      "}\n";
  const int64_t dims[] = {3, 2};
  const struct jr_known_arg args[] = {{.rank = 2, .dims = dims}};
  const char *const parts[] = {
      "@main(%arg0: memref<3x2xf32, strided<[?, 1], offset: ?>>)", NULL};
  char *text;
  expect_ok(print_stage(source, "specialize", args, 1, &text));
  expect_text(text, parts);
  free(text);
}

/// Strides that do not follow from the sizes stay open.
static void strides_stay(void **state) {
  (void)state;
  const int64_t a[] = {4, 8};
  const struct jr_known_arg args[] = {
      {.is_strided = true, .rank = 2, .dims = a}, {0}, {0}};
  const char *const parts[] = {
      "@main(%arg0: memref<4x8xf32, strided<[?, 1]>> {jitrun.output}", NULL};
  char *text;
  expect_ok(print_stage(shapes_text, "specialize", args, 3, &text));
  expect_text(text, parts);
  free(text);
}

/// A value of a type, and what MLIR prints of it.
struct value_row {
  const char *type, *constant;
  union {
    uint8_t bytes[8];
    int64_t s64;
    float f32;
    double f64;
  } value;
};

static void values_are_constants(void **state) {
  (void)state;
  static const struct value_row rows[] = {
      {"i1", "arith.constant true", {.s64 = 1}},
      {"i1", "arith.constant false", {.s64 = 0}},
      {"i8", "arith.constant -3 : i8", {.s64 = 0xfd}},
      {"i16", "arith.constant -2 : i16", {.s64 = 0xfffe}},
      {"i32", "arith.constant -1 : i32", {.s64 = 0xffffffff}},
      {"i64", "arith.constant -9 : i64", {.s64 = -9}},
      {"index", "arith.constant 7 : index", {.s64 = 7}},
      {"f32", "arith.constant 1.500000e+00 : f32", {.f32 = 1.5F}},
      {"f32", "arith.constant 0x7FA00001 : f32", {.s64 = 0x7fa00001}},
      {"f16", "arith.constant 1.000000e+00 : f16", {.s64 = 0x3c00}},
      {"bf16", "arith.constant -1.000000e+00 : bf16", {.s64 = 0xbf80}},
      {"f8E5M2", "arith.constant 1.000000e+00 : f8E5M2", {.s64 = 0x3c}},
      {"i4", "arith.constant -3 : i4", {.s64 = 0xfd}},
      {"f64", "arith.constant -2.500000e-01 : f64", {.f64 = -0.25}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char source[512];
    (void)snprintf(source, sizeof source,
                   "func.func private @use(%s)\n"
                   "    attributes {rt.custom_call = \"test.use\"}\n"
                   "func.func @main(%%a: %s {rt.constraint = \"value\"}) {\n"
                   "  call @use(%%a) : (%s) -> ()\n"
                   "  return\n"
                   "}\n",
                   rows[i].type, rows[i].type, rows[i].type);
    const struct jr_known_arg args[] = {{.value = rows[i].value.bytes}};
    char argument[64];
    (void)snprintf(argument, sizeof argument, "@main(%%arg0: %s", rows[i].type);
    const char *const parts[] = {rows[i].constant, argument, NULL};
    char *text;
    expect_ok(print_stage(source, "specialize", args, 1, &text));
    expect_text(text, parts);
    assert_null(strstr(text, "@use(%arg0)"));
    free(text);
  }
}

/// Tensors have their shapes and values as JitRt's had.
static void tensors(void **state) {
  (void)state;
  static const char source[] =
      "func.func @main(%a: tensor<?xf32>, %b: tensor<?xi32>, %c: tensor<i64>,"
      "                %d: tensor<?xf32>)\n"
      "    -> (tensor<?xi32>, tensor<i64>, index) {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %n = tensor.dim %a, %c0 : tensor<?xf32>\n"
      "  %m = tensor.dim %d, %c0 : tensor<?xf32>\n"
      "  %s = arith.addi %n, %m : index\n"
      "  return %b, %c, %s : tensor<?xi32>, tensor<i64>, index\n"
      "}\n";
  const int64_t dims[] = {3};
  const int32_t values[] = {4, -5, 6};
  const int64_t number = -7;
  const struct jr_known_arg args[] = {
      {.rank = 1, .dims = dims},
      {.rank = 1, .dims = dims, .value = values},
      {.value = &number},
      {.is_strided = true, .rank = 1, .dims = dims}};
  const char *const parts[] = {
      "@main(%arg0: tensor<3xf32>, %arg1: tensor<?xi32>, %arg2: tensor<i64>",
      "%arg3: tensor<?xf32>)",
      "dense<[4, -5, 6]> : tensor<3xi32>",
      "dense<-7> : tensor<i64>",
      "arith.constant 3 : index",
      NULL};
  char *text;
  expect_ok(print_stage(source, "specialize", args, 4, &text));
  expect_text(text, parts);
  free(text);
}

static void values_without_constants(void **state) {
  (void)state;
  static const char *const types[] = {"memref<4xi32>", "ui8",
                                      "!rt.opaque",    "tensor<2x2xi32>",
                                      "tensor<2xi1>",  "complex<f32>"};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    char source[256];
    char message[256];
    (void)snprintf(source, sizeof source,
                   "func.func @main(%%a: %s) {\n  return\n}\n", types[i]);
    (void)snprintf(message, sizeof message,
                   "non-sinkable operand was marked for sinking: argument 0 is "
                   "%s",
                   types[i]);
    const int64_t dims[] = {2, 2};
    const struct jr_known_arg args[] = {
        {.rank = strstr(types[i], "2xi1") ? 1 : 2,
         .dims = dims,
         .value = "\0\0\0\0\0\0\0"}};
    char *text;
    expect_error(print_stage(source, "specialize", args, 1, &text),
                 JITRUN_INVALID_ARGUMENT, message);
  }
}

/// A view that is past the end for these sizes, where they never get to.
static void unreached_views_stay(void **state) {
  (void)state;
  static const char source[] =
      "func.func private @use(memref<1xf32, strided<[1], offset: 5>>)\n"
      "    attributes {rt.custom_call = \"test.use\"}\n"
      "func.func @main(%a: memref<?xf32>, %long: i1) {\n"
      "  scf.if %long {\n"
      "    %s = memref.subview %a[5][1][1]\n"
      "      : memref<?xf32> to memref<1xf32, strided<[1], offset: 5>>\n"
      "    func.call @use(%s)\n"
      "      : (memref<1xf32, strided<[1], offset: 5>>) -> ()\n"
      "  }\n"
      "  return\n"
      "}\n";
  const int64_t dims[] = {4};
  const struct jr_known_arg args[] = {{.rank = 1, .dims = dims}, {0}};
  const char *const parts[] = {
      "@main(%arg0: memref<4xf32>, %arg1: i1)",
      "memref.subview %cast[5] [1] [1] : memref<?xf32>", NULL};
  char *text;
  expect_ok(print_stage(source, "specialize", args, 2, &text));
  expect_text(text, parts);
  free(text);
  expect_ok(print_stage(source, "llvm", args, 2, &text));
  free(text);
}

/// What the program itself calls stays as it was.
static void called_entry_is_split(void **state) {
  (void)state;
  static const char source[] =
      "func.func private @use(memref<?xf32>)\n"
      "    attributes {rt.custom_call = \"test.use\"}\n"
      "func.func @main(%a: memref<?xf32>) {\n"
      "  call @use(%a) : (memref<?xf32>) -> ()\n"
      "  return\n"
      "}\n"
      "func.func @other(%a: memref<?xf32>) {\n"
      "  call @main(%a) : (memref<?xf32>) -> ()\n"
      "  return\n"
      "}\n";
  const int64_t dims[] = {3};
  const struct jr_known_arg args[] = {{.rank = 1, .dims = dims}};
  const char *const parts[] = {
      "func.func @main(%arg0: memref<3xf32>)",
      "func.func private @main_0(%arg0: memref<?xf32>)",
      "call @main_0(%arg0) : (memref<?xf32>)", NULL};
  char *text;
  expect_ok(print_stage(source, "plan", args, 1, &text));
  expect_text(text, parts);
  assert_null(strstr(text, "@main_1"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_types),
      cmocka_unit_test(shapes_that_do_not_fit),
      cmocka_unit_test(layouts_stay),
      cmocka_unit_test(strides_stay),
      cmocka_unit_test(values_are_constants),
      cmocka_unit_test(tensors),
      cmocka_unit_test(values_without_constants),
      cmocka_unit_test(unreached_views_stay),
      cmocka_unit_test(called_entry_is_split),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

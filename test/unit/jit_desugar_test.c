/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Rewriting of spellings that MLIR does not know: what comes out, that lines
/// stay, that columns are mapped back, and what is left alone.
#include "jit/desugar.h"

#include "expect.h"

#include <stdlib.h>
#include <string.h>

/// The rewritten text; "" when nothing was.
static char *desugar(const char *text) {
  struct jr_desugared out = {0};
  expect_ok(jr_desugar(text, strlen(text), "t.mlir", &out));
  char *copy = strdup(out.text.size ? (const char *)out.text.data : "");
  assert_non_null(copy);
  jr_desugar_deinit(&out);
  return copy;
}

static size_t count_lines(const char *text) {
  size_t count = 0;
  for (; *text; text++)
    count += *text == '\n';
  return count;
}

static void expect_text(const char *text, const char *wanted) {
  char *found = desugar(text);
  assert_string_equal(found, wanted);
  if (*wanted)
    assert_int_equal(count_lines(found), count_lines(text));
  free(found);
}

static void rewrites_exports(void **state) {
  (void)state;
  expect_text("rt.export @f", "\"rt.export\"() {function_ref = @f} : () -> ()");
  expect_text("rt.export @\"a b\" ordinal 3 // x\n",
              "\"rt.export\"() {function_ref = @\"a b\", ordinal = 3 : i32} : "
              "() -> () // x\n");
  expect_text("rt.export @f {a = 1}\nrt.export @g ordinal 2 {}",
              "\"rt.export\"() {function_ref = @f, a = 1} : () -> ()\n"
              "\"rt.export\"() {function_ref = @g, ordinal = 2 : i32} : () "
              "-> ()");
}

static void rewrites_results(void **state) {
  (void)state;
  expect_text("rt.set_output %c, 0, %v : memref<4xf32, affine_map<(d0) -> "
              "(d0)>>",
              "\"rt.set_output\"(%c,  %v) {index = 0 : i64} : "
              "(!rt.execution_context,  memref<4xf32, affine_map<(d0) -> "
              "(d0)>>) -> ()");
  expect_text("rt.set_error %c, \"no \\\" way\"",
              "\"rt.set_error\"(%c) {error = \"no \\\" way\"} : "
              "(!rt.execution_context) -> ()");
  expect_text("%k = rt.is_ok %s", "%k = \"rt.is_ok\"(%s) : (!rt.status) -> i1");
}

static void rewrites_calls(void **state) {
  (void)state;
  expect_text("%s = rt.call %c[\"t\"] () : () -> ()",
              "%s = \"rt.call\"(%c) {callee = \"t\"} : "
              "(!rt.execution_context) -> (!rt.status)");
  expect_text("%s, %r = rt.call dynamic %c[\"t\"] (%a#1, %b) {x = {y = 1}} : "
              "(i32, f32) -> i32",
              "%s, %r = \"rt.call\"(%c, %a#1, %b) {callee = \"t\", dynamic, x "
              "= {y = 1}} : (!rt.execution_context, i32, f32) -> (!rt.status, "
              "i32)");
  expect_text("%s, %r:2 = rt.custom_call direct %c[\"t\"](%a)\n  {}\n  : (i32)"
              " -> (i32, f32)",
              "%s, %r:2 = \"rt.call\"(%c, %a) {callee = \"t\"\n}\n  : "
              "(!rt.execution_context, i32) -> (!rt.status, i32, f32)");
}

static void knows_the_older_context(void **state) {
  (void)state;
  expect_text("%c: !rt.kernel_context\nrt.set_error %c, \"m\"",
              "%c: !rt.kernel_context\n\"rt.set_error\"(%c) {error = \"m\"} : "
              "(!rt.kernel_context) -> ()");
}

static void rewrites_traces(void **state) {
  (void)state;
  expect_text("rt.trace #rt.hlo_trace<\"n\">, %c {\n}",
              "\"rt.trace\"(%c) ({\n}, {}) {annotation = "
              "#rt.hlo_trace<\"n\">} : (!rt.execution_context) -> ()");
  expect_text("%r:2 = rt.trace #rt.hlo_trace<\"n\">, %c -> i32,\n f32 {\n"
              "  %s = call %c[\"t\"] () : () -> ()\n"
              "  yield %a, %b : i32, f32\n}",
              "%r:2 = \"rt.trace\"(%c) (\n{\n"
              "  %s = \"rt.call\"(%c) {callee = \"t\"} : "
              "(!rt.execution_context) -> (!rt.status)\n"
              "  \"rt.yield\"(%a, %b) : ( i32, f32) -> ()\n}, {}) "
              "{annotation = #rt.hlo_trace<\"n\">} : "
              "(!rt.execution_context) -> (i32, f32)");
  expect_text("\"rt.trace\"(%c) ({\n yield\n}) {} : () -> ()",
              "\"rt.trace\"(%c) ({\n \"rt.yield\"() : () -> ()\n}, {}) {} : () "
              "-> ()");
}

static void rewrites_upstream(void **state) {
  (void)state;
  expect_text("scf.parallel (%i) = (%a) to (%b) step (%c) {\n scf.yield\n}",
              "scf.parallel (%i) = (%a) to (%b) step (%c) {\n scf.reduce\n}");
  expect_text("scf.parallel (%i) = (%a) to (%b) step (%c) init (%x) -> f32 {\n"
              " scf.reduce(%v) : f32 {\n ^bb0(%l: f32, %r: f32):\n"
              "  scf.reduce.return %l : f32\n }\n scf.yield\n}",
              "scf.parallel (%i) = (%a) to (%b) step (%c) init (%x) -> f32 {\n"
              " scf.reduce(%v : f32) {\n ^bb0(%l: f32, %r: f32):\n"
              "  scf.reduce.return %l : f32\n }\n \n}");
  expect_text("%n = llvm.mlir.null : !llvm.ptr",
              "%n = llvm.mlir.zero : !llvm.ptr");
}

static void leaves_the_rest_alone(void **state) {
  (void)state;
  expect_text("", "");
  expect_text("func.func private @f() attributes {rt.custom_call = \"t\", "
              "rt.trace = #rt.hlo_trace<\"n\">, rt.dynamic}",
              "");
  expect_text("// rt.export @f\n\"rt.export @g\"", "");
  expect_text("scf.if %c {\n scf.yield\n}", "");
  expect_text("scf.parallel (%i) = (%a) to (%b) step (%c) {\n scf.if %x {\n "
              "scf.yield\n }\n scf.reduce\n}",
              "");
}

static void refuses(const char *text, const char *message,
                    const char *location) {
  struct jr_desugared out = {0};
  jitrun_error_t *error = jr_desugar(text, strlen(text), "t.mlir", &out);
  assert_non_null(error);
  assert_int_equal(out.text.size, 0);
  assert_string_equal(jitrun_error_message(error), message);
  assert_string_equal(jitrun_error_location(error), location);
  jitrun_error_free(error);
}

static void reports_malformed_forms(void **state) {
  (void)state;
  refuses("\n  rt.set_output %c 0", "rt.set_output: expected ',', found '0'",
          "t.mlir:2:20");
  refuses("rt.call %c[t]",
          "rt.call: expected a target between quotes, found "
          "'t'",
          "t.mlir:1:12");
  refuses("rt.call %c[\"t\"] (%a",
          "rt.call: expected ')', found the end of "
          "the text",
          "t.mlir:1:20");
  refuses("rt.set_error %c,",
          "rt.set_error: expected a message between "
          "quotes, found the end of the text",
          "t.mlir:1:17");
}

static void maps_columns(void **state) {
  (void)state;
  const char text[] = "a\n  %k = rt.is_ok %s loc(x)\nb";
  struct jr_desugared out = {0};
  expect_ok(jr_desugar(text, strlen(text), "t.mlir", &out));
  const char *line = strchr((const char *)out.text.data, '\n') + 1;
  uint32_t at = (uint32_t)(strstr(line, "loc(x)") - line) + 1;
  assert_int_equal(jr_desugar_column(&out, 1, 1), 1);
  assert_int_equal(jr_desugar_column(&out, 2, 3), 3);
  assert_int_equal(jr_desugar_column(&out, 2, 8), 8);
  uint32_t value = (uint32_t)(strstr(line, "%s") - line) + 1;
  assert_int_equal(jr_desugar_column(&out, 2, value), 17);
  assert_int_equal(jr_desugar_column(&out, 2, at), 20);
  assert_int_equal(jr_desugar_column(&out, 3, 1), 1);
  jr_desugar_deinit(&out);
}

/// Text that stops anywhere is read to its end, and no further.
static void survives_any_cut(void **state) {
  (void)state;
  static const char text[] =
      "rt.export @f ordinal 1 {a}\nfunc.func @f(%c: !rt.kernel_context) {\n"
      "%r = rt.trace #rt.hlo_trace<\"n\">, %c -> memref<4xf32> {\n"
      "%s, %v = call dynamic %c[\"t\"] (%a) {x = [1]} : (i32) -> (f32)\n"
      "yield %v : f32\n} {z}\nrt.set_output %c, 0, %r : (i32) -> (i32)\n"
      "scf.parallel (%i) { scf.reduce(%v) : f32 { } scf.yield }\n}\n";
  for (size_t size = 0; size < sizeof text; size++) {
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    struct jr_desugared out = {0};
    jitrun_error_free(jr_desugar(copy, size, "t.mlir", &out));
    jr_desugar_deinit(&out);
    free(copy);
  }
}

/// Many unclosed forms: no step looks at the rest of the text again.
static void is_linear(void **state) {
  (void)state;
  static const char piece[] = "rt.trace #rt.hlo_trace<\"n\">, %c {\n";
  enum { COUNT = 100000 };
  size_t size = COUNT * (sizeof piece - 1);
  char *text = malloc(size);
  assert_non_null(text);
  for (size_t i = 0; i < COUNT; i++)
    memcpy(text + i * (sizeof piece - 1), piece, sizeof piece - 1);
  struct jr_desugared out = {0};
  expect_ok(jr_desugar(text, size, "t.mlir", &out));
  assert_true(out.text.size > 0 && out.text.size < 4 * size);
  jr_desugar_deinit(&out);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewrites_exports),
      cmocka_unit_test(rewrites_results),
      cmocka_unit_test(rewrites_calls),
      cmocka_unit_test(knows_the_older_context),
      cmocka_unit_test(rewrites_traces),
      cmocka_unit_test(rewrites_upstream),
      cmocka_unit_test(leaves_the_rest_alone),
      cmocka_unit_test(reports_malformed_forms),
      cmocka_unit_test(maps_columns),
      cmocka_unit_test(survives_any_cut),
      cmocka_unit_test(is_linear),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

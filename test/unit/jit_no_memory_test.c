/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Parsing and compiling when memory runs out at any place of ours: an error,
/// and nothing is lost.
#include "jit/compile.h"

#include "expect.h"

#include <stdlib.h>

static const char memrefs[] =
    "rt.export @main ordinal 0\n"
    "memref.global \"private\" constant @k : memref<2xi32> = dense<[1, 2]>\n"
    "func.func private @call(memref<4xi32>, memref<2xi32>, i64) -> i64\n"
    "  attributes {rt.custom_call = \"test.call\", names = {a = 1 : i32,\n"
    "  b = [1.0, 2.0], c = dense<3> : tensor<2x2xi8>}}\n"
    "func.func @main(%a: memref<4xi32> {jitrun.output}, %n: i64) -> i64 {\n"
    "  %k = memref.get_global @k : memref<2xi32>\n"
    "  %t = memref.alloc() : memref<4xi32>\n"
    "  memref.copy %a, %t : memref<4xi32> to memref<4xi32>\n"
    "  %r = func.call @call(%t, %k, %n)\n"
    "      : (memref<4xi32>, memref<2xi32>, i64) -> i64\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  scf.for %i = %c0 to %c4 step %c1 {\n"
    "    %x = memref.load %t[%i] : memref<4xi32>\n"
    "    memref.store %x, %a[%i] : memref<4xi32>\n"
    "  }\n"
    "  return %r : i64\n"
    "}\n";

static const char tensors[] =
    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %b = arith.addf %a, %a : tensor<4xf32>\n"
    "  return %b : tensor<4xf32>\n"
    "}\n";

static const char broken[] = "func.func @main(%a: memref<4xi32>) {\n"
                             "  \"no.such\"(%a) : (memref<4xi32>) -> ()\n"
                             "  return\n"
                             "}\n";

struct attempt {
  const char *text;
  enum jr_form form;
  jitrun_code_t code; ///< with memory
};

static void compile_once(void *context) {
  const struct attempt *attempt = context;
  const struct jr_compile_input input = {.data = attempt->text,
                                         .size = strlen(attempt->text),
                                         .name = "test.mlir"};
  const struct jr_compile_options options = {
      .size = sizeof options, .form = attempt->form, .prefix = "test"};
  struct jr_compile_output output;
  jitrun_error_t *error = jr_compile(&input, &options, &output);
  bool had_memory = jr_alloc_fail_pending();
  if (error && jitrun_error_code(error) != JITRUN_RESOURCE_EXHAUSTED &&
      jitrun_error_code(error) != attempt->code)
    print_message("%s\n", jitrun_error_message(error));
  if (error)
    assert_true(jitrun_error_code(error) == JITRUN_RESOURCE_EXHAUSTED ||
                jitrun_error_code(error) == attempt->code);
  if (had_memory)
    assert_int_equal(error ? jitrun_error_code(error) : JITRUN_OK,
                     attempt->code);
  free(output.data);
  jitrun_error_free(error);
}

static void test_memrefs(void **state) {
  (void)state;
  struct attempt object = {memrefs, JR_FORM_OBJECT, JITRUN_OK};
  sweep_allocations(compile_once, &object);
  struct attempt image = {memrefs, JR_FORM_IMAGE, JITRUN_OK};
  sweep_allocations(compile_once, &image);
}

static void test_tensors(void **state) {
  (void)state;
  struct attempt object = {tensors, JR_FORM_OBJECT, JITRUN_OK};
  sweep_allocations(compile_once, &object);
}

static void test_broken(void **state) {
  (void)state;
  struct attempt attempt = {broken, JR_FORM_OBJECT, JITRUN_UNIMPLEMENTED};
  sweep_allocations(compile_once, &attempt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memrefs),
      cmocka_unit_test(test_tensors),
      cmocka_unit_test(test_broken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shapes as XLA writes them: their parts in order, and what is refused.
#include "expect.h"

#include "base/bytes.h"
#include "base/dtype.h"
#include "runtime/table_shape.h"

#include <stdio.h>

/// "{0,1} 2x3xf32 24 bytes; ..." of all parts.
static void expect_parts(const char *text, const char *wanted) {
  struct jr_arena arena = {0};
  struct jr_shape_tree tree;
  struct jr_bytes found = {0};
  expect_ok(jr_shape_parse(text, &arena, &tree));
  for (size_t i = 0; i < tree.leaf_count; i++) {
    const struct jr_shape_leaf *leaf = &tree.leaves[i];
    jr_bytes_append_text(&found, i > 0 ? "; {" : "{");
    for (uint32_t k = 0; k < leaf->index_count; k++)
      jr_bytes_appendf(&found, k > 0 ? ",%d" : "%d", (int)leaf->index[k]);
    jr_bytes_append_text(&found, "} ");
    if (leaf->type)
      jr_type_format(&found, leaf->type);
    jr_bytes_appendf(&found, " %d%s%s", (int)leaf->size_bytes,
                     leaf->is_bounded ? " bounded" : "",
                     leaf->is_row_major ? "" : " turned");
  }
  assert_string_equal(jr_bytes_text(&found), wanted);
  jr_bytes_deinit(&found);
  jr_arena_deinit(&arena);
}

static void test_parts(void **state) {
  (void)state;
  expect_parts("f32[2,3]{1,0}", "{} 2x3xf32 24");
  expect_parts("s32[]", "{} i32 4");
  expect_parts("pred[7]", "{} 7xi1 7");
  expect_parts("f64[2,3]{0,1}", "{} 2x3xf64 48 turned");
  expect_parts("bf16[<=4]{0}", "{} 4xbf16 8 bounded");
  expect_parts("()", "{}  0");
  expect_parts("(c64[2], (f8e5m2[4]{0}, ()), token[])",
               "{0} 2xcomplex<f32> 16; {1,0} 4xf8E5M2 4; {1,1}  0; "
               "{2} !async.token 0");
  expect_parts(" ( u8[1] , /*index=1*/ s64[0] ) ", "{0} 1xui8 1; {1} 0xi64 0");
}

static void expect_refused(const char *text, const char *part) {
  struct jr_arena arena = {0};
  struct jr_shape_tree tree;
  expect_error(jr_shape_parse(text, &arena, &tree), JITRUN_INVALID_ARGUMENT,
               part);
  assert_int_equal(tree.leaf_count, 0);
  jr_arena_deinit(&arena);
}

static void test_refused(void **state) {
  (void)state;
  expect_refused("", "'' cannot be read at column 1: an element type is "
                     "missing");
  expect_refused("f33[2]", "no element type of this name");
  expect_refused("opaque[]", "no element type of this name");
  expect_refused("f32", "at column 4: '[' is missing");
  expect_refused("f32[2", "',' or ']' is missing");
  expect_refused("f32[2,]", "a number is missing, or too large");
  expect_refused("f32[99999999999999999999]", "a number is missing, or too");
  expect_refused("f32[-1]", "a number is missing");
  expect_refused("f32[4294967296,4294967296]", "it has over 2^63 bytes");
  expect_refused("f32[2,3]{1,1}", "the layout is no order of the dimensions");
  expect_refused("f32[2,3]{0}", "the layout is no order of the dimensions");
  expect_refused("f32[2,3]{2,0}", "the layout is no order of the dimensions");
  expect_refused("f32[8]{0:T(8)}", "tiles and memory spaces");
  expect_refused("token[2]", "a token has sizes");
  expect_refused("(f32[]", "at column 7: ',' or ')' is missing");
  expect_refused("(f32[],)", "an element type is missing");
  expect_refused("f32[] f32[]", "there is more than one shape");
  expect_refused("())", "there is more than one shape");
  char text[200];
  memset(text, '(', 33);
  memcpy(text + 33, "f32[]", sizeof "f32[]");
  expect_refused(text, "nested over 32 deep");
  memset(text, '\0', sizeof text);
  (void)snprintf(text, sizeof text, "f32[");
  for (size_t i = 4; i < 134; i += 2) {
    text[i] = '1';
    text[i + 1] = ',';
  }
  expect_refused(text, "there are more than 64 numbers");
}

static void try_parse(void *context) {
  struct jr_arena arena = {0};
  struct jr_shape_tree tree;
  (void)context;
  jitrun_error_free(jr_shape_parse("(f32[2], (s32[]))", &arena, &tree));
  jr_arena_deinit(&arena);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(try_parse, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

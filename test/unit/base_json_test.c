/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// JSON writer: layout, escapes, bytes that are no UTF-8, no memory.
#include "expect.h"

#include "base/json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void expect_text(const char *text, size_t size, const char *written) {
  struct jr_bytes out = {0};
  struct jr_json json = {.out = &out};
  jr_json_text_sized(&json, text, size);
  assert_string_equal(jr_bytes_text(&out), written);
  jr_bytes_deinit(&out);
}

static void write_document(struct jr_json *json) {
  jr_json_open_object(json);
  jr_json_key(json, "name");
  jr_json_text(json, "main");
  jr_json_key(json, "dims");
  jr_json_open_array(json);
  jr_json_s64(json, INT64_MIN);
  jr_json_u64(json, UINT64_MAX);
  jr_json_close_array(json);
  jr_json_key(json, "none");
  jr_json_open_array(json);
  jr_json_close_array(json);
  jr_json_key(json, "inner");
  jr_json_open_object(json);
  jr_json_close_object(json);
  jr_json_key(json, "values");
  jr_json_open_array(json);
  jr_json_f64(json, 0.25);
  jr_json_f64(json, (double)NAN);
  jr_json_f64(json, -(double)INFINITY);
  jr_json_bool(json, true);
  jr_json_bool(json, false);
  jr_json_null(json);
  jr_json_open_object(json);
  jr_json_key(json, "a");
  jr_json_s64(json, 1);
  jr_json_close_object(json);
  jr_json_close_array(json);
  jr_json_close_object(json);
}

static void test_document(void **state) {
  (void)state;
  struct jr_bytes out = {0};
  struct jr_json json = {.out = &out};
  write_document(&json);
  assert_string_equal(jr_bytes_text(&out), "{\n"
                                           "  \"name\": \"main\",\n"
                                           "  \"dims\": [\n"
                                           "    -9223372036854775808,\n"
                                           "    18446744073709551615\n"
                                           "  ],\n"
                                           "  \"none\": [],\n"
                                           "  \"inner\": {},\n"
                                           "  \"values\": [\n"
                                           "    0.25,\n"
                                           "    \"nan\",\n"
                                           "    \"-inf\",\n"
                                           "    true,\n"
                                           "    false,\n"
                                           "    null,\n"
                                           "    {\n"
                                           "      \"a\": 1\n"
                                           "    }\n"
                                           "  ]\n"
                                           "}");
  assert_int_equal(json.depth, 0);
  jr_bytes_deinit(&out);
}

static void test_escapes(void **state) {
  (void)state;
  expect_text("a\"b\\c/", 6, "\"a\\\"b\\\\c/\"");
  expect_text("\n\r\t\b\x7f", 5, "\"\\n\\r\\t\\u0008\x7f\"");
  expect_text("a\0b", 3, "\"a\\u0000b\"");
  expect_text("", 0, "\"\"");
}

#define BAD "\xef\xbf\xbd"

static void test_utf8(void **state) {
  (void)state;
  expect_text("\xc3\xa9", 2, "\"\xc3\xa9\"");
  expect_text("\xe2\x82\xac", 3, "\"\xe2\x82\xac\"");
  expect_text("\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\"");
  expect_text("\xf4\x8f\xbf\xbf", 4, "\"\xf4\x8f\xbf\xbf\"");
  expect_text("\x80", 1, "\"" BAD "\"");
  expect_text("\xc3", 1, "\"" BAD "\"");         // cut
  expect_text("\xc3(", 2, "\"" BAD "(\"");       // no continuation
  expect_text("\xc0\x80", 2, "\"" BAD BAD "\""); // overlong
  expect_text("\xe0\x80\x80", 3, "\"" BAD BAD BAD "\"");
  expect_text("\xed\xa0\x80", 3, "\"" BAD BAD BAD "\""); // surrogate
  expect_text("\xf4\x90\x80\x80", 4, "\"" BAD BAD BAD BAD "\"");
  expect_text("\xff\xfe", 2, "\"" BAD BAD "\"");
}

static void write_swept(void *context) {
  (void)context;
  struct jr_bytes out = {0};
  struct jr_json json = {.out = &out};
  write_document(&json);
  jitrun_error_t *err = jr_bytes_check(&out);
  assert_int_equal(err != NULL, out.failed);
  jitrun_error_free(err);
  jr_bytes_deinit(&out);
}

static void test_sweep(void **state) {
  (void)state;
  sweep_allocations(write_swept, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_document),
      cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_sweep),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Declared signatures: their text, every kind of difference, and the order of
/// attributes.
#include "fake_call.h"

#include <stdio.h>

static const jitrun_param_t args[] = {
    {.name = "a",
     .kind = JITRUN_KIND_BUFFER,
     .min_rank = 2,
     .max_rank = 2,
     .dtypes =
         JITRUN_DTYPES(JITRUN_DTYPE_F32) | JITRUN_DTYPES(JITRUN_DTYPE_F64)},
    {.name = "n",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_param_t results[] = {
    {.name = "sum",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)}};
static const jitrun_attr_param_t attrs[] = {
    {.name = "gamma",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)},
    {.name = "beta",
     .kind = JITRUN_ATTR_SCALAR,
     .flags = JITRUN_OPTIONAL,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)},
    {.name = "axes",
     .kind = JITRUN_ATTR_ARRAY,
     .flags = JITRUN_OPTIONAL,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = args,
                                             .results = results,
                                             .attrs = attrs,
                                             .arg_count = 2,
                                             .result_count = 1,
                                             .attr_count = 3};
#define SIGNATURE_TEXT                                                         \
  "(a: buffer f32|f64 rank 2, n: scalar i64) {gamma: f64, beta?: f64, "        \
  "axes?: array i64} -> (sum: scalar f64)"

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static const jitrun_customcall_t record = {.size = sizeof(record),
                                           .name = "test.call",
                                           .platform = "host",
                                           .signature = &signature,
                                           .execute = do_nothing};

static void expect_text(const jitrun_signature_t *declared, const char *text) {
  struct jr_bytes out = {0};
  jr_signature_format(&out, declared);
  assert_string_equal(jr_bytes_text(&out), text);
  jr_bytes_deinit(&out);
}

static void expect_param_text(jitrun_param_t param, const char *text) {
  param.name = "p";
  const jitrun_signature_t declared = {
      .size = sizeof(declared), .args = &param, .arg_count = 1};
  expect_text(&declared, text);
}

static void expect_attr_text(jitrun_attr_param_t attr, const char *text) {
  attr.name = "q";
  const jitrun_signature_t declared = {
      .size = sizeof(declared), .attrs = &attr, .attr_count = 1};
  expect_text(&declared, text);
}

static void test_format(void **state) {
  (void)state;
  expect_text(&signature, SIGNATURE_TEXT);
  const jitrun_signature_t any = {.size = sizeof(any),
                                  .flags = JITRUN_VARIADIC_ARGS |
                                           JITRUN_VARIADIC_ATTRS};
  expect_text(&any, "(...) {...} -> ()");
  const jitrun_signature_t more = {.size = sizeof(more),
                                   .args = &args[1],
                                   .arg_count = 1,
                                   .flags = JITRUN_VARIADIC_ARGS};
  expect_text(&more, "(n: scalar i64, ...) -> ()");
}

static void test_format_params(void **state) {
  (void)state;
  const uint64_t f32 = JITRUN_DTYPES(JITRUN_DTYPE_F32);
  const uint64_t any = JITRUN_DTYPES_ANY;
  expect_param_text((jitrun_param_t){.kind = 2, .max_rank = -1, .dtypes = any},
                    "(p: buffer) -> ()");
  expect_param_text(
      (jitrun_param_t){.kind = 2, .min_rank = 1, .max_rank = -1, .dtypes = f32},
      "(p: buffer f32 rank 1 or more) -> ()");
  expect_param_text(
      (jitrun_param_t){.min_rank = 1, .max_rank = 3, .dtypes = f32},
      "(p: any f32 rank 1 to 3) -> ()");
  expect_param_text((jitrun_param_t){.kind = 1, .dtypes = any},
                    "(p: scalar) -> ()");
  expect_param_text((jitrun_param_t){.max_rank = -1, .dtypes = any},
                    "(p: any) -> ()");
  expect_param_text((jitrun_param_t){.kind = JITRUN_KIND_OPAQUE},
                    "(p: opaque) -> ()");
  expect_param_text(
      (jitrun_param_t){.kind = JITRUN_KIND_OPAQUE, .type_name = "!test.value"},
      "(p: !test.value) -> ()");
  expect_param_text((jitrun_param_t){.kind = JITRUN_KIND_TOKEN},
                    "(p: token) -> ()");
  expect_param_text(
      (jitrun_param_t){.kind = JITRUN_KIND_ASYNC_SCALAR, .dtypes = f32},
      "(p: async scalar f32) -> ()");
  expect_param_text((jitrun_param_t){.kind = JITRUN_KIND_ASYNC_BUFFER,
                                     .min_rank = 2,
                                     .max_rank = 2,
                                     .dtypes = f32},
                    "(p: async buffer f32 rank 2) -> ()");
  expect_attr_text((jitrun_attr_param_t){.dtypes = any}, "() {q: any} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 1, .dtypes = any},
                   "() {q: scalar} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 2}, "() {q: string} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 3, .dtypes = any},
                   "() {q: array} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 4, .dtypes = f32},
                   "() {q: tensor f32} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 5},
                   "() {q: dictionary} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 6}, "() {q: unit} -> ()");
  expect_attr_text((jitrun_attr_param_t){.kind = 7}, "() {q: function} -> ()");
}

static const int64_t matrix_dims[] = {2, 3};

/// A call that matches, but for its attributes.
static void init_operands(struct fake_call *fake) {
  fake_init(fake, &record);
  fake_buffer(fake, JITRUN_DTYPE_F32, 2, NULL, matrix_dims, NULL);
  fake_scalar(fake, JITRUN_DTYPE_S64);
  fake_scalar(fake, JITRUN_DTYPE_F64);
  fake->site.arg_count = 2;
  fake->site.result_count = 1;
}

static void test_match(void **state) {
  (void)state;
  struct fake_call fake;
  init_operands(&fake);
  fake_attr(&fake, attr_f64("gamma", 1));
  expect_ok(jr_signature_check(&record, &fake.site));
  fake_attr(&fake, attr_f64("beta", 1));
  // `[]` has no type
  fake_attr(&fake, (jitrun_attr_t){.name = "axes", .kind = JITRUN_ATTR_ARRAY});
  expect_ok(jr_signature_check(&record, &fake.site));
  const jitrun_customcall_t undeclared = {.name = "test.call"};
  expect_ok(jr_signature_check(&undeclared, &fake.site));
}

#define MISMATCH                                                               \
  "custom call 'test.call' does not match its declared signature: "
#define DECLARED "; declared: " SIGNATURE_TEXT

static void expect_mismatch(struct fake_call *fake, const char *message) {
  jitrun_error_t *error = jr_signature_check(&record, &fake->site);
  assert_non_null(error);
  assert_string_equal(jitrun_error_location(error), "model.mlir:7:3");
  assert_string_equal(jitrun_error_message(error), message);
  expect_error(error, JITRUN_INVALID_ARGUMENT, message);
}

static void test_all_differences(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init(&fake, &record);
  fake_scalar(&fake, JITRUN_DTYPE_S32);
  fake_buffer(&fake, JITRUN_DTYPE_S64, 2, NULL, matrix_dims, NULL);
  fake_scalar(&fake, JITRUN_DTYPE_S8);
  fake_scalar(&fake, JITRUN_DTYPE_F32);
  fake_scalar(&fake, JITRUN_DTYPE_PRED);
  fake.site.arg_count = 3;
  fake.site.result_count = 2;
  fake_attr(&fake, attr_s64("beta", 1));
  fake_attr(&fake, attr_f64("gama", 1));
  fake_attr(&fake, attr_string("entirely_different", ""));
  expect_mismatch(
      &fake, MISMATCH
      "argument 0 'a': expected buffer f32|f64 rank 2, found scalar "
      "i32; argument 1 'n': expected scalar i64, found buffer 2x3xi64; "
      "unexpected argument 2: found scalar i8; result 0 'sum': "
      "expected scalar f64, found scalar f32; unexpected result 1: "
      "found scalar i1; unknown attribute 'entirely_different'; unknown "
      "attribute 'gama' (did you mean 'gamma'?); missing attribute 'gamma': "
      "expected f64; attribute 'beta': expected f64, found i64: write 1.0 : "
      "f64" DECLARED);
}

static void test_missing_operands(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init(&fake, &record);
  fake_attr(&fake, attr_f64("gamma", 1));
  expect_mismatch(
      &fake,
      MISMATCH "missing argument 0 'a': expected buffer f32|f64 rank 2; "
               "missing argument 1 'n': expected scalar i64; missing result 0 "
               "'sum': expected scalar f64" DECLARED);
}

static void expect_first_argument(jitrun_dtype_t dtype, uint16_t rank,
                                  const char *found) {
  static const int64_t dims[] = {2, 3, 4};
  struct fake_call fake;
  init_operands(&fake);
  fake_attr(&fake, attr_f64("gamma", 1));
  struct fake_call other;
  fake_init(&other, &record);
  fake_buffer(&other, dtype, rank, NULL, dims, NULL);
  fake.site_types[0] = other.site_types[0];
  char message[512];
  (void)snprintf(message, sizeof(message),
                 MISMATCH "argument 0 'a': expected buffer f32|f64 rank 2, "
                          "found buffer %s" DECLARED,
                 found);
  expect_mismatch(&fake, message);
}

static void test_dtype_and_rank(void **state) {
  (void)state;
  expect_first_argument(JITRUN_DTYPE_BF16, 2, "2x3xbf16");
  expect_first_argument(JITRUN_DTYPE_F32, 1, "2xf32");
  expect_first_argument(JITRUN_DTYPE_F32, 3, "2x3x4xf32");
}

/// A type record of any kind, for the first argument of a call.
struct any_type {
  jitrun_type_t type;
  union {
    int64_t extents[4];
    char name[32];
  } more;
};

static const struct any_type opaque = {
    .type = {.kind = JITRUN_KIND_OPAQUE, .dtype = JITRUN_DTYPE_OPAQUE}};
static const struct any_type value = {.type = {.kind = JITRUN_KIND_OPAQUE,
                                               .dtype = JITRUN_DTYPE_OPAQUE,
                                               .rank = 1},
                                      .more.name = "!test.value"};
static const struct any_type token = {
    .type = {.kind = JITRUN_KIND_TOKEN, .dtype = JITRUN_DTYPE_TOKEN}};
static const struct any_type async_f32 = {
    .type = {.kind = JITRUN_KIND_ASYNC_SCALAR, .dtype = JITRUN_DTYPE_F32}};
static const struct any_type async_matrix = {
    .type = {.kind = JITRUN_KIND_ASYNC_BUFFER,
             .dtype = JITRUN_DTYPE_F32,
             .rank = 2},
    .more.extents = {2, 3, 3, 1}};

/// What is said of one argument, or NULL when it is accepted.
static void expect_checked(jitrun_param_t param, const struct any_type *found,
                           const char *message) {
  const jitrun_type_t *types[] = {&found->type};
  const jitrun_site_t site = {.size = sizeof(site),
                              .target = "test.call",
                              .file = "model.mlir",
                              .arg_count = 1,
                              .types = types};
  param.name = "p";
  const jitrun_signature_t one = {
      .size = sizeof(one), .args = &param, .arg_count = 1};
  jitrun_customcall_t call = record;
  call.signature = &one;
  jitrun_error_t *error = jr_signature_check(&call, &site);
  if (message)
    expect_error(error, JITRUN_INVALID_ARGUMENT, message);
  else
    expect_ok(error);
}

static void test_handles(void **state) {
  (void)state;
  const jitrun_param_t any = {.max_rank = -1, .dtypes = JITRUN_DTYPES_ANY};
  const jitrun_param_t any_opaque = {.kind = JITRUN_KIND_OPAQUE};
  const jitrun_param_t values = {.kind = JITRUN_KIND_OPAQUE,
                                 .type_name = "!test.value"};
  const jitrun_param_t tokens = {.kind = JITRUN_KIND_TOKEN};
  expect_checked(any, &value, NULL);
  expect_checked(any, &token, NULL);
  expect_checked(any_opaque, &opaque, NULL);
  expect_checked(any_opaque, &value, NULL);
  expect_checked(values, &value, NULL);
  expect_checked(values, &opaque,
                 "argument 0 'p': expected !test.value, found !rt.opaque; "
                 "declared: (p: !test.value) -> ()");
  expect_checked(tokens, &token, NULL);
  expect_checked(tokens, &value, "expected token, found !test.value");
  expect_checked(any_opaque, &token, "expected opaque, found !async.token");
}

static void test_async(void **state) {
  (void)state;
  const uint64_t f32 = JITRUN_DTYPES(JITRUN_DTYPE_F32);
  const jitrun_param_t scalars = {.kind = JITRUN_KIND_ASYNC_SCALAR,
                                  .dtypes = f32};
  jitrun_param_t buffers = {.kind = JITRUN_KIND_ASYNC_BUFFER,
                            .min_rank = 2,
                            .max_rank = 2,
                            .dtypes = f32};
  expect_checked(scalars, &async_f32, NULL);
  expect_checked(buffers, &async_matrix, NULL);
  expect_checked(scalars, &async_matrix,
                 "expected async scalar f32, found !async.value<2x3xf32>");
  buffers.min_rank = 1;
  buffers.max_rank = 1;
  expect_checked(
      buffers, &async_matrix,
      "expected async buffer f32 rank 1, found !async.value<2x3xf32>");
  buffers.dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32);
  expect_checked(buffers, &async_f32,
                 "expected async buffer i32 rank 1, found !async.value<f32>");
}

static void expect_axes(jitrun_attr_t attr, const char *found) {
  struct fake_call fake;
  init_operands(&fake);
  fake_attr(&fake, attr_f64("gamma", 1));
  attr.name = "axes";
  fake_attr(&fake, attr);
  char message[512];
  (void)snprintf(message, sizeof(message),
                 MISMATCH "attribute 'axes': expected array i64, found "
                          "%s" DECLARED,
                 found);
  expect_mismatch(&fake, message);
}

/// A declared enumeration or structure is that of the call.
static void test_attribute_types(void **state) {
  (void)state;
  static const jitrun_attr_param_t typed[] = {
      {.name = "dims", .kind = JITRUN_ATTR_DICT, .type_name = "t.pair"}};
  static const jitrun_signature_t declared = {
      .size = sizeof(declared), .attrs = typed, .attr_count = 1};
  jitrun_customcall_t call = record;
  call.signature = &declared;
  struct fake_call fake;
  fake_init(&fake, &call);
  jitrun_attr_t dims = {
      .name = "dims", .kind = JITRUN_ATTR_DICT, .type_name = "t.pair"};
  fake_attr(&fake, dims);
  expect_ok(jr_signature_check(&call, &fake.site));
  fake_init(&fake, &call);
  dims.type_name = "t.other";
  fake_attr(&fake, dims);
  expect_error(jr_signature_check(&call, &fake.site), JITRUN_INVALID_ARGUMENT,
               "attribute 'dims': expected t.pair, found t.other; declared: () "
               "{dims: t.pair} -> ()");
  fake_init(&fake, &call);
  dims.type_name = NULL;
  fake_attr(&fake, dims);
  expect_error(jr_signature_check(&call, &fake.site), JITRUN_INVALID_ARGUMENT,
               "attribute 'dims': expected t.pair, found dictionary");
}

static void test_attribute_kinds(void **state) {
  (void)state;
  expect_axes(attr_s64("", 1), "i64");
  expect_axes(attr_string("", "x"), "string");
  expect_axes((jitrun_attr_t){.kind = JITRUN_ATTR_ARRAY,
                              .dtype = JITRUN_DTYPE_F32,
                              .count = 3},
              "array of 3 f32");
  expect_axes((jitrun_attr_t){.kind = JITRUN_ATTR_TENSOR,
                              .dtype = JITRUN_DTYPE_S64,
                              .rank = 2,
                              .dims = matrix_dims},
              "tensor 2x3xi64");
  expect_axes((jitrun_attr_t){.kind = JITRUN_ATTR_DICT}, "dictionary");
  expect_axes((jitrun_attr_t){.kind = JITRUN_ATTR_FUNCTION}, "function");
}

/// What a unit attribute reads as where `param` is declared.
static jitrun_attr_t read_unit(jitrun_attr_param_t param) {
  struct fake_call fake;
  jitrun_attr_t attr;
  param.name = "u";
  jitrun_signature_t one = {
      .size = sizeof(one), .attrs = &param, .attr_count = 1};
  jitrun_customcall_t call = record;
  call.signature = &one;
  fake_init(&fake, &call);
  fake_attr(&fake, (jitrun_attr_t){.name = "u", .kind = JITRUN_ATTR_UNIT});
  expect_ok(jr_signature_check(&call, &fake.site));
  jr_signature_order_attrs(&one, &fake.site, &attr);
  assert_string_equal(attr.name, "u");
  return attr;
}

static void test_unit(void **state) {
  (void)state;
  const uint64_t any = JITRUN_DTYPES_ANY;
  const uint64_t s64 = JITRUN_DTYPES(JITRUN_DTYPE_S64);
  assert_int_equal(read_unit((jitrun_attr_param_t){.kind = 6}).kind,
                   JITRUN_ATTR_UNIT);
  assert_int_equal(read_unit((jitrun_attr_param_t){.dtypes = any}).kind,
                   JITRUN_ATTR_UNIT);
  jitrun_attr_t attr = read_unit((jitrun_attr_param_t){
      .kind = 1, .flags = 1, .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_PRED)});
  assert_int_equal(attr.kind, JITRUN_ATTR_SCALAR);
  assert_int_equal(attr.dtype, JITRUN_DTYPE_PRED);
  assert_true(attr.value.pred);
  attr = read_unit((jitrun_attr_param_t){.kind = 1, .flags = 1, .dtypes = s64});
  assert_int_equal(attr.kind, JITRUN_ATTR_ABSENT);
  attr = read_unit((jitrun_attr_param_t){.kind = JITRUN_ATTR_STRING,
                                         .flags = JITRUN_OPTIONAL});
  assert_int_equal(attr.kind, JITRUN_ATTR_ABSENT);
  struct fake_call fake;
  init_operands(&fake);
  fake_attr(&fake, (jitrun_attr_t){.name = "gamma", .kind = JITRUN_ATTR_UNIT});
  expect_mismatch(&fake, MISMATCH "attribute 'gamma': expected f64, found "
                                  "unit" DECLARED);
}

static void test_variadic(void **state) {
  (void)state;
  jitrun_signature_t open = signature;
  open.flags = JITRUN_VARIADIC_ARGS | JITRUN_VARIADIC_ATTRS;
  jitrun_customcall_t call = record;
  call.signature = &open;
  struct fake_call fake;
  init_operands(&fake);
  fake.site.arg_count = 3;
  fake.site.result_count = 0;
  fake_attr(&fake, attr_f64("gamma", 1));
  fake_attr(&fake, attr_f64("unknown", 1));
  expect_error(jr_signature_check(&call, &fake.site), JITRUN_INVALID_ARGUMENT,
               "signature: missing result 0 'sum': expected scalar f64; "
               "declared: (a: buffer f32|f64 rank 2, n: scalar i64, ...) "
               "{gamma: f64, beta?: f64, axes?: array i64, ...} -> ");
  open.result_count = 0;
  expect_ok(jr_signature_check(&call, &fake.site));
}

static void test_order(void **state) {
  (void)state;
  struct fake_call fake;
  init_operands(&fake);
  fake_attr(&fake, attr_f64("gamma", 3));
  fake_attr(&fake, (jitrun_attr_t){.name = "axes", .kind = JITRUN_ATTR_ARRAY});
  jitrun_attr_t ordered[3];
  jr_signature_order_attrs(&signature, &fake.site, ordered);
  assert_true(ordered[0].value.f64 == 3);
  assert_string_equal(ordered[1].name, "beta");
  assert_int_equal(ordered[1].kind, JITRUN_ATTR_ABSENT);
  assert_int_equal(ordered[2].kind, JITRUN_ATTR_ARRAY);
}

/// Out of memory is never taken for a match.
static void check_mismatch(void *context) {
  jitrun_error_t *error = jr_signature_check(&record, context);
  assert_non_null(error);
  jitrun_error_free(error);
}

static void test_allocations(void **state) {
  (void)state;
  struct fake_call fake;
  init_operands(&fake);
  sweep_allocations(check_mismatch, &fake.site);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_format),
      cmocka_unit_test(test_format_params),
      cmocka_unit_test(test_match),
      cmocka_unit_test(test_all_differences),
      cmocka_unit_test(test_missing_operands),
      cmocka_unit_test(test_dtype_and_rank),
      cmocka_unit_test(test_handles),
      cmocka_unit_test(test_async),
      cmocka_unit_test(test_attribute_kinds),
      cmocka_unit_test(test_attribute_types),
      cmocka_unit_test(test_unit),
      cmocka_unit_test(test_variadic),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_allocations),
  };
  return cmocka_run_group_tests_name("customcalls_signature", tests, NULL,
                                     check_no_errors);
}

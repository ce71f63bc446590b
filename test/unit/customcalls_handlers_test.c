/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The handlers of the example plug-in and of the plug-in that other tests use.
#include "fake_call.h"

#include "jitrun/registry.h"

#include <string.h>

static jitrun_registry_t *registry;

static int load_plugins(void **state) {
  (void)state;
  expect_ok(jitrun_registry_create(&registry));
  expect_ok(jitrun_registry_load_plugin(registry, JITRUN_TEST_PLUGIN_DIR
                                        "/testcalls.so"));
  expect_ok(jitrun_registry_load_plugin(registry, JITRUN_TEST_PLUGIN_DIR
                                        "/../../examples/mlp.so"));
  return 0;
}

static int release_plugins(void **state) {
  jitrun_registry_release(registry);
  return check_no_errors(state);
}

static void init_call(struct fake_call *fake, const char *name) {
  fake_init(fake, jr_registry_find(registry, name, "host"));
}

static const int64_t matrix_dims[] = {2, 3};
static const int64_t column_strides[] = {1, 2};
static const int64_t three[] = {3};
static const int64_t two[] = {2};

static void test_bias(void **state) {
  (void)state;
  float x[] = {1, 2, 3, 4, 5, 6};
  float b[] = {10, 0, 20, 0, 30};
  struct fake_call fake;
  init_call(&fake, "mlp.bias");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, x, matrix_dims, column_strides);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 1, b, three, two);
  fake_succeed(&fake);
  const float expected[] = {11, 12, 23, 24, 35, 36};
  assert_memory_equal(x, expected, sizeof(x));

  init_call(&fake, "mlp.bias");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, x, matrix_dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 1, b, two, NULL);
  fake_fail(&fake, JITRUN_INVALID_ARGUMENT,
            "b must have as many elements as x has columns");
}

static void test_relu(void **state) {
  (void)state;
  float x[] = {-1, 2, -3, -4, 5, -6};
  const int64_t strides[] = {3, 2};
  const int64_t dims[] = {2, 2};
  struct fake_call fake;
  init_call(&fake, "mlp.relu");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, x, dims, strides);
  fake_succeed(&fake);
  const float expected[] = {0, 2, 0, 0, 5, 0};
  assert_memory_equal(x, expected, sizeof(x));

  float one = -1;
  init_call(&fake, "mlp.relu");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 0, &one, NULL, NULL);
  fake_succeed(&fake);
  assert_true(one == 0);

  init_call(&fake, "mlp.relu");
  fake_buffer(&fake, JITRUN_DTYPE_F64, 1, x, three, NULL);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "argument 0 'x': expected buffer f32, found buffer 3xf64");
}

static void test_scale(void **state) {
  (void)state;
  double x[] = {1, 2, 3, 4, 5, 6};
  struct fake_call fake;
  init_call(&fake, "test.scale");
  fake_buffer(&fake, JITRUN_DTYPE_F64, 1, x, three, two);
  fake_scalar(&fake, JITRUN_DTYPE_F64)->value.f64 = 10;
  fake_succeed(&fake);
  const double expected[] = {10, 2, 30, 4, 50, 6};
  assert_memory_equal(x, expected, sizeof(x));
}

static void test_axpy(void **state) {
  (void)state;
  float x[] = {1, 2, 3};
  float y[] = {10, 20, 30};
  struct fake_call fake;
  init_call(&fake, "test.axpy");
  fake_scalar(&fake, JITRUN_DTYPE_F64)->value.f64 = 2;
  fake.is_dynamic = true;
  fake_buffer(&fake, JITRUN_DTYPE_F32, 1, x, three, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 1, y, three, NULL);
  fake_succeed(&fake);
  const float expected[] = {12, 24, 36};
  assert_memory_equal(y, expected, sizeof(y));
}

static void test_sum(void **state) {
  (void)state;
  float x[] = {1, 2, 3, 4, 5, 6};
  struct fake_call fake;
  init_call(&fake, "test.sum");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, x, matrix_dims, NULL);
  fake_scalar(&fake, JITRUN_DTYPE_F64);
  fake.site.arg_count = 1;
  fake.site.result_count = 1;
  fake_succeed(&fake);
  assert_true(fake.frame.args[1].value.f64 == 21);
}

static void test_counter(void **state) {
  (void)state;
  int64_t count = 0;
  struct fake_call fake;
  init_call(&fake, "test.counter");
  fake_buffer(&fake, JITRUN_DTYPE_S64, 0, &count, NULL, NULL);
  expect_ok(fake_load(&fake));
  for (int i = 1; i <= 3; i++) {
    expect_ok(fake_run(&fake));
    assert_int_equal(count, i);
  }
  fake_deinit(&fake);
}

static void test_stages(void **state) {
  (void)state;
  struct fake_call fake;
  init_call(&fake, "test.stages");
  expect_ok(fake_load(&fake));
  expect_ok(fake.record->prepare(&fake.frame.call));
  for (int i = 0; i < 2; i++) {
    expect_ok(fake.record->initialize(&fake.frame.call));
    expect_ok(fake_run(&fake));
  }
  assert_string_equal(jr_bytes_text(&fake.output),
                      "instantiate 1, prepare 1, initialize 1, execute 1\n"
                      "instantiate 1, prepare 1, initialize 2, execute 2\n");
  fake_deinit(&fake);
}

static void test_maps(void **state) {
  (void)state;
  struct fake_call fake;
  init_call(&fake, "test.maps");
  expect_ok(fake_load(&fake));
  expect_ok(fake_run(&fake));
  assert_non_null(strstr(jr_bytes_text(&fake.output), "/testcalls.so\n"));
  fake_deinit(&fake);
}

static void test_fail(void **state) {
  (void)state;
  struct fake_call fake;
  init_call(&fake, "test.fail");
  fake_attr(&fake, attr_s64("value", -7));
  fake_fail(&fake, JITRUN_DATA_LOSS, "test.fail was called with value = -7");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bias),   cmocka_unit_test(test_relu),
      cmocka_unit_test(test_scale),  cmocka_unit_test(test_axpy),
      cmocka_unit_test(test_sum),    cmocka_unit_test(test_counter),
      cmocka_unit_test(test_stages), cmocka_unit_test(test_maps),
      cmocka_unit_test(test_fail),
  };
  return cmocka_run_group_tests_name("customcalls_handlers", tests,
                                     load_plugins, release_plugins);
}

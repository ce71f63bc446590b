/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The sample program opened with its calls, and values to run it with.
#ifndef JR_TEST_SAMPLE_RUN_H
#define JR_TEST_SAMPLE_RUN_H

#include "sample_calls.h"

/// The sample with arguments that fit, which tests then spoil.
struct fixture {
  struct sample sample;
  jitrun_registry_t *registry;
  jitrun_program_t *program;
  int32_t a[6], result[6], copied[6];
  _Alignas(16) float b[8];
  int64_t n;
  int64_t matrix[2], vector[1];
  jitrun_tensor_t args[3], results[2];
};

static inline void reset_values(struct fixture *fixture) {
  fixture->n = 2;
  fixture->matrix[0] = 2;
  fixture->matrix[1] = 3;
  fixture->vector[0] = 4;
  for (int i = 0; i < 6; i++) {
    fixture->a[i] = i + 1;
    fixture->result[i] = 0;
    fixture->copied[i] = 0;
  }
  for (int i = 0; i < 8; i++)
    fixture->b[i] = (float)i;
  jitrun_tensor_t matrix = {
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = fixture->matrix};
  fixture->args[0] = matrix;
  fixture->args[0].data = fixture->a;
  fixture->args[1] = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_F32,
                                       .rank = 1,
                                       .dims = fixture->vector,
                                       .data = fixture->b};
  fixture->args[2] =
      (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S64, .data = &fixture->n};
  fixture->results[0] = matrix;
  fixture->results[0].data = fixture->result;
  fixture->results[1] = matrix;
  fixture->results[1].data = fixture->copied;
}

static inline int set_up(void **state) {
  static struct fixture fixture;
  memset(&sample_calls, 0, sizeof sample_calls);
  expect_ok(build_sample(&fixture.sample));
  expect_ok(create_registry(&fixture.registry));
  expect_ok(open_sample(&fixture.sample, fixture.registry, JITRUN_EXECUTOR_AUTO,
                        &fixture.program));
  reset_values(&fixture);
  *state = &fixture;
  return 0;
}

static inline int tear_down(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_release(fixture->program);
  jitrun_registry_release(fixture->registry);
  free(fixture->sample.image);
  return 0;
}

static inline jitrun_error_t *run(struct fixture *fixture,
                                  const jitrun_run_options_t *options) {
  return jitrun_program_run(fixture->program,
                            jitrun_program_entry_find(fixture->program, "main"),
                            fixture->args, 3, fixture->results, 2, options);
}

static inline void expect_results(const struct fixture *fixture) {
  for (int i = 0; i < 6; i++) {
    assert_int_equal(fixture->result[i], fixture->a[i] * -2);
    assert_int_equal(fixture->copied[i], fixture->a[i]);
  }
}

#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Collective calls of handlers on several threads, at once and in two steps.
/// What each call gives is tested with programs: test/lit/jitrt.
#include "fake_call.h"

#include "customcalls/world.h"

#include <pthread.h>

enum { DEVICES = 8, CALLS = 200 };

struct device {
  jitrun_world_t *world;
  uint32_t number;
  bool is_async;
  int32_t wrong;
  jitrun_error_t *error;
};

static void add_groups(struct fake_call *fake) {
  static const int64_t ends[] = {4, 8};
  static const int64_t ids[] = {0, 2, 4, 6, 7, 5, 3, 1};
  fake_attr(fake, (jitrun_attr_t){.name = "replica_group_offsets",
                                  .kind = JITRUN_ATTR_ARRAY,
                                  .dtype = JITRUN_DTYPE_S64,
                                  .count = 2,
                                  .value = {.data = ends}});
  fake_attr(fake, (jitrun_attr_t){.name = "replica_group_values",
                                  .kind = JITRUN_ATTR_ARRAY,
                                  .dtype = JITRUN_DTYPE_S64,
                                  .count = 8,
                                  .value = {.data = ids}});
}

/// Loads a call; nothing here may jump out of a thread.
static jitrun_error_t *load_call(struct fake_call *fake,
                                 const struct device *device,
                                 const jitrun_customcall_t *record,
                                 int32_t *data) {
  static const int64_t dims[] = {3};
  fake_init(fake, record);
  fake->world = device->world;
  fake->replica = device->number;
  fake_buffer(fake, JITRUN_DTYPE_S32, 1, data, dims, NULL);
  fake_buffer(fake, JITRUN_DTYPE_S32, 1, data, dims, NULL);
  fake_attr(fake, attr_s64("group_mode", 0));
  fake_attr(fake, attr_s64("op_id", 5));
  fake_attr(fake, attr_s64("reduction_kind", 0));
  fake_attr(fake, attr_s64("uid", 5));
  fake_attr(fake, attr_pred("is_async", device->is_async));
  add_groups(fake);
  return fake_load(fake);
}

static jitrun_error_t *finish_call(const struct device *device,
                                   const jitrun_customcall_t *record) {
  struct fake_call fake;
  fake_init(&fake, record);
  fake.world = device->world;
  fake.replica = device->number;
  fake_attr(&fake, attr_s64("uid", 5));
  jitrun_error_t *error = fake_load(&fake);
  if (!error)
    error = fake_run(&fake);
  fake_deinit(&fake);
  return error;
}

static void *run_device(void *argument) {
  struct device *device = argument;
  jitrun_registry_t *registry = jitrun_registry_default();
  const jitrun_customcall_t *reduce =
      jr_registry_find(registry, "xla.gpu.all_reduce", "host");
  const jitrun_customcall_t *done =
      jr_registry_find(registry, "xla.gpu.collective_done", "host");
  struct fake_call fake;
  int32_t data[3];
  device->error = jr_world_enter(device->world, device->number, 0);
  if (device->error)
    return NULL;
  jitrun_error_t *error = load_call(&fake, device, reduce, data);
  for (int32_t i = 0; !error && i < CALLS; i++) {
    for (int j = 0; j < 3; j++)
      data[j] = i + j + (int32_t)device->number;
    error = fake_run(&fake);
    if (!error && device->is_async)
      error = finish_call(device, done);
    int32_t sum = device->number % 2 == 0 ? 12 : 16;
    for (int32_t j = 0; !error && j < 3; j++)
      device->wrong += data[j] != 4 * (i + j) + sum;
  }
  fake_deinit(&fake);
  device->error = error;
  jr_world_leave(device->world, device->number, 0, error);
  return NULL;
}

static void run_devices(bool is_async) {
  struct device devices[DEVICES];
  pthread_t threads[DEVICES];
  jitrun_world_t *world = NULL;
  expect_ok(jitrun_world_create(DEVICES, 1, NULL, &world));
  for (uint32_t i = 0; i < DEVICES; i++) {
    devices[i] =
        (struct device){.world = world, .number = i, .is_async = is_async};
    assert_int_equal(pthread_create(&threads[i], NULL, run_device, &devices[i]),
                     0);
  }
  for (uint32_t i = 0; i < DEVICES; i++)
    (void)pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < DEVICES; i++) {
    expect_ok(devices[i].error);
    assert_int_equal(devices[i].wrong, 0);
  }
  jitrun_world_release(world);
}

static void test_devices(void **state) {
  (void)state;
  run_devices(false);
  run_devices(true);
}

/// Alone, with each allocation failing.
static void run_sweep(void *context) {
  struct device device = {.is_async = *(bool *)context};
  struct fake_call fake;
  int32_t data[3] = {1, 2, 3};
  static const int64_t dims[] = {3};
  fake_init_builtin(&fake, "xla.gpu.all_reduce");
  fake_buffer(&fake, JITRUN_DTYPE_S32, 1, data, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_S32, 1, data, dims, NULL);
  fake_attr(&fake, attr_s64("group_mode", 0));
  fake_attr(&fake, attr_s64("op_id", 5));
  fake_attr(&fake, attr_s64("reduction_kind", 0));
  fake_attr(&fake, attr_pred("is_async", device.is_async));
  static const int64_t ends[] = {1};
  static const int64_t ids[] = {0};
  fake_attr(&fake, (jitrun_attr_t){.name = "replica_group_offsets",
                                   .kind = JITRUN_ATTR_ARRAY,
                                   .dtype = JITRUN_DTYPE_S64,
                                   .count = 1,
                                   .value = {.data = ends}});
  fake_attr(&fake, (jitrun_attr_t){.name = "replica_group_values",
                                   .kind = JITRUN_ATTR_ARRAY,
                                   .dtype = JITRUN_DTYPE_S64,
                                   .count = 1,
                                   .value = {.data = ids}});
  jitrun_error_t *error = fake_load(&fake);
  if (!error)
    error = fake_run(&fake);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  fake_deinit(&fake);
}

static void test_allocations(void **state) {
  (void)state;
  bool is_async = false;
  sweep_allocations(run_sweep, &is_async);
  is_async = true;
  sweep_allocations(run_sweep, &is_async);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices),
                                     cmocka_unit_test(test_allocations)};
  return cmocka_run_group_tests_name("customcalls_collective", tests, NULL,
                                     check_no_errors);
}

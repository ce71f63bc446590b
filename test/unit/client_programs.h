/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What tests of executables share: a client of four devices, two programs, and
/// buffers of four integers. Each test gives back all memory that it took.
#ifndef TEST_UNIT_CLIENT_PROGRAMS_H
#define TEST_UNIT_CLIENT_PROGRAMS_H

#include "expect.h"

#include "jitrun/executable.h"

static jitrun_client_t *client;
static jitrun_device_t *devices[4];

static inline int open_client(void **state) {
  (void)state;
  const jitrun_client_options_t options = {
      .size = sizeof options, .device_count = 4, .memory_limit_bytes = 1 << 20};
  expect_ok(jitrun_client_create(&options, &client));
  for (size_t i = 0; i < 4; i++)
    expect_ok(jitrun_client_local_device(client, i, &devices[i]));
  return 0;
}

static inline uint64_t bytes_in_use(size_t device) {
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  expect_ok(jitrun_device_memory_stats(devices[device], &stats));
  return stats.in_use_bytes;
}

static inline int close_client(void **state) {
  (void)state;
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(bytes_in_use(i), 0);
  jitrun_client_release(client);
  return 0;
}

/// Elementwise sum, as a result and in place; a scalar among the parameters.
static const char add_text[] =
    "func.func @result(%a: memref<4xi32>, %b: i32)\n"
    "    -> (memref<4xi32>, i32) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  %r = memref.alloc() : memref<4xi32>\n"
    "  scf.for %i = %c0 to %c4 step %c1 {\n"
    "    %x = memref.load %a[%i] : memref<4xi32>\n"
    "    %y = arith.addi %x, %b : i32\n"
    "    memref.store %y, %r[%i] : memref<4xi32>\n"
    "  }\n"
    "  %s = arith.addi %b, %b : i32\n"
    "  return %r, %s : memref<4xi32>, i32\n"
    "}\n"
    "func.func @in_place(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  scf.for %i = %c0 to %c4 step %c1 {\n"
    "    %x = memref.load %a[%i] : memref<4xi32>\n"
    "    %y = arith.addi %x, %b : i32\n"
    "    memref.store %y, %a[%i] : memref<4xi32>\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func @all(%a: memref<4xi32>, %b: memref<4xi32>) {\n"
    "  memref.copy %a, %b : memref<4xi32> to memref<4xi32>\n"
    "  return\n"
    "}\n"
    "func.func @dynamic(%a: memref<?xi32>) -> memref<?xi32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %n = memref.dim %a, %c0 : memref<?xi32>\n"
    "  %m = arith.addi %n, %n : index\n"
    "  %r = memref.alloc(%m) : memref<?xi32>\n"
    "  %v = arith.index_cast %n : index to i32\n"
    "  linalg.fill ins(%v : i32) outs(%r : memref<?xi32>)\n"
    "  return %r : memref<?xi32>\n"
    "}\n";

/// Custom calls that fail, sleep, and meet those of other devices.
static const char call_text[] =
    "func.func private @fail(memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.fail\", message = \"out of cheese\",\n"
    "  code = 13 : i32}\n"
    "func.func private @sleep() attributes {\n"
    "  rt.custom_call = \"jitrun.sleep\", ms = 400 : i32}\n"
    "func.func private @sum(memref<4xi32>, memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.all_reduce\", reduction = \"sum\"}\n"
    "func.func private @id() -> i32 attributes {\n"
    "  rt.custom_call = \"xla.cpu.replica_id\"}\n"
    "func.func @fail_main(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @fail(%a) : (memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func @sleep_main(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @sleep() : () -> ()\n"
    "  call @sleep() : () -> ()\n"
    "  return\n"
    "}\n"
    "func.func @sum_main(%a: memref<4xi32>, %b: memref<4xi32> "
    "{jitrun.output})\n"
    "    -> i32 {\n"
    "  call @sum(%a, %b) : (memref<4xi32>, memref<4xi32>) -> ()\n"
    "  %i = call @id() : () -> i32\n"
    "  return %i : i32\n"
    "}\n"
    "func.func @one_fails(%a: memref<4xi32> {jitrun.output}) {\n"
    "  %i = call @id() : () -> i32\n"
    "  %c2 = arith.constant 2 : i32\n"
    "  %is = arith.cmpi eq, %i, %c2 : i32\n"
    "  scf.if %is {\n"
    "    func.call @fail(%a) : (memref<4xi32>) -> ()\n"
    "  }\n"
    "  call @sum(%a, %a) : (memref<4xi32>, memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n";

static inline jitrun_executable_t *load(const char *text, const char *entry,
                                        uint32_t replicas) {
  const jitrun_executable_options_t options = {
      .size = sizeof options, .entry = entry, .replica_count = replicas};
  jitrun_executable_t *executable = NULL;
  jitrun_error_t *error = jitrun_executable_load_memory(
      client, text, strlen(text), "test.mlir", &options, &executable);
  expect_ok(error);
  return executable;
}

static const int64_t dims4[] = {4};

static inline jitrun_buffer_t *make_buffer(size_t device, int32_t first) {
  int32_t values[] = {first, first + 1, first + 2, first + 3};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = values};
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(devices[device], &tensor,
                                    JITRUN_HOST_COPY_NOW, NULL, NULL, &buffer));
  return buffer;
}

static inline jitrun_buffer_t *make_scalar(size_t device, int32_t value) {
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(devices[device], &tensor,
                                    JITRUN_HOST_COPY_NOW, NULL, NULL, &buffer));
  return buffer;
}

static inline void expect_buffer(jitrun_buffer_t *buffer, int32_t first,
                                 int32_t step) {
  int32_t values[4] = {0};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = values};
  expect_ok(jitrun_buffer_to_host(buffer, &tensor, -1));
  for (int32_t i = 0; i < 4; i++)
    assert_int_equal(values[i], first + step * i);
}

static inline int32_t read_scalar(jitrun_buffer_t *buffer) {
  int32_t value = 0;
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  expect_ok(jitrun_buffer_to_host(buffer, &tensor, -1));
  return value;
}

static inline const void *address_of(jitrun_buffer_t *buffer) {
  jitrun_tensor_t value;
  expect_ok(jitrun_buffer_host_value(buffer, -1, &value));
  return value.data;
}

#endif

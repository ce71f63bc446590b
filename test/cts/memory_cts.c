/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Devices, memory, copies and fills.
#include "cts.h"

#include <stdlib.h>

void test_device_info(void **state) {
  (void)state;
  for (uint32_t i = 0; i < cts.platform.device_count; i++) {
    jitrun_driver_info_t info;
    expect_ok(jr_platform_info(&cts.platform, i, &info));
    assert_true(info.kind[0] != '\0');
    assert_true(info.description[0] != '\0');
    for (size_t j = 0; j < info.attribute_count; j++) {
      assert_non_null(info.attributes[j].name);
      assert_non_null(info.attributes[j].text);
    }
    // Bytes are what everything else is made of.
    assert_false(info.refused_dtypes >> JITRUN_DTYPE_U8 & 1);
  }
}

void test_device_counts(void **state) {
  (void)state;
  struct jr_platform one;
  expect_ok(jr_platform_open(cts.driver, 1, &one));
  assert_int_equal(one.device_count, 1);
  jr_platform_close(&one);
  expect_ok(jr_platform_open(cts.driver, cts.platform.device_count, &one));
  assert_int_equal(one.device_count, cts.platform.device_count);
  jr_platform_close(&one);
  jitrun_error_t *error = jr_platform_open(cts.driver, UINT32_MAX, &one);
  assert_non_null(error);
  jitrun_error_free(error);
}

void test_memory_alignment(void **state) {
  (void)state;
  static const uint64_t sizes[] = {1, 3, 64, 4097, 1 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (uint64_t alignment = 1; alignment <= 4096; alignment *= 4) {
      jitrun_address_t address;
      expect_ok(
          cts.table->alloc(cts.devices[0], sizes[i], alignment, &address));
      assert_true(address != 0);
      assert_int_equal(address % alignment, 0);
      cts_free(0, address);
    }
  }
}

/// What is written to one allocation is not seen in another.
void test_memory_apart(void **state) {
  (void)state;
  enum { COUNT = 20 };
  jitrun_address_t addresses[COUNT];
  unsigned char bytes[1000];
  for (unsigned i = 0; i < COUNT; i++)
    addresses[i] = cts_alloc(0, sizeof bytes);
  for (unsigned round = 0; round < 3; round++) {
    for (unsigned i = 0; i < COUNT; i++) {
      cts_fill(bytes, sizeof bytes, 100 * round + i);
      cts_write(addresses[i], bytes, sizeof bytes);
    }
    for (unsigned i = 0; i < COUNT; i++)
      cts_expect(addresses[i], sizeof bytes, 100 * round + i);
    // Every other one goes, and comes back elsewhere or not.
    for (unsigned i = round; i < COUNT; i += 2)
      cts_free(0, addresses[i]);
    for (unsigned i = round; i < COUNT; i += 2)
      addresses[i] = cts_alloc(0, sizeof bytes);
  }
  for (unsigned i = 0; i < COUNT; i++)
    cts_free(0, addresses[i]);
}

void test_memory_exhausted(void **state) {
  (void)state;
  jitrun_address_t address = 1;
  uint64_t before = 0;
  uint64_t after = 0;
  if (cts.info.memory_bytes == 0)
    CTS_SKIP("the driver does not say how much memory there is");
  jitrun_error_t *error =
      cts.table->alloc(cts.devices[0], cts.info.memory_bytes + 1, 64, &address);
  assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  assert_int_equal(address, 0);
  if (cts.table->memory_free)
    expect_ok(cts.table->memory_free(cts.devices[0], &before));
  address = cts_alloc(0, 1 << 20);
  if (cts.table->memory_free) {
    expect_ok(cts.table->memory_free(cts.devices[0], &after));
    assert_true(after < before);
  }
  cts_free(0, address);
}

void test_memory_of_host(void **state) {
  (void)state;
  void *data = NULL;
  if (!cts.table->host_alloc)
    CTS_SKIP("any host memory is as good");
  expect_ok(cts.table->host_alloc(cts.devices[0], 5000, &data));
  jitrun_address_t address = cts_alloc(0, 5000);
  cts_fill(data, 5000, 7);
  cts_write(address, data, 5000);
  cts_expect(address, 5000, 7);
  cts_free(0, address);
  cts.table->host_free(cts.devices[0], data);
}

void test_copies(void **state) {
  (void)state;
  enum { MOST = 100000 };
  static const size_t sizes[] = {1, 2, 63, 64, 65, 4096, MOST};
  static unsigned char bytes[MOST];
  jitrun_address_t from = cts_alloc(0, MOST);
  jitrun_address_t to = cts_alloc(0, MOST);
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    cts_fill(bytes, sizes[i], i);
    cts_write(from, bytes, sizes[i]);
    cts_expect(from, sizes[i], i);
    expect_ok(cts.table->copy_on_device(cts.stream, to, from, sizes[i]));
    cts_expect(to, sizes[i], i);
    if (cts.info.is_host_addressable)
      assert_memory_equal((const void *)(uintptr_t)to, bytes, sizes[i]);
  }
  cts_free(0, from);
  cts_free(0, to);
}

/// Addresses may have offsets added to them, of any alignment.
void test_copies_of_parts(void **state) {
  (void)state;
  unsigned char bytes[300];
  unsigned char part[100];
  jitrun_address_t address = cts_alloc(0, sizeof bytes);
  cts_fill(bytes, sizeof bytes, 1);
  cts_write(address, bytes, sizeof bytes);
  cts_fill(part, sizeof part, 2);
  cts_write(address + 33, part, sizeof part);
  expect_ok(cts.table->copy_on_device(cts.stream, address + 200, address + 33,
                                      sizeof part));
  memset(bytes, 0, sizeof bytes);
  expect_ok(cts.table->copy_to_host(cts.stream, bytes + 1, address + 200,
                                    sizeof part));
  expect_ok(cts.table->stream_synchronize(cts.stream));
  assert_memory_equal(bytes + 1, part, sizeof part);
  assert_int_equal(bytes[0], 0);
  assert_int_equal(bytes[1 + sizeof part], 0);
  cts_expect(address, 33, 1);
  cts_expect(address + 33, sizeof part, 2);
  cts_free(0, address);
}

void test_copies_between_devices(void **state) {
  (void)state;
  unsigned char bytes[5000];
  if (!cts.devices[1])
    CTS_SKIP("there is one device");
  if (!cts.table->copy_from_peer)
    CTS_SKIP("no device reaches another");
  jitrun_address_t here = cts_alloc(0, sizeof bytes);
  jitrun_address_t there = cts_alloc(1, sizeof bytes);
  jitrun_driver_stream_t *stream = NULL;
  expect_ok(cts.table->stream_create(cts.devices[1], 0, &stream));
  cts_fill(bytes, sizeof bytes, 3);
  expect_ok(cts.table->copy_to_device(stream, there, bytes, sizeof bytes));
  expect_ok(cts.table->stream_synchronize(stream));
  jitrun_error_t *error = cts.table->copy_from_peer(
      cts.stream, here, cts.devices[1], there, sizeof bytes);
  if (jitrun_error_code(error) != JITRUN_UNIMPLEMENTED) {
    expect_ok(error);
    error = NULL;
    cts_expect(here, sizeof bytes, 3);
  }
  jitrun_error_free(error);
  cts.table->stream_destroy(stream);
  cts_free(1, there);
  cts_free(0, here);
}

void test_fills(void **state) {
  (void)state;
  enum { COUNT = 1024 };
  unsigned char bytes[COUNT];
  unsigned char wanted[COUNT];
  jitrun_address_t address = cts_alloc(0, COUNT);
  static const uint32_t pattern = 0x04030201;
  for (uint32_t width = 1; width <= 4; width *= 2) {
    memset(wanted, 0, sizeof wanted);
    expect_ok(cts.table->fill(cts.stream, address, COUNT, 0, 1));
    expect_ok(cts.table->fill(cts.stream, address + 8, 400, pattern, width));
    expect_ok(cts.table->copy_to_host(cts.stream, bytes, address, COUNT));
    expect_ok(cts.table->stream_synchronize(cts.stream));
    for (size_t i = 0; i < 400; i++)
      wanted[8 + i] = (unsigned char)(i % width + 1);
    assert_memory_equal(bytes, wanted, COUNT);
  }
  cts_free(0, address);
}

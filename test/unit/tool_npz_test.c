/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// .npz files: what is written reads back; archives that lie are refused. Files
/// of numpy are in test/lit/tool/npz.test.
#include "expect.h"
#include "npy.h"
#include "npz.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// "2xi32=[1 2]", more or less.
static struct jr_value make_value(size_t count) {
  struct jr_value value;
  assert_null(
      jr_value_init(JITRUN_DTYPE_S32, 1, (int64_t[]){(int64_t)count}, &value));
  for (size_t i = 0; i < count; i++)
    ((int32_t *)value.data)[i] = (int32_t)i + 1;
  return value;
}

/// An archive of the names, each with one value more than the one before.
static struct jr_bytes make_archive(const char *const *names) {
  struct jr_npz npz = {0};
  for (size_t i = 0; names[i]; i++) {
    struct jr_value value = make_value(i + 1);
    assert_null(jr_npz_add(&npz, names[i], &value));
    jr_value_deinit(&value);
  }
  assert_null(jr_npz_finish(&npz));
  struct jr_bytes archive = npz.files;
  npz.files = (struct jr_bytes){0};
  jr_npz_deinit(&npz);
  return archive;
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void assert_member(const struct jr_bytes *archive, const char *name,
                          const char *expected) {
  struct jr_bytes file = {0};
  struct jr_value value;
  assert_null(jr_npz_read(archive->data, archive->size, name, &file));
  assert_null(jr_npy_load(&file, JITRUN_DTYPE_INVALID, &value));
  struct jr_bytes text = {0};
  jr_value_format(&text, value.type, value.data, SIZE_MAX);
  assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
  jr_value_deinit(&value);
}

static void assert_refused(const struct jr_bytes *archive, const char *name,
                           jitrun_code_t code, const char *expected) {
  struct jr_bytes file = {0};
  expect_error(jr_npz_read(archive->data, archive->size, name, &file), code,
               expected);
  jr_bytes_deinit(&file);
}

static void test_split(void **state) {
  (void)state;
  size_t size;
  const char *member;
  assert_true(jr_npz_split("a/b.npz", &size, &member));
  assert_int_equal(size, 7);
  assert_null(member);
  assert_true(jr_npz_split("a.npz:b:c", &size, &member));
  assert_int_equal(size, 5);
  assert_string_equal(member, "b:c");
  assert_true(jr_npz_split("a.npz:b.npz:c", &size, &member));
  assert_int_equal(size, 11);
  assert_false(jr_npz_split("a:b.npy", &size, &member));
  assert_false(jr_npz_split("npz:b", &size, &member));
  assert_false(jr_npz_split("", &size, &member));
}

static void test_members(void **state) {
  (void)state;
  struct jr_bytes archive = make_archive(NAMES("one", "two"));
  assert_member(&archive, "one", "1xi32=[1]");
  assert_member(&archive, "two", "2xi32=[1 2]");
  assert_member(&archive, "two.npy", "2xi32=[1 2]");
  assert_refused(&archive, "tow", JITRUN_NOT_FOUND,
                 "no member 'tow' in the .npz file; it has 'one', 'two'; did "
                 "you mean 'two'?");
  assert_refused(&archive, NULL, JITRUN_NOT_FOUND,
                 "say which member of the .npz file, as in x.npz:NAME; it has "
                 "'one', 'two'");
  jr_bytes_deinit(&archive);
  archive = make_archive(NAMES("only"));
  assert_member(&archive, NULL, "1xi32=[1]");
  jr_bytes_deinit(&archive);
  archive = make_archive(NAMES(NULL));
  assert_refused(&archive, NULL, JITRUN_NOT_FOUND, "the .npz file is empty");
  assert_refused(&archive, "x", JITRUN_NOT_FOUND, "it has none");
  jr_bytes_deinit(&archive);
}

static void test_twice(void **state) {
  (void)state;
  struct jr_npz npz = {0};
  struct jr_value value = make_value(1);
  assert_null(jr_npz_add(&npz, "x", &value));
  assert_null(jr_npz_add(&npz, "xy", &value));
  expect_error(jr_npz_add(&npz, "x", &value), JITRUN_INVALID_ARGUMENT,
               "the .npz file is given member 'x' twice");
  jr_value_deinit(&value);
  jr_npz_deinit(&npz);
}

/// Where the directory's record of the only member begins.
static size_t find_directory(const struct jr_bytes *archive) {
  for (size_t i = archive->size - 4; i > 0; i--) {
    if (memcmp(archive->data + i, "PK\1\2", 4) == 0)
      return i;
  }
  return 0;
}

/// Refuses an archive of one member with `size` bytes at `offset` of its
/// directory changed.
static void assert_damage(size_t offset, const void *bytes, size_t size,
                          jitrun_code_t code, const char *expected) {
  struct jr_bytes archive = make_archive(NAMES("x"));
  memcpy(archive.data + find_directory(&archive) + offset, bytes, size);
  assert_refused(&archive, "x", code, expected);
  jr_bytes_deinit(&archive);
}

static void test_lies(void **state) {
  (void)state;
  assert_damage(8, "\1", 1, JITRUN_DATA_LOSS, "is encrypted");
  assert_damage(10, "\14", 1, JITRUN_UNIMPLEMENTED, "is packed by method 12");
  assert_damage(16, "\0\0\0\0", 4, JITRUN_DATA_LOSS, "its checksum differs");
  assert_damage(20, "\xff\0\0\0", 4, JITRUN_DATA_LOSS, "cannot have the size");
  assert_damage(24, "\0\0\0\1", 4, JITRUN_DATA_LOSS, "cannot have the size");
  assert_damage(20, "\0\0\0\0\0\0\0\0", 8, JITRUN_DATA_LOSS, "is empty");
  assert_damage(20, "\5\0\0\0\5\0\0\0", 8, JITRUN_INVALID_ARGUMENT,
                "it does not begin as one");
  assert_damage(20, "\x80\0\0\0\x80\0\0\0", 8, JITRUN_DATA_LOSS,
                "claims 128 bytes, its array has 132");
  assert_damage(20, "\0\0\1\0\0\0\1\0", 8, JITRUN_DATA_LOSS, "is cut off");
  assert_damage(24, "\xff\xff\xff\xff", 4, JITRUN_DATA_LOSS,
                "cannot have the size");
  assert_damage(28, "\xff\xff", 2, JITRUN_INVALID_ARGUMENT, "is cut off");
  assert_damage(42, "\1\0\0\0", 4, JITRUN_DATA_LOSS,
                "is not where the directory says");
  assert_damage(0, "PK\3\4", 4, JITRUN_INVALID_ARGUMENT, "is damaged");
  // Deflated, though it is not.
  assert_damage(10, "\10", 1, JITRUN_DATA_LOSS, "it ends early");
}

/// A member that deflates to a great deal more than its array has.
static void test_bomb(void **state) {
  (void)state;
  enum { BOMB = 1 << 24 };
  struct jr_value value = make_value(1);
  struct jr_bytes file = {0};
  assert_null(jr_npy_format(&file, &value));
  jr_value_deinit(&value);
  size_t honest = file.size;
  assert_non_null(jr_bytes_extend(&file, BOMB));
  unsigned char *packed = malloc(BOMB);
  z_stream stream = {.next_in = file.data,
                     .avail_in = (uInt)file.size,
                     .next_out = packed,
                     .avail_out = BOMB};
  assert_int_equal(
      deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY),
      Z_OK);
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  size_t packed_size = stream.total_out;
  assert_int_equal(deflateEnd(&stream), Z_OK);
  for (int lies = 0; lies < 2; lies++) {
    struct jr_bytes archive = {0};
    uint32_t sizes[] = {(uint32_t)packed_size,
                        (uint32_t)(lies ? honest : file.size)};
    unsigned char front[30] = "PK\3\4";
    unsigned char record[46] = "PK\1\2";
    unsigned char end[22] = "PK\5\6";
    jr_bytes_append(&archive, front, sizeof front);
    jr_bytes_append(&archive, packed, packed_size);
    uint32_t directory = (uint32_t)archive.size;
    record[10] = 8;
    record[28] = 1;
    memcpy(record + 20, sizes, sizeof sizes);
    jr_bytes_append(&archive, record, sizeof record);
    jr_bytes_append(&archive, "x", 1);
    end[10] = 1;
    end[12] = sizeof record + 1;
    memcpy(end + 16, &directory, 4);
    jr_bytes_append(&archive, end, sizeof end);
    assert_refused(&archive, "x", JITRUN_DATA_LOSS,
                   lies ? "is longer than its array" : "its array has 132");
    jr_bytes_deinit(&archive);
  }
  free(packed);
  jr_bytes_deinit(&file);
}

/// Every byte changed, and every length: nothing but errors.
static void test_damage(void **state) {
  (void)state;
  struct jr_bytes archive = make_archive(NAMES("one", "two"));
  for (size_t i = 0; i < archive.size; i++) {
    for (unsigned change = 1; change < 256; change <<= 1) {
      struct jr_bytes file = {0};
      archive.data[i] ^= (unsigned char)change;
      jitrun_error_free(jr_npz_read(archive.data, archive.size, "two", &file));
      archive.data[i] ^= (unsigned char)change;
      jr_bytes_deinit(&file);
    }
    struct jr_bytes file = {0};
    expect_error(jr_npz_read(archive.data, i, "two", &file),
                 JITRUN_INVALID_ARGUMENT, "not a usable .npz file");
    jr_bytes_deinit(&file);
  }
  jr_bytes_deinit(&archive);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_split), cmocka_unit_test(test_members),
      cmocka_unit_test(test_twice), cmocka_unit_test(test_lies),
      cmocka_unit_test(test_bomb),  cmocka_unit_test(test_damage),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

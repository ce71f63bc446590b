/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Files: whole reads, atomic writes, maps, and each way they fail.
#include "expect.h"

#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char folder[] = "/tmp/jitrun-files-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  int status = check_no_errors(state);
  if (chdir("/") != 0 || rmdir(folder) != 0)
    return -1;
  return status;
}

static size_t count_entries(void) {
  size_t count = 0;
  DIR *dir = opendir(".");
  if (!dir) {
    fail();
    return 0;
  }
  while (readdir(dir))
    count++;
  (void)closedir(dir);
  return count - 2; // . and ..
}

static void expect_content(const char *path, const char *text) {
  struct jr_bytes bytes = {0};
  expect_ok(jr_file_read(path, &bytes));
  assert_string_equal(jr_bytes_text(&bytes), text);
  assert_int_equal(bytes.size, strlen(text));
  jr_bytes_deinit(&bytes);
}

static void test_write_and_read(void **state) {
  (void)state;
  expect_ok(jr_file_write("a", "hello", 5));
  expect_content("a", "hello");
  expect_ok(jr_file_write("a", NULL, 0));
  expect_content("a", "");
  expect_ok(jr_file_write("./a", "x", 1));
  expect_content("a", "x");
  assert_int_equal(count_entries(), 1);
  assert_int_equal(unlink("a"), 0);
}

static void test_large(void **state) {
  (void)state;
  size_t size = 300001;
  unsigned char *data = malloc(size);
  assert_non_null(data);
  for (size_t i = 0; i < size; i++)
    data[i] = (unsigned char)(i * 7);
  expect_ok(jr_file_write("a", data, size));
  struct jr_bytes bytes = {0};
  expect_ok(jr_file_read("a", &bytes));
  assert_int_equal(bytes.size, size);
  assert_memory_equal(bytes.data, data, size);
  jr_bytes_deinit(&bytes);
  free(data);
  assert_int_equal(unlink("a"), 0);
}

static void test_umask(void **state) {
  (void)state;
  struct stat status;
  mode_t saved = umask(027);
  expect_ok(jr_file_write("a", "x", 1));
  (void)umask(saved);
  assert_int_equal(stat("a", &status), 0);
  assert_int_equal(status.st_mode & 0777, 0640);
  assert_int_equal(unlink("a"), 0);
}

static void test_read_errors(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  expect_error(jr_file_read("missing", &bytes), JITRUN_NOT_FOUND,
               "cannot read 'missing': No such file");
  expect_error(jr_file_read(".", &bytes), JITRUN_INVALID_ARGUMENT,
               "cannot read '.': Is a directory");
  assert_null(bytes.data);
  if (geteuid() != 0) { // root may read everything
    expect_ok(jr_file_write("a", "x", 1));
    assert_int_equal(chmod("a", 0), 0);
    expect_error(jr_file_read("a", &bytes), JITRUN_PERMISSION_DENIED,
                 "cannot read 'a'");
    assert_int_equal(unlink("a"), 0);
  }
}

static void test_write_errors(void **state) {
  (void)state;
  expect_error(jr_file_write("no/such", "x", 1), JITRUN_NOT_FOUND,
               "cannot write 'no/such'");
  expect_error(jr_file_write(".", "x", 1), JITRUN_INVALID_ARGUMENT,
               "cannot write '.': Is a directory");
  expect_error(jr_file_write("/dev/full", "x", 1), JITRUN_RESOURCE_EXHAUSTED,
               "cannot write '/dev/full': No space left");
  expect_error(jr_file_write("new/", "x", 1), JITRUN_NOT_FOUND, "new/");
  assert_int_equal(count_entries(), 0); // no temporary file stays
}

static void test_write_into_device(void **state) {
  (void)state;
  struct stat status;
  expect_ok(jr_file_write("/dev/null", "x", 1));
  assert_int_equal(stat("/dev/null", &status), 0);
  assert_true(S_ISCHR(status.st_mode));
}

static void test_streams(void **state) {
  (void)state;
  int saved_in = dup(STDIN_FILENO);
  int saved_out = dup(STDOUT_FILENO);
  int ends[2];
  if (saved_in < 0 || saved_out < 0 || pipe(ends) != 0) {
    fail();
    return;
  }
  (void)fflush(stdout);
  assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
  jitrun_error_t *write_err = jr_file_write("-", "through", 7);
  (void)dup2(saved_out, STDOUT_FILENO);
  (void)close(ends[1]);
  assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
  (void)close(ends[0]);
  expect_ok(write_err);
  expect_content("-", "through");
  (void)dup2(saved_in, STDIN_FILENO);
  (void)close(saved_in);
  (void)close(saved_out);
}

static void test_map(void **state) {
  (void)state;
  struct jr_file_map map = {0};
  jr_file_map_close(&map); // nothing
  expect_ok(jr_file_write("a", "mapped", 6));
  expect_ok(jr_file_map_open("a", &map));
  assert_int_equal(map.size, 6);
  assert_memory_equal(map.data, "mapped", 6);
  int descriptor = map.descriptor;
  assert_true(fcntl(descriptor, F_GETFD) & FD_CLOEXEC);
  jr_file_map_close(&map);
  assert_null(map.data);
  assert_int_equal(fcntl(descriptor, F_GETFD), -1);
  expect_ok(jr_file_write("a", "", 0));
  expect_ok(jr_file_map_open("a", &map));
  assert_int_equal(map.size, 0);
  assert_non_null(map.data);
  jr_file_map_close(&map);
  assert_int_equal(unlink("a"), 0);
}

/// Where a thread had a file of a page and a bit; set last, and relaxed, so
/// that nothing orders the threads.
static atomic_uintptr_t mapped_before;

static void *map_and_close(void *context) {
  struct jr_file_map map = {0};
  *(jitrun_error_t **)context = jr_file_map_open("a", &map);
  uintptr_t address = (uintptr_t)map.data;
  jr_file_map_close(&map);
  atomic_store_explicit(&mapped_before, address ? address : 1,
                        memory_order_relaxed);
  return NULL;
}

/// ThreadSanitizer must have forgotten the file where next something is mapped
/// that it does not see, as what LLVM maps.
static void test_map_is_forgotten(void **state) {
  (void)state;
  long page_bytes = sysconf(_SC_PAGESIZE);
  size_t size = (size_t)page_bytes + 100;
  void *content = calloc(1, size);
  assert_non_null(content);
  expect_ok(jr_file_write("a", content, size));
  free(content);
  pthread_t thread;
  jitrun_error_t *error = NULL;
  assert_int_equal(pthread_create(&thread, NULL, map_and_close, &error), 0);
  uintptr_t address;
  while ((address =
              atomic_load_explicit(&mapped_before, memory_order_relaxed)) == 0)
    (void)sched_yield();
  long mapped =
      syscall(SYS_mmap, address, 2 * page_bytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0L);
  assert_int_equal(mapped, address);
  assert_int_equal(*(volatile char *)(address + (uintptr_t)page_bytes), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  expect_ok(error);
  assert_int_equal(munmap((void *)address, 2 * (size_t)page_bytes), 0);
  assert_int_equal(unlink("a"), 0);
}

static void test_map_errors(void **state) {
  (void)state;
  struct jr_file_map map;
  expect_error(jr_file_map_open("missing", &map), JITRUN_NOT_FOUND,
               "'missing'");
  expect_error(jr_file_map_open(".", &map), JITRUN_INVALID_ARGUMENT,
               "not a regular file");
  assert_int_equal(mkfifo("pipe", 0600), 0);
  expect_error(jr_file_map_open("pipe", &map), JITRUN_INVALID_ARGUMENT,
               "not a regular file");
  assert_null(map.data);
  assert_int_equal(unlink("pipe"), 0);
}

static void test_symbol_prefix(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"-", "program"},        {"", "program"},       {"/a/b/add.mlir", "add"},
      {"x.y-z.mlir", "x_y_z"}, {"2d.mlir", "_2d"},    {".mlir", "program"},
      {"dir/", "program"},     {"\xc3\xa9.o", "__"},  {"plain", "plain"},
      {"a.b/c", "c"},          {"image.o", "_image"}, {"image_2.o", "_image_2"},
      {"images", "images"},
  };
  char buffer[32];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_string_equal(
        jr_file_symbol_prefix(cases[i][0], buffer, sizeof buffer), cases[i][1]);
  assert_string_equal(jr_file_symbol_prefix("abcdef.o", buffer, 4), "abc");
  assert_string_equal(jr_file_symbol_prefix("1", buffer, 2), "_");
}

static void write_swept(void *context) {
  (void)context;
  jitrun_error_t *err = jr_file_write("swept", "content", 7);
  if (err)
    assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(err);
  struct jr_bytes bytes = {0};
  err = jr_file_read("swept", &bytes);
  assert_int_equal(err != NULL, bytes.data == NULL);
  jitrun_error_free(err);
  jr_bytes_deinit(&bytes);
  (void)unlink("swept");
  assert_int_equal(count_entries(), 0);
}

static void test_sweep(void **state) {
  (void)state;
  sweep_allocations(write_swept, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write_and_read),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_umask),
      cmocka_unit_test(test_read_errors),
      cmocka_unit_test(test_write_errors),
      cmocka_unit_test(test_write_into_device),
      cmocka_unit_test(test_streams),
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_map_is_forgotten),
      cmocka_unit_test(test_map_errors),
      cmocka_unit_test(test_symbol_prefix),
      cmocka_unit_test(test_sweep),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

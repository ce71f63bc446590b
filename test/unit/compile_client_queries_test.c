/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What executables tell: the memory that they take, and what they are known
/// by.
#include "expect.h"

#include "jitrun/executable.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char text[] =
    "memref.global \"private\" constant @c : memref<8xi32> = dense<3>\n"
    "func.func @main(%a: memref<100xi32>, %b: memref<8xi32> {jitrun.output},\n"
    "                %s: i32) -> memref<10xi32> {\n"
    "  %c = memref.get_global @c : memref<8xi32>\n"
    "  %r = memref.alloc() : memref<10xi32>\n"
    "  %t = memref.alloc() : memref<100xi32>\n"
    "  memref.copy %a, %t : memref<100xi32> to memref<100xi32>\n"
    "  memref.copy %c, %b : memref<8xi32> to memref<8xi32>\n"
    "  linalg.fill ins(%s : i32) outs(%r : memref<10xi32>)\n"
    "  return %r : memref<10xi32>\n"
    "}\n";

/// The same without work of its own: thunks can run it.
static const char calls_text[] =
    "func.func private @noop(memref<100xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.noop\"}\n"
    "func.func @main(%a: memref<100xi32>) {\n"
    "  call @noop(%a) : (memref<100xi32>) -> ()\n"
    "  return\n"
    "}\n";

static jitrun_client_t *client;

static int open_client(void **state) {
  (void)state;
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = 2};
  expect_ok(jitrun_client_create(&options, &client));
  return 0;
}

static int close_client(void **state) {
  (void)state;
  jitrun_client_release(client);
  return 0;
}

static jitrun_executable_t *load(const char *source, jitrun_open_options_t open,
                                 uint32_t replicas) {
  open.size = sizeof open;
  const jitrun_executable_options_t options = {
      .size = sizeof options, .replica_count = replicas, .open = &open};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, source, strlen(source),
                                          "test.mlir", &options, &executable));
  return executable;
}

static jitrun_executable_memory_t
memory_of(const jitrun_executable_t *executable) {
  jitrun_executable_memory_t memory = {.size = sizeof memory};
  expect_ok(jitrun_executable_memory(executable, &memory));
  return memory;
}

static void test_memory(void **state) {
  (void)state;
  jitrun_open_options_t open = {.opt_level = 0};
  jitrun_executable_t *executable = load(text, open, 1);
  jitrun_executable_memory_t memory = memory_of(executable);
  assert_int_equal(memory.argument_bytes, 400 + 32 + 4);
  assert_int_equal(memory.output_bytes, 40 + 32);
  assert_int_equal(memory.alias_bytes, 32);
  assert_int_equal(memory.temp_bytes, 400);
  assert_int_equal(memory.constant_bytes, 32);
  assert_true(memory.code_bytes > 16 && memory.code_bytes < 1 << 20);
  jitrun_executable_release(executable);
  open.executor = JITRUN_EXECUTOR_THUNKS;
  executable = load(calls_text, open, 1);
  assert_int_equal(memory_of(executable).code_bytes, 0);
  jitrun_executable_release(executable);
  expect_error(jitrun_executable_memory(NULL, &memory), JITRUN_INVALID_ARGUMENT,
               "needs an executable");
}

/// What the executor cannot run is refused before anything is donated to it.
static void test_executor(void **state) {
  (void)state;
  static const char sizes_text[] =
      "func.func @main(%a: memref<?xi32> {jitrun.output}) {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %n = memref.dim %a, %c0 : memref<?xi32>\n"
      "  %v = arith.index_cast %n : index to i32\n"
      "  memref.store %v, %a[%c0] : memref<?xi32>\n"
      "  return\n"
      "}\n";
  jitrun_executable_t *executable = NULL;
  jitrun_open_options_t open = {.size = sizeof open,
                                .executor = JITRUN_EXECUTOR_THUNKS};
  const jitrun_executable_options_t options = {.size = sizeof options,
                                               .open = &open};
  expect_error(jitrun_executable_load_memory(client, sizes_text,
                                             sizeof sizes_text - 1, "test.mlir",
                                             &options, &executable),
               JITRUN_UNIMPLEMENTED, "thunks cannot run entry 'main': ");
  assert_null(executable);
  open.inspect_only = true; // it is not going to be run
  expect_ok(jitrun_executable_load_memory(client, sizes_text,
                                          sizeof sizes_text - 1, "test.mlir",
                                          &options, &executable));
  jitrun_executable_release(executable);
}

/// Takes the fingerprint of a program, and releases it.
static void fingerprint(const char *source, jitrun_open_options_t open,
                        uint32_t replicas,
                        char out_text[JITRUN_FINGERPRINT_BYTES]) {
  jitrun_executable_t *executable = load(source, open, replicas);
  expect_ok(jitrun_executable_fingerprint(executable, out_text));
  assert_int_equal(strlen(out_text), JITRUN_FINGERPRINT_BYTES - 1);
  jitrun_executable_release(executable);
}

static void expect_fingerprint(const char *source, jitrun_open_options_t open,
                               uint32_t replicas, const char *expected,
                               bool is_same) {
  char found[JITRUN_FINGERPRINT_BYTES];
  fingerprint(source, open, replicas, found);
  if (is_same)
    assert_string_equal(found, expected);
  else
    assert_string_not_equal(found, expected);
}

static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  assert_non_null(folder);
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    char name[64 + sizeof entry->d_name];
    (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] != '.')
      (void)unlink(name);
  }
  if (folder)
    (void)closedir(folder);
  assert_int_equal(rmdir(path), 0);
}

/// The same from one time to the next, and from the cache; another one for
/// other options, entries' replicas, programs.
static void test_fingerprint(void **state) {
  (void)state;
  char first[JITRUN_FINGERPRINT_BYTES];
  char folder[] = "/tmp/jitrun-fingerprint-XXXXXX";
  jitrun_open_options_t open = {.opt_level = 1};
  fingerprint(calls_text, open, 1, first);
  expect_fingerprint(calls_text, open, 1, first, true);
  expect_fingerprint(calls_text, open, 2, first, false);
  expect_fingerprint(text, open, 1, first, false);
  open.opt_level = 0;
  expect_fingerprint(calls_text, open, 1, first, false);
  open.opt_level = 1;
  open.executor = JITRUN_EXECUTOR_THUNKS;
  expect_fingerprint(calls_text, open, 1, first, false);
  open.executor = JITRUN_EXECUTOR_AUTO;
  assert_non_null(mkdtemp(folder));
  open.cache_dir = folder;
  expect_fingerprint(calls_text, open, 1, first, true); // compiled, and kept
  expect_fingerprint(calls_text, open, 1, first, true); // from there
  remove_folder(folder);
  expect_error(jitrun_executable_fingerprint(NULL, first),
               JITRUN_INVALID_ARGUMENT, "needs an executable");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_executor),
      cmocka_unit_test(test_fingerprint),
  };
  return cmocka_run_group_tests(tests, open_client, close_client);
}

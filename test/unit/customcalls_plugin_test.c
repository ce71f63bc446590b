/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Plug-ins: loading those of the build, and each way in which one can be
/// broken. What is refused leaves nothing behind.
#include "fake_call.h"

#include "base/files.h"
#include "jitrun/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PLUGIN(name) JITRUN_TEST_PLUGIN_DIR "/" name ".so"

static int create(void **state) {
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  *state = registry;
  return 0;
}

static int release(void **state) {
  jitrun_registry_release(*state);
  return 0;
}

/// True when a file of that path is mapped.
static bool is_mapped(const char *path) {
  FILE *file = fopen("/proc/self/maps", "r");
  if (!file)
    abort();
  char line[4096];
  bool is_found = false;
  while (fgets(line, sizeof(line), file))
    is_found = is_found || strstr(line, path);
  (void)fclose(file);
  return is_found;
}

static void test_load(void **state) {
  jitrun_registry_t *registry = *state;
  expect_ok(jitrun_registry_load_plugin(registry, PLUGIN("testcalls")));
  const jitrun_customcall_t *call =
      jr_registry_find(registry, "test.add1", "host");
  assert_non_null(call);
  struct fake_call fake;
  fake_init(&fake, call);
  fake_scalar(&fake, JITRUN_DTYPE_S32)->value.s32 = 41;
  // The result stands behind the argument in both lists.
  fake_scalar(&fake, JITRUN_DTYPE_S32);
  fake.site.arg_count = 1;
  fake.site.result_count = 1;
  expect_ok(fake_load(&fake));
  expect_ok(fake_run(&fake));
  assert_int_equal(fake.frame.args[1].value.s32, 42);
  fake_deinit(&fake);
}

static void test_stays_loaded(void **state) {
  (void)state;
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  assert_false(is_mapped("testcalls.so"));
  expect_ok(jitrun_registry_load_plugin(registry, PLUGIN("testcalls")));
  jitrun_registry_retain(registry);
  jitrun_registry_release(registry);
  assert_true(is_mapped("testcalls.so"));
  jitrun_registry_release(registry);
  assert_false(is_mapped("testcalls.so"));
}

static void test_twice(void **state) {
  jitrun_registry_t *registry = *state;
  expect_ok(jitrun_registry_load_plugin(registry, PLUGIN("testcalls")));
  size_t count = jitrun_registry_call_count(registry);
  jitrun_error_t *error =
      jitrun_registry_load_plugin(registry, PLUGIN("testcalls"));
  assert_non_null(error);
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "while loading plug-in '" PLUGIN("testcalls") "'");
  expect_error(error, JITRUN_ALREADY_EXISTS, "'test.");
  assert_int_equal(jitrun_registry_call_count(registry), count);
  assert_non_null(jr_registry_find(registry, "test.sum", "host"));
}

/// Refused, with a note that names the path, and gone again.
static void refuse_plugin(jitrun_registry_t *registry, const char *path,
                          jitrun_code_t code, const char *part) {
  size_t count = jitrun_registry_call_count(registry);
  jitrun_error_t *error = jitrun_registry_load_plugin(registry, path);
  assert_non_null(error);
  size_t notes = jitrun_error_note_count(error);
  bool is_named =
      strstr(jitrun_error_message(error), path) ||
      (notes > 0 && strstr(jitrun_error_note_get(error, notes - 1), path));
  assert_true(is_named);
  expect_error(error, code, part);
  assert_int_equal(jitrun_registry_call_count(registry), count);
  assert_false(is_mapped(path));
}

static void test_broken(void **state) {
  jitrun_registry_t *registry = *state;
  refuse_plugin(registry, "/no/such.so", JITRUN_NOT_FOUND, "/no/such.so");
  refuse_plugin(registry, PLUGIN("no_query"), JITRUN_FAILED_PRECONDITION,
                "is not a jitrun plug-in: it exports no function "
                "'jitrun_plugin_query'");
  refuse_plugin(registry, PLUGIN("too_new"), JITRUN_FAILED_PRECONDITION,
                "it needs a newer jitrun");
  refuse_plugin(registry, PLUGIN("wrong_size"), JITRUN_FAILED_PRECONDITION,
                "rebuild the plug-in with the jitrun/customcall.h");
  refuse_plugin(registry, PLUGIN("other_sanitizer"), JITRUN_FAILED_PRECONDITION,
                "plug-in 'other_sanitizer' was built with");
  refuse_plugin(registry, PLUGIN("duplicate_names"), JITRUN_ALREADY_EXISTS,
                "plug-in 'duplicate_names' has custom call 'broken.call' for "
                "platform 'host' twice, as calls 1 and 2");
  refuse_plugin(registry, PLUGIN("no_handler"), JITRUN_INVALID_ARGUMENT,
                "custom call 'broken.no_handler' has no execute");
}

/// Writes a file that is no library, but names what it would need.
static void write_needing(char *path, const char *name) {
  int descriptor = mkstemps(path, 3);
  assert_true(descriptor >= 0);
  (void)close(descriptor);
  char text[64] = "\0libsomething.so.1\0";
  size_t size = sizeof("\0libsomething.so.1");
  (void)snprintf(text + size, sizeof(text) - size, "%s", name);
  expect_ok(jr_file_write(path, text, sizeof(text)));
}

/// Opening a library that needs libasan.so in a process that has not got it
/// would end the process.
static void test_needs_sanitizer(void **state) {
  jitrun_registry_t *registry = *state;
  char path[] = "/tmp/jitrun-plugin-XXXXXX.so";
  const bool is_address = JITRUN_SANITIZER == 1u;
  write_needing(path, is_address ? "libtsan.so.2" : "libasan.so.8");
  refuse_plugin(registry, path, JITRUN_FAILED_PRECONDITION,
                is_address ? "was built with ThreadSanitizer, this jitrun with "
                             "AddressSanitizer: rebuild the plug-in with "
                             "-fsanitize=address"
                           : "was built with AddressSanitizer, this jitrun "
                             "with ");
  (void)unlink(path);
}

static jitrun_plugin_t linked_plugin;

static const jitrun_plugin_t *query_linked(uint32_t max_version) {
  assert_int_equal(max_version, JITRUN_CUSTOMCALL_VERSION);
  return &linked_plugin;
}

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static void test_linked(void **state) {
  jitrun_registry_t *registry = *state;
  static const jitrun_customcall_t call = {.size = sizeof(call),
                                           .name = "linked.call",
                                           .platform = "host",
                                           .execute = do_nothing};
  const jitrun_plugin_t good = {.size = sizeof(jitrun_plugin_t),
                                .version = JITRUN_CUSTOMCALL_VERSION,
                                .sanitizer = JITRUN_SANITIZER,
                                .name = "linked",
                                .calls = &call,
                                .call_count = 1};
  linked_plugin = good;
  linked_plugin.name = NULL;
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_INVALID_ARGUMENT, "has no name");
  linked_plugin = good;
  linked_plugin.version = 99;
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_FAILED_PRECONDITION, "answers with version 99");
  linked_plugin = good;
  linked_plugin.sanitizer = 9;
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_FAILED_PRECONDITION, "unknown here (number 9)");
  linked_plugin = good;
  linked_plugin.call_count = 0;
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_INVALID_ARGUMENT,
               "'linked' has no custom calls and no attribute types");
  expect_error(jitrun_registry_add(registry, NULL), JITRUN_INVALID_ARGUMENT,
               "query function is NULL");
  linked_plugin = good;
  expect_ok(jitrun_registry_add(registry, query_linked));
  assert_non_null(jr_registry_find(registry, "linked.call", "host"));
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_ALREADY_EXISTS, "linked.call");
}

static void load_once(void *context) {
  (void)context;
  jitrun_registry_t *registry = NULL;
  jitrun_error_t *error = jitrun_registry_create(&registry);
  if (!error)
    error = jitrun_registry_load_plugin(registry, PLUGIN("testcalls"));
  if (registry)
    assert_true((error == NULL) ==
                (jr_registry_find(registry, "test.sum", "host") != NULL));
  jitrun_registry_release(registry);
  jitrun_error_free(error);
  assert_false(is_mapped("testcalls.so"));
}

static void test_allocations(void **state) {
  (void)state;
  sweep_allocations(load_once, NULL);
}

/// The attributes of every kind, as testcalls.c writes them.
static void test_read_attrs(void **state) {
  jitrun_registry_t *registry = *state;
  expect_ok(jitrun_registry_load_plugin(registry, PLUGIN("testcalls")));
  struct fake_call fake;
  fake_init(&fake, jr_registry_find(registry, "test.read_attrs", "host"));
  static const int32_t numbers[] = {1, -2, 3};
  static const float elements[] = {0.5f, 1.5f};
  static const int64_t dims[] = {1, 2};
  jitrun_attr_t inner = attr_string("text", "a\"\n");
  fake_attr(&fake, (jitrun_attr_t){.name = "d",
                                   .kind = JITRUN_ATTR_DICT,
                                   .count = 1,
                                   .value = {.items = &inner}});
  fake_attr(&fake, (jitrun_attr_t){.name = "a",
                                   .kind = JITRUN_ATTR_ARRAY,
                                   .dtype = JITRUN_DTYPE_S32,
                                   .count = 3,
                                   .value = {.data = numbers}});
  fake_attr(&fake, (jitrun_attr_t){.name = "t",
                                   .kind = JITRUN_ATTR_TENSOR,
                                   .dtype = JITRUN_DTYPE_F32,
                                   .rank = 2,
                                   .count = 2,
                                   .dims = dims,
                                   .value = {.data = elements}});
  fake_attr(&fake, attr_pred("p", true));
  fake_attr(&fake, attr_f64("f", 0.25));
  expect_ok(fake_load(&fake));
  expect_ok(fake_run(&fake));
  assert_string_equal(
      jr_bytes_text(&fake.output),
      "{a = array s32[1 -2 3], d = {text = \"a\\22\\0a\"}, f = f64 0.25, "
      "p = pred true, t = tensor 1x2xf32[0.5 1.5]}\n");
  fake_deinit(&fake);
}

#define REGISTRY_TEST(name)                                                    \
  cmocka_unit_test_setup_teardown(name, create, release)

int main(void) {
  const struct CMUnitTest tests[] = {
      REGISTRY_TEST(test_load),       cmocka_unit_test(test_stays_loaded),
      REGISTRY_TEST(test_twice),      REGISTRY_TEST(test_broken),
      REGISTRY_TEST(test_linked),     REGISTRY_TEST(test_needs_sanitizer),
      REGISTRY_TEST(test_read_attrs), cmocka_unit_test(test_allocations),
  };
  return cmocka_run_group_tests_name("customcalls_plugin", tests, NULL,
                                     check_no_errors);
}

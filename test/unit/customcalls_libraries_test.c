/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Handlers by symbol, with the C library's own parts as the library and a
/// stand-in for the adapter; handlers of classic custom calls.
#include "fake_call.h"

#include "customcalls/libraries.h"
#include "jitrun/registry.h"

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static jitrun_customcall_t adapt(const jitrun_jitrt_call_t *call) {
  return (jitrun_customcall_t){.size = sizeof(jitrun_customcall_t),
                               .name = call->name,
                               .platform = "host",
                               .execute = do_nothing,
                               .user_data = (void *)(uintptr_t)call};
}

static const jitrun_jitrt_t adapter = {.size = sizeof(adapter), .adapt = adapt};

struct library {
  struct jr_libraries libraries;
  struct jr_arena arena;
};

static jitrun_error_t *add_libm(struct library *library) {
  struct jr_library libm = {.path = "libm.so.6"};
  expect_ok(jr_dylib_open(libm.path, &libm.dylib));
  library->libraries.adapter = &adapter;
  jitrun_error_t *error =
      jr_libraries_add(&library->libraries, &library->arena, &libm);
  if (error)
    jr_dylib_close(&libm.dylib);
  return error;
}

static void end_library(struct library *library) {
  jr_libraries_deinit(&library->libraries);
  jr_arena_deinit(&library->arena);
}

static void finds_functions_of_libraries(void **state) {
  (void)state;
  struct library library = {0};
  const jitrun_customcall_t *call = NULL;
  const jitrun_customcall_t *again = NULL;
  expect_ok(add_libm(&library));
  expect_ok(
      jr_libraries_find(&library.libraries, &library.arena, "cbrt", &call));
  assert_non_null(call);
  assert_string_equal(call->name, "cbrt");
  assert_true(((const jitrun_jitrt_call_t *)call->user_data)->function != NULL);
  expect_ok(
      jr_libraries_find(&library.libraries, &library.arena, "cbrt", &again));
  assert_ptr_equal(call, again);
  // in libc.so.6, which is not among the libraries
  expect_ok(
      jr_libraries_find(&library.libraries, &library.arena, "fopen", &call));
  assert_null(call);
  struct jr_bytes text = {0};
  jr_libraries_list(&library.libraries, &text);
  assert_string_equal(jr_bytes_text(&text),
                      ", and is no function of 'libm.so.6'");
  jr_bytes_deinit(&text);
  assert_non_null(jr_classic_find(&library.libraries, "cbrt", "host"));
  assert_null(jr_classic_find(&library.libraries, "cbrt", "cuda"));
  end_library(&library);
}

static void lack_memory(void *context) {
  (void)context;
  struct library library = {0};
  const jitrun_customcall_t *call = NULL;
  const jitrun_classic_t classic = {"f", "host",
                                    (jitrun_classic_fn_t)do_nothing};
  jitrun_error_t *error = add_libm(&library);
  if (!error)
    error =
        jr_libraries_find(&library.libraries, &library.arena, "cbrt", &call);
  if (!error)
    error = jr_classic_add(&library.libraries, &library.arena, &classic, 1);
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "memory");
  end_library(&library);
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  sweep_allocations(lack_memory, NULL);
}

/// A unit test stands alone: the library is nowhere to be found.
static void says_what_libraries_need(void **state) {
  (void)state;
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  expect_error(jitrun_registry_add_library(registry, "libm.so.6"),
               JITRUN_UNIMPLEMENTED,
               "libraries of handlers need libjitrun-jitrt.so.");
  jitrun_registry_release(registry);
}

static void keeps_classic_handlers(void **state) {
  (void)state;
  jitrun_registry_t *registry = NULL;
  char name[] = "vendor_call";
  jitrun_classic_t classic = {name, "host", (jitrun_classic_fn_t)do_nothing};
  expect_ok(jitrun_registry_create(&registry));
  expect_ok(jitrun_registry_add_classic(registry, &classic));
  expect_error(jitrun_registry_add_classic(registry, &classic),
               JITRUN_ALREADY_EXISTS,
               "the classic custom call handler 'vendor_call' is already "
               "registered for platform 'host'");
  classic.platform = "cuda";
  expect_ok(jitrun_registry_add_classic(registry, &classic));
  name[0] = 'V'; // names are copied
  assert_non_null(jr_registry_classic(registry, "vendor_call", "host"));
  assert_null(jr_registry_classic(registry, "Vendor_call", "host"));
  assert_null(jr_registry_classic(registry, "vendor_call", "hip"));
  classic.function = NULL;
  expect_error(jitrun_registry_add_classic(registry, &classic),
               JITRUN_INVALID_ARGUMENT, "it needs a name, a platform");
  expect_error(jitrun_registry_add_classic(registry, NULL),
               JITRUN_INVALID_ARGUMENT, "it needs a name, a platform");
  jitrun_registry_release(registry);
}

static jitrun_plugin_t plugin = {.size = sizeof(plugin),
                                 .version = JITRUN_CUSTOMCALL_VERSION,
                                 .sanitizer = JITRUN_SANITIZER,
                                 .name = "classic"};

static const jitrun_plugin_t *query(uint32_t max_version) {
  (void)max_version;
  return &plugin;
}

static void takes_classic_plugins_whole(void **state) {
  (void)state;
  jitrun_registry_t *registry = NULL;
  jitrun_classic_t classic[] = {{"a", "host", (jitrun_classic_fn_t)do_nothing},
                                {"a", "host", (jitrun_classic_fn_t)do_nothing}};
  expect_ok(jitrun_registry_create(&registry));
  expect_error(jitrun_registry_add(registry, query), JITRUN_INVALID_ARGUMENT,
               "set calls and call_count, classic and classic_count, or "
               "attr_types and attr_type_count");
  plugin.classic = classic;
  plugin.classic_count = 2;
  expect_error(jitrun_registry_add(registry, query), JITRUN_ALREADY_EXISTS,
               "'a'");
  assert_null(jr_registry_classic(registry, "a", "host"));
  classic[1].name = NULL;
  expect_error(jitrun_registry_add(registry, query), JITRUN_INVALID_ARGUMENT,
               "it needs a name");
  classic[1].name = "b";
  expect_ok(jitrun_registry_add(registry, query));
  assert_non_null(jr_registry_classic(registry, "b", "host"));
  jitrun_registry_release(registry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_functions_of_libraries),
      cmocka_unit_test(survives_lack_of_memory),
      cmocka_unit_test(says_what_libraries_need),
      cmocka_unit_test(keeps_classic_handlers),
      cmocka_unit_test(takes_classic_plugins_whole),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Classic custom calls of more arguments than programs in the tests have, and
/// what happens without memory.
#include "fake_call.h"

#include "jitrun/jitrt.h"

enum { MANY = 40 };

struct frame {
  jitrun_call_t call;
  jitrun_arg_t args[MANY];
};

static unsigned seen;

static void count_holes(void *stream, void **buffers, const char *opaque,
                        size_t opaque_size, XlaCustomCallStatus *status) {
  (void)stream, (void)opaque, (void)opaque_size;
  seen = 0;
  for (int i = 0; i < MANY; i++)
    seen += buffers[i] == NULL;
  status->set(status, "forty holes", 11);
}

static jitrun_classic_fn_t find_function(const jitrun_call_t *call,
                                         const char *name,
                                         const char *platform) {
  (void)call, (void)name, (void)platform;
  return (jitrun_classic_fn_t)count_holes;
}

static const jitrun_type_t hole = {.kind = JITRUN_KIND_SCALAR,
                                   .dtype = JITRUN_DTYPE_S64};
static const jitrun_type_t *types[MANY];
static jitrun_attr_t attrs[3];
static jitrun_call_api_t api;
static const jitrun_site_t site = {.size = sizeof(site),
                                   .api = &api,
                                   .target = "xla.gpu.custom_call",
                                   .file = "model.mlir",
                                   .arg_count = MANY,
                                   .attr_count = 3,
                                   .types = types,
                                   .attrs = attrs};

static void run_once(void *context) {
  (void)context;
  const jitrun_customcall_t *record = jr_registry_find(
      jitrun_registry_default(), "xla.gpu.custom_call", "host");
  struct frame frame = {.call = {.site = &site, .attrs = attrs}};
  for (int i = 0; i < MANY; i++)
    frame.args[i].type = &hole;
  jitrun_error_t *error = record->instantiate(&frame.call);
  if (error) {
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "memory");
    return;
  }
  error = record->execute(&frame.call);
  assert_non_null(error);
  if (jitrun_error_code(error) == JITRUN_INTERNAL)
    assert_true(strstr(jitrun_error_message(error),
                       "custom call 'f' failed: ") != NULL);
  jitrun_error_free(error);
  record->destroy_state(frame.call.state);
}

static void takes_many_arguments(void **state) {
  (void)state;
  api = fake_api;
  api.classic = find_function;
  for (int i = 0; i < MANY; i++)
    types[i] = &hole;
  attrs[0] = attr_scalar("api_version", JITRUN_DTYPE_S32);
  attrs[0].value.s32 = 3;
  attrs[1] = attr_string("backend_config", "");
  attrs[2] = attr_string("call_target_name", "f");
  sweep_allocations(run_once, NULL);
  assert_int_equal(seen, MANY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_many_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in that has one name twice; nothing of it may be registered.
#include "jitrun/customcall.h"

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

#define CALL(call_name)                                                        \
  {.size = sizeof(jitrun_customcall_t),                                        \
   .name = (call_name),                                                        \
   .platform = "host",                                                         \
   .execute = do_nothing}

static const jitrun_customcall_t calls[] = {
    CALL("broken.first"), CALL("broken.call"), CALL("broken.call")};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  static const jitrun_plugin_t plugin = {.size = sizeof(jitrun_plugin_t),
                                         .version = JITRUN_CUSTOMCALL_VERSION,
                                         .sanitizer = JITRUN_SANITIZER,
                                         .name = "duplicate_names",
                                         .calls = calls,
                                         .call_count = 3};
  return max_version >= plugin.version ? &plugin : NULL;
}

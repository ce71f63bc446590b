/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in whose second call lacks its handler; nothing of it may be
/// registered.
#include "jitrun/customcall.h"

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "broken.first",
     .platform = "host",
     .execute = do_nothing},
    {.size = sizeof(jitrun_customcall_t),
     .name = "broken.no_handler",
     .platform = "host"},
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  static const jitrun_plugin_t plugin = {.size = sizeof(jitrun_plugin_t),
                                         .version = JITRUN_CUSTOMCALL_VERSION,
                                         .sanitizer = JITRUN_SANITIZER,
                                         .name = "no_handler",
                                         .calls = calls,
                                         .call_count = 2};
  return max_version >= plugin.version ? &plugin : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in that says it was built with another sanitizer than it was.
#include "jitrun/customcall.h"

static jitrun_error_t *do_nothing(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "broken.call",
     .platform = "host",
     .execute = do_nothing},
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  static const jitrun_plugin_t plugin = {.size = sizeof(jitrun_plugin_t),
                                         .version = JITRUN_CUSTOMCALL_VERSION,
                                         .sanitizer =
                                             JITRUN_SANITIZER == 1u ? 2u : 1u,
                                         .name = "other_sanitizer",
                                         .calls = calls,
                                         .call_count = 1};
  return max_version >= plugin.version ? &plugin : NULL;
}

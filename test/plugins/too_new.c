/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in for a version of the interface that does not exist yet.
#include "jitrun/customcall.h"

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  static const jitrun_plugin_t plugin = {.size = sizeof(jitrun_plugin_t)};
  return max_version >= 1000 ? &plugin : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See functions.h.
#include "runtime/functions.h"

#include "customcalls/parts.h"
#include "customcalls/registry.h"

void *jr_function_find(jitrun_registry_t *registry, const char *name) {
  const struct jitrun_part *part = jr_part_get(JR_PART_functions);
  void *address = part ? part->find_function(name) : NULL;
  return address ? address : jr_registry_symbol(registry, name);
}

bool jr_function_is_known(void *registry, const char *name) {
  return jr_function_find(registry, name) != NULL;
}

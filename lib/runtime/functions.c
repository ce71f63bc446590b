/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See functions.h.
#include "runtime/functions.h"

#include "customcalls/registry.h"

#include <string.h>

static void *find_in(const struct jr_symbol *functions, size_t count,
                     const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].address;
  }
  return NULL;
}

void *jr_function_find(jitrun_registry_t *registry, const char *name) {
  const struct jr_symbol *functions = NULL;
  size_t count = jr_print_functions(&functions);
  void *address = find_in(functions, count, name);
  if (address)
    return address;
  count = jr_print_memref_calls(&functions);
  address = find_in(functions, count, name);
  return address ? address : jr_registry_symbol(registry, name);
}

bool jr_function_is_known(void *registry, const char *name) {
  return jr_function_find(registry, name) != NULL;
}

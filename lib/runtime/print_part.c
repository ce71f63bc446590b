/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The part of libjitrun.a with functions that print.
#include "customcalls/parts.h"
#include "runtime/functions.h"

#include <string.h>

static void *find_in(const struct jr_symbol *functions, size_t count,
                     const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].address;
  }
  return NULL;
}

static void *find_function(const char *name) {
  const struct jr_symbol *functions = NULL;
  size_t count = jr_print_functions(&functions);
  void *address = find_in(functions, count, name);
  if (address)
    return address;
  count = jr_print_memref_calls(&functions);
  return find_in(functions, count, name);
}

const struct jitrun_part jitrun_part_functions = {
    .name = "functions", .find_function = find_function};

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions that programs may call by name besides the closed list
/// (symbols.h): those that MLIR's runner libraries have for printing and time,
/// which are built in and print through the execution, and those of libraries
/// that the registry was given. Nothing of the process is among them.
#ifndef JR_RUNTIME_FUNCTIONS_H
#define JR_RUNTIME_FUNCTIONS_H

#include "jitrun/registry.h"
#include "runtime/compiler.h"

/// The function of that name; NULL: there is none.
void *jr_function_find(jitrun_registry_t *registry, const char *name);

/// The same, for jr_compile_options.
bool jr_function_is_known(void *registry, const char *name);

/// Tables of what is built in; their numbers of functions.
size_t jr_print_functions(const struct jr_symbol **out_functions);
size_t jr_print_memref_calls(const struct jr_symbol **out_functions);

#endif

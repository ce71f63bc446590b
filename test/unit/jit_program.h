/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening MLIR text with the compiler that is linked into a test: what
/// jitrun_program_open_memory() does with the installed one.
#ifndef TEST_UNIT_JIT_PROGRAM_H
#define TEST_UNIT_JIT_PROGRAM_H

#include "jit/compile.h"
#include "jit/orc.h"
#include "runtime/image.h"
#include "runtime/program.h"
#include "runtime/symbols.h"

#include <stdlib.h>
#include <string.h>

static inline void unload_program(void *owner) {
  struct jr_loaded_code code = {.owner = owner};
  jr_orc_unload(&code);
}

static inline jitrun_error_t *open_program(const char *text,
                                           jitrun_registry_t *registry,
                                           jitrun_program_t **out_program) {
  const struct jr_compile_input input = {
      .data = text, .size = strlen(text), .name = "test.mlir"};
  size_t symbol_count;
  const struct jr_symbol *symbols = jr_symbols(&symbol_count);
  const struct jr_compile_options options = {.size = sizeof options,
                                             .form = JR_FORM_OBJECT,
                                             .opt_level = 1,
                                             .prefix = "test",
                                             .symbols = symbols,
                                             .symbol_count = symbol_count};
  struct jr_compile_output output;
  struct jr_loaded_code code = {0};
  jitrun_error_t *error = jr_compile(&input, &options, &output);
  if (!error)
    error = jr_orc_load(output.data, output.size, "jitrun_image_test", symbols,
                        symbol_count, &code);
  free(output.data);
  if (error)
    return error;
  struct jr_image image = {.data = code.image,
                           .size_bytes = SIZE_MAX,
                           .close = unload_program,
                           .owner = code.owner};
  jitrun_open_options_t open_options = {
      .size = sizeof open_options, .registry = registry, .opt_level = -1};
  return jr_program_create(&image, &open_options, out_program);
}

#endif

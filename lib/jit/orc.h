/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Loading compiled objects into the process through ORC.
#ifndef JR_JIT_ORC_H
#define JR_JIT_ORC_H

#include "runtime/compiler.h"

jitrun_error_t *jr_orc_load(const void *object, size_t size,
                            const char *image_symbol,
                            const struct jr_symbol *symbols,
                            size_t symbol_count,
                            struct jr_loaded_code *out_code) JITRUN_MUST_USE;

void jr_orc_unload(struct jr_loaded_code *code);

#endif

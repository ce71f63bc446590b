/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The one symbol of libjitrun-jit.
#include "jit/compile.h"
#include "jit/orc.h"
#include "jitrun/types.h"

JITRUN_API const struct jr_compiler *jitrun_jit_query(uint32_t max_version);

const struct jr_compiler *jitrun_jit_query(uint32_t max_version) {
  static const struct jr_compiler compiler = {.size = sizeof compiler,
                                              .version = JR_COMPILER_VERSION,
                                              .sanitizer = JITRUN_SANITIZER,
                                              .producer = JR_PRODUCER,
                                              .compile = jr_compile,
                                              .load = jr_orc_load,
                                              .unload = jr_orc_unload};
  return max_version >= JR_COMPILER_VERSION ? &compiler : NULL;
}

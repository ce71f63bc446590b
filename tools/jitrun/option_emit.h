/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What compile writes, and where: --emit, and the ending of OUT.
#ifndef JR_TOOLS_OPTION_EMIT_H
#define JR_TOOLS_OPTION_EMIT_H

#include "options.h"

/// The short name of a kind, "so"; `index` is below JR_EMIT_COUNT.
const char *jr_emit_word(size_t index);

/// Decides what compile writes.
jitrun_error_t *jr_emit_choose(struct jr_options *options)
    __attribute__((warn_unused_result));

/// Where emits[index] goes: OUT, or, of several, OUT with that kind's ending
/// in place of the one that it may have. The options keep it.
jitrun_error_t *jr_emit_path(struct jr_options *options, size_t index,
                             const char **out_path)
    __attribute__((warn_unused_result));

#endif

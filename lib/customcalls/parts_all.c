/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// All parts, for who names this one.
#include "customcalls/parts.h"

const jitrun_part_t *const jitrun_part_all[] = {
#define X(part) &jitrun_part_##part,
    JR_PARTS(X)
#undef X
};

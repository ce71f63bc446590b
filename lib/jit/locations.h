/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Locations for who reads them outside of the compiler, in printed programs.
#ifndef JR_JIT_LOCATIONS_H
#define JR_JIT_LOCATIONS_H

#include "jit/unit.h"

/// MLIR calls the text that it parsed "-"; gives its locations the file's name,
/// and the columns of the source where old spellings were rewritten.
void jr_locations_name(struct jr_unit *unit);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What to do about operations that are not taken, by their dialect.
#ifndef JR_JIT_ADVICE_H
#define JR_JIT_ADVICE_H

#include "mlir-c/Support.h"

/// The end of a sentence that begins with the operation; `name` is the
/// operation's, with its dialect.
const char *jr_advice(MlirStringRef name);

#endif

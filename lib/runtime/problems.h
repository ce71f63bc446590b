/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Everything that is wrong with a program, as one error: the first with the
/// code and the message, others as its notes. So that what has several things
/// wrong with it is not mended one at a time.
#ifndef JR_RUNTIME_PROBLEMS_H
#define JR_RUNTIME_PROBLEMS_H

#include "base/error.h"

#include <stdbool.h>

/// Zero-initialised: none.
struct jr_problems {
  jitrun_error_t *error; ///< owned
  uint64_t count;
};

/// True while one more is told in full; others are but counted.
bool jr_problems_is_open(const struct jr_problems *problems);

/// Adds an error; NULL adds nothing.
void jr_problems_add(struct jr_problems *problems,
                     /*own*/ jitrun_error_t *error);

/// Hands the error over, with the number of those that are not told; NULL:
/// nothing was wrong.
jitrun_error_t *jr_problems_take(struct jr_problems *problems) JITRUN_MUST_USE;

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The limit of dispatching: the fastest loop that C has for calling handlers
/// with frames that were built before.
///
/// Life: create -> run, as often as wanted -> destroy.
#ifndef JR_BENCH_DISPATCH_LIMIT_H
#define JR_BENCH_DISPATCH_LIMIT_H

#include "jitrun/program.h"

struct jr_limit;

/// The calls of a program of bench/programs.py, as a table of our own, working
/// on `memory` (JR_LIMIT_BYTES). NULL when there is no memory for it or when
/// the program is another one.
struct jr_limit *jr_limit_create(const jitrun_program_t *program, void *memory);
void jr_limit_destroy(struct jr_limit *limit);

/// Makes all the calls, in order.
jitrun_error_t *jr_limit_run(struct jr_limit *limit) JITRUN_MUST_USE;

enum {
  JR_LIMIT_SLICES = 16,      ///< that a program cuts its memory into
  JR_LIMIT_SLICE_BYTES = 64, ///< each 16 floats
  JR_LIMIT_BYTES = JR_LIMIT_SLICES * JR_LIMIT_SLICE_BYTES
};

#endif

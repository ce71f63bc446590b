/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the Fourier transforms of every call share.
#ifndef JR_CUSTOMCALLS_FFT_H
#define JR_CUSTOMCALLS_FFT_H

#include "customcalls/fft_plan.h"
#include "customcalls/lines.h"
#include "jitrun/customcall.h"

#include <stdbool.h>
#include <stddef.h>

enum { JR_FFT_MAX_DIMENSIONS = 3 };

enum jr_fft_kind {
  JR_FFT_COMPLEX,
  JR_FFT_FROM_REAL, ///< to the first half of its transform, and the middle
  JR_FFT_TO_REAL    ///< the inverse of that
};

/// Lines along one dimension.
struct jr_fft_step {
  const jitrun_call_t *call;
  const struct jr_fft_plan *plan;
  enum jr_fft_kind kind;
  bool is_inverse;
  double scale;
  struct jr_lines in, out;
};

/// Memory that a step needs; depends on its sizes alone.
size_t jr_fft_step_room(const struct jr_fft_step *step);

/// Transforms all lines, in the threads that the call has. `in` and `out` may
/// be the same.
void jr_fft_step_run(const struct jr_fft_step *step, void *room);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Plans of Fourier transforms: what is computed once for a length and a type.
/// Immutable when made, so that any number of threads can use one.
#ifndef JR_CUSTOMCALLS_FFT_PLAN_H
#define JR_CUSTOMCALLS_FFT_PLAN_H

#include "base/arena.h"
#include "customcalls/fft_kernels.h"
#include "jitrun/customcall.h"

#include <stdbool.h>
#include <stddef.h>

/// One length. Products of small primes are transformed in the lanes of vectors
/// (`whole`, if not too long), or as a matrix: columns, twiddles, rows
/// (`first`, `second`). Others are a convolution of a length that is one.
struct jr_fft_plan {
  size_t length;
  size_t element_bytes; ///< of a complex number
  const struct jr_fft_kernels *kernels;
  struct jr_arena tables;
  struct jr_fft_passes whole, first, second; ///< length 0: not there
  const void *twiddles, *starts;             ///< between first and second
  struct jr_fft_plan *inner;                 ///< NULL: no convolution
  struct jr_fft_chirp chirp;
  struct jr_fft_plan *half; ///< of real numbers, if length is even
  const void *turns;
};

/// One dense line.
struct jr_fft_run {
  const void *in;
  void *out; ///< may be `in`
  double scale;
  bool is_inverse;
  void *room;         ///< jr_fft_room() bytes, aligned to 64
  size_t piece_count; ///< that it is cut into for the threads of the call
  const jitrun_call_t *call;
};

/// A plan for lines of complex numbers, or of real ones and their transforms;
/// NULL without memory. Length 0 is not allowed.
struct jr_fft_plan *jr_fft_plan_create(size_t length, bool is_double,
                                       bool is_real);
void jr_fft_plan_destroy(struct jr_fft_plan *plan);

size_t jr_fft_room(const struct jr_fft_plan *plan, size_t piece_count);

/// How many pieces a line is worth; depends on the length alone.
size_t jr_fft_pieces(const struct jr_fft_plan *plan);

/// Transforms a line of complex numbers.
void jr_fft_line(const struct jr_fft_plan *plan, const struct jr_fft_run *run);

#endif

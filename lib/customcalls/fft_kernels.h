/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What Fourier transforms are made of: passes over lines that lie in the lanes
/// of vectors, and ways into that form and out of it. The direction is always
/// forward; `swaps` exchanges real and imaginary parts on the way in and out,
/// which makes it the inverse.
#ifndef JR_CUSTOMCALLS_FFT_KERNELS_H
#define JR_CUSTOMCALLS_FFT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum {
  JR_FFT_MAX_RADIX = 61, ///< the largest prime that passes take
  JR_FFT_MAX_LANES = 16,
  JR_FFT_MAX_PASSES = 32
};

struct jr_fft_pass {
  size_t radix, left, made; ///< the length is their product
  const void *twiddles;     ///< radix - 1 complex numbers for each p < left
  const void *roots;        ///< of an odd radix
};

/// All of a length.
struct jr_fft_passes {
  size_t length, count;
  struct jr_fft_pass passes[JR_FFT_MAX_PASSES];
};

/// Columns of a matrix of complex numbers, the lines, next to each other.
struct jr_fft_columns {
  size_t row_count, count;
  ptrdiff_t row_bytes;
  double scale; ///< store
  bool swaps;
};

/// Lines anywhere.
struct jr_fft_lines {
  char *at[JR_FFT_MAX_LANES];
  size_t count; ///< of lines, up to the number of lanes
  ptrdiff_t step_bytes;
  double scale; ///< store
  bool swaps;
  bool is_real; ///< in memory
};

/// Between the two parts of a transform.
struct jr_fft_middle {
  const void *twiddles; ///< rows: those of the first columns
  const void *starts;   ///< complex numbers for each row
  size_t row_count, count;
  size_t to_step; ///< rows of the result are this many rows apart
};

/// Bluestein's method: a transform of any length as a convolution.
struct jr_fft_chirp {
  size_t length, padded;
  const void *numbers; ///< of the chirp
  const void *filter;  ///< transform of its conjugate, divided by the length
  double scale;
  bool swaps;
};

/// Those for one type and the vectors of a CPU. A row is two vectors of `lanes`
/// numbers, the real and the imaginary parts, aligned to their size.
struct jr_fft_kernels {
  size_t lanes;
  /// Transforms rows that are `in_step` rows apart, and returns where the
  /// result is: `a` or `b`, or `in` where nothing is to do. `in` may be `b`.
  void *(*transform)(const struct jr_fft_passes *passes, const void *in,
                     size_t in_step, void *a, void *b);
  void (*load)(const struct jr_fft_columns *columns, const char *from,
               void *to);
  void (*store)(const struct jr_fft_columns *columns, const void *from,
                char *to);
  /// Multiplies rows by twiddles * starts, and turns them around.
  void (*spread)(const struct jr_fft_middle *middle, const void *from,
                 void *to);
  /// All lanes, elements next to each other, a multiple of `lanes` rows.
  void (*load_lines)(const struct jr_fft_lines *lines, size_t row_count,
                     void *to);
  void (*store_lines)(const struct jr_fft_lines *lines, size_t row_count,
                      const void *from);
  /// Rows [first, end) of any lines.
  void (*load_any)(const struct jr_fft_lines *lines, size_t first, size_t end,
                   void *to);
  void (*store_any)(const struct jr_fft_lines *lines, size_t first, size_t end,
                    const void *from);
  /// Completes lines of which only the rows up to the middle are there, by the
  /// conjugates of these.
  void (*mirror)(size_t length, bool swaps, void *to);

  /// Steps over dense lines; see fft_steps.h.
  void (*chirp)(const struct jr_fft_chirp *chirp, const void *in, void *out);
  void (*filter)(const struct jr_fft_chirp *chirp, void *line);
  void (*unchirp)(const struct jr_fft_chirp *chirp, const void *in, void *out);
  void (*unfold)(size_t half, const void *turns, const void *in, void *out);
  void (*refold)(size_t half, const void *turns, const void *in, void *out);
};

const struct jr_fft_kernels *jr_fft_kernels_get(bool is_double);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Steps over dense lines of complex numbers, included by fft_kernels.c after
/// fft_lanes.h: Bluestein's method, and lines of real numbers.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

/// (re, im) of a number times one of a table.
INLINE void NAME(times)(REAL *number, const REAL *by) {
  REAL re = number[0] * by[0] - number[1] * by[1];
  number[1] = number[0] * by[1] + number[1] * by[0];
  number[0] = re;
}

/// The line times the chirp, then zeros.
OUTER void NAME(chirp)(const struct jr_fft_chirp *chirp, const void *in,
                       void *out) {
  const REAL *from = in;
  const REAL *by = chirp->numbers;
  REAL *to = out;
  size_t re = chirp->swaps ? 1 : 0;
  for (size_t k = 0; k < chirp->length; k++) {
    REAL number[2] = {from[2 * k + re], from[2 * k + 1 - re]};
    NAME(times)(number, by + 2 * k);
    to[2 * k] = number[0];
    to[2 * k + 1] = number[1];
  }
  memset(to + 2 * chirp->length, 0,
         (chirp->padded - chirp->length) * 2 * sizeof(REAL));
}

OUTER void NAME(filter)(const struct jr_fft_chirp *chirp, void *line) {
  REAL *to = line;
  const REAL *by = chirp->filter;
  for (size_t k = 0; k < chirp->padded; k++)
    NAME(times)(to + 2 * k, by + 2 * k);
}

OUTER void NAME(unchirp)(const struct jr_fft_chirp *chirp, const void *in,
                         void *out) {
  const REAL *from = in;
  const REAL *by = chirp->numbers;
  REAL *to = out;
  REAL scale = (REAL)chirp->scale;
  size_t re = chirp->swaps ? 1 : 0;
  for (size_t k = 0; k < chirp->length; k++) {
    REAL number[2] = {from[2 * k], from[2 * k + 1]};
    NAME(times)(number, by + 2 * k);
    to[2 * k + re] = number[0] * scale;
    to[2 * k + 1 - re] = number[1] * scale;
  }
}

/// Sum and difference of one number and the conjugate of another.
INLINE void NAME(fold)(const REAL *a, const REAL *b, REAL *sum,
                       REAL *difference) {
  sum[0] = a[0] + b[0];
  sum[1] = a[1] - b[1];
  difference[0] = a[0] - b[0];
  difference[1] = a[1] + b[1];
}

/// `half` numbers, each two of a line of real numbers, were transformed: makes
/// the half + 1 numbers of that line. `out` may be `in`.
OUTER void NAME(unfold)(size_t half, const void *turns, const void *in,
                        void *out) {
  const REAL *from = in;
  const REAL *by = turns;
  REAL *to = out;
  REAL first[2] = {from[0], from[1]};
  for (size_t k = 1; k <= half / 2; k++) {
    size_t other = half - k;
    REAL sum[2];
    REAL difference[2];
    NAME(fold)(from + 2 * k, from + 2 * other, sum, difference);
    NAME(times)(difference, by + 2 * k);
    to[2 * k] = (sum[0] + difference[1]) * (REAL)0.5;
    to[2 * k + 1] = (sum[1] - difference[0]) * (REAL)0.5;
    to[2 * other] = (sum[0] - difference[1]) * (REAL)0.5;
    to[2 * other + 1] = (-sum[1] - difference[0]) * (REAL)0.5;
  }
  to[0] = first[0] + first[1];
  to[1] = 0;
  to[2 * half] = first[0] - first[1];
  to[2 * half + 1] = 0;
}

/// The reverse, without the factor 1/2; imaginary parts that must be 0 are not
/// read.
OUTER void NAME(refold)(size_t half, const void *turns, const void *in,
                        void *out) {
  const REAL *from = in;
  const REAL *by = turns;
  REAL *to = out;
  REAL ends[2] = {from[0], from[2 * half]};
  for (size_t k = 1; k <= half / 2; k++) {
    size_t other = half - k;
    REAL sum[2];
    REAL difference[2];
    REAL turn[2] = {by[2 * k], -by[2 * k + 1]};
    NAME(fold)(from + 2 * k, from + 2 * other, sum, difference);
    NAME(times)(difference, turn);
    to[2 * k] = sum[0] - difference[1];
    to[2 * k + 1] = sum[1] + difference[0];
    to[2 * other] = sum[0] + difference[1];
    to[2 * other + 1] = -sum[1] + difference[0];
  }
  to[0] = ends[0] + ends[1];
  to[1] = ends[0] - ends[1];
}

static const struct jr_fft_kernels NAME(kernels) = {
    .lanes = LANES,
    .transform = NAME(transform),
    .load = NAME(load),
    .store = NAME(store),
    .spread = NAME(spread),
    .load_lines = NAME(load_lines),
    .store_lines = NAME(store_lines),
    .load_any = NAME(load_any),
    .store_any = NAME(store_any),
    .mirror = NAME(mirror),
    .chirp = NAME(chirp),
    .filter = NAME(filter),
    .unchirp = NAME(unchirp),
    .unfold = NAME(unfold),
    .refold = NAME(refold)};
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)

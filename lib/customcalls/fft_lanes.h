/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Transforms of several lines at once, one in each lane of vectors, included
/// by fft_kernels.c once for each type and width: REAL, LANES (a power of two),
/// NAME(x), and INLINE and OUTER, what functions that are part of others and
/// functions that are not are declared with. Element k of all lines is a row.
///
/// Passes are those of Stockham's method, decimated in frequency: a pass of
/// radix r takes element q + s (p + m k), k < r, to q + s (r p + k), where
/// s counts what the passes before have made and m what is left.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

#include <string.h>

typedef REAL NAME(vector) __attribute__((vector_size(LANES * sizeof(REAL))));
#define VECTOR NAME(vector)

struct NAME(row) {
  VECTOR re, im;
};
#define ROW struct NAME(row)

#if LANES == 16
#define LOW(a, b)                                                              \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,   \
                          22, 7, 23)
#define HIGH(a, b)                                                             \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,  \
                          14, 30, 15, 31)
#define EVEN(a, b)                                                             \
  __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, \
                          26, 28, 30)
#define ODD(a, b)                                                              \
  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, \
                          27, 29, 31)
#elif LANES == 8
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#elif LANES == 4
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#else
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#define EVEN(a, b) LOW(a, b)
#define ODD(a, b) HIGH(a, b)
#endif

/// a + b and a - b.
INLINE void NAME(cross)(ROW *a, ROW *b) {
  ROW difference = {a->re - b->re, a->im - b->im};
  a->re += b->re;
  a->im += b->im;
  *b = difference;
}

/// a times re + i im.
INLINE void NAME(rotate)(ROW *a, REAL re, REAL im) {
  VECTOR old = a->re;
  a->re = old * re - a->im * im;
  a->im = old * im + a->im * re;
}

/// a times -i.
INLINE void NAME(turn)(ROW *a) {
  VECTOR old = a->re;
  a->re = a->im;
  a->im = -old;
}

INLINE void NAME(four)(ROW *a, ROW *b, ROW *c, ROW *d) {
  NAME(cross)(a, c);
  NAME(cross)(b, d);
  NAME(turn)(d);
  NAME(cross)(a, b);
  NAME(cross)(c, d);
  ROW second = *c;
  *c = *b;
  *b = second;
}

INLINE void NAME(eight)(ROW *a) {
  const REAL half = (REAL)0.70710678118654752440;
  NAME(four)(&a[0], &a[2], &a[4], &a[6]);
  NAME(four)(&a[1], &a[3], &a[5], &a[7]);
  ROW one = a[3];
  ROW three = a[7];
  a[3].re = (one.re + one.im) * half;
  a[3].im = (one.im - one.re) * half;
  NAME(turn)(&a[5]);
  a[7].re = (three.im - three.re) * half;
  a[7].im = (three.re + three.im) * -half;
  ROW odd[4] = {a[1], a[3], a[5], a[7]};
  ROW even[4] = {a[0], a[2], a[4], a[6]};
  for (int k = 0; k < 4; k++) {
    NAME(cross)(&even[k], &odd[k]);
    a[k] = even[k];
    a[k + 4] = odd[k];
  }
}

/// An odd radix; `roots` are its cosines and sines.
INLINE void NAME(odd)(ROW *a, size_t radix, const REAL *roots) {
  ROW results[JR_FFT_MAX_RADIX];
  size_t half = radix / 2;
  results[0] = a[0];
  for (size_t j = 1; j <= half; j++) {
    NAME(cross)(&a[j], &a[radix - j]);
    results[0].re += a[j].re;
    results[0].im += a[j].im;
  }
  for (size_t k = 1; k <= half; k++) {
    ROW even = a[0];
    ROW odd = {{0}, {0}};
    for (size_t j = 1, at = k; j <= half; j++) {
      even.re += a[j].re * roots[2 * at];
      even.im += a[j].im * roots[2 * at];
      odd.re += a[radix - j].re * roots[2 * at + 1];
      odd.im += a[radix - j].im * roots[2 * at + 1];
      at = at + k < radix ? at + k : at + k - radix;
    }
    results[k].re = even.re - odd.im;
    results[k].im = even.im + odd.re;
    results[radix - k].re = even.re + odd.im;
    results[radix - k].im = even.im - odd.re;
  }
  for (size_t k = 0; k < radix; k++)
    a[k] = results[k];
}

INLINE void NAME(butterfly)(ROW *a, size_t radix, const REAL *roots) {
  switch (radix) {
  case 2:
    NAME(cross)(&a[0], &a[1]);
    return;
  case 4:
    NAME(four)(&a[0], &a[1], &a[2], &a[3]);
    return;
  case 8:
    NAME(eight)(a);
    return;
  default:
    NAME(odd)(a, radix, roots);
    return;
  }
}

/// `radix` and `is_last` are constants where it pays. The last pass has no
/// twiddles: they are 1.
INLINE void NAME(pass)(const struct jr_fft_pass *pass, const ROW *in,
                       size_t in_step, ROW *out, size_t radix, bool is_last) {
  const REAL *twiddles = pass->twiddles;
  size_t left = is_last ? 1 : pass->left;
  size_t made = pass->made;
  for (size_t p = 0; p < left; p++, twiddles += 2 * (radix - 1)) {
    for (size_t q = 0; q < made; q++) {
      ROW a[JR_FFT_MAX_RADIX];
      for (size_t k = 0; k < radix; k++)
        a[k] = in[(q + made * (p + left * k)) * in_step];
      NAME(butterfly)(a, radix, pass->roots);
      for (size_t k = 1; k < radix && !is_last; k++)
        NAME(rotate)(&a[k], twiddles[2 * k - 2], twiddles[2 * k - 1]);
      for (size_t k = 0; k < radix; k++)
        out[q + made * (radix * p + k)] = a[k];
    }
  }
}

OUTER void NAME(run_pass)(const struct jr_fft_pass *pass, const ROW *in,
                          size_t in_step, ROW *out) {
  switch (pass->radix) {
  case 2:
    NAME(pass)(pass, in, in_step, out, 2, false);
    return;
  case 3:
    NAME(pass)(pass, in, in_step, out, 3, false);
    return;
  case 4:
    if (pass->left == 1)
      NAME(pass)(pass, in, in_step, out, 4, true);
    else
      NAME(pass)(pass, in, in_step, out, 4, false);
    return;
  case 5:
    NAME(pass)(pass, in, in_step, out, 5, false);
    return;
  case 7:
    NAME(pass)(pass, in, in_step, out, 7, false);
    return;
  case 8:
    if (pass->left == 1)
      NAME(pass)(pass, in, in_step, out, 8, true);
    else
      NAME(pass)(pass, in, in_step, out, 8, false);
    return;
  default:
    NAME(pass)(pass, in, in_step, out, pass->radix, false);
    return;
  }
}

OUTER void *NAME(transform)(const struct jr_fft_passes *passes, const void *in,
                            size_t in_step, void *a, void *b) {
  for (size_t i = 0; i < passes->count; i++) {
    NAME(run_pass)(&passes->passes[i], in, in_step, a);
    in_step = 1;
    in = a;
    a = b;
    b = (void *)(uintptr_t)in;
  }
  return (void *)(uintptr_t)in;
}

INLINE VECTOR NAME(get)(const REAL *from) {
  VECTOR vector;
  memcpy(&vector, from, sizeof vector);
  return vector;
}

/// LANES numbers of a line in memory to a row, and back.
INLINE ROW NAME(split)(const REAL *from, bool swaps) {
  VECTOR first = NAME(get)(from);
  VECTOR second = NAME(get)(from + LANES);
  ROW row = {EVEN(first, second), ODD(first, second)};
  if (swaps)
    row = (ROW){row.im, row.re};
  return row;
}

INLINE void NAME(join)(REAL *to, ROW row, bool swaps) {
  if (swaps)
    row = (ROW){row.im, row.re};
  VECTOR first = LOW(row.re, row.im);
  VECTOR second = HIGH(row.re, row.im);
  memcpy(to, &first, sizeof first);
  memcpy(to + LANES, &second, sizeof second);
}

OUTER void NAME(load)(const struct jr_fft_columns *columns, const char *from,
                      void *to) {
  ROW *rows = to;
  for (size_t i = 0; i < columns->row_count; i++, from += columns->row_bytes) {
    if (columns->count == LANES) {
      rows[i] = NAME(split)((const REAL *)(const void *)from, columns->swaps);
      continue;
    }
    REAL some[2 * LANES] = {0};
    memcpy(some, from, columns->count * 2 * sizeof(REAL));
    rows[i] = NAME(split)(some, columns->swaps);
  }
}

OUTER void NAME(store)(const struct jr_fft_columns *columns, const void *from,
                       char *to) {
  const ROW *rows = from;
  const REAL scale = (REAL)columns->scale;
  for (size_t i = 0; i < columns->row_count; i++, to += columns->row_bytes) {
    ROW row = {rows[i].re * scale, rows[i].im * scale};
    if (columns->count == LANES) {
      NAME(join)((REAL *)(void *)to, row, columns->swaps);
      continue;
    }
    REAL some[2 * LANES];
    NAME(join)(some, row, columns->swaps);
    memcpy(to, some, columns->count * 2 * sizeof(REAL));
  }
}

/// Each step takes the first bit of the column's number to the end of the
/// row's.
INLINE void NAME(transpose)(VECTOR *vectors) {
  for (size_t step = 1; step < LANES; step *= 2) {
    VECTOR next[LANES];
    for (size_t i = 0; i < LANES / 2; i++) {
      next[2 * i] = LOW(vectors[i], vectors[i + LANES / 2]);
      next[2 * i + 1] = HIGH(vectors[i], vectors[i + LANES / 2]);
    }
    for (size_t i = 0; i < LANES; i++)
      vectors[i] = next[i];
  }
}

/// Rows become lanes: row r of the result has what lane r has here.
OUTER void NAME(spread)(const struct jr_fft_middle *middle, const void *from,
                        void *to) {
  const ROW *rows = from;
  const ROW *twiddles = middle->twiddles;
  const REAL *starts = middle->starts;
  for (size_t first = 0; first < middle->row_count; first += LANES) {
    VECTOR re[LANES];
    VECTOR im[LANES];
    for (size_t i = 0; i < LANES; i++) {
      re[i] = im[i] = (VECTOR){0};
      if (first + i >= middle->row_count)
        continue;
      ROW row = rows[first + i];
      ROW by = twiddles[first + i];
      NAME(rotate)(&by, starts[2 * (first + i)], starts[2 * (first + i) + 1]);
      re[i] = row.re * by.re - row.im * by.im;
      im[i] = row.re * by.im + row.im * by.re;
    }
    NAME(transpose)(re);
    NAME(transpose)(im);
    ROW *result = (ROW *)to + first / LANES;
    for (size_t i = 0; i < middle->count; i++)
      result[i * middle->to_step] = (ROW){re[i], im[i]};
  }
}

/// LANES lines whose elements are next to each other; `row_count` is a multiple
/// of LANES.
OUTER void NAME(load_lines)(const struct jr_fft_lines *lines, size_t row_count,
                            void *to) {
  ROW *rows = to;
  for (size_t first = 0; first < row_count; first += LANES) {
    VECTOR re[LANES];
    VECTOR im[LANES];
    for (size_t i = 0; i < LANES; i++) {
      ROW row = NAME(split)(
          (const REAL *)(const void *)lines->at[i] + 2 * first, lines->swaps);
      re[i] = row.re;
      im[i] = row.im;
    }
    NAME(transpose)(re);
    NAME(transpose)(im);
    for (size_t i = 0; i < LANES; i++)
      rows[first + i] = (ROW){re[i], im[i]};
  }
}

OUTER void NAME(store_lines)(const struct jr_fft_lines *lines, size_t row_count,
                             const void *from) {
  const ROW *rows = from;
  const REAL scale = (REAL)lines->scale;
  for (size_t first = 0; first < row_count; first += LANES) {
    VECTOR re[LANES];
    VECTOR im[LANES];
    for (size_t i = 0; i < LANES; i++) {
      re[i] = rows[first + i].re * scale;
      im[i] = rows[first + i].im * scale;
    }
    NAME(transpose)(re);
    NAME(transpose)(im);
    for (size_t i = 0; i < LANES; i++)
      NAME(join)((REAL *)(void *)lines->at[i] + 2 * first, (ROW){re[i], im[i]},
                 lines->swaps);
  }
}

/// Any lines, rows from `first` on; those of real numbers have no imaginary
/// part.
OUTER void NAME(load_any)(const struct jr_fft_lines *lines, size_t first,
                          size_t end, void *to) {
  ROW *rows = to;
  int re = lines->swaps && !lines->is_real ? 1 : 0;
  for (size_t i = first; i < end; i++) {
    REAL parts[2][LANES] = {{0}};
    for (size_t l = 0; l < lines->count; l++) {
      const REAL *from =
          (const REAL *)(const void *)(lines->at[l] +
                                       (ptrdiff_t)i * lines->step_bytes);
      parts[re][l] = from[0];
      if (!lines->is_real)
        parts[1 - re][l] = from[1];
    }
    rows[i] = (ROW){NAME(get)(parts[0]), NAME(get)(parts[1])};
  }
}

/// The imaginary part of swapped lines is the real one.
OUTER void NAME(store_any)(const struct jr_fft_lines *lines, size_t first,
                           size_t end, const void *from) {
  const ROW *rows = from;
  const REAL scale = (REAL)lines->scale;
  int re = lines->swaps ? 1 : 0;
  for (size_t i = first; i < end; i++) {
    REAL parts[2][LANES];
    VECTOR scaled[2] = {rows[i].re * scale, rows[i].im * scale};
    memcpy(parts, scaled, sizeof parts);
    for (size_t l = 0; l < lines->count; l++) {
      REAL *to =
          (REAL *)(void *)(lines->at[l] + (ptrdiff_t)i * lines->step_bytes);
      to[0] = parts[re][l];
      if (!lines->is_real)
        to[1] = parts[1 - re][l];
    }
  }
}

/// Rows past the middle of a line that is Hermitian: `length` are all of them.
OUTER void NAME(mirror)(size_t length, bool swaps, void *to) {
  ROW *rows = to;
  VECTOR zero = {0};
  if (swaps)
    rows[0].re = zero;
  else
    rows[0].im = zero;
  for (size_t i = length / 2; i >= 1 && length > 1; i--) {
    ROW row = rows[i];
    if (2 * i == length)
      rows[i] = swaps ? (ROW){zero, row.im} : (ROW){row.re, zero};
    else
      rows[length - i] =
          swaps ? (ROW){-row.re, row.im} : (ROW){row.re, -row.im};
  }
}

#undef VECTOR
#undef ROW
#undef LOW
#undef HIGH
#undef EVEN
#undef ODD
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)

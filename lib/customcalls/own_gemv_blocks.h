/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A row times a matrix, for one type and one kind of vectors, included by
/// own_gemm_types.h after own_gemm_blocks.h. The matrix is read once, as it
/// lies: what it takes is the memory's speed.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)
#include <string.h>

enum {
  NAME(SUMS) = 4,
  NAME(DEEP) = 8, ///< rows that are read side by side
  NAME(WIDE) = 8192 / sizeof(NUMBER)
};

/// Adds `rows` rows, which are contiguous, to sums.
TARGET ALWAYS_INLINE void NAME(add)(int rows, const NUMBER *a,
                                    const NUMBER *row, ptrdiff_t step,
                                    ptrdiff_t count, NUMBER *sums) {
  ptrdiff_t j = 0;
  for (; j + NAME(LANES) <= count; j += NAME(LANES)) {
    NAME(vector) *to = (NAME(vector) *)(void *)(sums + j);
    NAME(vector) sum = *to;
    UNROLL for (ptrdiff_t i = 0; i < rows; i++) sum +=
        a[i] * *(const NAME(vector) *)(const void *)(row + i * step + j);
    *to = sum;
  }
  for (; j < count; j++)
    UNROLL for (ptrdiff_t i = 0; i < rows; i++) sums[j] +=
        a[i] * row[i * step + j];
}

/// Up to WIDE columns, whose rows are contiguous.
TARGET static void NAME(add_rows)(const struct jr_gemm *gemm, const NUMBER *a,
                                  ptrdiff_t first, ptrdiff_t count,
                                  NUMBER *sums) {
  const NUMBER *row = (const NUMBER *)gemm->b + first;
  ptrdiff_t step = gemm->b_strides[0];
  ptrdiff_t l = 0;
  for (ptrdiff_t j = 0; j < count; j++)
    sums[j] = 0;
  for (; l + NAME(DEEP) <= gemm->k; l += NAME(DEEP))
    NAME(add)(NAME(DEEP), a + l, row + l * step, step, count, sums);
  for (; l < gemm->k; l++)
    NAME(add)(1, a + l, row + l * step, step, count, sums);
}

/// SUMS columns, which are contiguous.
TARGET static void NAME(add_columns)(const struct jr_gemm *gemm,
                                     const NUMBER *a, ptrdiff_t first,
                                     NUMBER *out) {
  const NUMBER *columns[NAME(SUMS)];
  NAME(vector) sums[NAME(SUMS)][2];
  UNROLL for (int i = 0; i < NAME(SUMS); i++) {
    columns[i] = (const NUMBER *)gemm->b + (first + i) * gemm->b_strides[1];
    sums[i][0] = sums[i][1] = (NAME(vector)){0};
  }
  ptrdiff_t l = 0;
  for (; l + NAME(COLUMNS) <= gemm->k; l += NAME(COLUMNS))
    UNROLL for (ptrdiff_t half = 0; half < 2; half++) {
      ptrdiff_t at = l + half * NAME(LANES);
      NAME(vector) left = *(const NAME(vector) *)(const void *)(a + at);
      UNROLL for (int i = 0; i < NAME(SUMS); i++) sums[i][half] +=
          left * *(const NAME(vector) *)(const void *)(columns[i] + at);
    }
  UNROLL for (int i = 0; i < NAME(SUMS); i++) {
    NAME(vector) both = sums[i][0] + sums[i][1];
    NUMBER lanes[NAME(LANES)];
    memcpy(lanes, &both, sizeof lanes);
    for (int width = NAME(LANES) / 2; width > 0; width /= 2)
      for (int j = 0; j < width; j++)
        lanes[j] += lanes[j + width];
    for (ptrdiff_t rest = l; rest < gemm->k; rest++)
      lanes[0] += a[rest] * columns[i][rest];
    out[i] = lanes[0];
  }
}

/// One column of any stride.
TARGET static NUMBER NAME(add_column)(const struct jr_gemm *gemm,
                                      const NUMBER *a, ptrdiff_t column) {
  const NUMBER *at = (const NUMBER *)gemm->b + column * gemm->b_strides[1];
  NUMBER sum = 0;
  for (ptrdiff_t l = 0; l < gemm->k; l++)
    sum += a[l] * at[l * gemm->b_strides[0]];
  return sum;
}

/// Puts some elements of the result in place.
TARGET static void NAME(put)(const struct jr_gemm *gemm, ptrdiff_t first,
                             ptrdiff_t count, const NUMBER *sums) {
  NUMBER alpha = (NUMBER)gemm->alpha;
  NUMBER beta = (NUMBER)gemm->beta;
  for (ptrdiff_t j = 0; j < count; j++) {
    NUMBER *to = (NUMBER *)gemm->c + (first + j) * gemm->c_strides[1];
    *to = beta != 0 ? alpha * sums[j] + beta * *to : alpha * sums[j];
  }
}

/// M is 1, and A is contiguous.
TARGET static void NAME(multiply_row)(const struct jr_gemm *gemm) {
  const NUMBER *a = gemm->a;
  NUMBER sums[NAME(WIDE)];
  ptrdiff_t j = 0;
  if (gemm->b_strides[1] == 1)
    for (ptrdiff_t count = 0; j < gemm->n; j += count) {
      count = least(NAME(WIDE), gemm->n - j);
      NAME(add_rows)(gemm, a, j, count, sums);
      NAME(put)(gemm, j, count, sums);
    }
  else if (gemm->b_strides[0] == 1)
    for (; j + NAME(SUMS) <= gemm->n; j += NAME(SUMS)) {
      NAME(add_columns)(gemm, a, j, sums);
      NAME(put)(gemm, j, NAME(SUMS), sums);
    }
  for (; j < gemm->n; j++) {
    sums[0] = NAME(add_column)(gemm, a, j);
    NAME(put)(gemm, j, 1, sums);
  }
}
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)

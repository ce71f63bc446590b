/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The product for one type and one kind of vectors, included by
/// own_gemm_types.h once for each: NUMBER is the type, TYPE its name.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)
#define NAME(x) JOIN(x, TYPE, VECTORS)
#define PLAIN_JOIN2(x, type) x##_##type
#define PLAIN_JOIN(x, type) PLAIN_JOIN2(x, type)
#define OF_TYPE(x) PLAIN_JOIN(x, TYPE)

typedef NUMBER NAME(vector) __attribute__((vector_size(VECTOR_BYTES),
                                           aligned(sizeof(NUMBER)), may_alias));

enum {
  NAME(LANES) = VECTOR_BYTES / sizeof(NUMBER),
  NAME(COLUMNS) = 2 * NAME(LANES),
  NAME(A_ROWS) = A_BYTES / sizeof(NUMBER) / DEPTH / ROWS * ROWS
};

/// An operand of a tile: its element at (line, k) is at line * `line` + k *
/// `k`.
struct NAME(lines) {
  const NUMBER *at;
  ptrdiff_t line, k;
};

/// A tile of the result, and what becomes of what is there.
struct NAME(tile) {
  NUMBER *at;
  ptrdiff_t row, column; ///< strides
  NUMBER alpha, beta;
};

/// The sums of `depth` products, into a tile of `rows` rows. Three rows share
/// an address, to which an instruction adds a stride or two.
TARGET ALWAYS_INLINE void NAME(run)(int rows, ptrdiff_t depth,
                                    const struct NAME(lines) * a,
                                    const struct NAME(lines) * b,
                                    const struct NAME(tile) * c) {
  NAME(vector) sums[ROWS][2];
  const NUMBER *threes[(ROWS + 2) / 3];
  const NUMBER *columns = b->at;
  UNROLL for (int i = 0; i < rows; i++) {
    sums[i][0] = sums[i][1] = (NAME(vector)){0};
    __builtin_prefetch(c->at + i * c->row, 0, 2);
    __builtin_prefetch(c->at + i * c->row + NAME(COLUMNS) - 1, 0, 2);
  }
  UNROLL for (int i = 0; i < rows; i += 3) threes[i / 3] = a->at + i * a->line;
  for (ptrdiff_t l = 0; l < depth; l++) {
    const NAME(vector) *at = (const NAME(vector) *)(const void *)columns;
    NAME(vector) left = at[0];
    NAME(vector) right = at[1];
    columns += b->k;
    UNROLL for (int i = 0; i < rows; i++) {
      NUMBER one = threes[i / 3][i % 3 * a->line];
      sums[i][0] += one * left;
      sums[i][1] += one * right;
    }
    UNROLL for (int i = 0; i < rows; i += 3) threes[i / 3] += a->k;
  }
  UNROLL for (int i = 0; i < rows; i++) {
    UNROLL for (ptrdiff_t half = 0; half < 2; half++) {
      NAME(vector) *to =
          (NAME(vector) *)(void *)(c->at + i * c->row +
                                   half * (ptrdiff_t)NAME(LANES));
      NAME(vector) sum = c->alpha * sums[i][half];
      if (c->beta != 0)
        sum += c->beta * *to;
      *to = sum;
    }
  }
}

#define CASE(rows)                                                             \
  case rows:                                                                   \
    NAME(run)(rows, depth, a, b, c);                                           \
    return

TARGET static void NAME(run_rows)(ptrdiff_t rows, ptrdiff_t depth,
                                  const struct NAME(lines) * a,
                                  const struct NAME(lines) * b,
                                  const struct NAME(tile) * c) {
  switch (rows) {
    CASE(1);
    CASE(2);
    CASE(3);
    CASE(4);
    CASE(5);
    CASE(6);
#if ROWS == 14
    CASE(7);
    CASE(8);
    CASE(9);
    CASE(10);
    CASE(11);
    CASE(12);
    CASE(13);
    CASE(14);
#endif
  default:
    return;
  }
}
#undef CASE

/// A tile that is not whole, or whose rows are not contiguous.
TARGET static void NAME(run_edge)(ptrdiff_t rows, ptrdiff_t columns,
                                  ptrdiff_t depth, const struct NAME(lines) * a,
                                  const struct NAME(lines) * b,
                                  const struct NAME(tile) * c) {
  NUMBER sums[ROWS * NAME(COLUMNS)];
  const struct NAME(tile) apart = {sums, NAME(COLUMNS), 1, c->alpha, 0};
  NAME(run_rows)(rows, depth, a, b, &apart);
  for (ptrdiff_t i = 0; i < rows; i++)
    for (ptrdiff_t j = 0; j < columns; j++) {
      NUMBER *to = c->at + i * c->row + j * c->column;
      NUMBER sum = sums[i * NAME(COLUMNS) + j];
      *to = c->beta != 0 ? sum + c->beta * *to : sum;
    }
}

/// `count` lines next to each other for each k, with zeros up to `width`.
TARGET static void NAME(pack)(NUMBER *to, struct NAME(lines) from,
                              ptrdiff_t count, ptrdiff_t depth,
                              ptrdiff_t width) {
  enum { CORNER = OF_TYPE(CORNER) };
  ptrdiff_t turned = 0;
  ptrdiff_t deep = from.k == 1 ? depth / CORNER * CORNER : 0;
  for (; deep > 0 && turned + CORNER <= count; turned += CORNER)
    for (ptrdiff_t l = 0; l < deep; l += CORNER)
      OF_TYPE(turn)(to + l * width + turned, width,
                    from.at + turned * from.line + l, from.line);
  for (ptrdiff_t l = 0; l < depth; l++) {
    ptrdiff_t i = l < deep ? turned : 0;
    if (from.line == 1)
      for (; i < count; i++)
        to[l * width + i] = from.at[i + l * from.k];
    for (; i < count; i++)
      to[l * width + i] = from.at[i * from.line + l * from.k];
    for (; i < width; i++)
      to[l * width + i] = 0;
  }
}

/// The same of lines that are columns of a matrix whose rows are contiguous.
TARGET static void NAME(pack_rows)(NUMBER *to, struct NAME(lines) from,
                                   ptrdiff_t depth) {
  for (ptrdiff_t l = 0; l < depth; l++) {
    const NUMBER *row = from.at + l * from.k;
    NAME(vector) *columns = (NAME(vector) *)(void *)(to + l * NAME(COLUMNS));
    __builtin_prefetch(row + NAME(COLUMNS), 0, 2);
    __builtin_prefetch(row + NAME(COLUMNS) + NAME(LANES), 0, 2);
    columns[0] = *(const NAME(vector) *)(const void *)row;
    columns[1] = *(const NAME(vector) *)(const void *)(row + NAME(LANES));
  }
}

/// Rows of A that are packed, in panels of `height` of them.
struct NAME(block) {
  const NUMBER *a;
  ptrdiff_t rows, height, depth;
};

/// The products of the block with as many columns of B.
TARGET static void NAME(run_panels)(const struct NAME(block) * block,
                                    const struct NAME(lines) * b,
                                    struct NAME(tile) c, ptrdiff_t columns) {
  for (ptrdiff_t i = 0; i < block->rows; i += block->height) {
    ptrdiff_t rows = least(block->height, block->rows - i);
    const struct NAME(lines) a = {block->a + i * block->depth, 1, rows};
    if (columns == NAME(COLUMNS) && c.column == 1)
      NAME(run_rows)(rows, block->depth, &a, b, &c);
    else
      NAME(run_edge)(rows, columns, block->depth, &a, b, &c);
    c.at += rows * c.row;
  }
}

TARGET static void NAME(pack_block)(const struct NAME(block) * block,
                                    struct NAME(lines) a, NUMBER *room) {
  for (ptrdiff_t i = 0; i < block->rows; i += block->height) {
    ptrdiff_t rows = least(block->height, block->rows - i);
    NAME(pack)(room + i * block->depth, a, rows, block->depth, rows);
    a.at += rows * a.line;
  }
}

/// C = beta * C, where there is nothing to add.
TARGET static void NAME(scale)(const struct jr_gemm *gemm) {
  NUMBER beta = (NUMBER)gemm->beta;
  for (ptrdiff_t i = 0; i < gemm->m; i++)
    for (ptrdiff_t j = 0; j < gemm->n; j++) {
      NUMBER *to =
          (NUMBER *)gemm->c + i * gemm->c_strides[0] + j * gemm->c_strides[1];
      *to = beta != 0 ? beta * *to : 0;
    }
}

/// All columns of B with a block of A, for C's rows from `c` on. Columns that
/// one panel reads once are read where they are.
TARGET static void NAME(run_block)(const struct jr_gemm *gemm,
                                   const struct NAME(block) * block,
                                   struct NAME(lines) b, struct NAME(tile) c,
                                   NUMBER *room) {
  for (ptrdiff_t j = 0; j < gemm->n; j += NAME(COLUMNS)) {
    ptrdiff_t columns = least(NAME(COLUMNS), gemm->n - j);
    const struct NAME(lines) there = {b.at + j * b.line, b.line, b.k};
    const struct NAME(lines) packed = {room, 1, NAME(COLUMNS)};
    bool is_whole = columns == NAME(COLUMNS) && b.line == 1;
    bool is_direct = is_whole && block->rows <= ROWS;
    if (!is_whole)
      NAME(pack)(room, there, columns, block->depth, NAME(COLUMNS));
    else if (!is_direct)
      NAME(pack_rows)(room, there, block->depth);
    NAME(run_panels)(block, is_direct ? &there : &packed, c, columns);
    c.at += columns * c.column;
  }
}

TARGET static void NAME(multiply_rows)(const struct jr_gemm *gemm,
                                       ptrdiff_t first, ptrdiff_t rows,
                                       NUMBER *room) {
  NUMBER *b_room = room;
  NUMBER *a_room = room + (ptrdiff_t)NAME(COLUMNS) * DEPTH;
  ptrdiff_t panels = (rows + ROWS - 1) / ROWS;
  for (ptrdiff_t l = 0; l < gemm->k; l += DEPTH) {
    const struct NAME(lines)
        a = {(const NUMBER *)gemm->a + first * gemm->a_strides[0] +
                 l * gemm->a_strides[1],
             gemm->a_strides[0], gemm->a_strides[1]};
    const struct NAME(lines)
        b = {(const NUMBER *)gemm->b + l * gemm->b_strides[0],
             gemm->b_strides[1], gemm->b_strides[0]};
    const struct NAME(tile)
        c = {(NUMBER *)gemm->c + first * gemm->c_strides[0], gemm->c_strides[0],
             gemm->c_strides[1], (NUMBER)gemm->alpha,
             l == 0 ? (NUMBER)gemm->beta : 1};
    const struct NAME(block) block = {
        a_room, rows, (rows + panels - 1) / panels, least(DEPTH, gemm->k - l)};
    NAME(pack_block)(&block, a, a_room);
    NAME(run_block)(gemm, &block, b, c, b_room);
  }
}

/// A vector's columns from `j` on, of `rows` rows of a small product.
TARGET ALWAYS_INLINE void NAME(run_wide)(const struct jr_gemm *gemm, int rows,
                                         const NUMBER *a, NUMBER *c,
                                         ptrdiff_t j) {
  NUMBER *at = c + j;
  NAME(vector) sums[4];
  UNROLL for (int i = 0; i < rows; i++) sums[i] = (NAME(vector)){0};
  for (ptrdiff_t l = 0; l < gemm->k; l++) {
    const NUMBER *b = (const NUMBER *)gemm->b + l * gemm->b_strides[0] + j;
    UNROLL for (int i = 0; i < rows; i++) sums[i] +=
        a[i * gemm->a_strides[0] + l * gemm->a_strides[1]] *
        *(const NAME(vector) *)(const void *)b;
  }
  UNROLL for (int i = 0; i < rows; i++, at += gemm->c_strides[0]) {
    NAME(vector) sum = (NUMBER)gemm->alpha * sums[i];
    if (gemm->beta != 0)
      sum += (NUMBER)gemm->beta * *(const NAME(vector) *)(const void *)at;
    *(NAME(vector) *)(void *)at = sum;
  }
}

/// The same of a vector of 16 bytes.
TARGET ALWAYS_INLINE void NAME(run_narrow)(const struct jr_gemm *gemm, int rows,
                                           const NUMBER *a, NUMBER *c,
                                           ptrdiff_t j) {
  NUMBER *at = c + j;
  OF_TYPE(narrow) sums[4];
  UNROLL for (int i = 0; i < rows; i++) sums[i] = (OF_TYPE(narrow)){0};
  for (ptrdiff_t l = 0; l < gemm->k; l++) {
    const NUMBER *b = (const NUMBER *)gemm->b + l * gemm->b_strides[0] + j;
    UNROLL for (int i = 0; i < rows; i++) sums[i] +=
        a[i * gemm->a_strides[0] + l * gemm->a_strides[1]] *
        *(const OF_TYPE(narrow) *)(const void *)b;
  }
  UNROLL for (int i = 0; i < rows; i++, at += gemm->c_strides[0]) {
    OF_TYPE(narrow) sum = (NUMBER)gemm->alpha * sums[i];
    if (gemm->beta != 0)
      sum += (NUMBER)gemm->beta * *(const OF_TYPE(narrow) *)(const void *)at;
    *(OF_TYPE(narrow) *)(void *)at = sum;
  }
}

/// `rows` rows of C, of a small product.
TARGET ALWAYS_INLINE void NAME(run_small)(const struct jr_gemm *gemm, int rows,
                                          const NUMBER *a, NUMBER *c) {
  enum { CORNER = OF_TYPE(CORNER) };
  ptrdiff_t j = 0;
  for (; j + NAME(LANES) <= gemm->n; j += NAME(LANES))
    NAME(run_wide)(gemm, rows, a, c, j);
  for (; j + CORNER <= gemm->n; j += CORNER)
    NAME(run_narrow)(gemm, rows, a, c, j);
  for (; j < gemm->n; j++)
    for (int i = 0; i < rows; i++) {
      NUMBER sum = 0;
      NUMBER *to = c + i * gemm->c_strides[0] + j;
      for (ptrdiff_t l = 0; l < gemm->k; l++)
        sum += a[i * gemm->a_strides[0] + l * gemm->a_strides[1]] *
               ((const NUMBER *)gemm->b)[l * gemm->b_strides[0] + j];
      sum *= (NUMBER)gemm->alpha;
      *to = gemm->beta != 0 ? sum + (NUMBER)gemm->beta * *to : sum;
    }
}

TARGET static void NAME(multiply_small)(const struct jr_gemm *gemm) {
  const NUMBER *a = gemm->a;
  NUMBER *c = gemm->c;
  ptrdiff_t i = 0;
  for (; i + 4 <= gemm->m; i += 4)
    NAME(run_small)(gemm, 4, a + i * gemm->a_strides[0],
                    c + i * gemm->c_strides[0]);
  for (; i < gemm->m; i++)
    NAME(run_small)(gemm, 1, a + i * gemm->a_strides[0],
                    c + i * gemm->c_strides[0]);
}

#include "customcalls/own_gemv_blocks.h"

TARGET static void NAME(multiply)(const struct jr_gemm *given, void *room) {
  if (jr_gemm_is_small(given) && given->alpha != 0) {
    NAME(multiply_small)(given);
    return;
  }
  struct jr_gemm gemm = *given;
  if (gemm.n == 1 ||
      (gemm.m > 1 && gemm.c_strides[0] == 1 && gemm.c_strides[1] != 1))
    gemm = turn(given);
  if (gemm.k == 0 || gemm.alpha == 0) {
    NAME(scale)(&gemm);
    return;
  }
  if (gemm.m == 1 && (gemm.a_strides[1] == 1 || gemm.k == 1)) {
    NAME(multiply_row)(&gemm);
    return;
  }
  for (ptrdiff_t i = 0; i < gemm.m; i += NAME(A_ROWS))
    NAME(multiply_rows)(&gemm, i, least(NAME(A_ROWS), gemm.m - i), room);
}
#undef NAME
#undef PLAIN_JOIN2
#undef PLAIN_JOIN
#undef OF_TYPE
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)

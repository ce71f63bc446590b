/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The product for one type, included by own_gemm.c once for each: NUMBER is
/// the type, NAME(x) its name for x, GEMM the function.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

#include <string.h>

typedef NUMBER NAME(vector) __attribute__((vector_size(VECTOR_BYTES)));

enum {
  NAME(LANES) = VECTOR_BYTES / sizeof(NUMBER),
  NAME(COLUMNS) = 2 * NAME(LANES),
  NAME(BLOCK_COLUMNS) = BLOCK_BYTES / sizeof(NUMBER)
};

/// The three matrices; `c` is row-major but for its strides.
struct NAME(product) {
  const NUMBER *a, *b;
  NUMBER *c;
  struct strides by_a, by_b, by_c;
  NUMBER alpha, beta;
  bool has_avx2;
};

/// A block of C, of all rows and columns that `rows` and `columns` say, and of
/// the products from `first` on.
struct NAME(block) {
  int row, column, first;
  int rows, columns, depth;
};

/// Packed operands: panels of ROWS rows of A and of two vectors of columns of
/// B, one k after the other.
struct NAME(packed) {
  NUMBER a[BLOCK_ROWS * DEPTH];
  NUMBER b[NAME(BLOCK_COLUMNS) * DEPTH] __attribute__((aligned(VECTOR_BYTES)));
};

/// The sum of `depth` outer products, into a tile of ROWS rows.
static inline __attribute__((always_inline)) void
NAME(sum_products)(int depth, const NUMBER *a, const NUMBER *b, NUMBER *tile) {
  NAME(vector) sums[ROWS][2] = {{{0}}};
  for (int l = 0; l < depth; l++, a += ROWS, b += NAME(COLUMNS)) {
    const NAME(vector) *columns = (const NAME(vector) *)(const void *)b;
    NAME(vector) left = columns[0];
    NAME(vector) right = columns[1];
    for (int i = 0; i < ROWS; i++) {
      sums[i][0] += a[i] * left;
      sums[i][1] += a[i] * right;
    }
  }
  memcpy(tile, sums, sizeof sums);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void
NAME(run_avx2)(int depth, const NUMBER *a, const NUMBER *b, NUMBER *tile) {
  NAME(sum_products)(depth, a, b, tile);
}
#endif

static void NAME(run)(const struct NAME(product) * product, int depth,
                      const NUMBER *a, const NUMBER *b, NUMBER *tile) {
#if defined(__x86_64__)
  if (product->has_avx2) {
    NAME(run_avx2)(depth, a, b, tile);
    return;
  }
#endif
  (void)product;
  NAME(sum_products)(depth, a, b, tile);
}

/// `width` lines of an operand next to each other for each k, zeros for those
/// past the last.
static void NAME(pack)(NUMBER *to, const NUMBER *from, struct strides by,
                       int lines, int depth, int width) {
  for (int first = 0; first < lines; first += width)
    for (int l = 0; l < depth; l++)
      for (int i = 0; i < width; i++)
        *to++ =
            first + i < lines ? from[(first + i) * by.row + l * by.column] : 0;
}

/// Adds a tile, of which `rows` and `columns` are within C.
static void NAME(add_tile)(const struct NAME(product) * product,
                           const NUMBER *tile, NUMBER *c, int rows, int columns,
                           bool is_first) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      NUMBER *element = c + i * product->by_c.row + j * product->by_c.column;
      NUMBER sum = product->alpha * tile[i * NAME(COLUMNS) + j];
      if (!is_first)
        sum += *element;
      else if (product->beta != 0)
        sum += product->beta * *element;
      *element = sum;
    }
}

static void NAME(multiply_block)(const struct NAME(product) * product,
                                 const struct NAME(block) * block,
                                 const struct NAME(packed) * packed) {
  NUMBER tile[ROWS * NAME(COLUMNS)];
  for (int i = 0; i < block->rows; i += ROWS)
    for (int j = 0; j < block->columns; j += NAME(COLUMNS)) {
      NAME(run)(product, block->depth, packed->a + (ptrdiff_t)i * block->depth,
                packed->b + (ptrdiff_t)j * block->depth, tile);
      NAME(add_tile)(product, tile,
                     product->c + (block->row + i) * product->by_c.row +
                         (block->column + j) * product->by_c.column,
                     least(ROWS, block->rows - i),
                     least(NAME(COLUMNS), block->columns - j),
                     block->first == 0);
    }
}

/// One block of B with all rows of A.
static void NAME(multiply_rows)(const struct NAME(product) * product,
                                struct NAME(block) block, int m,
                                struct NAME(packed) * packed) {
  struct strides turned = {product->by_b.column, product->by_b.row};
  NAME(pack)(packed->b,
             product->b + block.first * product->by_b.row +
                 block.column * product->by_b.column,
             turned, block.columns, block.depth, NAME(COLUMNS));
  for (block.row = 0; block.row < m; block.row += BLOCK_ROWS) {
    block.rows = least(BLOCK_ROWS, m - block.row);
    NAME(pack)(packed->a,
               product->a + block.row * product->by_a.row +
                   block.first * product->by_a.column,
               product->by_a, block.rows, block.depth, ROWS);
    NAME(multiply_block)(product, &block, packed);
  }
}

/// C = beta * C, where there is nothing to add.
static void NAME(scale)(const struct NAME(product) * product, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      NUMBER *element =
          product->c + i * product->by_c.row + j * product->by_c.column;
      *element = product->beta != 0 ? product->beta * *element : 0;
    }
}

// NOLINTNEXTLINE(readability-function-size): the interface is BLAS's
void GEMM(int layout, int transpose_a, int transpose_b, int m, int n, int k,
          NUMBER alpha, const NUMBER *a, int lda, const NUMBER *b, int ldb,
          NUMBER beta, NUMBER *c, int ldc) {
  struct NAME(packed) packed;
  const struct NAME(product)
      product = {.a = a,
                 .b = b,
                 .c = c,
                 .by_a = stride_of(layout, transpose_a, lda),
                 .by_b = stride_of(layout, transpose_b, ldb),
                 .by_c = stride_of(layout, JR_BLAS_NO_TRANS, ldc),
                 .alpha = alpha,
                 .beta = beta,
                 .has_avx2 = jr_cpu_vectors() >= JR_VECTORS_AVX2};
  if (k == 0 || alpha == 0) {
    NAME(scale)(&product, m, n);
    return;
  }
  struct NAME(block) block = {0};
  for (block.column = 0; block.column < n;
       block.column += NAME(BLOCK_COLUMNS)) {
    block.columns = least(NAME(BLOCK_COLUMNS), n - block.column);
    for (block.first = 0; block.first < k; block.first += DEPTH) {
      block.depth = least(DEPTH, k - block.first);
      NAME(multiply_rows)(&product, block, m, &packed);
    }
  }
}
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)

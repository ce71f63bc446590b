/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See own_gemm.h. The method is Goto's (K. Goto, R. van de Geijn, "Anatomy of
/// High-Performance Matrix Multiplication", 2008): blocks of both operands are
/// packed in the order in which a kernel reads them, and the kernel keeps a
/// tile of the result in registers. own_gemm_blocks.h has it for one type and
/// one kind of vectors.
#include "customcalls/own_gemm.h"

enum {
  DEPTH = 256,         ///< products that are summed before C is read or written
  A_BYTES = 512 * 1024 ///< of a packed block of A, for the second cache
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) {
  return a < b ? a : b;
}

/// The same product with C transposed: then B' * A'.
static struct jr_gemm turn(const struct jr_gemm *gemm) {
  struct jr_gemm turned = {.a = gemm->b,
                           .b = gemm->a,
                           .c = gemm->c,
                           .m = gemm->n,
                           .n = gemm->m,
                           .k = gemm->k,
                           .alpha = gemm->alpha,
                           .beta = gemm->beta};
  for (int i = 0; i < 2; i++) {
    turned.a_strides[i] = gemm->b_strides[1 - i];
    turned.b_strides[i] = gemm->a_strides[1 - i];
    turned.c_strides[i] = gemm->c_strides[1 - i];
  }
  return turned;
}

/// Transposes of 4x4 floats or 2x2 doubles: rows of `from` are columns of `to`.
typedef float narrow_f32
    __attribute__((vector_size(16), aligned(4), may_alias));
typedef double narrow_f64
    __attribute__((vector_size(16), aligned(8), may_alias));
enum { CORNER_f32 = 4, CORNER_f64 = 2 };

ALWAYS_INLINE void turn_f32(float *to, ptrdiff_t to_row, const float *from,
                            ptrdiff_t from_row) {
  narrow_f32 rows[4];
  narrow_f32 halves[4];
  for (ptrdiff_t i = 0; i < 4; i++)
    rows[i] = *(const narrow_f32 *)(const void *)(from + i * from_row);
  for (ptrdiff_t i = 0; i < 4; i += 2) {
    halves[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 4, 1, 5);
    halves[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 6, 3, 7);
  }
  for (ptrdiff_t i = 0; i < 2; i++) {
    *(narrow_f32 *)(void *)(to + 2 * i * to_row) =
        __builtin_shufflevector(halves[i], halves[i + 2], 0, 1, 4, 5);
    *(narrow_f32 *)(void *)(to + (2 * i + 1) * to_row) =
        __builtin_shufflevector(halves[i], halves[i + 2], 2, 3, 6, 7);
  }
}

ALWAYS_INLINE void turn_f64(double *to, ptrdiff_t to_row, const double *from,
                            ptrdiff_t from_row) {
  narrow_f64 first = *(const narrow_f64 *)(const void *)from;
  narrow_f64 second = *(const narrow_f64 *)(const void *)(from + from_row);
  *(narrow_f64 *)(void *)to = __builtin_shufflevector(first, second, 0, 2);
  *(narrow_f64 *)(void *)(to + to_row) =
      __builtin_shufflevector(first, second, 1, 3);
}

bool jr_gemm_is_small(const struct jr_gemm *gemm) {
  enum { SMALL = 32, FEW_PRODUCTS = 8192 };
  return gemm->m <= SMALL && gemm->n <= SMALL && gemm->k <= FEW_PRODUCTS &&
         gemm->m * gemm->n * gemm->k <= FEW_PRODUCTS &&
         gemm->b_strides[1] == 1 && gemm->c_strides[1] == 1;
}

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define VECTOR_BYTES 64
#define ROWS 14
#define VECTORS avx512
#include "customcalls/own_gemm_types.h"
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR_BYTES 32
#define ROWS 6
#define VECTORS avx2
#include "customcalls/own_gemm_types.h"
#endif

#define TARGET
#define VECTOR_BYTES 16
#define ROWS 6
#define VECTORS base
#include "customcalls/own_gemm_types.h"

void jr_own_sgemm(enum jr_cpu_vectors vectors, const struct jr_gemm *gemm,
                  void *room) {
  (void)vectors; // there is one kind where there is no other
#if defined(__x86_64__)
  if (vectors >= JR_VECTORS_AVX512)
    multiply_f32_avx512(gemm, room);
  else if (vectors >= JR_VECTORS_AVX2)
    multiply_f32_avx2(gemm, room);
  else
#endif
    multiply_f32_base(gemm, room);
}

void jr_own_dgemm(enum jr_cpu_vectors vectors, const struct jr_gemm *gemm,
                  void *room) {
  (void)vectors; // there is one kind where there is no other
#if defined(__x86_64__)
  if (vectors >= JR_VECTORS_AVX512)
    multiply_f64_avx512(gemm, room);
  else if (vectors >= JR_VECTORS_AVX2)
    multiply_f64_avx2(gemm, room);
  else
#endif
    multiply_f64_base(gemm, room);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The BLAS library of this machine, through its C interface.
#ifndef JR_CUSTOMCALLS_BLAS_H
#define JR_CUSTOMCALLS_BLAS_H

/// Numbers of CBLAS_LAYOUT and CBLAS_TRANSPOSE, as in every cblas.h.
enum {
  JR_BLAS_ROW_MAJOR = 101,
  JR_BLAS_COL_MAJOR = 102,
  JR_BLAS_NO_TRANS = 111,
  JR_BLAS_TRANS = 112
};

typedef void (*jr_sgemm_fn_t)(int layout, int transpose_a, int transpose_b,
                              int m, int n, int k, float alpha, const float *a,
                              int lda, const float *b, int ldb, float beta,
                              float *c, int ldc);
typedef void (*jr_dgemm_fn_t)(int layout, int transpose_a, int transpose_b,
                              int m, int n, int k, double alpha,
                              const double *a, int lda, const double *b,
                              int ldb, double beta, double *c, int ldc);

struct jr_blas {
  jr_sgemm_fn_t sgemm;
  jr_dgemm_fn_t dgemm;
};

/// The library, opened once in the process and for good, or, where there is
/// none, functions of our own (own_gemm.h). Thread-safe.
struct jr_blas jr_blas_open(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products of matrices where no BLAS library is, with the functions' C
/// interface. A library is faster: this knows no instructions beyond AVX2 and
/// FMA, or what the compiler takes for granted.
#ifndef JR_CUSTOMCALLS_OWN_GEMM_H
#define JR_CUSTOMCALLS_OWN_GEMM_H

/// As cblas_sgemm and cblas_dgemm. Thread-safe; takes 300 KiB of the stack.
void jr_own_sgemm(int layout, int transpose_a, int transpose_b, int m, int n,
                  int k, float alpha, const float *a, int lda, const float *b,
                  int ldb, float beta, float *c, int ldc);
void jr_own_dgemm(int layout, int transpose_a, int transpose_b, int m, int n,
                  int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc);

#endif

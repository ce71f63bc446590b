/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The vectors of this CPU, in a file of its own: programs that call nothing
/// which has code for several do not link it.
#include "base/cpu.h"

#include <stdatomic.h>

#if defined(__x86_64__)
static bool has_all(const char *wanted) {
  struct jr_bytes missing = {0};
  jr_cpu_missing(wanted, &missing);
  bool has = missing.size == 0;
  jr_bytes_deinit(&missing);
  return has;
}

static enum jr_cpu_vectors read_vectors(void) {
  if (!has_all("avx2,fma,f16c,bmi2"))
    return JR_VECTORS_BASE;
  return has_all("avx512f,avx512bw,avx512dq,avx512vl") ? JR_VECTORS_AVX512
                                                       : JR_VECTORS_AVX2;
}
#else
static enum jr_cpu_vectors read_vectors(void) {
  return JR_VECTORS_BASE;
}
#endif

enum jr_cpu_vectors jr_cpu_vectors(void) {
  static atomic_int found; ///< 0: nobody has asked yet
  int vectors = atomic_load_explicit(&found, memory_order_relaxed);
  if (vectors == 0) {
    vectors = (int)read_vectors();
    atomic_store_explicit(&found, vectors, memory_order_relaxed);
  }
  return (enum jr_cpu_vectors)vectors;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Finding BLAS. A library stays open to the end of the process: it may have
/// threads of its own, and programs hold its functions. It is made to use the
/// calling thread only, since calls run inside our own pool's tasks.
#include "customcalls/blas.h"

#include "base/dylib.h"
#include "customcalls/own_gemm.h"
#include "jitrun/error.h"
#include "jitrun/types.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// In order of preference. Debian's second one is whichever was installed.
static const char *const candidates[] = {"libopenblas.so.0", "libblas.so.3"};
#define CANDIDATE_COUNT (sizeof(candidates) / sizeof(candidates[0]))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct jr_blas opened; ///< under the lock; empty until one is found

static void limit_threads(const struct jr_dylib *library) {
  void *symbol = jr_dylib_find(library, "openblas_set_num_threads");
  if (!symbol)
    return;
  void (*set_num_threads)(int);
  memcpy(&set_num_threads, &symbol, sizeof(set_num_threads));
  set_num_threads(1);
}

static bool try_candidate(const char *name) {
  struct jr_dylib library = {0};
  jitrun_error_t *error = jr_dylib_open(name, &library);
  if (error) {
    jitrun_error_free(error);
    return false;
  }
  void *sgemm = jr_dylib_find(&library, "cblas_sgemm");
  void *dgemm = jr_dylib_find(&library, "cblas_dgemm");
  if (!sgemm || !dgemm) {
    jr_dylib_close(&library);
    return false;
  }
  limit_threads(&library);
  memcpy(&opened.sgemm, &sgemm, sizeof(opened.sgemm));
  memcpy(&opened.dgemm, &dgemm, sizeof(opened.dgemm));
  return true;
}

struct jr_blas jr_blas_open(void) {
  (void)pthread_mutex_lock(&lock);
  for (size_t i = 0; i < CANDIDATE_COUNT && !opened.sgemm; i++)
    (void)try_candidate(candidates[i]);
  if (!opened.sgemm)
    opened = (struct jr_blas){jr_own_sgemm, jr_own_dgemm};
  struct jr_blas blas = opened;
  (void)pthread_mutex_unlock(&lock);
  return blas;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// memrefCopy(): what memref.copy becomes when a layout is not dense. Trailing
/// dimensions that are dense on both sides are copied as one run.
#include "helpers/helpers.h"

#include <string.h>

/// One copy under way; `rank` counts the dimensions left to walk.
struct copy {
  const int64_t *sizes;
  const int64_t *source_strides;
  const int64_t *target_strides;
  int64_t rank;
  int64_t element_bytes;
  int64_t run_bytes; ///< contiguous on both sides at each step
};

/// Merges trailing dense dimensions into the run.
static void merge_dense(struct copy *copy) {
  int64_t run = 1;
  while (copy->rank > 0) {
    int64_t last = copy->rank - 1;
    int64_t size = copy->sizes[last];
    if (size != 1 && (copy->source_strides[last] != run ||
                      copy->target_strides[last] != run))
      break;
    run *= size;
    copy->rank--;
  }
  copy->run_bytes = run * copy->element_bytes;
}

/// Copies one dimension's runs; the usual element sizes without a call each.
static void copy_runs(const struct copy *copy, int64_t dim, const char *source,
                      char *target) {
  int64_t source_step = copy->source_strides[dim] * copy->element_bytes;
  int64_t target_step = copy->target_strides[dim] * copy->element_bytes;
  for (int64_t i = 0; i < copy->sizes[dim]; i++) {
    const char *from = source + i * source_step;
    char *to = target + i * target_step;
    if (copy->run_bytes == 4)
      memcpy(to, from, 4);
    else if (copy->run_bytes == 8)
      memcpy(to, from, 8);
    else
      memcpy(to, from, (size_t)copy->run_bytes);
  }
}

static void copy_dimension(const struct copy *copy, int64_t dim,
                           const char *source, char *target) {
  if (dim == copy->rank - 1) {
    copy_runs(copy, dim, source, target);
    return;
  }
  int64_t source_step = copy->source_strides[dim] * copy->element_bytes;
  int64_t target_step = copy->target_strides[dim] * copy->element_bytes;
  for (int64_t i = 0; i < copy->sizes[dim]; i++)
    copy_dimension(copy, dim + 1, source + i * source_step,
                   target + i * target_step);
}

JR_WEAK void memrefCopy(int64_t element_bytes,
                        const struct jr_memref_unranked *source,
                        const struct jr_memref_unranked *target) {
  const struct jr_memref_head *from = source->descriptor;
  const struct jr_memref_head *to = target->descriptor;
  int64_t rank = source->rank;
  for (int64_t i = 0; i < rank; i++) {
    if (from->sizes[i] <= 0)
      return;
  }
  struct copy copy = {
      .sizes = from->sizes,
      .source_strides = from->sizes + rank,
      .target_strides = to->sizes + rank,
      .rank = rank,
      .element_bytes = element_bytes,
  };
  merge_dense(&copy);
  const char *from_data =
      (const char *)from->aligned + from->offset * element_bytes;
  char *to_data = (char *)to->aligned + to->offset * element_bytes;
  if (copy.rank == 0)
    memcpy(to_data, from_data, (size_t)copy.run_bytes);
  else
    copy_dimension(&copy, 0, from_data, to_data);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// How the buffers of collective calls are cut: XLA's calls do not name the
/// dimension that is joined or split, but it shows in the sizes, or is the
/// outermost in memory.
#include "customcalls/collective_views.h"

#include "base/bytes.h"
#include "base/dtype.h"
#include "base/strings.h"

#include <string.h>

enum { FLAT_DIM = -2 };

uint64_t jr_elements_count(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  uint64_t count = 1;
  for (uint32_t i = 0; i < type->rank; i++)
    if (dims[i] < 0 || !jr_mul_u64(count, (uint64_t)dims[i], &count))
      return UINT64_MAX;
  return count;
}

/// The dimension along which `large` is `factor` times `small`; FLAT_DIM when
/// their sizes are the same, or both are dense and only their numbers of
/// elements fit; JR_ANY_DIM: none.
static int64_t find_dim(const jitrun_type_t *small, const jitrun_type_t *large,
                        uint32_t factor) {
  const int64_t *a = jitrun_type_dims(small);
  const int64_t *b = jitrun_type_dims(large);
  int64_t found = FLAT_DIM;
  bool is_alike = small->rank == large->rank;
  for (uint32_t i = 0; is_alike && i < small->rank; i++) {
    if (a[i] == b[i])
      continue;
    is_alike = found == FLAT_DIM && b[i] % factor == 0 && b[i] / factor == a[i];
    found = (int64_t)i;
  }
  if (is_alike && found != FLAT_DIM)
    return found;
  uint64_t count = 0;
  if (jr_mul_u64(jr_elements_count(small), factor, &count) &&
      count == jr_elements_count(large) && jr_type_is_dense(small) &&
      jr_type_is_dense(large))
    return FLAT_DIM;
  return is_alike && factor == 1 ? FLAT_DIM : JR_ANY_DIM;
}

/// The dimension with the largest stride: the outermost in memory.
static int64_t find_outermost(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  int64_t found = JR_ANY_DIM;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dims[i] != 1 && (found < 0 || strides[i] > strides[found]))
      found = i;
  }
  return found < 0 && type->rank > 0 ? 0 : found;
}

/// A buffer with a dimension to cut it along; FLAT_DIM takes it as one row,
/// if it is dense.
struct jr_view jr_view_make(const jitrun_arg_t *arg, int64_t dim) {
  const jitrun_type_t *type = arg->type;
  struct jr_view view = {.data = arg->value.data,
                         .rank = type->rank,
                         .element_bytes =
                             jr_dtype_size((jitrun_dtype_t)type->dtype),
                         .count = jr_elements_count(type)};
  if (dim == FLAT_DIM && jr_type_is_dense(type)) {
    view.rank = 1;
    view.dims[0] = (int64_t)view.count;
    view.strides[0] = 1;
    return view;
  }
  memcpy(view.dims, jitrun_type_dims(type), type->rank * sizeof(int64_t));
  memcpy(view.strides, jitrun_type_strides(type), type->rank * sizeof(int64_t));
  view.dim = dim < 0 ? 0 : (uint32_t)dim;
  return view;
}

/// Copies one of `blocks` blocks of a view to or from packed memory.
void jr_view_copy_block(const struct jr_view *view, uint32_t blocks,
                        uint32_t block, void *packed, bool is_pack) {
  int64_t dims[JR_MAX_RANK];
  int64_t dense[JR_MAX_RANK];
  char *data = view->data;
  memcpy(dims, view->dims, sizeof dims);
  if (blocks > 1) { // such a view has a rank
    dims[view->dim] /= blocks;
    data += (ptrdiff_t)block * dims[view->dim] * view->strides[view->dim] *
            (ptrdiff_t)view->element_bytes;
  }
  int64_t stride = 1;
  for (uint32_t i = view->rank; i-- > 0;) {
    dense[i] = stride;
    (void)__builtin_mul_overflow(stride, dims[i], &stride);
  }
  jr_copy_elements(
      &(struct jr_copy){.to = is_pack ? packed : data,
                        .from = is_pack ? data : packed,
                        .dims = dims,
                        .to_strides = is_pack ? dense : view->strides,
                        .from_strides = is_pack ? view->strides : dense,
                        .rank = view->rank,
                        .element_bytes = view->element_bytes});
}

void jr_view_copy(const struct jr_view *view, uint32_t blocks, void *packed,
                  bool is_pack) {
  size_t step = (size_t)(view->count / blocks) * view->element_bytes;
  for (uint32_t i = 0; view->count > 0 && i < blocks; i++)
    jr_view_copy_block(view, blocks, i, (char *)packed + i * step, is_pack);
}

/// Along which dimension source and destination are cut; JR_ANY_DIM: they do
/// not fit together.
int64_t jr_collective_dim(const struct jr_collective *collective,
                          const jitrun_type_t *from, const jitrun_type_t *to,
                          uint32_t factor) {
  const jitrun_type_t *small = from;
  const jitrun_type_t *large = to;
  if (collective->kind == JR_REDUCE_SCATTER) {
    small = to;
    large = from;
  }
  if (collective->kind == JR_ALL_TO_ALL) {
    int64_t dim = collective->dim < 0 ? find_outermost(from) : collective->dim;
    bool fits = dim >= 0 && dim < from->rank &&
                jitrun_type_dims(from)[dim] % factor == 0;
    return fits ? dim : factor == 1 ? FLAT_DIM : JR_ANY_DIM;
  }
  bool is_cut = collective->kind == JR_ALL_GATHER ||
                collective->kind == JR_REDUCE_SCATTER;
  int64_t dim = find_dim(small, large, is_cut ? factor : 1);
  bool is_wrong = is_cut && collective->dim >= 0 && factor > 1 &&
                  dim != collective->dim && jr_elements_count(large) > 0;
  return is_wrong ? JR_ANY_DIM : dim;
}

int64_t jr_collective_to_dim(const struct jr_collective *collective,
                             const jitrun_type_t *to, int64_t dim) {
  if (collective->kind != JR_ALL_TO_ALL || dim == FLAT_DIM)
    return dim;
  if (collective->to_dim >= 0)
    return collective->to_dim;
  return collective->dim < 0 ? find_outermost(to) : dim;
}

/// The sizes that an all_to_all with two dimensions leaves.
static bool fits_exchange(const jitrun_type_t *from, const jitrun_type_t *to,
                          int64_t dim, int64_t to_dim, uint32_t factor) {
  if (dim == FLAT_DIM)
    return jr_elements_count(from) == jr_elements_count(to);
  if (from->rank != to->rank || to_dim < 0 || to_dim >= to->rank ||
      jitrun_type_dims(to)[to_dim] % factor != 0)
    return false;
  for (int64_t i = 0; i < from->rank; i++) {
    int64_t a = jitrun_type_dims(from)[i] / (i == dim ? factor : 1);
    int64_t b = jitrun_type_dims(to)[i] / (i == to_dim ? factor : 1);
    if (a != b)
      return false;
  }
  return true;
}

static jitrun_error_t *check_sizes(const jitrun_call_t *call,
                                   const struct jr_collective *collective,
                                   uint32_t index, uint32_t factor) {
  const jitrun_arg_t *args = jitrun_call_args((jitrun_call_t *)(uintptr_t)call);
  const jitrun_type_t *from = args[index].type;
  const jitrun_type_t *to = args[call->site->arg_count / 2 + index].type;
  int64_t dim = jr_collective_dim(collective, from, to, factor);
  bool fits = dim != JR_ANY_DIM;
  if (collective->kind == JR_ALL_TO_ALL)
    fits = fits &&
           fits_exchange(from, to, dim,
                         jr_collective_to_dim(collective, to, dim), factor);
  if (fits)
    return NULL;
  struct jr_bytes types = {0};
  jr_type_format(&types, from);
  jr_bytes_append_text(&types, " and ");
  jr_type_format(&types, to);
  const char *text = jr_bytes_text(&types);
  jitrun_error_t *error = jr_call_error(
      call, JITRUN_INVALID_ARGUMENT,
      "%s: the sizes of source %u and its destination do not fit a group of "
      "%u: %s",
      call->site->target, index, factor, text ? text : "?");
  jr_bytes_deinit(&types);
  return error;
}

jitrun_error_t *jr_collective_sizes(const jitrun_call_t *call,
                                    const struct jr_collective *collective,
                                    uint32_t factor) {
  const jitrun_arg_t *args = jitrun_call_args((jitrun_call_t *)(uintptr_t)call);
  uint32_t half = call->site->arg_count / 2;
  bool is_tuple = collective->kind == JR_TUPLE_ALL_TO_ALL;
  if (is_tuple && half != factor)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: %u sources are given to a group of %u; each "
                         "member gets one",
                         call->site->target, half, factor);
  for (uint32_t i = 1; is_tuple && i < half; i++) {
    if (jr_elements_count(args[i].type) != jr_elements_count(args[0].type) ||
        args[i].type->dtype != args[0].type->dtype)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: source %u is not of the type and size of "
                           "source 0",
                           call->site->target, i);
  }
  jitrun_error_t *error = NULL;
  for (uint32_t i = 0; !error && i < half; i++)
    error = check_sizes(call, collective, i, factor);
  return error;
}

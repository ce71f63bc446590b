/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.memcpy` and `jitrun.memset`, and the strided copy behind both: the
/// dimensions are ordered by the destination's strides and merged where both
/// sides allow it, so that a buffer in one piece takes one memmove whatever its
/// rank. A fill is a copy whose source strides are 0.
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/parts.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// One dimension of a copy; steps are in bytes.
struct extent {
  size_t count;
  ptrdiff_t to_step, from_step;
};

/// A copy in its simplest form: the last extent is the innermost.
struct plan {
  struct extent extents[JR_MAX_RANK];
  uint32_t rank;
  size_t element_bytes;
};

/// Wraps around: steps that no real buffer has must do no harm by themselves.
static ptrdiff_t scale_step(int64_t step, size_t factor) {
  return (ptrdiff_t)((size_t)step * factor);
}

static size_t magnitude(ptrdiff_t step) {
  return step < 0 ? (size_t)0 - (size_t)step : (size_t)step;
}

/// Puts an extent before those with smaller destination steps.
static void insert_extent(struct plan *plan, struct extent extent) {
  uint32_t at = plan->rank++;
  while (at > 0 &&
         magnitude(plan->extents[at - 1].to_step) < magnitude(extent.to_step)) {
    plan->extents[at] = plan->extents[at - 1];
    at--;
  }
  plan->extents[at] = extent;
}

static bool can_merge(const struct extent *outer, const struct extent *inner) {
  return outer->to_step == scale_step(inner->to_step, inner->count) &&
         outer->from_step == scale_step(inner->from_step, inner->count);
}

static void merge_extents(struct plan *plan) {
  uint32_t last = 0;
  for (uint32_t i = 1; i < plan->rank; i++) {
    struct extent *outer = &plan->extents[last];
    struct extent inner = plan->extents[i];
    if (can_merge(outer, &inner)) {
      inner.count *= outer->count;
      *outer = inner;
    } else {
      plan->extents[++last] = inner;
    }
  }
  if (plan->rank > 0)
    plan->rank = last + 1;
}

/// False when there is nothing to copy.
static bool init_plan(struct plan *plan, const struct jr_copy *copy) {
  plan->rank = 0;
  plan->element_bytes = copy->element_bytes;
  size_t bytes = copy->element_bytes;
  for (uint32_t i = 0; i < copy->rank; i++) {
    if (copy->dims[i] <= 0)
      return false;
    if (copy->dims[i] == 1)
      continue;
    struct extent extent = {(size_t)copy->dims[i],
                            scale_step(copy->to_strides[i], bytes),
                            scale_step(copy->from_strides[i], bytes)};
    insert_extent(plan, extent);
  }
  merge_extents(plan);
  return true;
}

/// One element after the other; `bytes` is a constant in every use, so that the
/// inner copy becomes one load and one store.
static inline void copy_each(char *to, const char *from,
                             const struct extent *extent, size_t bytes) {
  for (size_t i = 0; i < extent->count; i++) {
    memcpy(to, from, bytes);
    to += extent->to_step;
    from += extent->from_step;
  }
}

/// Repeats one element over a contiguous run, doubling what is there.
static void fill_run(char *to, const char *element, size_t count,
                     size_t bytes) {
  size_t total = count * bytes;
  size_t done = bytes;
  memcpy(to, element, bytes);
  while (done < total) {
    size_t more = done < total - done ? done : total - done;
    memcpy(to + done, to, more);
    done += more;
  }
}

static void copy_run(char *to, const char *from, const struct extent *extent,
                     size_t bytes) {
  bool is_packed = extent->to_step == (ptrdiff_t)bytes;
  if (is_packed && extent->from_step == (ptrdiff_t)bytes) {
    memmove(to, from, extent->count * bytes);
    return;
  }
  if (is_packed && extent->from_step == 0) {
    fill_run(to, from, extent->count, bytes);
    return;
  }
  switch (bytes) {
  case 1:
    copy_each(to, from, extent, 1);
    return;
  case 2:
    copy_each(to, from, extent, 2);
    return;
  case 4:
    copy_each(to, from, extent, 4);
    return;
  case 8:
    copy_each(to, from, extent, 8);
    return;
  default:
    copy_each(to, from, extent, bytes);
    return;
  }
}

/// Moves on to the next run; false past the last one.
static bool next_run(const struct plan *plan, size_t *index, char **to,
                     const char **from) {
  for (uint32_t i = plan->rank - 1; i-- > 0;) {
    const struct extent *extent = &plan->extents[i];
    *to += extent->to_step;
    *from += extent->from_step;
    if (++index[i] < extent->count)
      return true;
    index[i] = 0;
    *to -= scale_step(extent->to_step, extent->count);
    *from -= scale_step(extent->from_step, extent->count);
  }
  return false;
}

void jr_copy_elements(const struct jr_copy *copy) {
  struct plan plan;
  if (!init_plan(&plan, copy))
    return;
  char *to = copy->to;
  const char *from = copy->from;
  if (plan.rank == 0) {
    memmove(to, from, plan.element_bytes);
    return;
  }
  size_t index[JR_MAX_RANK] = {0};
  do
    copy_run(to, from, &plan.extents[plan.rank - 1], plan.element_bytes);
  while (next_run(&plan, index, &to, &from));
}

void jr_copy_buffer(const jitrun_arg_t *dst, const jitrun_arg_t *src) {
  jr_copy_elements(&(struct jr_copy){
      .to = dst->value.data,
      .from = src->value.data,
      .dims = jitrun_type_dims(dst->type),
      .to_strides = jitrun_type_strides(dst->type),
      .from_strides = jitrun_type_strides(src->type),
      .rank = dst->type->rank,
      .element_bytes = jr_dtype_size((jitrun_dtype_t)dst->type->dtype)});
}

static jitrun_error_t *check_dtypes(const jitrun_call_t *call,
                                    const char *other) {
  const jitrun_type_t *dst = call->site->types[0];
  const jitrun_type_t *src = call->site->types[1];
  if (dst->dtype == src->dtype)
    return NULL;
  const char *dst_name = jr_dtype_name((jitrun_dtype_t)dst->dtype);
  const char *src_name = jr_dtype_name((jitrun_dtype_t)src->dtype);
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'dst' has elements of %s, '%s' of %s; both must "
                       "be of one type",
                       call->site->target, dst_name ? dst_name : "unknown type",
                       other, src_name ? src_name : "unknown type");
}

/// Sizes that are not known yet agree with any.
static jitrun_error_t *check_dims(const jitrun_call_t *call,
                                  const jitrun_type_t *dst,
                                  const jitrun_type_t *src) {
  if (dst->rank != src->rank)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: 'dst' has rank %u, 'src' has rank %u; both must "
                         "have one shape",
                         call->site->target, dst->rank, src->rank);
  const int64_t *dst_dims = jitrun_type_dims(dst);
  const int64_t *src_dims = jitrun_type_dims(src);
  for (uint32_t i = 0; i < dst->rank; i++)
    if (dst_dims[i] != src_dims[i] && dst_dims[i] != JITRUN_DYNAMIC &&
        src_dims[i] != JITRUN_DYNAMIC)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: dimension %u of 'dst' is %" PRId64
                           ", that of 'src' %" PRId64
                           "; both must have one shape",
                           call->site->target, i, dst_dims[i], src_dims[i]);
  return NULL;
}

#define ANY_BUFFER                                                             \
  .kind = JITRUN_KIND_BUFFER, .max_rank = JR_MAX_RANK,                         \
  .dtypes = JITRUN_DTYPES_ANY

static const jitrun_param_t memcpy_args[] = {{.name = "dst", ANY_BUFFER},
                                             {.name = "src", ANY_BUFFER}};

const jitrun_signature_t jr_memcpy_signature = {
    .size = sizeof(jitrun_signature_t), .args = memcpy_args, .arg_count = 2};

jitrun_error_t *jr_memcpy_instantiate(jitrun_call_t *call) {
  jitrun_error_t *error = check_dtypes(call, "src");
  return error ? error
               : check_dims(call, call->site->types[0], call->site->types[1]);
}

jitrun_error_t *jr_memcpy_execute(jitrun_call_t *call) {
  const jitrun_arg_t *dst = jitrun_call_args(call);
  const jitrun_arg_t *src = dst + 1;
  jitrun_error_t *error = check_dims(call, dst->type, src->type);
  if (error)
    return error;
  jr_copy_buffer(dst, src);
  return NULL;
}

static const jitrun_param_t memset_args[] = {
    {.name = "dst", ANY_BUFFER},
    {.name = "value", .kind = JITRUN_KIND_SCALAR, .dtypes = JITRUN_DTYPES_ANY}};

const jitrun_signature_t jr_memset_signature = {
    .size = sizeof(jitrun_signature_t), .args = memset_args, .arg_count = 2};

/// A scalar has at most 8 bytes, which leaves out complex<f64>.
jitrun_error_t *jr_memset_instantiate(jitrun_call_t *call) {
  jitrun_error_t *error = check_dtypes(call, "value");
  if (error)
    return error;
  if (call->site->types[1]->dtype == JITRUN_DTYPE_C128)
    return jr_call_error(call, JITRUN_UNIMPLEMENTED,
                         "%s: 'value' of type complex<f64> does not fit in a "
                         "scalar argument; copy from a buffer instead",
                         call->site->target);
  return NULL;
}

jitrun_error_t *jr_memset_execute(jitrun_call_t *call) {
  static const int64_t no_strides[JR_MAX_RANK];
  const jitrun_arg_t *dst = jitrun_call_args(call);
  jr_copy_elements(&(struct jr_copy){
      .to = dst->value.data,
      .from = (const char *)&dst[1].value,
      .dims = jitrun_type_dims(dst->type),
      .to_strides = jitrun_type_strides(dst->type),
      .from_strides = no_strides,
      .rank = dst->type->rank,
      .element_bytes = jr_dtype_size((jitrun_dtype_t)dst->type->dtype)});
  return NULL;
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.memcpy",
     .platform = "host",
     .summary = "copies src to dst, of the same type and shape",
     .signature = &jr_memcpy_signature,
     .execute = jr_memcpy_execute,
     .instantiate = jr_memcpy_instantiate},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.memset",
     .platform = "host",
     .summary = "sets every element of dst to the value",
     .signature = &jr_memset_signature,
     .execute = jr_memset_execute,
     .instantiate = jr_memset_instantiate},
};

JR_PART(memory, calls, false);

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.argmax` and `jitrun.argmin`. The largest of a block is found first,
/// in vectors, and then where it is, if it is larger than what was found
/// before.
#include "base/cpu.h"
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/lines.h"
#include "customcalls/parts.h"
#include "customcalls/sort_lines.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  BLOCK = 512,
  FLOAT_BLOCK = 2048,      ///< of floats that lie next to each other
  CHAINS = 4,              ///< of comparisons that do not wait for each other
  GRAIN_ELEMENTS = 1 << 15 ///< that are worth a thread
};

enum { ARG_DATA, ARG_INDICES, ARG_COUNT };

static const jitrun_param_t args[ARG_COUNT] = {
    [ARG_DATA] = {.name = "data",
                  .kind = JITRUN_KIND_BUFFER,
                  .min_rank = 1,
                  .max_rank = JR_MAX_RANK,
                  .dtypes = JR_SORTED_DTYPES},
    [ARG_INDICES] = {.name = "indices",
                     .kind = JITRUN_KIND_BUFFER,
                     .max_rank = JR_MAX_RANK,
                     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32) |
                               JITRUN_DTYPES(JITRUN_DTYPE_S64) |
                               JITRUN_DTYPES(JITRUN_DTYPE_U32)}};
static const jitrun_attr_param_t attrs[] = {
    {.name = "dimension",
     .kind = JITRUN_ATTR_SCALAR,
     .flags = JITRUN_OPTIONAL,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = args,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attrs,
                                             .attr_count = 1};

#define VECTOR_BYTES 16
#define TARGET
#define NAME(x) x##_32
#define WORD uint32_t
#define NUMBER int32_t
#define FLOAT float
#include "customcalls/argmax_block.h"
#undef NAME
#undef WORD
#undef NUMBER
#undef FLOAT

#define NAME(x) x##_64
#define WORD uint64_t
#define NUMBER int64_t
#define FLOAT double
#include "customcalls/argmax_block.h"
#undef NAME
#undef WORD
#undef NUMBER
#undef FLOAT

#if defined(__x86_64__)
#undef VECTOR_BYTES
#undef TARGET
#define VECTOR_BYTES 32
#define TARGET __attribute__((target("avx2")))
#define NAME(x) x##_32_avx2
#define WORD uint32_t
#define NUMBER int32_t
#define FLOAT float
#include "customcalls/argmax_block.h"
#undef NAME
#undef WORD
#undef NUMBER
#undef FLOAT

#define NAME(x) x##_64_avx2
#define WORD uint64_t
#define NUMBER int64_t
#define FLOAT double
#include "customcalls/argmax_block.h"
#undef NAME
#undef WORD
#undef NUMBER
#undef FLOAT
#else
#define find_largest_32_avx2 find_largest_32
#define find_largest_64_avx2 find_largest_64
#endif

static size_t find_in(const struct jr_line *line) {
  const bool is_long = line->order.key_bits == 64;
  if (jr_cpu_vectors() >= JR_VECTORS_AVX2)
    return is_long ? find_largest_64_avx2(line) : find_largest_32_avx2(line);
  return is_long ? find_largest_64(line) : find_largest_32(line);
}

/// One call in the making.
struct work {
  struct jr_order order;
  struct jr_lines data, indices;
};

/// Lines [first, last).
static void find_lines(void *context, size_t first, size_t last) {
  const struct work *work = context;
  for (size_t i = first; i < last; i++) {
    struct jr_line line = jr_line_get(&work->data, &work->order, i);
    uint64_t place = find_in(&line);
    memcpy(jr_lines_at(&work->indices, i), &place, work->indices.element_bytes);
  }
}

/// The indices' dimension that stands for dimension `i` of the data.
static uint32_t match(uint32_t i, uint32_t dimension, bool is_kept) {
  return i > dimension && !is_kept ? i - 1 : i;
}

/// Indices have the dimensions of the data, but for the one that is gone
/// through: that is missing, or 1.
static jitrun_error_t *check_dims(const jitrun_call_t *call,
                                  const jitrun_type_t *const *types,
                                  uint32_t *out_dimension) {
  uint32_t rank = types[ARG_DATA]->rank;
  jitrun_error_t *error =
      jr_dimension_read(call, &call->attrs[0], rank, out_dimension);
  if (error)
    return error;
  bool is_kept = types[ARG_INDICES]->rank == rank;
  if (!is_kept && types[ARG_INDICES]->rank + 1u != rank)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: 'indices' has rank %u; it must be %u, without "
                         "the dimension of 'data' that is gone through, or %u",
                         call->site->target, types[ARG_INDICES]->rank, rank - 1,
                         rank);
  for (uint32_t i = 0; i < rank; i++) {
    if (i == *out_dimension && !is_kept)
      continue;
    int64_t found =
        jitrun_type_dims(types[ARG_INDICES])[match(i, *out_dimension, is_kept)];
    int64_t needed =
        i == *out_dimension ? 1 : jitrun_type_dims(types[ARG_DATA])[i];
    if (found != needed && found != JITRUN_DYNAMIC && needed != JITRUN_DYNAMIC)
      return jr_call_error(
          call, JITRUN_INVALID_ARGUMENT,
          "%s: dimension %u of 'indices' is %" PRId64 "; it must be %" PRId64,
          call->site->target, match(i, *out_dimension, is_kept), found, needed);
  }
  if (jitrun_type_dims(types[ARG_DATA])[*out_dimension] != 0)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: dimension %u of 'data' is 0; there must be an "
                       "element to find",
                       call->site->target, *out_dimension);
}

static jitrun_error_t *check(jitrun_call_t *call) {
  uint32_t dimension = 0;
  return check_dims(call, call->site->types, &dimension);
}

/// Where the index of each line goes: lines of one element.
static void init_indices(struct jr_lines *lines, const jitrun_arg_t *indices,
                         const struct jr_lines *data, uint32_t dimension) {
  bool is_kept = indices->type->rank == data->rank + 1;
  *lines = *data;
  lines->data = indices->value.data;
  lines->element_bytes = jr_dtype_size((jitrun_dtype_t)indices->type->dtype);
  for (uint32_t i = 0; i < data->rank; i++) {
    uint32_t at = i >= dimension && is_kept ? i + 1 : i;
    lines->steps_bytes[i] = (ptrdiff_t)lines->element_bytes *
                            (ptrdiff_t)jitrun_type_strides(indices->type)[at];
  }
}

static jitrun_error_t *run(jitrun_call_t *call, bool is_least) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  const jitrun_type_t *types[] = {operands[ARG_DATA].type,
                                  operands[ARG_INDICES].type};
  uint32_t dimension = 0;
  jitrun_error_t *error = check_dims(call, types, &dimension);
  if (error)
    return error;
  struct work work;
  work.order =
      jr_order_of((jitrun_dtype_t)types[ARG_DATA]->dtype, is_least, true);
  jr_lines_init(&work.data, &operands[ARG_DATA], dimension);
  init_indices(&work.indices, &operands[ARG_INDICES], &work.data, dimension);
  size_t grain = GRAIN_ELEMENTS / work.data.count + 1;
  if (work.data.line_count <= grain)
    find_lines(&work, 0, work.data.line_count);
  else
    call->site->api->parallel_for(call, work.data.line_count, grain, find_lines,
                                  &work);
  return NULL;
}

static jitrun_error_t *find_largest(jitrun_call_t *call) {
  return run(call, false);
}

static jitrun_error_t *find_least(jitrun_call_t *call) {
  return run(call, true);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.argmax",
     .platform = "host",
     .summary = "where the largest elements along a dimension are",
     .signature = &signature,
     .execute = find_largest,
     .instantiate = check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.argmin",
     .platform = "host",
     .summary = "where the least elements along a dimension are",
     .signature = &signature,
     .execute = find_least,
     .instantiate = check},
};

JR_PART(argmax, calls, false);

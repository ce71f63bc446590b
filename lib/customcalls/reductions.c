/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.reduce`: what it takes. reduction_run.c computes.
#include "base/dtype.h"
#include "base/numbers.h"
#include "customcalls/builtins.h"
#include "customcalls/parts.h"
#include "customcalls/reduction_kernels.h"
#include "customcalls/reduction_run.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DATA_DTYPES                                                            \
  (JITRUN_DTYPES(JITRUN_DTYPE_PRED) | JITRUN_DTYPES(JITRUN_DTYPE_S8) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_S16) | JITRUN_DTYPES(JITRUN_DTYPE_S32) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_S64) | JITRUN_DTYPES(JITRUN_DTYPE_U8) |          \
   JITRUN_DTYPES(JITRUN_DTYPE_U16) | JITRUN_DTYPES(JITRUN_DTYPE_U32) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_U64) | JITRUN_DTYPES(JITRUN_DTYPE_F16) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_BF16) | JITRUN_DTYPES(JITRUN_DTYPE_F32) |        \
   JITRUN_DTYPES(JITRUN_DTYPE_F64) | JITRUN_DTYPES(JITRUN_DTYPE_C64) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_C128) | JITRUN_DTYPES(JITRUN_DTYPE_F8E5M2) |     \
   JITRUN_DTYPES(JITRUN_DTYPE_F8E4M3FN))
#define BUFFER(what)                                                           \
  {.name = (what),                                                             \
   .kind = JITRUN_KIND_BUFFER,                                                 \
   .max_rank = JR_MAX_RANK,                                                    \
   .dtypes = DATA_DTYPES}

enum { ARG_DATA, ARG_RESULT, ARG_COUNT };
enum { ATTR_DIMENSIONS, ATTR_REDUCTION, ATTR_COUNT };
static const jitrun_param_t params[ARG_COUNT] = {
    [ARG_DATA] = BUFFER("data"), [ARG_RESULT] = BUFFER("result")};
static const jitrun_attr_param_t attr_params[ATTR_COUNT] = {
    [ATTR_DIMENSIONS] = {.name = "dimensions",
                         .kind = JITRUN_ATTR_ARRAY,
                         .flags = JITRUN_OPTIONAL,
                         .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)},
    [ATTR_REDUCTION] = {.name = "reduction",
                        .kind = JITRUN_ATTR_STRING,
                        .flags = JITRUN_OPTIONAL}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = params,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attr_params,
                                             .attr_count = ATTR_COUNT};

static jitrun_error_t *read_reduction(const jitrun_call_t *call,
                                      struct jr_reduction *reduction) {
  static const char *const names[] = {"sum", "product", "min", "max",
                                      "and", "or",      "xor", "mean"};
  enum { MEAN = JR_REDUCER_COUNT };
  const jitrun_attr_t *attr = &call->attrs[ATTR_REDUCTION];
  const char *name =
      attr->kind == JITRUN_ATTR_ABSENT ? names[0] : attr->value.string;
  int index = 0;
  while (index <= MEAN && strcmp(names[index], name) != 0)
    index++;
  reduction->is_mean = index == MEAN;
  reduction->reducer = index < MEAN ? (enum jr_reducer)index : JR_REDUCE_SUM;
  if (index <= MEAN)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: reduction \"%s\" is none of sum, product, min, "
                       "max, and, or, xor and mean",
                       call->site->target, name);
}

static jitrun_error_t *read_dimensions(const jitrun_call_t *call, uint32_t rank,
                                       struct jr_reduction *reduction) {
  const jitrun_attr_t *attr = &call->attrs[ATTR_DIMENSIONS];
  for (uint32_t i = 0; i < rank; i++)
    reduction->is_reduced[i] = attr->kind == JITRUN_ATTR_ABSENT;
  if (attr->kind == JITRUN_ATTR_ABSENT)
    return NULL;
  const int64_t *list = attr->value.data;
  for (uint64_t i = 0; i < attr->count; i++) {
    int64_t dim = list[i] < 0 ? list[i] + rank : list[i];
    if (dim < 0 || dim >= rank)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: 'dimensions' has %" PRId64
                           "; 'data' has %u dimensions",
                           call->site->target, list[i], rank);
    if (reduction->is_reduced[dim])
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: 'dimensions' has dimension %" PRId64 " twice",
                           call->site->target, dim);
    reduction->is_reduced[dim] = true;
  }
  return NULL;
}

/// What sums and products of small elements may be made larger to.
static bool can_hold(const struct jr_reduction *reduction, jitrun_dtype_t data,
                     jitrun_dtype_t result) {
  if (data == result)
    return true;
  bool grows = reduction->reducer == JR_REDUCE_SUM ||
               reduction->reducer == JR_REDUCE_PRODUCT;
  enum jr_number_kind kind = jr_dtype_number_kind(data);
  enum jr_number_kind result_kind = jr_dtype_number_kind(result);
  if (kind == JR_NUMBER_REAL)
    return grows && jr_dtype_size(data) < 4 && result == JITRUN_DTYPE_F32;
  return grows && result != JITRUN_DTYPE_PRED &&
         (kind == JR_NUMBER_SIGNED || kind == JR_NUMBER_UNSIGNED) &&
         (result_kind == JR_NUMBER_SIGNED || result_kind == JR_NUMBER_UNSIGNED);
}

static jitrun_error_t *check_dtypes(const jitrun_call_t *call,
                                    const struct jr_reduction *reduction,
                                    const jitrun_type_t *const *types) {
  jitrun_dtype_t data = (jitrun_dtype_t)types[ARG_DATA]->dtype;
  jitrun_dtype_t result = (jitrun_dtype_t)types[ARG_RESULT]->dtype;
  enum jr_number_kind kind = jr_dtype_number_kind(data);
  bool is_float = kind == JR_NUMBER_REAL || kind == JR_NUMBER_COMPLEX;
  bool can_reduce = reduction->reducer < JR_REDUCE_AND || !is_float;
  if (kind == JR_NUMBER_COMPLEX)
    can_reduce = reduction->reducer == JR_REDUCE_SUM;
  if (reduction->is_mean && !is_float)
    can_reduce = false;
  if (!can_reduce)
    return jr_call_error(
        call, JITRUN_INVALID_ARGUMENT,
        "%s: elements of %s have no %s; integers have all but mean, floats "
        "all but and, or and xor, complex numbers sum and mean",
        call->site->target, jr_dtype_name(data),
        call->attrs[ATTR_REDUCTION].value.string);
  if (can_hold(reduction, data, result))
    return NULL;
  return jr_call_error(
      call, JITRUN_INVALID_ARGUMENT,
      "%s: 'data' has elements of %s, 'result' of %s; sums and products of "
      "integers may be any integers, and of floats of less than 32 bits f32, "
      "all else has the type of 'data'",
      call->site->target, jr_dtype_name(data), jr_dtype_name(result));
}

/// The dimension of the result that is dimension `i` of the data, or NULL.
static const int64_t *find_result(const struct jr_reduction *reduction,
                                  uint32_t i, const int64_t *of_result) {
  if (reduction->is_kept)
    return &of_result[i];
  if (reduction->is_reduced[i])
    return NULL;
  for (uint32_t j = 0; j < i; j++)
    of_result += !reduction->is_reduced[j];
  return of_result;
}

static jitrun_error_t *check_dims(const jitrun_call_t *call,
                                  struct jr_reduction *reduction,
                                  const jitrun_type_t *const *types) {
  uint32_t rank = types[ARG_DATA]->rank;
  uint32_t least = 0;
  for (uint32_t i = 0; i < rank; i++)
    least += !reduction->is_reduced[i];
  reduction->is_kept = types[ARG_RESULT]->rank == rank;
  if (!reduction->is_kept && types[ARG_RESULT]->rank != least)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: 'result' has rank %u; it must be %u, without the "
                         "dimensions of 'data' that are reduced, or %u",
                         call->site->target, types[ARG_RESULT]->rank, least,
                         rank);
  const int64_t *dims = jitrun_type_dims(types[ARG_RESULT]);
  for (uint32_t i = 0; i < rank; i++) {
    const int64_t *found = find_result(reduction, i, dims);
    int64_t needed =
        reduction->is_reduced[i] ? 1 : jitrun_type_dims(types[ARG_DATA])[i];
    if (found && *found != needed && *found != JITRUN_DYNAMIC &&
        needed != JITRUN_DYNAMIC)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: dimension %td of 'result' is %" PRId64
                           "; it must be %" PRId64,
                           call->site->target, found - dims, *found, needed);
  }
  return NULL;
}

/// The least and largest of nothing is nothing.
static jitrun_error_t *check_empty(const jitrun_call_t *call,
                                   const struct jr_reduction *reduction,
                                   const jitrun_type_t *data) {
  bool is_empty = false;
  for (uint32_t i = 0; i < data->rank; i++) {
    bool is_none = jitrun_type_dims(data)[i] == 0;
    if (is_none && !reduction->is_reduced[i])
      return NULL;
    is_empty = is_empty || is_none;
  }
  if (!is_empty || (reduction->reducer != JR_REDUCE_MIN &&
                    reduction->reducer != JR_REDUCE_MAX))
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: a dimension of 'data' that is reduced is 0; there "
                       "must be elements to take the %s of",
                       call->site->target,
                       call->attrs[ATTR_REDUCTION].value.string);
}

static jitrun_error_t *check_all(const jitrun_call_t *call,
                                 const jitrun_type_t *const *types,
                                 struct jr_reduction *reduction) {
  jitrun_error_t *error = read_reduction(call, reduction);
  if (!error)
    error = read_dimensions(call, types[ARG_DATA]->rank, reduction);
  if (!error)
    error = check_dtypes(call, reduction, types);
  if (!error)
    error = check_dims(call, reduction, types);
  return error ? error : check_empty(call, reduction, types[ARG_DATA]);
}

static jitrun_error_t *check(jitrun_call_t *call) {
  struct jr_reduction reduction;
  memset(&reduction, 0, sizeof reduction);
  return check_all(call, call->site->types, &reduction);
}

static jitrun_error_t *execute(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  const jitrun_type_t *types[] = {args[ARG_DATA].type, args[ARG_RESULT].type};
  struct jr_reduction reduction;
  memset(&reduction, 0, sizeof reduction);
  jitrun_error_t *error = check_all(call, types, &reduction);
  return error ? error
               : jr_reduction_run(call, &reduction, &args[ARG_DATA],
                                  &args[ARG_RESULT]);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.reduce",
     .platform = "host",
     .summary = "sums, products and the like over dimensions",
     .signature = &signature,
     .execute = execute,
     .instantiate = check},
};

JR_PART(reduce, calls, false);

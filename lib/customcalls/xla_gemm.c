/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `xla.gpu.gemm`: out = alpha * lhs * rhs + beta * out, where the attribute
/// `dot_dims` says which dimensions are counted along (batch) and which are
/// summed over (contracted). The rest of lhs are the rows of out, the rest of
/// rhs its columns, behind the batch. Each group of dimensions is taken as one
/// axis of a matrix.
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/multiply.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MATRIX                                                                 \
  .kind = JITRUN_KIND_BUFFER, .max_rank = JR_MAX_RANK,                         \
  .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F16) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_BF16) |                                 \
            JITRUN_DTYPES(JITRUN_DTYPE_F32) | JITRUN_DTYPES(JITRUN_DTYPE_F64)

static const jitrun_param_t gemm_args[] = {[JR_LEFT] = {.name = "lhs", MATRIX},
                                           [JR_RIGHT] = {.name = "rhs", MATRIX},
                                           [JR_OUT] = {.name = "out", MATRIX}};

enum {
  ATTR_ALGORITHM,
  ATTR_ALPHA_IMAG,
  ATTR_ALPHA_REAL,
  ATTR_BETA,
  ATTR_DOT_DIMS,
  ATTR_PRECISION,
  ATTR_UID,
  ATTR_COUNT
};

/// The algorithm and the precision are for GPUs.
static const jitrun_attr_param_t gemm_attrs[] = {
    [ATTR_ALGORITHM] = {.name = "algorithm", JR_XLA_SCALAR(S64)},
    [ATTR_ALPHA_IMAG] = {.name = "alpha_imag", JR_XLA_SCALAR(F64)},
    [ATTR_ALPHA_REAL] = {.name = "alpha_real", JR_XLA_SCALAR(F64)},
    [ATTR_BETA] = {.name = "beta", JR_XLA_SCALAR(F64)},
    [ATTR_DOT_DIMS] = {.name = "dot_dims", .kind = JITRUN_ATTR_DICT},
    [ATTR_PRECISION] = {.name = "precision", JR_XLA_OF(S32), JR_XLA_OPTIONAL},
    [ATTR_UID] = {.name = "uid", JR_XLA_SCALAR(S64), JR_XLA_OPTIONAL}};

const jitrun_signature_t jr_xla_gemm_types = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .args = gemm_args,
                                              .arg_count = JR_MATRIX_COUNT,
                                              .attrs = gemm_attrs,
                                              .attr_count = ATTR_COUNT};

/// Dimensions of an operand, in order.
struct group {
  uint8_t dims[JR_MAX_RANK];
  uint32_t count;
};

enum { ROWS, COLUMNS, BATCH, GROUP_COUNT };

/// The state of a site.
struct gemm {
  struct group groups[JR_MATRIX_COUNT][GROUP_COUNT];
  double alpha, beta;
};

/// Two groups whose sizes must agree.
struct pair {
  int operands[2], groups[2];
};

static const struct pair pairs[] = {{{JR_LEFT, JR_OUT}, {BATCH, BATCH}},
                                    {{JR_RIGHT, JR_OUT}, {BATCH, BATCH}},
                                    {{JR_LEFT, JR_RIGHT}, {COLUMNS, ROWS}},
                                    {{JR_LEFT, JR_OUT}, {ROWS, ROWS}},
                                    {{JR_RIGHT, JR_OUT}, {COLUMNS, COLUMNS}}};

static jitrun_error_t *check_dtypes(const jitrun_call_t *call) {
  const jitrun_type_t *const *types = call->site->types;
  jitrun_dtype_t lhs = (jitrun_dtype_t)types[JR_LEFT]->dtype;
  jitrun_dtype_t rhs = (jitrun_dtype_t)types[JR_RIGHT]->dtype;
  jitrun_dtype_t out = (jitrun_dtype_t)types[JR_OUT]->dtype;
  bool is_wider = out == JITRUN_DTYPE_F32 && lhs != JITRUN_DTYPE_F64;
  if (lhs == rhs && (lhs == out || is_wider))
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'lhs' has elements of %s, 'rhs' of %s, 'out' of "
                       "%s; all must be of one type, but 'out' may be f32 "
                       "where the others are f16 or bf16",
                       call->site->target, jr_dtype_name(lhs),
                       jr_dtype_name(rhs), jr_dtype_name(out));
}

/// The entry of that name; NULL where the dictionary has none.
static const jitrun_attr_t *find_item(const jitrun_attr_t *dict,
                                      const char *name) {
  for (uint64_t i = 0; i < dict->count; i++)
    if (strcmp(dict->value.items[i].name, name) == 0)
      return &dict->value.items[i];
  return NULL;
}

/// Reads dimensions of an operand of `rank`; `used` has a bit for each that is
/// in a group already.
static jitrun_error_t *read_group(const jitrun_call_t *call, const char *name,
                                  uint32_t rank, uint32_t *used,
                                  struct group *group) {
  const jitrun_attr_t *item = find_item(&call->attrs[ATTR_DOT_DIMS], name);
  if (!item)
    return NULL;
  bool is_list =
      item->kind == JITRUN_ATTR_ARRAY || item->kind == JITRUN_ATTR_TENSOR;
  if (!is_list || (item->count > 0 && item->dtype != JITRUN_DTYPE_S64))
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: '%s' of attribute 'dot_dims' must be an array of "
                         "i64",
                         call->site->target, name);
  const int64_t *dims = item->value.data;
  for (uint64_t i = 0; i < item->count; i++) {
    if (dims[i] < 0 || dims[i] >= rank || (*used & 1u << dims[i]) != 0)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: dimension %" PRId64 " in '%s' of attribute "
                           "'dot_dims' is none of the %u of that operand, or "
                           "is there twice",
                           call->site->target, dims[i], name, rank);
    *used |= 1u << dims[i];
    group->dims[group->count++] = (uint8_t)dims[i];
  }
  return NULL;
}

/// Puts the next `count` dimensions that are in no group into this one.
static void take_rest(struct group *group, uint32_t rank, uint32_t count,
                      uint32_t *used) {
  for (uint32_t i = 0; i < rank && group->count < count; i++) {
    if ((*used & 1u << i) != 0)
      continue;
    *used |= 1u << i;
    group->dims[group->count++] = (uint8_t)i;
  }
}

/// The groups of lhs or rhs.
static jitrun_error_t *read_operand(const jitrun_call_t *call, int operand,
                                    struct gemm *gemm) {
  static const char *const names[][2] = {{"lhs_batch", "lhs_contract"},
                                         {"rhs_batch", "rhs_contract"}};
  struct group *groups = gemm->groups[operand];
  uint32_t rank = call->site->types[operand]->rank;
  uint32_t used = 0;
  jitrun_error_t *error =
      read_group(call, names[operand][0], rank, &used, &groups[BATCH]);
  if (!error)
    error = read_group(call, names[operand][1], rank, &used,
                       &groups[operand == JR_LEFT ? COLUMNS : ROWS]);
  if (!error)
    take_rest(&groups[operand == JR_LEFT ? ROWS : COLUMNS], rank, rank, &used);
  return error;
}

static void split_result(struct gemm *gemm, uint32_t rank) {
  struct group(*groups)[GROUP_COUNT] = gemm->groups;
  uint32_t used = 0;
  take_rest(&groups[JR_OUT][BATCH], rank, groups[JR_LEFT][BATCH].count, &used);
  take_rest(&groups[JR_OUT][ROWS], rank, groups[JR_LEFT][ROWS].count, &used);
  take_rest(&groups[JR_OUT][COLUMNS], rank, rank, &used);
}

static jitrun_error_t *refuse_sizes(const jitrun_call_t *call,
                                    const jitrun_type_t *const *types) {
  struct jr_bytes text = {0};
  for (int i = 0; i < JR_MATRIX_COUNT; i++) {
    jr_bytes_appendf(&text, "%s '%s': ", i > 0 ? "," : "", gemm_args[i].name);
    jr_type_format(&text, types[i]);
  }
  const char *found = jr_bytes_text(&text);
  jitrun_error_t *error = jr_call_error(
      call, JITRUN_INVALID_ARGUMENT,
      "%s: the shapes do not fit with 'dot_dims': batch and contracted "
      "dimensions of 'lhs' and 'rhs' must have the same sizes, and 'out' the "
      "batch, the rest of 'lhs', then the rest of 'rhs'; found%s",
      call->site->target, found ? found : "");
  jr_bytes_deinit(&text);
  return error;
}

/// Sizes that are not known yet agree with any.
static bool agree(const struct gemm *gemm, const struct pair *pair,
                  const jitrun_type_t *const *types) {
  const struct group *a = &gemm->groups[pair->operands[0]][pair->groups[0]];
  const struct group *b = &gemm->groups[pair->operands[1]][pair->groups[1]];
  const int64_t *a_sizes = jitrun_type_dims(types[pair->operands[0]]);
  const int64_t *b_sizes = jitrun_type_dims(types[pair->operands[1]]);
  if (a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; i++) {
    int64_t a_size = a_sizes[a->dims[i]];
    int64_t b_size = b_sizes[b->dims[i]];
    if (a_size != b_size && a_size != JITRUN_DYNAMIC &&
        b_size != JITRUN_DYNAMIC)
      return false;
  }
  return true;
}

static jitrun_error_t *check_sizes(const jitrun_call_t *call,
                                   const struct gemm *gemm,
                                   const jitrun_type_t *const *types) {
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
    if (!agree(gemm, &pairs[i], types))
      return refuse_sizes(call, types);
  return NULL;
}

static jitrun_error_t *read_scales(const jitrun_call_t *call,
                                   struct gemm *gemm) {
  double imag = call->attrs[ATTR_ALPHA_IMAG].value.f64;
  gemm->alpha = call->attrs[ATTR_ALPHA_REAL].value.f64;
  gemm->beta = call->attrs[ATTR_BETA].value.f64;
  if (imag == 0)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'alpha_imag' is %g; elements are real, so it must "
                       "be 0",
                       call->site->target, imag);
}

static jitrun_error_t *init_gemm(const jitrun_call_t *call, struct gemm *gemm) {
  const jitrun_type_t *const *types = call->site->types;
  jitrun_error_t *error = check_dtypes(call);
  if (!error)
    error = read_scales(call, gemm);
  if (!error)
    error = read_operand(call, JR_LEFT, gemm);
  if (!error)
    error = read_operand(call, JR_RIGHT, gemm);
  if (error)
    return error;
  split_result(gemm, types[JR_OUT]->rank);
  return check_sizes(call, gemm, types);
}

jitrun_error_t *jr_xla_gemm_create(jitrun_call_t *call) {
  struct gemm gemm = {.alpha = 0};
  jitrun_error_t *error = init_gemm(call, &gemm);
  return error ? error : jr_call_keep(call, &gemm, sizeof(gemm));
}

/// A group as one axis: false when no single step leads along it.
static bool join_group(const struct group *group, const jitrun_type_t *type,
                       int64_t *out_size, int64_t *out_stride) {
  *out_size = 1;
  *out_stride = 1;
  for (uint32_t i = group->count; i-- > 0;) {
    int64_t size = jitrun_type_dims(type)[group->dims[i]];
    int64_t stride = jitrun_type_strides(type)[group->dims[i]];
    if (size == 1)
      continue;
    if (*out_size == 1)
      *out_stride = stride;
    else if (size != 0 && stride != *out_size * *out_stride)
      return false;
    *out_size *= size;
    if (size == 0)
      return true;
  }
  return true;
}

static jitrun_error_t *init_matrix(jitrun_call_t *call, int operand,
                                   struct jr_matrix *matrix) {
  const struct gemm *gemm = call->state;
  const jitrun_arg_t *arg = &jitrun_call_args(call)[operand];
  *matrix = (struct jr_matrix){.name = gemm_args[operand].name,
                               .data = arg->value.data,
                               .dtype = (jitrun_dtype_t)arg->type->dtype};
  for (int axis = ROWS; axis <= COLUMNS; axis++)
    if (!join_group(&gemm->groups[operand][axis], arg->type,
                    &matrix->dims[axis], &matrix->strides[axis]))
      return jr_call_error(call, JITRUN_UNIMPLEMENTED,
                           "%s: the dimensions of '%s' that are its %s are "
                           "apart in memory; copy it to a dense buffer first",
                           call->site->target, matrix->name,
                           axis == ROWS ? "rows" : "columns");
  return NULL;
}

static void init_batch(jitrun_call_t *call, struct jr_batch *batch) {
  const struct gemm *gemm = call->state;
  batch->rank = gemm->groups[JR_OUT][BATCH].count;
  for (int i = 0; i < JR_MATRIX_COUNT; i++) {
    const struct group *group = &gemm->groups[i][BATCH];
    const jitrun_type_t *type = jitrun_call_args(call)[i].type;
    for (uint32_t k = 0; k < group->count; k++) {
      batch->dims[k] = jitrun_type_dims(type)[group->dims[k]];
      batch->strides[i][k] = jitrun_type_strides(type)[group->dims[k]];
    }
  }
}

jitrun_error_t *jr_xla_gemm(jitrun_call_t *call) {
  const struct gemm *gemm = call->state;
  const jitrun_arg_t *args = jitrun_call_args(call);
  const jitrun_type_t *types[JR_MATRIX_COUNT] = {
      args[JR_LEFT].type, args[JR_RIGHT].type, args[JR_OUT].type};
  struct jr_product product = {.alpha = gemm->alpha, .beta = gemm->beta};
  struct jr_batch batch;
  jitrun_error_t *error = check_sizes(call, gemm, types);
  for (int i = 0; i < JR_MATRIX_COUNT && !error; i++)
    error = init_matrix(call, i, &product.matrices[i]);
  if (error)
    return error;
  init_batch(call, &batch);
  return jr_multiply(call, product, &batch);
}

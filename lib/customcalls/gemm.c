/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.gemm`: c = alpha * op(a) * op(b) + beta * c, of matrices of any
/// layout. Dimensions of c before the last two are a batch, which a and b have
/// as well, or not: then all products have that matrix.
#include "base/bytes.h"
#include "base/cpu.h"
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/multiply.h"
#include "customcalls/own_gemm.h"
#include "customcalls/parts.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_A, ARG_B, ARG_C, ARG_COUNT };
enum { ATTR_ALPHA, ATTR_BETA, ATTR_TRANSPOSE_A, ATTR_TRANSPOSE_B, ATTR_COUNT };

#define FLOATS                                                                 \
  (JITRUN_DTYPES(JITRUN_DTYPE_F32) | JITRUN_DTYPES(JITRUN_DTYPE_F64))
#define MATRIX                                                                 \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 2, .max_rank = JR_MAX_RANK,          \
  .dtypes = FLOATS
#define OPTIONAL_SCALAR .kind = JITRUN_ATTR_SCALAR, .flags = JITRUN_OPTIONAL

static const jitrun_param_t gemm_args[ARG_COUNT] = {
    [ARG_A] = {.name = "a", MATRIX},
    [ARG_B] = {.name = "b", MATRIX},
    [ARG_C] = {.name = "c", MATRIX}};

static const jitrun_attr_param_t gemm_attrs[ATTR_COUNT] = {
    [ATTR_ALPHA] = {.name = "alpha",
                    OPTIONAL_SCALAR,
                    .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)},
    [ATTR_BETA] = {.name = "beta",
                   OPTIONAL_SCALAR,
                   .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)},
    [ATTR_TRANSPOSE_A] = {.name = "transpose_a",
                          OPTIONAL_SCALAR,
                          .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_PRED)},
    [ATTR_TRANSPOSE_B] = {.name = "transpose_b",
                          OPTIONAL_SCALAR,
                          .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_PRED)}};

const jitrun_signature_t jr_gemm_signature = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .args = gemm_args,
                                              .attrs = gemm_attrs,
                                              .arg_count = ARG_COUNT,
                                              .attr_count = ATTR_COUNT};

/// What instantiate reads from the attributes; the state of a site.
struct gemm {
  double alpha, beta;
  bool transpose_a, transpose_b;
  bool is_checked; ///< all sizes are known, and fit
  bool is_small;   ///< all is known, and `small` is it but for the addresses
  struct jr_gemm small;
};

static bool differ(int64_t a, int64_t b) {
  return a != b && a != JITRUN_DYNAMIC && b != JITRUN_DYNAMIC;
}

/// Appends "MxK" with ? for a size that is not known.
static void format_shape(struct jr_bytes *text, const char *name,
                         const jitrun_type_t *type, bool is_transposed) {
  jr_bytes_appendf(text, "%s '%s'%s: ", text->size > 0 ? "," : "", name,
                   is_transposed ? " (to be transposed)" : "");
  jr_type_format(text, type);
}

static jitrun_error_t *refuse_shapes(const jitrun_call_t *call,
                                     const struct gemm *gemm,
                                     const jitrun_type_t *const *types) {
  struct jr_bytes text = {0};
  format_shape(&text, "a", types[ARG_A], gemm->transpose_a);
  format_shape(&text, "b", types[ARG_B], gemm->transpose_b);
  format_shape(&text, "c", types[ARG_C], false);
  const char *shapes = jr_bytes_text(&text);
  jitrun_error_t *error = jr_call_error(
      call, JITRUN_INVALID_ARGUMENT,
      "%s: the shapes do not fit: needed are MxK, KxN and MxN, the last with "
      "or without a batch before it, which 'a' and 'b' have as well or not; "
      "found%s",
      call->site->target, shapes ? shapes : "");
  jr_bytes_deinit(&text);
  return error;
}

/// The sizes of the matrix: the last two.
static const int64_t *matrix_dims(const jitrun_type_t *type) {
  return jitrun_type_dims(type) + type->rank - 2;
}

/// True where 'a' or 'b' has no batch, or that of 'c'.
static bool has_batch_of(const jitrun_type_t *type, const jitrun_type_t *c) {
  for (uint32_t i = 0; type->rank == c->rank && i + 2 < c->rank; i++)
    if (differ(jitrun_type_dims(type)[i], jitrun_type_dims(c)[i]))
      return false;
  return type->rank == c->rank || type->rank == 2;
}

/// M, N, K and batches must agree where two operands have them.
static jitrun_error_t *check_shapes(const jitrun_call_t *call,
                                    const struct gemm *gemm,
                                    const jitrun_type_t *const *types) {
  const int64_t *a = matrix_dims(types[ARG_A]);
  const int64_t *b = matrix_dims(types[ARG_B]);
  const int64_t *c = matrix_dims(types[ARG_C]);
  if (!has_batch_of(types[ARG_A], types[ARG_C]) ||
      !has_batch_of(types[ARG_B], types[ARG_C]) ||
      differ(a[gemm->transpose_a ? 1 : 0], c[0]) ||
      differ(b[gemm->transpose_b ? 0 : 1], c[1]) ||
      differ(a[gemm->transpose_a ? 0 : 1], b[gemm->transpose_b ? 1 : 0]))
    return refuse_shapes(call, gemm, types);
  return NULL;
}

static jitrun_error_t *check_dtypes(const jitrun_call_t *call) {
  const jitrun_type_t *const *types = call->site->types;
  if (types[ARG_A]->dtype == types[ARG_C]->dtype &&
      types[ARG_B]->dtype == types[ARG_C]->dtype)
    return NULL;
  return jr_call_error(
      call, JITRUN_INVALID_ARGUMENT,
      "%s: 'a' has elements of %s, 'b' of %s, 'c' of %s; all must be of one "
      "type",
      call->site->target, jr_dtype_name((jitrun_dtype_t)types[ARG_A]->dtype),
      jr_dtype_name((jitrun_dtype_t)types[ARG_B]->dtype),
      jr_dtype_name((jitrun_dtype_t)types[ARG_C]->dtype));
}

static bool all_known(const jitrun_type_t *const *types) {
  for (int i = 0; i < ARG_COUNT; i++)
    for (uint32_t k = 0; k < types[i]->rank; k++)
      if (jitrun_type_dims(types[i])[k] == JITRUN_DYNAMIC)
        return false;
  return true;
}

/// What a small product of static types is, so that each call is only that.
static void find_small(const jitrun_type_t *const *types, struct gemm *gemm) {
  struct jr_gemm small = {.alpha = gemm->alpha, .beta = gemm->beta};
  ptrdiff_t *strides[ARG_COUNT] = {small.a_strides, small.b_strides,
                                   small.c_strides};
  const bool is_turned[ARG_COUNT] = {gemm->transpose_a, gemm->transpose_b,
                                     false};
  for (int i = 0; i < ARG_COUNT; i++) {
    const int64_t *found = jitrun_type_strides(types[i]);
    if (types[i]->rank != 2 || found[0] == JITRUN_DYNAMIC ||
        found[1] == JITRUN_DYNAMIC)
      return;
    strides[i][0] = found[is_turned[i] ? 1 : 0];
    strides[i][1] = found[is_turned[i] ? 0 : 1];
  }
  small.m = matrix_dims(types[ARG_C])[0];
  small.n = matrix_dims(types[ARG_C])[1];
  small.k = matrix_dims(types[ARG_A])[gemm->transpose_a ? 0 : 1];
  gemm->is_small = gemm->is_checked && jr_gemm_is_small(&small);
  gemm->small = small;
}

/// The product of a call whose state has it.
static void multiply_small(const jitrun_call_t *call, const struct gemm *gemm,
                           const jitrun_arg_t *args) {
  struct jr_gemm small = gemm->small;
  small.a = args[ARG_A].value.data;
  small.b = args[ARG_B].value.data;
  small.c = args[ARG_C].value.data;
  if (call->site->types[ARG_C]->dtype == JITRUN_DTYPE_F32)
    jr_own_sgemm(jr_cpu_vectors(), &small, NULL);
  else
    jr_own_dgemm(jr_cpu_vectors(), &small, NULL);
}

static void read_attrs(const jitrun_call_t *call, struct gemm *gemm) {
  const jitrun_attr_t *attrs = call->attrs;
  *gemm = (struct gemm){.alpha = 1};
  if (attrs[ATTR_ALPHA].kind != JITRUN_ATTR_ABSENT)
    gemm->alpha = attrs[ATTR_ALPHA].value.f64;
  if (attrs[ATTR_BETA].kind != JITRUN_ATTR_ABSENT)
    gemm->beta = attrs[ATTR_BETA].value.f64;
  if (attrs[ATTR_TRANSPOSE_A].kind != JITRUN_ATTR_ABSENT)
    gemm->transpose_a = attrs[ATTR_TRANSPOSE_A].value.pred;
  if (attrs[ATTR_TRANSPOSE_B].kind != JITRUN_ATTR_ABSENT)
    gemm->transpose_b = attrs[ATTR_TRANSPOSE_B].value.pred;
}

jitrun_error_t *jr_gemm_instantiate(jitrun_call_t *call) {
  struct gemm gemm;
  read_attrs(call, &gemm);
  jitrun_error_t *error = check_dtypes(call);
  if (!error)
    error = check_shapes(call, &gemm, call->site->types);
  gemm.is_checked = all_known(call->site->types);
  if (!error)
    find_small(call->site->types, &gemm);
  return error ? error : jr_call_keep(call, &gemm, sizeof(gemm));
}

/// An operand, or its transpose.
static struct jr_matrix read_matrix(const jitrun_arg_t *arg, uint32_t index,
                                    bool is_transposed) {
  const int64_t *dims = matrix_dims(arg->type);
  const int64_t *strides = jitrun_type_strides(arg->type) + arg->type->rank - 2;
  int row = is_transposed ? 1 : 0;
  return (struct jr_matrix){.name = gemm_args[index].name,
                            .data = arg->value.data,
                            .dims = {dims[row], dims[1 - row]},
                            .strides = {strides[row], strides[1 - row]},
                            .dtype = (jitrun_dtype_t)arg->type->dtype};
}

/// The batch of c; a matrix that has none stays where it is.
static void read_batch(const jitrun_arg_t *args, struct jr_batch *batch) {
  const jitrun_type_t *c = args[ARG_C].type;
  batch->rank = c->rank - 2;
  for (int arg = 0; arg < ARG_COUNT; arg++) {
    const jitrun_type_t *type = args[arg].type;
    for (uint32_t i = 0; i < batch->rank; i++) {
      batch->dims[i] = jitrun_type_dims(c)[i];
      batch->strides[arg][i] =
          type->rank == c->rank ? jitrun_type_strides(type)[i] : 0;
    }
  }
}

jitrun_error_t *jr_gemm_execute(jitrun_call_t *call) {
  const struct gemm *gemm = call->state;
  const jitrun_arg_t *args = jitrun_call_args(call);
  if (gemm->is_small) {
    multiply_small(call, gemm, args);
    return NULL;
  }
  const jitrun_type_t *types[ARG_COUNT] = {args[ARG_A].type, args[ARG_B].type,
                                           args[ARG_C].type};
  if (!gemm->is_checked)
    JITRUN_TRY(check_shapes(call, gemm, types));
  struct jr_product product = {
      .matrices = {read_matrix(&args[ARG_A], ARG_A, gemm->transpose_a),
                   read_matrix(&args[ARG_B], ARG_B, gemm->transpose_b),
                   read_matrix(&args[ARG_C], ARG_C, false)},
      .alpha = gemm->alpha,
      .beta = gemm->beta};
  struct jr_batch batch;
  read_batch(args, &batch);
  return jr_multiply(call, product, &batch);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.gemm",
     .platform = "host",
     .summary = "c = alpha * op(a) * op(b) + beta * c",
     .signature = &jr_gemm_signature,
     .execute = jr_gemm_execute,
     .instantiate = jr_gemm_instantiate,
     .destroy_state = free},
};

JR_PART(gemm, calls, false);

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.gemm`: c = alpha * op(a) * op(b) + beta * c. A matrix whose elements
/// are next to each other along either axis goes to BLAS as it is: the layout
/// is chosen so that c fits, and a or b of the other layout is passed as a
/// transpose. Any other strides are copied to and from packed memory.
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "customcalls/blas.h"
#include "customcalls/builtins.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <limits.h>
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
  .kind = JITRUN_KIND_BUFFER, .min_rank = 2, .max_rank = 2, .dtypes = FLOATS
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
  struct jr_blas blas;
};

/// A matrix as it lies in memory.
struct matrix {
  char *data;
  int64_t dims[2];
  int64_t strides[2]; ///< in elements
};

/// The three of a call, and the sizes of the product.
struct product {
  struct matrix matrices[ARG_COUNT];
  int64_t m, n, k;
  size_t element_bytes;
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
      "%s: the shapes do not fit: needed are MxK, KxN and MxN; found%s",
      call->site->target, shapes ? shapes : "");
  jr_bytes_deinit(&text);
  return error;
}

/// M, N and K must agree where two operands have them, and fit into the 32 bits
/// that BLAS takes.
static jitrun_error_t *check_shapes(const jitrun_call_t *call,
                                    const struct gemm *gemm,
                                    const jitrun_type_t *const *types) {
  const int64_t *a = jitrun_type_dims(types[ARG_A]);
  const int64_t *b = jitrun_type_dims(types[ARG_B]);
  const int64_t *c = jitrun_type_dims(types[ARG_C]);
  if (differ(a[gemm->transpose_a ? 1 : 0], c[0]) ||
      differ(b[gemm->transpose_b ? 0 : 1], c[1]) ||
      differ(a[gemm->transpose_a ? 0 : 1], b[gemm->transpose_b ? 1 : 0]))
    return refuse_shapes(call, gemm, types);
  for (uint32_t i = 0; i < 2 * ARG_COUNT; i++) {
    int64_t size = jitrun_type_dims(types[i / 2])[i % 2];
    if (size > INT_MAX)
      return jr_call_error(
          call, JITRUN_INVALID_ARGUMENT,
          "%s: dimension %u of '%s' is %" PRId64 "; BLAS takes at most %d",
          call->site->target, i % 2, gemm_args[i / 2].name, size, INT_MAX);
  }
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

static jitrun_error_t *open_blas(const jitrun_call_t *call,
                                 struct jr_blas *out_blas) {
  struct jr_bytes tried = {0};
  jitrun_error_t *error = NULL;
  if (!jr_blas_open(out_blas, &tried)) {
    const char *text = jr_bytes_text(&tried);
    error = jr_call_error(
        call, JITRUN_UNAVAILABLE,
        "%s needs a BLAS library with the C interface, and none could be "
        "opened: %s; on Debian, install libopenblas0-serial",
        call->site->target, text ? text : "out of memory");
  }
  jr_bytes_deinit(&tried);
  return error;
}

jitrun_error_t *jr_gemm_instantiate(jitrun_call_t *call) {
  struct gemm gemm;
  read_attrs(call, &gemm);
  jitrun_error_t *error = check_dtypes(call);
  if (!error)
    error = check_shapes(call, &gemm, call->site->types);
  if (!error)
    error = open_blas(call, &gemm.blas);
  if (error)
    return error;
  call->state = jr_malloc(sizeof(gemm));
  if (!call->state)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  memcpy(call->state, &gemm, sizeof(gemm));
  return NULL;
}

void jr_gemm_destroy(void *state) {
  free(state);
}

static struct matrix read_matrix(const jitrun_arg_t *arg) {
  const int64_t *dims = jitrun_type_dims(arg->type);
  const int64_t *strides = jitrun_type_strides(arg->type);
  return (struct matrix){
      arg->value.data, {dims[0], dims[1]}, {strides[0], strides[1]}};
}

static void init_product(struct product *product, const struct gemm *gemm,
                         const jitrun_arg_t *args) {
  for (uint32_t i = 0; i < ARG_COUNT; i++)
    product->matrices[i] = read_matrix(&args[i]);
  product->m = product->matrices[ARG_C].dims[0];
  product->n = product->matrices[ARG_C].dims[1];
  product->k = product->matrices[ARG_A].dims[gemm->transpose_a ? 0 : 1];
  product->element_bytes =
      jr_dtype_size((jitrun_dtype_t)args[ARG_C].type->dtype);
}

/// The leading dimension of a matrix whose elements are contiguous along axis
/// `fast`, or 0 when they are not. Strides of axes of one element do not count.
static int find_leading(const struct matrix *matrix, int fast) {
  int64_t fast_dim = matrix->dims[fast];
  int64_t least = fast_dim > 1 ? fast_dim : 1;
  if (fast_dim > 1 && matrix->strides[fast] != 1)
    return 0;
  int64_t leading =
      matrix->dims[1 - fast] > 1 ? matrix->strides[1 - fast] : least;
  return leading >= least && leading <= INT_MAX ? (int)leading : 0;
}

static bool fits_blas(const struct matrix *matrix) {
  return find_leading(matrix, 1) != 0 || find_leading(matrix, 0) != 0;
}

static void copy_matrix(const struct matrix *to, const struct matrix *from,
                        size_t element_bytes) {
  jr_copy_elements(&(struct jr_copy){.to = to->data,
                                     .from = from->data,
                                     .dims = to->dims,
                                     .to_strides = to->strides,
                                     .from_strides = from->strides,
                                     .rank = 2,
                                     .element_bytes = element_bytes});
}

/// Replaces a matrix that BLAS cannot take by a packed copy, owned by the
/// caller through `out_memory`; false when there is no memory.
static bool pack_matrix(struct matrix *matrix, size_t element_bytes,
                        void **out_memory) {
  if (fits_blas(matrix))
    return true;
  size_t count = (size_t)matrix->dims[0] * (size_t)matrix->dims[1];
  if (count > SIZE_MAX / element_bytes)
    return false;
  *out_memory = jr_malloc_aligned(64, count * element_bytes);
  if (!*out_memory)
    return false;
  int64_t width = matrix->dims[1];
  struct matrix packed = {
      *out_memory, {matrix->dims[0], width}, {width > 0 ? width : 1, 1}};
  copy_matrix(&packed, matrix, element_bytes);
  *matrix = packed;
  return true;
}

/// How BLAS is to read an operand in a layout where axis `fast` is contiguous.
static int choose_transpose(const struct matrix *matrix, int fast,
                            bool is_transposed, int *out_leading) {
  *out_leading = find_leading(matrix, fast);
  if (*out_leading == 0) {
    *out_leading = find_leading(matrix, 1 - fast);
    is_transposed = !is_transposed;
  }
  return is_transposed ? JR_BLAS_TRANS : JR_BLAS_NO_TRANS;
}

/// All three matrices fit.
static void call_blas(const struct gemm *gemm, const struct product *product) {
  const struct matrix *a = &product->matrices[ARG_A];
  const struct matrix *b = &product->matrices[ARG_B];
  const struct matrix *c = &product->matrices[ARG_C];
  int lda = 0;
  int ldb = 0;
  int ldc = find_leading(c, 1);
  int fast = ldc != 0 ? 1 : 0;
  if (ldc == 0)
    ldc = find_leading(c, 0);
  int layout = fast == 1 ? JR_BLAS_ROW_MAJOR : JR_BLAS_COL_MAJOR;
  int trans_a = choose_transpose(a, fast, gemm->transpose_a, &lda);
  int trans_b = choose_transpose(b, fast, gemm->transpose_b, &ldb);
  int m = (int)product->m;
  int n = (int)product->n;
  int k = (int)product->k;
  if (product->element_bytes == sizeof(float))
    gemm->blas.sgemm(layout, trans_a, trans_b, m, n, k, (float)gemm->alpha,
                     (const float *)(const void *)a->data, lda,
                     (const float *)(const void *)b->data, ldb,
                     (float)gemm->beta, (float *)(void *)c->data, ldc);
  else
    gemm->blas.dgemm(layout, trans_a, trans_b, m, n, k, gemm->alpha,
                     (const double *)(const void *)a->data, lda,
                     (const double *)(const void *)b->data, ldb, gemm->beta,
                     (double *)(void *)c->data, ldc);
}

/// Packs what must be packed, multiplies, and brings c back.
static jitrun_error_t *multiply(const jitrun_call_t *call,
                                const struct gemm *gemm,
                                struct product *product) {
  void *memory[ARG_COUNT] = {NULL};
  struct matrix result = product->matrices[ARG_C];
  jitrun_error_t *error = NULL;
  for (uint32_t i = 0; i < ARG_COUNT && !error; i++)
    if (!pack_matrix(&product->matrices[i], product->element_bytes, &memory[i]))
      error = jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                            "%s: out of memory for a packed copy of '%s'",
                            call->site->target, gemm_args[i].name);
  if (!error) {
    call_blas(gemm, product);
    if (memory[ARG_C])
      copy_matrix(&result, &product->matrices[ARG_C], product->element_bytes);
  }
  for (uint32_t i = 0; i < ARG_COUNT; i++)
    free(memory[i]);
  return error;
}

jitrun_error_t *jr_gemm_execute(jitrun_call_t *call) {
  const struct gemm *gemm = call->state;
  const jitrun_arg_t *args = jitrun_call_args(call);
  const jitrun_type_t *types[ARG_COUNT] = {args[ARG_A].type, args[ARG_B].type,
                                           args[ARG_C].type};
  jitrun_error_t *error = check_shapes(call, gemm, types);
  if (error)
    return error;
  struct product product;
  init_product(&product, gemm, args);
  return product.m > 0 && product.n > 0 ? multiply(call, gemm, &product) : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `xla.gpu.memcpy.*` and `xla.gpu.memset`: on the host there is one memory, so
/// the directions are one call. A fill is of 32 bits at a time, as a device
/// does it, which shows in what it refuses.
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const jitrun_param_t memcpy_args[] = {{.name = "dst", JR_XLA_BUFFER},
                                             {.name = "src", JR_XLA_BUFFER}};

const jitrun_signature_t jr_xla_memcpy_types = {
    .size = sizeof(jitrun_signature_t), .args = memcpy_args, .arg_count = 2};

static bool differ(const int64_t *a, const int64_t *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i] && a[i] != JITRUN_DYNAMIC && b[i] != JITRUN_DYNAMIC)
      return true;
  return false;
}

/// What is not known yet agrees with anything.
static jitrun_error_t *check_layouts(const jitrun_call_t *call,
                                     const jitrun_type_t *dst,
                                     const jitrun_type_t *src) {
  const char *what = NULL;
  if (dst->rank != src->rank ||
      differ(jitrun_type_dims(dst), jitrun_type_dims(src), dst->rank))
    what = "sizes";
  else if (differ(jitrun_type_strides(dst), jitrun_type_strides(src),
                  dst->rank))
    what = "strides";
  if (!what)
    return NULL;
  struct jr_bytes types = {0};
  jr_type_format(&types, src);
  jr_bytes_append_text(&types, " and ");
  jr_type_format(&types, dst);
  const char *text = jr_bytes_text(&types);
  jitrun_error_t *error =
      jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                    "Source memref %s do not match destination memref %s: %s",
                    what, what, text ? text : "");
  jr_bytes_deinit(&types);
  return error;
}

jitrun_error_t *jr_xla_memcpy_check(jitrun_call_t *call) {
  const jitrun_type_t *dst = call->site->types[0];
  const jitrun_type_t *src = call->site->types[1];
  size_t dst_bytes = jr_dtype_size((jitrun_dtype_t)dst->dtype);
  size_t src_bytes = jr_dtype_size((jitrun_dtype_t)src->dtype);
  if (dst_bytes != src_bytes)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: elements of the source have %zu bytes, those of "
                         "the destination %zu; both must have one size",
                         call->site->target, src_bytes, dst_bytes);
  return check_layouts(call, dst, src);
}

jitrun_error_t *jr_xla_memcpy(jitrun_call_t *call) {
  const jitrun_arg_t *dst = jitrun_call_args(call);
  const jitrun_arg_t *src = dst + 1;
  jitrun_error_t *error = check_layouts(call, dst->type, src->type);
  if (error)
    return error;
  jr_copy_buffer(dst, src);
  return NULL;
}

/// Elements of a buffer in all.
static size_t count_elements(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  size_t count = 1;
  for (uint32_t i = 0; i < type->rank; i++)
    count *= dims[i] > 0 ? (size_t)dims[i] : 0;
  return count;
}

jitrun_error_t *jr_xla_fill(const jitrun_call_t *call, const jitrun_arg_t *to,
                            uint32_t pattern) {
  static const int64_t no_strides[JR_MAX_RANK];
  static const int64_t next[] = {1};
  const uint32_t element[] = {pattern, pattern, pattern, pattern};
  size_t element_bytes = jr_dtype_size((jitrun_dtype_t)to->type->dtype);
  size_t size_bytes = count_elements(to->type) * element_bytes;
  if (pattern != 0 && size_bytes % sizeof(pattern) != 0)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "Memref size is not divisible by 4: it is %zu bytes",
                         size_bytes);
  struct jr_copy copy = {.to = to->value.data,
                         .from = (const char *)element,
                         .dims = jitrun_type_dims(to->type),
                         .to_strides = jitrun_type_strides(to->type),
                         .from_strides = no_strides,
                         .rank = to->type->rank,
                         .element_bytes = element_bytes};
  // smaller elements in one piece take turns at the parts of the value
  int64_t words = (int64_t)(size_bytes / sizeof(pattern));
  if (element_bytes < sizeof(pattern) && pattern != 0 &&
      jr_type_is_dense(to->type)) {
    copy.dims = &words;
    copy.to_strides = next;
    copy.rank = 1;
    copy.element_bytes = sizeof(pattern);
  }
  jr_copy_elements(&copy);
  return NULL;
}

static const jitrun_param_t memset_args[] = {{.name = "dst", JR_XLA_BUFFER},
                                             {.name = "constant",
                                              .kind = JITRUN_KIND_SCALAR,
                                              .dtypes = JITRUN_DTYPES_ANY}};

const jitrun_signature_t jr_xla_memset_types = {
    .size = sizeof(jitrun_signature_t), .args = memset_args, .arg_count = 2};

/// Bytes of a constant that a fill takes; 0 for other types.
static size_t constant_bytes(uint8_t dtype) {
  switch (dtype) {
  case JITRUN_DTYPE_PRED:
  case JITRUN_DTYPE_S8:
  case JITRUN_DTYPE_U8:
  case JITRUN_DTYPE_S16:
  case JITRUN_DTYPE_U16:
  case JITRUN_DTYPE_F16:
  case JITRUN_DTYPE_BF16:
  case JITRUN_DTYPE_S32:
  case JITRUN_DTYPE_U32:
  case JITRUN_DTYPE_F32:
  case JITRUN_DTYPE_S64:
  case JITRUN_DTYPE_U64:
  case JITRUN_DTYPE_F64:
    return jr_dtype_size((jitrun_dtype_t)dtype);
  default:
    return 0;
  }
}

jitrun_error_t *jr_xla_memset_check(jitrun_call_t *call) {
  uint8_t dtype = call->site->types[1]->dtype;
  if (constant_bytes(dtype) > 0)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "Unsupported memset constant type %s: use i1, i8 to "
                       "i64, ui8 to ui64, bf16, f16, f32 or f64",
                       jr_dtype_name((jitrun_dtype_t)dtype));
}

/// 8 and 16 bits are repeated; of 64 bits, the low half is the pattern.
jitrun_error_t *jr_xla_memset(jitrun_call_t *call) {
  const jitrun_arg_t *dst = jitrun_call_args(call);
  const jitrun_arg_t *constant = dst + 1;
  uint32_t pattern = 0;
  switch (constant_bytes(constant->type->dtype)) {
  case 1:
    pattern = constant->value.u8 * UINT32_C(0x01010101);
    break;
  case 2:
    pattern = constant->value.u16 * UINT32_C(0x00010001);
    break;
  case 4:
    pattern = constant->value.u32;
    break;
  default:
    pattern = (uint32_t)constant->value.u64;
    break;
  }
  return jr_xla_fill(call, dst, pattern);
}

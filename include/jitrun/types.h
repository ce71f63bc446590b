/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The words that programs, handlers and callers share: error codes, element
/// types, and the type record that describes one scalar or strided buffer.
///
/// Plain data, no functions of the library: plug-ins include this header
/// without linking anything. Little-endian 64-bit hosts only.
#ifndef JITRUN_TYPES_H
#define JITRUN_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(JITRUN_STATIC)
#define JITRUN_API __attribute__((visibility("default")))
#else
#define JITRUN_API
#endif

#if defined(__GNUC__)
#define JITRUN_MUST_USE __attribute__((warn_unused_result))
#else
#define JITRUN_MUST_USE
#endif

/// The sanitizer that this is compiled with: code of two kinds cannot be mixed
/// in a process.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JITRUN_SANITIZER 1u
#elif __has_feature(thread_sanitizer)
#define JITRUN_SANITIZER 2u
#endif
#endif
#if !defined(JITRUN_SANITIZER)
#if defined(__SANITIZE_ADDRESS__)
#define JITRUN_SANITIZER 1u
#elif defined(__SANITIZE_THREAD__)
#define JITRUN_SANITIZER 2u
#else
#define JITRUN_SANITIZER 0u
#endif
#endif

/// An error, or success when NULL. See jitrun/error.h.
typedef struct jitrun_error jitrun_error_t;

/// The canonical codes of Abseil (absl/status/status.h), with their numbers.
typedef enum jitrun_code {
  JITRUN_OK = 0,
  JITRUN_CANCELLED = 1,
  JITRUN_UNKNOWN = 2,
  JITRUN_INVALID_ARGUMENT = 3,
  JITRUN_DEADLINE_EXCEEDED = 4,
  JITRUN_NOT_FOUND = 5,
  JITRUN_ALREADY_EXISTS = 6,
  JITRUN_PERMISSION_DENIED = 7,
  JITRUN_RESOURCE_EXHAUSTED = 8,
  JITRUN_FAILED_PRECONDITION = 9,
  JITRUN_ABORTED = 10,
  JITRUN_OUT_OF_RANGE = 11,
  JITRUN_UNIMPLEMENTED = 12,
  JITRUN_INTERNAL = 13,
  JITRUN_UNAVAILABLE = 14,
  JITRUN_DATA_LOSS = 15,
  JITRUN_UNAUTHENTICATED = 16
} jitrun_code_t;

/// Element types, numbered as XLA's PrimitiveType. In host memory PRED, S4 and
/// U4 take one byte each. `index` is S64; signless `iN` is SN; `i1` is PRED.
typedef enum jitrun_dtype {
  JITRUN_DTYPE_INVALID = 0,
  JITRUN_DTYPE_PRED = 1,
  JITRUN_DTYPE_S8 = 2,
  JITRUN_DTYPE_S16 = 3,
  JITRUN_DTYPE_S32 = 4,
  JITRUN_DTYPE_S64 = 5,
  JITRUN_DTYPE_U8 = 6,
  JITRUN_DTYPE_U16 = 7,
  JITRUN_DTYPE_U32 = 8,
  JITRUN_DTYPE_U64 = 9,
  JITRUN_DTYPE_F16 = 10,
  JITRUN_DTYPE_F32 = 11,
  JITRUN_DTYPE_F64 = 12,
  JITRUN_DTYPE_TUPLE = 13,  ///< of buffers alone: see jitrun/tuple.h
  JITRUN_DTYPE_OPAQUE = 14, ///< a pointer that only handlers and callers read
  JITRUN_DTYPE_C64 = 15,
  JITRUN_DTYPE_BF16 = 16,
  JITRUN_DTYPE_TOKEN = 17, ///< a jitrun_async_t *
  JITRUN_DTYPE_C128 = 18,
  JITRUN_DTYPE_F8E5M2 = 19,
  JITRUN_DTYPE_F8E4M3FN = 20,
  JITRUN_DTYPE_S4 = 21,
  JITRUN_DTYPE_U4 = 22,
  JITRUN_DTYPE_F8E4M3B11FNUZ = 23,
  JITRUN_DTYPE_F8E5M2FNUZ = 24,
  JITRUN_DTYPE_F8E4M3FNUZ = 25
} jitrun_dtype_t;

/// What a type record describes.
typedef enum jitrun_kind {
  JITRUN_KIND_SCALAR = 1, ///< one value, passed by value
  JITRUN_KIND_BUFFER = 2, ///< strided elements in memory (a memref)
  JITRUN_KIND_OPAQUE = 3, ///< a pointer (`!rt.opaque`, a type of the user's);
                          ///< dtype OPAQUE; see jitrun_type_name()
  JITRUN_KIND_TOKEN = 4,  ///< `!async.token`; dtype TOKEN
  JITRUN_KIND_ASYNC_SCALAR = 5, ///< `!async.value` of a scalar of that dtype
  JITRUN_KIND_ASYNC_BUFFER = 6  ///< `!async.value` of a memref of that type
} jitrun_kind_t;

/// A token or value that becomes available later; see jitrun/async.h.
typedef struct jitrun_async jitrun_async_t;

/// A size, stride or offset known only at run time (MLIR's
/// ShapedType::kDynamic).
#define JITRUN_DYNAMIC INT64_MIN

/// Describes one value. For a buffer, or an async value of one, `rank`
/// dimensions follow the record in memory, then `rank` strides in elements:
/// read them with jitrun_type_dims() and jitrun_type_strides(). For a user's
/// opaque type its name follows, NUL-terminated, in `rank` times 16 bytes.
/// Always 8-byte aligned.
typedef struct jitrun_type {
  uint8_t kind;      ///< jitrun_kind_t
  uint8_t dtype;     ///< jitrun_dtype_t
  uint16_t rank;     ///< number of dimensions; 0 for a scalar
  uint32_t reserved; ///< zero
} jitrun_type_t;

/// The `rank` dimensions of a type.
static inline const int64_t *jitrun_type_dims(const jitrun_type_t *type) {
  return (const int64_t *)(const void *)(type + 1);
}

/// The `rank` strides of a type, in elements.
static inline const int64_t *jitrun_type_strides(const jitrun_type_t *type) {
  return jitrun_type_dims(type) + type->rank;
}

/// The name of an OPAQUE type, as MLIR writes it: "!rt.opaque",
/// "!testlib.value".
static inline const char *jitrun_type_name(const jitrun_type_t *type) {
  return type->rank == 0 ? "!rt.opaque"
                         : (const char *)(const void *)(type + 1);
}

/// A view of memory that somebody else owns: an argument, or a result. A scalar
/// has rank 0 and `data` pointing to its value; an opaque pointer (dtype
/// OPAQUE) and a token or async value (dtype TOKEN, a jitrun_async_t *)
/// likewise.
typedef struct jitrun_tensor {
  jitrun_dtype_t dtype;
  uint32_t rank;
  const int64_t *dims;    ///< `rank` sizes
  const int64_t *strides; ///< `rank`, in elements; NULL: dense, row-major
  void *data;             ///< address of element [0, ..., 0]
} jitrun_tensor_t;

#ifdef __cplusplus
}
#endif
#endif

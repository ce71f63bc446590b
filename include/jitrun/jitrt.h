/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Handlers written for JitRt's direct ABI, `bool fn(ctx, args, attrs, rets)`,
/// as custom calls of jitrun; what JitRt's encodings look like; and the C names
/// that handlers of XLA's classic custom calls use. Everything is in
/// libjitrun-jitrt, which links nothing of jitrun: a plug-in may link it, and
/// libjitrun opens it for libraries of jitrun_registry_add_library().
///
/// `args` is {&count, types, value, value, ...}: `types` has the type id of
/// each value; without values it is {&zero} alone. `rets` likewise, with places
/// to write to. `attrs` is {&count, name, id, value, name, id, value, ...},
/// sorted by name. A type id is the address of one of the variables below.
/// Everything is valid until the handler returns. Thread-safe.
#ifndef JITRUN_JITRT_H
#define JITRUN_JITRT_H

#include "jitrun/customcall.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Type ids: scalars, then what else is encoded, async values, XLA's types.
/* clang-format off */
#define JITRUN_JITRT_TYPE_IDS(X)                                               \
  X(bool) X(int8) X(int16) X(int32) X(int64) X(uint8) X(uint16) X(uint32)      \
  X(uint64) X(bfloat16) X(f16) X(float) X(double)                              \
  X(memref_view) X(strided_memref_view) X(opaque) X(string) X(array_int8)      \
  X(array_int16) X(array_int32) X(array_int64) X(array_float) X(array_double)  \
  X(empty_array) X(_tensor_int32_t) X(tensor_int64_t) X(tensor_float)          \
  X(tensor_double) X(nullopt) X(function_ordinal) X(dictionary)                \
  X(async_chain) X(async_bool) X(async_int8) X(async_int16) X(async_int32)     \
  X(async_int64) X(async_float) X(async_double) X(async_memref)                \
  X(hlo_trace) X(se_dnn_activation) X(dot_dimension_numbers) X(se_fft_type)    \
  X(conv_dim_numbers) X(conv_backend_config) X(channel_handle)                 \
  X(se_cublas_lt_epilogue)
/* clang-format on */
#define JITRUN_JITRT_DECLARE(name) extern JITRUN_API int64_t __type_id_##name;
JITRUN_JITRT_TYPE_IDS(JITRUN_JITRT_DECLARE)
#undef JITRUN_JITRT_DECLARE

/// A buffer. `rank` sizes follow the record in memory, then `rank` strides in
/// elements.
typedef struct jitrun_jitrt_memref {
  uint8_t dtype; ///< jitrun_dtype_t
  uint8_t rank;
  void *data; ///< address of element [0, ..., 0]
} jitrun_jitrt_memref_t;

/// A string (with a NUL behind the last byte) or an array.
typedef struct jitrun_jitrt_array {
  int64_t size; ///< bytes of a string, else elements
  const void *data;
} jitrun_jitrt_array_t;

/// A dense tensor. `rank` sizes follow the record in memory.
typedef struct jitrun_jitrt_tensor {
  jitrun_jitrt_array_t elements; ///< row-major
  int64_t rank;
} jitrun_jitrt_tensor_t;

static inline int64_t *jitrun_jitrt_dims(jitrun_jitrt_memref_t *memref) {
  return (int64_t *)(void *)(memref + 1);
}

static inline int64_t *jitrun_jitrt_strides(jitrun_jitrt_memref_t *memref) {
  return jitrun_jitrt_dims(memref) + memref->rank;
}

static inline const int64_t *
jitrun_jitrt_shape(const jitrun_jitrt_tensor_t *tensor) {
  return (const int64_t *)(const void *)(tensor + 1);
}

/// A handler: true for success. `ctx` stands for the call in the functions
/// below.
typedef bool (*jitrun_jitrt_fn_t)(void *ctx, void **args, void **attrs,
                                  void **rets);

/// How much of a declared signature is compared with a call.
typedef enum jitrun_jitrt_checks {
  JITRUN_JITRT_CHECK_ALL = 0,  ///< numbers, types, names of attributes
  JITRUN_JITRT_CHECK_LESS = 1, ///< numbers and types, attributes by position
  JITRUN_JITRT_CHECK_NONE = 2
} jitrun_jitrt_checks_t;

#define JITRUN_JITRT_OPTIONAL 1u   ///< attribute: nullopt will do
#define JITRUN_JITRT_MORE_ARGS 1u  ///< signature: any number of others follow
#define JITRUN_JITRT_MORE_ATTRS 2u ///< signature: others are allowed
/// Call: memory of memref results comes from malloc() and is freed when the
/// execution ends; else it stays the handler's.
#define JITRUN_JITRT_FREES_RESULTS 1u

/// One argument, attribute or result. A strided memref takes any; an array
/// takes a tensor of rank 1 and the empty array too.
typedef struct jitrun_jitrt_param {
  const char *name;  ///< of an attribute, else NULL
  const int64_t *id; ///< &__type_id_float; NULL takes any
  uint32_t flags;
} jitrun_jitrt_param_t;

typedef struct jitrun_jitrt_signature {
  size_t size; ///< sizeof(jitrun_jitrt_signature_t)
  const jitrun_jitrt_param_t *args;
  const jitrun_jitrt_param_t *attrs; ///< one name may come several times
  const jitrun_jitrt_param_t *rets;
  uint32_t arg_count, attr_count, ret_count;
  uint32_t flags;
} jitrun_jitrt_signature_t;

/// An enumeration or structure of attributes, or an opaque type, that has a
/// type id of its own.
typedef struct jitrun_jitrt_type {
  const char *name;  ///< "testlib.pair" or "!testlib.value", as in programs
  const int64_t *id; ///< its address
  const char *const *fields; ///< of a structure, in the order of its binding
  size_t field_count;
} jitrun_jitrt_type_t;

/// A handler as a custom call. Must live, with all it points to, as long as the
/// registry that it is put in.
typedef struct jitrun_jitrt_call {
  size_t size; ///< sizeof(jitrun_jitrt_call_t)
  const char *name;
  const char *platform; ///< NULL: "host"
  jitrun_jitrt_fn_t function;
  const jitrun_jitrt_signature_t *signature; ///< NULL: the handler checks
  uint32_t checks;                           ///< jitrun_jitrt_checks_t
  uint32_t flags;
  const jitrun_jitrt_type_t *types; ///< besides XLA's own
  size_t type_count;
} jitrun_jitrt_call_t;

/// The record to register. Calls whose values have no encoding are refused when
/// a program is loaded; where the signature differs, each execution fails.
JITRUN_API jitrun_customcall_t
jitrun_jitrt_adapt(const jitrun_jitrt_call_t *call);

/// A library of handlers may export a function of this name: the types that
/// have ids of its own.
typedef const jitrun_jitrt_type_t *(*jitrun_jitrt_types_fn_t)(
    size_t *out_count);
#define JITRUN_JITRT_TYPES_NAME "jitrun_jitrt_types"

/// What the adapter's own error about types and names of values says.
#define JITRUN_JITRT_UNDECODED "Failed to decode all custom call operands"

/// Adds a text to the error that the call ends with, and returns false.
JITRUN_API bool jitrun_jitrt_error(void *ctx, const char *text);

/// The call itself, for everything else that it offers.
JITRUN_API jitrun_call_t *jitrun_jitrt_frame(void *ctx);

/// What the caller of the program gave under that name, or NULL.
JITRUN_API void *jitrun_jitrt_user_data(void *ctx, const char *name);

/// The state of a key; false, with the reason added to the error, without it.
JITRUN_API bool jitrun_jitrt_state(void *ctx, const jitrun_state_key_t *key,
                                   void **out_state);

/// Gives memref result `index` memory that lives until the execution ends;
/// `dims` NULL: of the sizes in its record. NULL, with the reason added to the
/// error, without it.
JITRUN_API void *jitrun_jitrt_ret_alloc(void *ctx, void **rets, int64_t index,
                                        const int64_t *dims);

/// How many values or attributes there are.
static inline int64_t jitrun_jitrt_count(void **values) {
  return *(const int64_t *)values[0];
}

/// The type id of argument or result `index`; NULL past the last.
JITRUN_API const int64_t *jitrun_jitrt_id(void **values, int64_t index);

/// Where argument or result `index` is, when it has that type id; else NULL.
JITRUN_API void *jitrun_jitrt_value(void **values, int64_t index,
                                    const int64_t *id);

/// Argument or result `index` when it is a memref of any layout; else NULL.
JITRUN_API jitrun_jitrt_memref_t *jitrun_jitrt_memref(void **values,
                                                      int64_t index);

/// The type id of an attribute; NULL when there is none of the name. `attrs`
/// may be a dictionary or structure inside of another.
JITRUN_API const int64_t *jitrun_jitrt_attr_id(void **attrs, const char *name);

/// Where an attribute of that name and type id is; else NULL.
JITRUN_API void *jitrun_jitrt_attr(void **attrs, const char *name,
                                   const int64_t *id);

/// The elements of an attribute: an array of that type id, a tensor of rank 1
/// with such elements, or the empty array; else NULL.
JITRUN_API const jitrun_jitrt_array_t *
jitrun_jitrt_attr_array(void **attrs, const char *name, const int64_t *id);

/// How a handler of a classic custom call tells its outcome. Whoever calls it
/// sets `set`, with NULL for success.
typedef struct XlaCustomCallStatus_ XlaCustomCallStatus;
struct XlaCustomCallStatus_ {
  size_t size;
  void (*set)(XlaCustomCallStatus *status, const char *text, size_t text_size);
};

/// XLA's functions. A status says success until something else is set.
JITRUN_API void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus *status);
JITRUN_API void XlaCustomCallStatusSetFailure(XlaCustomCallStatus *status,
                                              const char *message,
                                              size_t message_len);

/// What libjitrun asks of libjitrun-jitrt.
#define JITRUN_JITRT_VERSION 1u
typedef struct jitrun_jitrt {
  size_t size;
  uint32_t version;
  uint32_t sanitizer; ///< JITRUN_SANITIZER
  jitrun_customcall_t (*adapt)(const jitrun_jitrt_call_t *call);
} jitrun_jitrt_t;
typedef const jitrun_jitrt_t *(*jitrun_jitrt_query_t)(uint32_t max_version);
#define JITRUN_JITRT_QUERY_NAME "jitrun_jitrt_query"
JITRUN_API const jitrun_jitrt_t *jitrun_jitrt_query(uint32_t max_version);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls: functions that a compiled program calls by name. Authors of
/// kernels and vendor libraries include this header alone; a plug-in links
/// nothing of jitrun and exports one function, jitrun_plugin_query().
///
/// A handler gets a frame that was built when the program was loaded: plain
/// pointers, types and attributes, checked once against the signature that was
/// declared with it, so it checks nothing per call. Handlers of one program may
/// run on several threads at once; a frame is used by one at a time and is
/// valid until the handler returns.
#ifndef JITRUN_CUSTOMCALL_H
#define JITRUN_CUSTOMCALL_H

#include "jitrun/attributes.h"
#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of everything in this header. A plug-in answers a query for version
/// N with a table of a version not above N, or with NULL.
#define JITRUN_CUSTOMCALL_VERSION 1u

/// The execution a call belongs to; only passed back to the functions of
/// jitrun_call_api_t.
typedef struct jitrun_exec jitrun_exec_t;

typedef struct jitrun_call jitrun_call_t;
typedef struct jitrun_site jitrun_site_t;

/// A handler of XLA's classic custom calls, cast to this type. For programs'
/// `xla.gpu.custom_call`, by API version:
///   1: void (*)(void *stream, void **buffers, const char *opaque, size_t size)
///   2, 3: the same and a XlaCustomCallStatus * (see jitrun/jitrt.h)
/// for `xla.cpu.custom_call`:
///   1: void (*)(void *out, const void **in)
///   2: void (*)(void *out, const void **in, XlaCustomCallStatus *)
///   3: void (*)(void *out, const void **in, const char *opaque, size_t size,
///               XlaCustomCallStatus *)
typedef void (*jitrun_classic_fn_t)(void);

/// Kinds of attribute values.
typedef enum jitrun_attr_kind {
  JITRUN_ATTR_ABSENT = 0, ///< an optional attribute that the call does not have
  JITRUN_ATTR_SCALAR = 1, ///< integer, float, index or bool
  JITRUN_ATTR_STRING = 2, ///< bytes; may hold NUL; a NUL follows the last
  JITRUN_ATTR_ARRAY = 3,  ///< elements of one dtype
  JITRUN_ATTR_TENSOR = 4, ///< dense elements, row-major, splats expanded
  JITRUN_ATTR_DICT = 5,   ///< nested attributes, sorted by name
  JITRUN_ATTR_UNIT = 6,   ///< a name without a value
  JITRUN_ATTR_FUNCTION = 7 ///< an exported function of the program
} jitrun_attr_kind_t;

/// One attribute. All pointers live as long as the loaded program.
typedef struct jitrun_attr {
  const char *name; ///< NUL-terminated
  uint8_t kind;     ///< jitrun_attr_kind_t
  uint8_t dtype;    ///< of the scalar or the elements (INVALID for an empty
                    ///< untyped array and for kinds without elements)
  uint16_t rank;    ///< TENSOR: number of dimensions
  uint32_t reserved;
  uint64_t count; ///< STRING: bytes; ARRAY, TENSOR: elements; DICT: entries
  const int64_t *dims; ///< TENSOR: `rank` sizes
  union {
    bool pred;
    int8_t s8;
    int16_t s16;
    int32_t s32;
    int64_t s64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    const void *data;                ///< ARRAY, TENSOR (8-byte aligned)
    const char *string;              ///< STRING
    const struct jitrun_attr *items; ///< DICT
    uint32_t entry; ///< FUNCTION: its number among the program's entries
  } value;
  const char *type_name; ///< SCALAR, DICT: "mhlo.dot" where the program writes
                         ///< an enumeration or structure; else NULL
} jitrun_attr_t;

/// One argument or result of a call.
typedef struct jitrun_arg {
  union {
    void *data; ///< BUFFER: address of element [0, ..., 0]
    bool pred;
    int8_t s8;
    int16_t s16;
    int32_t s32;
    int64_t s64;
    uint8_t u8;
    uint16_t u16; ///< also the bits of F16 and BF16
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    void *opaque;          ///< OPAQUE
    jitrun_async_t *async; ///< TOKEN, ASYNC_SCALAR, ASYNC_BUFFER: an argument
                           ///< is borrowed, a result is handed over
  } value;
  const jitrun_type_t *type; ///< sizes and strides are those of this execution;
                             ///< for a result see result_alloc
} jitrun_arg_t;

/// What a call site is, whichever execution it runs in. Immutable.
struct jitrun_site {
  size_t size; ///< of this record
  const struct jitrun_call_api *api;
  const char *target; ///< the name the program calls
  const char *file;   ///< source file, or the name of the location; never NULL
  uint32_t line, column; ///< 0 where unknown
  uint32_t arg_count, result_count, attr_count;
  uint32_t reserved;
  const jitrun_type_t *const
      *types;                     ///< of arguments, then results; sizes known
                                  ///< only at run time are JITRUN_DYNAMIC
  const jitrun_attr_t *attrs;     ///< `attr_count`, sorted by name
  void *user_data;                ///< as given at registration
  struct jitrun_program *program; ///< only passed back
  uint64_t index;                 ///< of the site in its program
};

/// The frame of one call. `arg_count` jitrun_arg_t follow, then `result_count`:
/// use jitrun_call_args() and jitrun_call_results().
struct jitrun_call {
  const jitrun_site_t *site;
  const jitrun_attr_t *attrs; ///< in the order of the declared signature
                              ///< (absent optional ones are ABSENT); without a
                              ///< declared signature the same as site->attrs
  jitrun_exec_t *exec;        ///< NULL in the instantiate stage
  void *state;                ///< set by the instantiate stage, NULL before
};

static inline jitrun_arg_t *jitrun_call_args(jitrun_call_t *call) {
  return (jitrun_arg_t *)(void *)(call + 1);
}

static inline jitrun_arg_t *jitrun_call_results(jitrun_call_t *call) {
  return jitrun_call_args(call) + call->site->arg_count;
}

/// Body of one task of jitrun_call_api_t.parallel_for: items [first, last).
typedef void (*jitrun_task_fn_t)(void *context, size_t first, size_t last);

/// How long a state lives.
typedef enum jitrun_scope {
  JITRUN_SCOPE_PROGRAM = 1,  ///< as long as the loaded program
  JITRUN_SCOPE_EXECUTION = 2 ///< until the execution ends
} jitrun_scope_t;

/// Names a state that call sites share. `create` makes it for the first that
/// asks, while others wait; an error is returned and the next one tries again.
typedef struct jitrun_state_key {
  size_t size; ///< sizeof(jitrun_state_key_t)
  jitrun_scope_t scope;
  const char *name; ///< "vendor.kind"; copied
  int64_t id;       ///< among those of one name: often an attribute, `uid`
  jitrun_error_t *(*create)(const jitrun_call_t *call, void *context,
                            void **out_state);
  void (*destroy)(void *state); ///< NULL: nothing to do
  void *context;                ///< passed to create
} jitrun_state_key_t;

/// Where an execution is, and among whom. What is not known is 0, or NULL.
typedef struct jitrun_place {
  size_t size;       ///< sizeof(jitrun_place_t), set before it is filled in
  int64_t device_id; ///< of the device that executes
  uint32_t local_ordinal; ///< of that among the devices of this process
  uint32_t replica_id, partition_id;       ///< as the functions of these names
  uint32_t replica_count, partition_count; ///< of those that run together: at
                                           ///< least 1
  uint32_t thread_count;     ///< of the pool that parallel_for uses
  const int64_t *device_ids; ///< of all that run together, a replica's
                             ///< partitions one after the other
  void *comm_stream; ///< where a platform's collectives go on beside other
                     ///< work; borrowed. NULL: there is none, as on the host
} jitrun_place_t;

/// What a handler can ask of the runtime, reached as call->site->api. Append
/// only: test `size` before using a later field. Thread-safe.
typedef struct jitrun_call_api {
  size_t size;

  /// Makes the error that the handler then returns. `text` (`text_size` bytes,
  /// or SIZE_MAX for NUL-terminated) is copied. Never NULL. `call` may be NULL:
  /// a module's functions have none.
  jitrun_error_t *(*error)(const jitrun_call_t *call, jitrun_code_t code,
                           const char *text, size_t text_size);

  /// Writes bytes to the output of the execution, in order with whatever else
  /// the program prints. Not available (does nothing) while exec is NULL.
  void (*print)(const jitrun_call_t *call, const char *text, size_t text_size);

  /// Memory that lives until the execution ends, aligned to 64 bytes; NULL when
  /// there is none. Not available while exec is NULL.
  void *(*scratch)(const jitrun_call_t *call, size_t size_bytes);

  /// Runs body over [0, count) on the runtime's thread pool in pieces of at
  /// least `grain` items, and returns when all are done. May nest.
  void (*parallel_for)(const jitrun_call_t *call, size_t count, size_t grain,
                       jitrun_task_fn_t body, void *context);

  /// Number of this execution, unique in the process; 0 while exec is NULL.
  uint64_t (*run_id)(const jitrun_call_t *call);

  /// True once the execution has been asked to stop; long handlers poll it and
  /// return a CANCELLED error.
  bool (*cancelled)(const jitrun_call_t *call);

  /// Gives BUFFER result `index` memory that lives until the execution ends:
  /// the result's value.data, of the sizes `dims` (NULL when its type has none
  /// that are dynamic), row-major or with the strides of its type. OUT_OF_RANGE
  /// when `dims` are not those of the type.
  jitrun_error_t *(*result_alloc)(const jitrun_call_t *call, uint32_t index,
                                  const int64_t *dims);

  /// Makes memory of the handler's BUFFER result `index`. It must stay until
  /// the execution ends. `strides` in elements; NULL: row-major.
  jitrun_error_t *(*result_set)(const jitrun_call_t *call, uint32_t index,
                                void *data, const int64_t *dims,
                                const int64_t *strides);

  /// What the caller gave the execution under that name; NULL: nothing, or
  /// while exec is NULL.
  void *(*user_data)(const jitrun_call_t *call, const char *name);

  /// The state of a key, made if it is not there.
  jitrun_error_t *(*state)(const jitrun_call_t *call,
                           const jitrun_state_key_t *key, void **out_state);

  /// What the module of the call made for this program or this execution.
  void *(*module_state)(const jitrun_call_t *call, jitrun_scope_t scope);

  /// Says something besides an error: a note of the error that the execution
  /// ends with, or what the caller's diagnostic function gets.
  void (*diagnose)(const jitrun_call_t *call, const char *text,
                   size_t text_size);

  /// Runs entry `entry` of the same program, as an attribute of kind FUNCTION
  /// names it, in a context of its own, with the options of this execution;
  /// arguments and results as for jitrun_program_run(). Not available while
  /// exec is NULL.
  jitrun_error_t *(*run_entry)(const jitrun_call_t *call, uint32_t entry,
                               const jitrun_tensor_t *args, size_t arg_count,
                               const jitrun_tensor_t *results,
                               size_t result_count);

  /// Tokens and values; see jitrun/async.h.
  const struct jitrun_async_api *async;

  /// Which of the devices that run together this is; 0 for one alone.
  uint32_t (*replica_id)(const jitrun_call_t *call);
  uint32_t (*partition_id)(const jitrun_call_t *call);
  /// The devices that run together; NULL for one alone.
  struct jitrun_world *(*world)(const jitrun_call_t *call);

  /// The handler of classic custom calls of that name in the program's
  /// registry, or NULL; also while exec is NULL.
  jitrun_classic_fn_t (*classic)(const jitrun_call_t *call, const char *name,
                                 const char *platform);

  /// The stream of the device that executes, as the platform's own libraries
  /// take it (CUstream, hipStream_t): a handler puts its work there and need
  /// not wait for it. NULL: there is none, as on the host.
  void *(*stream)(const jitrun_call_t *call);

  /// Fills in where the execution is, as far as out_place->size says; counts
  /// of 1 while exec is NULL.
  void (*place)(const jitrun_call_t *call, jitrun_place_t *out_place);

  /// Memory for this call alone, aligned to 64 bytes, until its handler
  /// returns: the same again, with whatever is in it, when the next call of the
  /// site asks for no more. Asking twice may move it. NULL when there is none,
  /// and while exec is NULL.
  void *(*workspace)(const jitrun_call_t *call, size_t size_bytes);
} jitrun_call_api_t;

/// A handler: NULL for success, or an error made by call->site->api->error.
/// C++ exceptions must not leave it.
typedef jitrun_error_t *(*jitrun_handler_t)(jitrun_call_t *call);

/// Set of element types: bit N stands for jitrun_dtype_t N.
#define JITRUN_DTYPES(dtype) (UINT64_C(1) << (dtype))
#define JITRUN_DTYPES_ANY UINT64_MAX

/// Flags of jitrun_param_t and jitrun_signature_t.
#define JITRUN_OPTIONAL 1u ///< attribute: may be absent
#define JITRUN_VARIADIC_ARGS                                                   \
  1u ///< signature: more arguments of any kind follow
#define JITRUN_VARIADIC_ATTRS 2u ///< signature: other attributes are allowed

/// One declared argument or result.
typedef struct jitrun_param {
  const char *name;
  uint8_t kind;    ///< jitrun_kind_t; 0 takes any
  int8_t min_rank; ///< BUFFER, ASYNC_BUFFER: smallest rank
  int8_t max_rank; ///< the same: largest rank; -1 for no bound
  uint8_t reserved;
  uint32_t flags;
  uint64_t dtypes;       ///< allowed element types
  const char *type_name; ///< OPAQUE: see jitrun_type_name(); NULL takes any
} jitrun_param_t;

/// One declared attribute. A unit attribute of a program also stands for an
/// optional one of another kind: true where that may be a PRED scalar, else
/// ABSENT.
typedef struct jitrun_attr_param {
  const char *name;
  uint8_t kind; ///< jitrun_attr_kind_t; 0 takes any
  uint8_t reserved[3];
  uint32_t flags;
  uint64_t dtypes;       ///< SCALAR, ARRAY, TENSOR: allowed element types
  const char *type_name; ///< SCALAR, DICT: of the enumeration or structure that
                         ///< it must be; NULL takes any
} jitrun_attr_param_t;

/// What a custom call accepts; compared with every call site when a program is
/// loaded.
typedef struct jitrun_signature {
  size_t size; ///< sizeof(jitrun_signature_t)
  const jitrun_param_t *args;
  const jitrun_param_t *results;
  const jitrun_attr_param_t *attrs;
  uint32_t arg_count, result_count, attr_count;
  uint32_t flags;
} jitrun_signature_t;

/// What calls of one plug-in share beyond their call sites. Each function may
/// be NULL.
typedef struct jitrun_module {
  size_t size; ///< sizeof(jitrun_module_t)
  const char *name;
  /// Once per program that has a call of the module, when it is loaded.
  jitrun_error_t *(*create)(const jitrun_call_api_t *api, void **out_state);
  void (*destroy)(void *state);
  /// Once per execution of such a program, before it starts, and when its async
  /// work is done.
  jitrun_error_t *(*begin)(const jitrun_call_api_t *api, void *state,
                           void **out_execution_state);
  void (*end)(void *state, void *execution_state);
} jitrun_module_t;

/// One custom call. Strings and the signature must live as long as the registry
/// (static data of the plug-in does: a registry keeps its plug-ins loaded).
typedef struct jitrun_customcall {
  size_t size;          ///< sizeof(jitrun_customcall_t)
  const char *name;     ///< target name in programs, "vendor.operation"
  const char *platform; ///< "host", "cuda", "hip"
  const char *summary;  ///< one line for `jitrun calls`; may be NULL
  const jitrun_signature_t *signature; ///< NULL: any operands, handler checks
  jitrun_handler_t execute;            ///< required

  /// Once per call site when a program is loaded; may set call->state, which
  /// every later frame of the site carries. Argument values are not set yet.
  jitrun_handler_t instantiate;
  /// Once per call site and execution context, before its first execution.
  jitrun_handler_t prepare;
  /// Once per call site and execution, before the program starts.
  jitrun_handler_t initialize;
  /// Frees what instantiate set, when the program is unloaded.
  void (*destroy_state)(void *state);

  void *user_data;               ///< passed through in site->user_data
  const jitrun_module_t *module; ///< NULL: none
} jitrun_customcall_t;

/// One handler of XLA's classic custom calls.
typedef struct jitrun_classic {
  const char *name;     ///< `call_target_name` in programs
  const char *platform; ///< "host", "cuda", "hip"
  jitrun_classic_fn_t function;
} jitrun_classic_t;

/// What a plug-in provides.
typedef struct jitrun_plugin {
  size_t size;        ///< sizeof(jitrun_plugin_t)
  uint32_t version;   ///< JITRUN_CUSTOMCALL_VERSION it was built with
  uint32_t sanitizer; ///< JITRUN_SANITIZER: mixed builds are refused at load
  const char *name;
  const jitrun_customcall_t *calls;
  size_t call_count;
  const jitrun_attr_type_t *attr_types; ///< see jitrun/attributes.h
  size_t attr_type_count;
  const jitrun_classic_t *classic;
  size_t classic_count;
} jitrun_plugin_t;

/// The one symbol a plug-in exports. Returns its table, built for a version not
/// above `max_version`, or NULL. Called once, when the plug-in is loaded.
typedef const jitrun_plugin_t *(*jitrun_plugin_query_t)(uint32_t max_version);
#define JITRUN_PLUGIN_QUERY_NAME "jitrun_plugin_query"
JITRUN_API const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version);

#ifdef __cplusplus
}
#endif
#endif

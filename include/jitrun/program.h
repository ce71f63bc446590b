/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Programs: open one, look at its signature, run it, release it.
///
/// A program is opened from MLIR (text or bytecode: compiled in the process, by
/// libjitrun-jit, found beside this library) or from an image made by `jitrun
/// compile` (.o or .so: no compiler needed). It is immutable; any number of
/// threads may run it at once, each execution in a context of its own.
#ifndef JITRUN_PROGRAM_H
#define JITRUN_PROGRAM_H

#include "jitrun/error.h"
#include "jitrun/profile.h"
#include "jitrun/registry.h"
#include "jitrun/stages.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_program jitrun_program_t;

/// Devices that run together; see jitrun/world.h.
typedef struct jitrun_world jitrun_world_t;

/// How a program is executed. Both give the same bits.
typedef enum jitrun_executor {
  JITRUN_EXECUTOR_AUTO = 0,  ///< JIT where there is code, else THUNKS
  JITRUN_EXECUTOR_JIT = 1,   ///< native code
  JITRUN_EXECUTOR_THUNKS = 2 ///< walks tables, without code: calls, and what
                             ///< decides on them
} jitrun_executor_t;

/// Options for opening; zero-initialise, then set `size`.
typedef struct jitrun_open_options {
  size_t size;                 ///< sizeof(jitrun_open_options_t)
  jitrun_registry_t *registry; ///< NULL: the default one
  jitrun_executor_t executor;
  int opt_level;   ///< MLIR only: 0..3 for code between calls; -1: 2
  const char *cpu; ///< MLIR only: NULL or "native": this machine's
  /// Only to look at: custom calls need not be registered, none of their code
  /// is run, and running the program is FAILED_PRECONDITION.
  bool inspect_only;
  uint8_t reserved[7]; ///< 0; has no use yet
  /// Adds checks to the program's own code: bounds, sizes that have to agree,
  /// divisions, shifts, alignment. One that fails is FAILED_PRECONDITION with
  /// the values and the place. Memory that an execution allocates and does not
  /// free is told to `diagnostic` of its options. An image must have been
  /// compiled with checks, else FAILED_PRECONDITION.
  bool check;
  const jitrun_observer_t *observer; ///< MLIR only: of the compile; NULL: none
  jitrun_code_fn_t code; ///< MLIR and objects: told of each function that is
                         ///< loaded; NULL: nobody
  void *code_context;
  /// MLIR: makes line tables of its locations. MLIR and objects: tells
  /// debuggers (GDB's JIT interface) of the code as long as it is loaded.
  bool debug_info;
  /// MLIR: a folder (made when it is not there) that keeps what is compiled.
  /// What is in it already is opened without the compiler. Several processes
  /// may share one; one that cannot be used is told by the statistics alone.
  /// NULL: nothing is kept. Not used, but filled, when
  /// `observer` asks for texts; an observer hears nothing of a compile that is
  /// not done.
  const char *cache_dir;
  uint64_t cache_limit_bytes; ///< of the whole folder: what was not used for
                              ///< longest is removed; 0: 1 GiB
  /// Images: the file of the program's constants, where it has one. NULL: the
  /// file that the image names, beside the image. It is mapped read-only, and
  /// must not change while the program is open.
  const char *constants;
  /// Objects and shared libraries that jitrun did not make: opens one function
  /// of MLIR's C interface as a program, "main(memref<2x3xf32>, i32) ->
  /// memref<?xf32>" the one named _mlir_ciface_main. A signature that is not
  /// that of the function cannot be told from one that is. Needs the compiler.
  /// NULL: the program is MLIR or an image. See docs/from-mlir-runner.md.
  const char *signature;
  /// Images: takes that file without reading it all to compare its hash; only
  /// its size is checked.
  bool trust_constants;
  /// Whose custom calls the program makes; calls of "host" stand in for those
  /// that take and give no buffers. NULL: "host". Programs of a platform whose
  /// memory the host cannot use are run by jitrun/executable.h.
  const char *platform;
} jitrun_open_options_t;

/// Says what is wrong with a signature of the options above: INVALID_ARGUMENT
/// with the column, and the text with a mark under the place as notes.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_signature_check(const char *signature);

/// Opens a program from a file; what it is, is told by its content. `options`
/// may be NULL. NOT_FOUND for a missing file; INVALID_ARGUMENT for a program
/// that does not compile or check; NOT_FOUND for custom calls that are not
/// registered, or functions that no library of the registry has; DATA_LOSS for
/// a damaged image; UNIMPLEMENTED when MLIR is given and the compiler is not
/// installed.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_program_open_file(const char *path, const jitrun_open_options_t *options,
                         jitrun_program_t **out_program);

/// As above, from memory, which is copied. `name` stands for the file's name in
/// messages and for the prefix of symbols; NULL: "program".
JITRUN_API JITRUN_MUST_USE jitrun_error_t *jitrun_program_open_memory(
    const void *data, size_t size_bytes, const char *name,
    const jitrun_open_options_t *options, jitrun_program_t **out_program);

/// Opens an image that is linked into the calling program: the address of its
/// symbol `jitrun_image_<prefix>`. FAILED_PRECONDITION while another program of
/// the same image is open, if that has variables in the LLVM dialect, or calls
/// functions of libraries that another registry has elsewhere.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_program_open_image(const void *image,
                          const jitrun_open_options_t *options,
                          jitrun_program_t **out_program);

JITRUN_API void jitrun_program_retain(jitrun_program_t *program);
JITRUN_API void jitrun_program_release(/*own*/ jitrun_program_t *program);

/// What the program asks to know of an argument before it is compiled
/// (`rt.constraint`), each including those before it; see jitrun/specialize.h.
typedef enum jitrun_constraint {
  JITRUN_CONSTRAINT_NONE = 0,
  JITRUN_CONSTRAINT_RANK = 1,
  JITRUN_CONSTRAINT_SHAPE = 2,
  JITRUN_CONSTRAINT_VALUE = 3
} jitrun_constraint_t;

/// One parameter or result of an entry.
typedef struct jitrun_value_info {
  const jitrun_type_t *type; ///< dynamic sizes and strides are JITRUN_DYNAMIC
  uint64_t alignment;        ///< BUFFER: required, in bytes
  bool is_output;            ///< parameter marked as an output of the program
  jitrun_constraint_t constraint; ///< of a parameter
} jitrun_value_info_t;

/// One exported function. Borrowed from the program.
typedef struct jitrun_entry {
  const char *name;
  const jitrun_value_info_t *params;
  size_t param_count;
  const jitrun_value_info_t *results;
  size_t result_count;
  const struct jr_details *details; ///< for jitrun/allocation.h
} jitrun_entry_t;

JITRUN_API size_t jitrun_program_entry_count(const jitrun_program_t *program);

/// Entry `index`, in order of export; NULL past the last.
JITRUN_API const jitrun_entry_t *
jitrun_program_entry_get(const jitrun_program_t *program, size_t index);

/// The entry of that name. NULL asks for the default: the only one, else
/// "main". NULL when there is none; see jitrun_program_entry_refusal().
JITRUN_API const jitrun_entry_t *
jitrun_program_entry_find(const jitrun_program_t *program, const char *name);

/// Why the function `name` of the program is no entry, though it was written to
/// be called from outside ("its result has type ..."); NULL: there is none, or
/// it is an entry. Borrowed from the program.
JITRUN_API const char *
jitrun_program_entry_refusal(const jitrun_program_t *program, const char *name);

/// Writes an entry's signature as text, "main(2x3xi32, i32) -> (i32)". Free
/// with jitrun_text_free(). RESOURCE_EXHAUSTED only.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_entry_describe(const jitrun_entry_t *entry, char **out_text);

/// Receives what a program prints. `context` is the options' print_context.
typedef void (*jitrun_print_fn_t)(void *context, const char *text,
                                  size_t size_bytes);

/// Something of the caller's that handlers ask for by name.
typedef struct jitrun_user_data {
  const char *name;
  void *data;
} jitrun_user_data_t;

/// Receives what handlers say besides their errors (warnings, details), one
/// text a call. `context` is the options' diagnostic_context.
typedef void (*jitrun_diagnostic_fn_t)(void *context, const char *text,
                                       size_t size_bytes);

/// Runs `task(task_context)` some time, on any thread; it may wait for nothing
/// but other tasks. `context` is the options' runner_context.
typedef void (*jitrun_runner_fn_t)(void *context, void (*task)(void *),
                                   void *task_context);

/// Options for running; zero-initialise, then set `size`.
typedef struct jitrun_run_options {
  size_t size;             ///< sizeof(jitrun_run_options_t)
  jitrun_print_fn_t print; ///< NULL: what the program prints is dropped
  void *print_context;
  /// Where to keep the number of the call site that runs now, for crash and
  /// deadline messages; NULL: not kept outside. See jitrun_program_site_get().
  volatile uint64_t *current_site;
  /// Set to non-zero from any thread to ask the execution to stop; NULL: none.
  const volatile int32_t *cancel;
  const jitrun_user_data_t *user_data; ///< for jitrun_call_api_t.user_data
  size_t user_data_count;
  jitrun_diagnostic_fn_t diagnostic; ///< NULL: notes of an error, else dropped
  void *diagnostic_context;
  jitrun_runner_fn_t runner; ///< of async work; NULL: the process's pool
  void *runner_context;
  jitrun_world_t *world; ///< the devices that run together; NULL: one alone
  uint32_t replica_id, partition_id; ///< which of them this execution is
  jitrun_profile_t *profile;         ///< NULL: none; see jitrun/profile.h
  void *stream; ///< for jitrun_call_api_t.stream; NULL: none
  /// For jitrun_call_api_t.place, which takes what `world` says over that; the
  /// count of threads is not read. NULL: device 0, alone.
  const jitrun_place_t *place;
} jitrun_run_options_t;

/// Value of *current_site outside of any call.
#define JITRUN_NO_SITE UINT64_MAX

/// Runs an entry on the calling thread and returns when it is done, its async
/// work included. Arguments are in the order of entry->params, results in that
/// of entry->results; each result is written to memory given by the caller,
/// whose dtype and dims must match: use jitrun_program_start() for sizes that
/// only the program knows. Arguments may overlap; an integer fits one of the
/// other sign, i1 fits i8. INVALID_ARGUMENT names the argument that does not
/// fit the signature, before anything runs; an error from a custom call keeps
/// its code and gets target and source location. `options` may be NULL.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_program_run(jitrun_program_t *program, const jitrun_entry_t *entry,
                   const jitrun_tensor_t *args, size_t arg_count,
                   const jitrun_tensor_t *results, size_t result_count,
                   const jitrun_run_options_t *options);

/// An execution that was started: owns its results. Not thread-safe but for
/// jitrun_execution_wait().
typedef struct jitrun_execution jitrun_execution_t;

/// As jitrun_program_run(), but the results are memory of the execution, of
/// whatever size they have, and the function returns once the entry has: async
/// work may go on, and the options' memory and the arguments must stay until it
/// is done.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_program_start(jitrun_program_t *program, const jitrun_entry_t *entry,
                     const jitrun_tensor_t *args, size_t arg_count,
                     const jitrun_run_options_t *options,
                     jitrun_execution_t **out_execution);

/// Waits until all async work of the execution is done. `timeout_ns` < 0: for
/// ever. DEADLINE_EXCEEDED when it goes on for longer (it still goes on then);
/// else the first error of async work that nobody has seen, once, or NULL.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_execution_wait(jitrun_execution_t *execution, int64_t timeout_ns);

JITRUN_API size_t
jitrun_execution_result_count(const jitrun_execution_t *execution);

/// Result `index`, in the order of entry->results; NULL past the last. Borrowed
/// from the execution. Tokens and async values are retained by it.
JITRUN_API const jitrun_tensor_t *
jitrun_execution_result(const jitrun_execution_t *execution, size_t index);

/// Frees the results. Async work goes on to its end.
JITRUN_API void jitrun_execution_release(/*own*/ jitrun_execution_t *execution);

/// The number of custom call sites in the program.
JITRUN_API uint64_t jitrun_program_site_count(const jitrun_program_t *program);

/// What the call site `site` is; NULL past the last. Reads immutable memory
/// only, so it may be used in a signal handler. Borrowed from the program.
JITRUN_API const jitrun_site_t *
jitrun_program_site_get(const jitrun_program_t *program, uint64_t site);

/// The platform whose custom calls it makes. Borrowed from the program.
JITRUN_API const char *jitrun_program_platform(const jitrun_program_t *program);

/// True when the program has native code for this machine in use.
JITRUN_API bool jitrun_program_is_native(const jitrun_program_t *program);

/// Why `thunks` cannot run an entry, or NULL when it can.
JITRUN_API const char *
jitrun_program_thunks_refusal(const jitrun_program_t *program,
                              const jitrun_entry_t *entry);

/// What the options' cache_dir was to a program.
typedef enum jitrun_cache_use {
  JITRUN_CACHE_UNUSED = 0,    ///< none was given, or the program was no MLIR
  JITRUN_CACHE_HIT = 1,       ///< the program comes from there
  JITRUN_CACHE_STORED = 2,    ///< it was compiled, and is there now
  JITRUN_CACHE_NOT_STORED = 3 ///< it was compiled, and could not be kept
} jitrun_cache_use_t;

/// What opening a program took, and what it holds.
typedef struct jitrun_stats {
  size_t size;         ///< sizeof(jitrun_stats_t), set by the caller
  uint64_t parse_ns;   ///< reading MLIR; 0 for an image
  uint64_t compile_ns; ///< from parsed MLIR to an object; 0 for an image
  uint64_t load_ns;    ///< from object or file to handlers resolved
  uint64_t call_sites;
  uint64_t code_bytes;               ///< of machine code; 0 where not known
  uint64_t data_bytes;               ///< of the image
  const jitrun_stage_cost_t *stages; ///< those that ran, and "load". Borrowed
  size_t stage_count;                ///< from the program
  jitrun_cache_use_t cache;
  const char *cache_failure; ///< CACHE_NOT_STORED: why; else NULL. Borrowed
} jitrun_stats_t;

JITRUN_API void jitrun_program_stats(const jitrun_program_t *program,
                                     jitrun_stats_t *out_stats);

/// What a program was made from and for. Texts are borrowed from the program.
typedef struct jitrun_program_info {
  size_t size;             ///< sizeof(jitrun_program_info_t), set by the caller
  const char *producer;    ///< "jitrun 0.1.0 LLVM 22.1.8"
  const char *source;      ///< name of the file that was compiled
  const char *triple;      ///< machine that the code is for
  const char *cpu;         ///< processor that it was compiled for
  const char *features;    ///< of processors, that it needs: "avx,avx2"
  uint32_t format_version; ///< of the image
  bool is_checked;         ///< compiled with checks
  bool has_variables;      ///< keeps values from one execution to the next
  uint64_t temp_bytes;     ///< of temporaries of an execution
  size_t import_count;     ///< functions of libraries that it calls
  size_t refused_count;    ///< functions that are no entries
  uint64_t temp_sum_bytes; ///< of temporaries, if none shared memory; 0: not
                           ///< known, the image is older
  uint64_t temp_peak_bytes; ///< of those that are in use at once: temp_bytes is
                            ///< never less
  uint64_t temp_alignment;  ///< of their memory
  uint64_t loaded_bytes; ///< of machine code that is loaded; 0 for thunks, and
                         ///< for an image that is linked
} jitrun_program_info_t;

JITRUN_API void jitrun_program_info(const jitrun_program_t *program,
                                    jitrun_program_info_t *out_info);

/// Room for a fingerprint: 32 hexadecimal digits and a NUL.
#define JITRUN_FINGERPRINT_BYTES 33

/// What the program is known by: the same for the same source, compiler,
/// processor and options, and for the same image, in every process. An image
/// and the source that it is of have different ones. RESOURCE_EXHAUSTED only.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_program_fingerprint(const jitrun_program_t *program,
                           char out_text[JITRUN_FINGERPRINT_BYTES]);

/// The name of a function of libraries that the program calls; NULL past the
/// last.
JITRUN_API const char *
jitrun_program_import_get(const jitrun_program_t *program, size_t index);

/// True for a function that libjitrun has itself, as it has those of MLIR's
/// runner libraries that print: no library needs to be given for it.
JITRUN_API bool jitrun_import_is_builtin(const jitrun_program_t *program,
                                         size_t index);

/// The name of a function that is no entry, for which
/// jitrun_program_entry_refusal() has the reason; NULL past the last.
JITRUN_API const char *
jitrun_program_refused_get(const jitrun_program_t *program, size_t index);

/// Describes the program as one JSON object (entries, allocations, call sites,
/// target, code): the text of `jitrun inspect --json`. Free with
/// jitrun_text_free().
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_program_describe(const jitrun_program_t *program, char **out_text);

JITRUN_API void jitrun_text_free(/*own*/ char *text);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executables: an entry of a program, to be run on buffers of a client's
/// devices, on one device or on several together.
///
/// Life: load -> execute, any number of times, from any number of threads ->
/// release.
///
/// Outputs of an execution are, in order: the entry's results, then the
/// parameters that are marked as outputs; where there is neither, every
/// parameter that is a memref. Each becomes a new buffer. A parameter that is
/// an output keeps its memory if its argument is donated and nobody else uses
/// the memory, or if the entry does not touch it; else it gets a copy, and the
/// argument stays as it was. One that must alias has to be donated. A program
/// must not write to parameters that are no outputs.
#ifndef JITRUN_EXECUTABLE_H
#define JITRUN_EXECUTABLE_H

#include "jitrun/allocation.h"
#include "jitrun/buffer.h"
#include "jitrun/program.h"
#include "jitrun/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_executable jitrun_executable_t;

/// What a constant holds that arguments of the entry name.
typedef struct jitrun_constant {
  const char *name;
  const void *data;
  size_t size_bytes;
} jitrun_constant_t;

/// Options for loading; zero-initialise, then set `size`.
typedef struct jitrun_executable_options {
  size_t size;       ///< sizeof(jitrun_executable_options_t)
  const char *entry; ///< NULL: the only one, else "main"
  /// Devices that run the entry together. 0: one.
  uint32_t replica_count, partition_count;
  /// Their ids, a replica's partitions one after the other. NULL: the client's
  /// default assignment.
  const int64_t *device_ids;
  /// How the program is opened. NULL: as by default.
  const jitrun_open_options_t *open;
  /// Constants that the program does not have itself, or has otherwise. Copied.
  const jitrun_constant_t *constants;
  size_t constant_count;
  /// Of the world of its devices: how long calls wait for other devices, feeds
  /// and channels. NULL: as by default.
  const jitrun_world_options_t *world;
  /// Launches have one argument, a tuple (jitrun/tuple.h) whose leaves are the
  /// parameters in order; donated, all of them are. And one output: the tuple
  /// that the result's shape tells, where tokens are tuples of nothing and what
  /// is no tuple is in one; else a tuple of the outputs.
  bool tupled_params, tupled_outputs;
} jitrun_executable_options_t;

/// Opens a program, from MLIR or an image, and makes an executable of an entry.
/// Errors are those of jitrun_program_open_file(); INVALID_ARGUMENT for an
/// assignment that cannot be, NOT_FOUND for the entry, UNIMPLEMENTED for an
/// entry that takes or gives tokens, async values or pointers, or whose
/// arguments are memory that no executable has; NOT_FOUND for a constant that
/// nobody has. `options` may be NULL.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_load_file(jitrun_client_t *client, const char *path,
                            const jitrun_executable_options_t *options,
                            jitrun_executable_t **out_executable);

/// The same of a program in memory; `name` stands for the file's name.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_load_memory(jitrun_client_t *client, const void *data,
                              size_t size_bytes, const char *name,
                              const jitrun_executable_options_t *options,
                              jitrun_executable_t **out_executable);

/// The same of a program that is open, and is retained.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_create(jitrun_client_t *client, jitrun_program_t *program,
                         const jitrun_executable_options_t *options,
                         jitrun_executable_t **out_executable);

JITRUN_API void jitrun_executable_retain(jitrun_executable_t *executable);
JITRUN_API void
jitrun_executable_release(/*own*/ jitrun_executable_t *executable);

/// Borrowed from the executable.
JITRUN_API jitrun_program_t *
jitrun_executable_program(const jitrun_executable_t *executable);
JITRUN_API const jitrun_entry_t *
jitrun_executable_entry(const jitrun_executable_t *executable);

/// The number of devices that run it together.
JITRUN_API size_t
jitrun_executable_device_count(const jitrun_executable_t *executable);

/// Device `index` of the assignment; NULL past the last.
JITRUN_API jitrun_device_t *
jitrun_executable_device(const jitrun_executable_t *executable, size_t index);

/// The world of its devices, for what the embedding program sends to them and
/// receives from them by channel; its device numbers are places in the
/// assignment. NULL: one device, whose program has no feeds and channels.
/// Borrowed from the executable.
JITRUN_API jitrun_world_t *
jitrun_executable_world(const jitrun_executable_t *executable);

/// The arguments of a launch: those of the entry; where its arguments are
/// allocations (jitrun/allocation.h), the parts of the program's parameters, in
/// the order of their numbers and indices.
JITRUN_API size_t
jitrun_executable_param_count(const jitrun_executable_t *executable);

/// The type of argument `index`; NULL past the last.
JITRUN_API const jitrun_value_info_t *
jitrun_executable_param(const jitrun_executable_t *executable, size_t index);

/// Which part of which parameter argument `index` is: its place in each tuple,
/// the outermost first. `out_number` and `out_count` are 0, and the result is
/// NULL, past the last; the latter also for a parameter that is no tuple.
JITRUN_API const int64_t *
jitrun_executable_param_index(const jitrun_executable_t *executable,
                              size_t index, uint32_t *out_number,
                              size_t *out_count);

/// The same of an output in the tuple that all of them make, or in that which
/// the result's shape tells.
JITRUN_API const int64_t *
jitrun_executable_output_index(const jitrun_executable_t *executable,
                               size_t index, size_t *out_count);

JITRUN_API size_t
jitrun_executable_output_count(const jitrun_executable_t *executable);

/// The type of output `index`; NULL past the last.
JITRUN_API const jitrun_value_info_t *
jitrun_executable_output(const jitrun_executable_t *executable, size_t index);

/// Memory that an execution takes on one device; zero-initialise, then set
/// `size`. Where only the execution knows sizes, they count nothing.
typedef struct jitrun_executable_memory {
  size_t size;             ///< sizeof(jitrun_executable_memory_t)
  uint64_t argument_bytes; ///< that a caller gives
  uint64_t output_bytes;
  uint64_t alias_bytes;    ///< of outputs that may be in memory of arguments
  uint64_t temp_bytes;     ///< in one arena, as far as the program has its own
  uint64_t constant_bytes; ///< of the whole program, and that arguments name
  uint64_t code_bytes;     ///< that are loaded, in the process: 0 for thunks
} jitrun_executable_memory_t;

/// INVALID_ARGUMENT for a NULL or a size that cannot be.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_memory(const jitrun_executable_t *executable,
                         jitrun_executable_memory_t *out_memory);

/// As jitrun_program_fingerprint(), of entry, replicas, partitions and executor
/// as well; not of which devices these are.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_fingerprint(const jitrun_executable_t *executable,
                              char out_text[JITRUN_FINGERPRINT_BYTES]);

/// What one device of an execution is given. With tupled parameters or outputs
/// the counts of those are 1.
typedef struct jitrun_launch {
  jitrun_buffer_t *const *args; ///< jitrun_executable_param_count()
  size_t arg_count;
  const uint32_t *donated; ///< which of them are given away, by index
  size_t donated_count;
  jitrun_buffer_t **outputs; ///< where the outputs are put, to be released;
                             ///< NULL where there are none
  size_t output_count;       ///< how many there must be
} jitrun_launch_t;

/// Options for executing; zero-initialise, then set `size`.
typedef struct jitrun_execute_options {
  size_t size; ///< sizeof(jitrun_execute_options_t)
  /// Return as soon as everything was checked: the outputs become ready, or get
  /// an error, later. Not for entries whose results have dynamic sizes.
  bool is_async;
  /// Of the whole execution; 0: as long as the client's options say; below 0:
  /// for ever. Past it the executions are asked to stop, and outputs that are
  /// not ready have DEADLINE_EXCEEDED.
  int64_t timeout_ns;
  /// These as in jitrun_run_options_t. What they point to must stay until all
  /// devices have ended: for an execution that is asynchronous, or past its
  /// deadline, until the next execution on each of its devices has ended.
  jitrun_print_fn_t print;
  void *print_context;
  const jitrun_user_data_t *user_data;
  size_t user_data_count;
  jitrun_diagnostic_fn_t diagnostic;
  void *diagnostic_context;
  jitrun_profile_t *profile; ///< NULL: none; retained while devices execute
  const jitrun_channel_t *channels; ///< their devices are places
  size_t channel_count;
} jitrun_execute_options_t;

/// Executes on every device of the assignment: `launches` has one for each, in
/// their order. Everything is checked before anything starts (counts, types,
/// sizes, devices, buffers that were deleted, donated or given twice), and
/// nothing is donated when that fails. Then no output is given unless all are:
/// the first error is returned once all devices have ended, with replica and
/// device in a note; what was donated is gone then. A device that waited for
/// one that failed is ABORTED, and not the one that is named. `options` may be
/// NULL. FAILED_PRECONDITION on the thread of a device (in a function that
/// jitrun_async_then() calls, in a custom call) that would wait for itself:
/// is_async does not.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_execute(jitrun_executable_t *executable,
                          const jitrun_launch_t *launches, size_t launch_count,
                          const jitrun_execute_options_t *options);

#ifdef __cplusplus
}
#endif
#endif

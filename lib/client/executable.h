/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What an executable is made of, and what one execution of it on one device
/// is. executable.c loads, launch.c prepares the execution of a device and runs
/// it, execute.c runs those of all devices together.
#ifndef JR_CLIENT_EXECUTABLE_H
#define JR_CLIENT_EXECUTABLE_H

#include "client/buffer.h"
#include "jitrun/allocation.h"
#include "jitrun/executable.h"
#include "jitrun/job.h"
#include "jitrun/world.h"

#include <pthread.h>

/// Immutable but for the reference count.
struct jitrun_executable {
  size_t reference_count;    ///< atomic
  jitrun_client_t *client;   ///< retained
  jitrun_program_t *program; ///< retained
  const jitrun_entry_t *entry;
  uint32_t entry_index; ///< in the program
  bool is_dynamic;      ///< a result's sizes are known only to the entry
  bool has_tupled_params, has_tupled_outputs;
  uint32_t replica_count, partition_count;
  jitrun_device_t **devices;
  int64_t *device_ids;   ///< theirs
  jitrun_world_t *world; ///< of several devices; NULL: one is alone
  size_t input_count;    ///< arguments of a launch
  size_t output_count;   ///< outputs of one
  jitrun_value_info_t *outputs;
  int32_t *tuple_shape; ///< of the tuple of the outputs, where they are one
  size_t launch_bytes;  ///< a launch with all that it has, of which ...
  size_t dim_count;     ///< ... sizes of arguments
  uint64_t temp_bytes, temp_alignment; ///< for temporaries of an execution
  bool is_checked_once; ///< what a launch was given is all that the entry gets,
                        ///< or copies of it, which need not be checked again
  /// Of an entry whose arguments are described, one a parameter; else NULL.
  bool *is_later;            ///< a launch makes it: the caller does not give it
  const void **constants;    ///< of a constant: its content
  struct jr_shared **shared; ///< those on devices, by place and parameter;
                             ///< NULL: it is where `constants` says
};

/// What the launches of one execution share, and what a jitrun_job_t is. Freed
/// with the last of them. Launches are listed as soon as they are started where
/// somebody may wait for them or ask about them, with a reference each until
/// all have ended.
struct jr_batch {
  size_t reference_count;           ///< atomic
  volatile int32_t cancel;          ///< they are to stop
  jitrun_execute_options_t options; ///< of the caller
  jitrun_executable_t *executable;  ///< borrowed from the launches
  struct jr_watched watched;
  struct jr_launch **launches; ///< NULL: not listed; `lock` to give them up
  size_t launch_count;
  size_t left;           ///< atomic: of them, those that have not ended
  jitrun_async_t *ended; ///< set when all have; NULL: not listed
  pthread_mutex_t lock;
  jitrun_error_t *error; ///< of all devices, the one to return
};

/// What a launch does, for messages.
#define JR_LAUNCH_QUEUED UINT64_MAX
#define JR_LAUNCH_RUNS (UINT64_MAX - 1)
#define JR_LAUNCH_OVER (UINT64_MAX - 2)

/// The execution of one device.
struct jr_launch {
  struct jr_task task;             ///< first, to be found by it
  size_t reference_count;          ///< atomic: the caller, and the task
  jitrun_executable_t *executable; ///< retained
  struct jr_batch *batch;          ///< has a reference
  size_t place;                    ///< in the assignment
  jitrun_device_t *device;
  const jitrun_launch_t *given; ///< the caller's, while it is prepared
  jitrun_tensor_t *args;        ///< one a parameter
  struct jr_memory **memories;  ///< theirs, with a reference
  struct jr_memory **copies;    ///< where an argument is copied to first; NULL
  bool *donated;  ///< was taken from its buffer; one a parameter of the entry,
                  ///< as are all of these
  bool *in_place; ///< is written to where it is
  bool is_inline; ///< runs on the caller's thread
  bool is_queued; ///< was given to the device's worker
  jitrun_async_t **after;   ///< what an argument waits for, or the error that
                            ///< it has; NULL: nothing
  jitrun_tensor_t *results; ///< one a result of the entry
  struct jr_memory **result_memories;
  jitrun_buffer_t **outputs;
  jitrun_async_t *done;   ///< set at the end; NULL: of one that is inline
  volatile uint64_t site; ///< that runs now
  uint64_t stage;         ///< atomic: one of the following, or the number of
                          ///< the argument that it waits for
  jitrun_place_t where;   ///< for handlers
  int64_t *dims;          ///< of the arguments
  struct jr_word *words;  ///< scalars of a device apart; see launch_apart.c
  struct jr_room *room;   ///< for temporaries; NULL: none yet
};

/// Room for a scalar in host memory.
struct jr_word {
  _Alignas(16) unsigned char bytes[16];
};

/// Of a device whose memory the host cannot use: brings scalars among the
/// arguments to the host, and makes room for those among the results; later
/// takes these to the device.
jitrun_error_t *jr_launch_fetch(struct jr_launch *launch)
    __attribute__((warn_unused_result));
jitrun_error_t *jr_launch_store(struct jr_launch *launch)
    __attribute__((warn_unused_result));

/// Finds out what launches need of an executable whose outputs are known.
void jr_launch_measure(jitrun_executable_t *executable);

/// A launch for place `place`; takes a reference of the batch.
jitrun_error_t *jr_launch_create(jitrun_executable_t *executable,
                                 struct jr_batch *batch, size_t place,
                                 const jitrun_launch_t *given,
                                 struct jr_launch **out_launch)
    __attribute__((warn_unused_result));
void jr_launch_retain(struct jr_launch *launch);
void jr_launch_release(/*own*/ struct jr_launch *launch);

jitrun_error_t *jr_batch_create(const jitrun_execute_options_t *options,
                                struct jr_batch **out_batch)
    __attribute__((warn_unused_result));
void jr_batch_retain(struct jr_batch *batch);
void jr_batch_release(/*own*/ struct jr_batch *batch);

/// Lists all launches, before anything is donated. `timeout_ns`: after which
/// the client stops them; below 0: never.
jitrun_error_t *jr_batch_list(struct jr_batch *batch,
                              struct jr_launch *const *launches, size_t count,
                              int64_t timeout_ns)
    __attribute__((warn_unused_result));

/// They start now; or, the other way round, never will.
void jr_batch_begin(struct jr_batch *batch);
void jr_batch_unlist(struct jr_batch *batch);

/// A launch has ended. The last one ends the batch.
void jr_batch_leave(/*own*/ struct jr_launch *launch);

/// Keeps an error for the caller, if it says more than the one there is.
void jr_batch_keep(struct jr_batch *batch, /*own*/ jitrun_error_t *error);

/// Has all launches stop. Outputs that are not ready have `error`; NULL: those
/// that have their launch's own.
void jr_batch_stop(struct jr_batch *batch, /*own*/ jitrun_error_t *error);

/// Appends what is outstanding: "entry 'main' on device host:0 (replica 0,
/// partition 0), in custom call 'x' at file:1:2". Only while it is listed, with
/// the watch's lock held; so for the next, which is DEADLINE_EXCEEDED.
void jr_batch_describe(const struct jr_batch *batch, struct jr_bytes *text);
jitrun_error_t *jr_batch_late(const struct jr_batch *batch, int64_t timeout_ns)
    __attribute__((warn_unused_result));

/// What jitrun_executable_execute() and jitrun_executable_start() do; `out_job`
/// NULL: nobody wants it.
jitrun_error_t *
jr_execute_all(jitrun_executable_t *executable, const jitrun_launch_t *launches,
               size_t launch_count, const jitrun_execute_options_t *options,
               struct jr_batch **out_job) __attribute__((warn_unused_result));

/// allocations.c: what an entry's arguments need of an executable: memory that
/// it can have, and constants that somebody has.
jitrun_error_t *
jr_executable_describe(jitrun_executable_t *executable,
                       const jitrun_executable_options_t *options)
    __attribute__((warn_unused_result));
void jr_executable_forget(jitrun_executable_t *executable);

/// "index {0} of parameter 1", "output {0}", "constant 'x'".
enum { JR_PLACE_BYTES = 512 };
void jr_place_format(const jitrun_allocation_t *allocation,
                     char text[JR_PLACE_BYTES]);

/// The parameter of the entry that argument `index` of a launch is.
static inline uint32_t jr_launch_param(const struct jr_launch *launch,
                                       size_t index) {
  return jitrun_entry_input(launch->executable->entry, index);
}

/// outputs.c: makes the output buffers that are known before the run.
jitrun_error_t *jr_launch_outputs(struct jr_launch *launch)
    __attribute__((warn_unused_result));

/// Of a result whose sizes the run told.
jitrun_error_t *jr_launch_take_result(struct jr_launch *launch, size_t index,
                                      const jitrun_tensor_t *tensor,
                                      jitrun_release_fn_t release,
                                      /*own*/ void *release_context)
    __attribute__((warn_unused_result));

/// It is given to the worker now. Others rely on it that what they give to the
/// worker later runs later.
void jr_launch_queue(struct jr_launch *launch);

/// The steps before it runs, each for all launches before the next. Check
/// compares what was given with what the entry and the device need; donate
/// takes what is given away from its buffers, and undo gives it back; allocate
/// makes the outputs.
jitrun_error_t *jr_launch_check(struct jr_launch *launch)
    __attribute__((warn_unused_result));
jitrun_error_t *jr_launch_donate(struct jr_launch *launch)
    __attribute__((warn_unused_result));
void jr_launch_undo(struct jr_launch *launch);
jitrun_error_t *jr_launch_allocate(struct jr_launch *launch)
    __attribute__((warn_unused_result));

/// Runs it: waits for the arguments, copies, executes, sets `done`,
/// keeps its error for the batch.
void jr_launch_run(struct jr_launch *launch);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What an executable is made of, and what one execution of it on one device
/// is. executable.c loads, launch.c prepares the execution of a device and runs
/// it, execute.c runs those of all devices together.
#ifndef JR_CLIENT_EXECUTABLE_H
#define JR_CLIENT_EXECUTABLE_H

#include "client/buffer.h"
#include "jitrun/executable.h"
#include "jitrun/world.h"

#include <pthread.h>

struct jr_output {
  bool is_result; ///< of the entry; else a parameter
  uint32_t index;
};

/// Immutable but for the reference count.
struct jitrun_executable {
  size_t reference_count;    ///< atomic
  jitrun_client_t *client;   ///< retained
  jitrun_program_t *program; ///< retained
  const jitrun_entry_t *entry;
  uint32_t entry_index; ///< in the program
  bool is_dynamic;      ///< a result's sizes are known only to the entry
  uint32_t replica_count, partition_count;
  jitrun_device_t **devices;
  jitrun_world_t *world; ///< of several devices; NULL: one is alone
  struct jr_output *outputs;
  size_t output_count;
};

/// What the launches of one execution share. Freed with the last of them.
struct jr_batch {
  size_t reference_count;           ///< atomic
  volatile int32_t cancel;          ///< the deadline has passed
  jitrun_execute_options_t options; ///< of the caller
  pthread_mutex_t lock;
  jitrun_error_t *error; ///< of all devices, the one to return
};

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
  bool *donated;                ///< was taken from its buffer
  jitrun_async_t **after;       ///< what an argument waits for; NULL: nothing
  jitrun_tensor_t *results;     ///< one a result of the entry
  struct jr_memory **result_memories;
  jitrun_buffer_t **outputs;
  jitrun_async_t *done;   ///< set at the end
  volatile uint64_t site; ///< that runs now
  int64_t *dims;          ///< of the arguments
};

/// A launch for place `place`; takes a reference of the batch.
jitrun_error_t *jr_launch_create(jitrun_executable_t *executable,
                                 struct jr_batch *batch, size_t place,
                                 const jitrun_launch_t *given,
                                 struct jr_launch **out_launch)
    __attribute__((warn_unused_result));
void jr_launch_release(/*own*/ struct jr_launch *launch);
void jr_batch_release(/*own*/ struct jr_batch *batch);

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

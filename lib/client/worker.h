/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A device's thread: runs one task after the other, in the order in which they
/// were put in. It starts with the first task.
#ifndef JR_CLIENT_WORKER_H
#define JR_CLIENT_WORKER_H

#include "base/error.h"

#include <stdbool.h>

struct jr_worker;

/// A task, whose memory is the caller's until `run` is called with it.
struct jr_task {
  struct jr_task *next;
  void (*run)(struct jr_task *task);
};

/// A worker without a thread yet.
jitrun_error_t *jr_worker_create(struct jr_worker **out_worker)
    __attribute__((warn_unused_result));

/// Ends the worker once its tasks are done, and waits for that unless this is
/// its own thread.
void jr_worker_destroy(/*own*/ struct jr_worker *worker);

/// Starts the thread when there is none. RESOURCE_EXHAUSTED.
jitrun_error_t *jr_worker_start(struct jr_worker *worker)
    __attribute__((warn_unused_result));

/// True on its thread.
bool jr_worker_is_own(struct jr_worker *worker);

/// Puts a task behind the others of a worker that was started.
void jr_worker_put(struct jr_worker *worker, struct jr_task *task);

#endif

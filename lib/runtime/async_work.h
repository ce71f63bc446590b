/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The async work of one execution: which handles are its, what has been given
/// to the runner, which coroutines wait, and what its threads keep of errors.
/// An execution is done when nothing of this is active.
#ifndef JR_RUNTIME_ASYNC_WORK_H
#define JR_RUNTIME_ASYNC_WORK_H

#include "runtime/async.h"
#include "runtime/exec.h"

/// A coroutine that is to go on: a task, or one that waits for a handle.
struct jr_resumption;

/// A thread that runs coroutines of the execution, innermost first. What they
/// make ready meanwhile runs behind them, not inside.
struct jr_async_frame {
  struct jr_async_frame *next;
  pthread_t thread;
  struct jr_async_error *held;
  struct jr_resumption *ready, **ready_end;
};

struct jr_async_work {
  pthread_mutex_t lock;
  atomic_size_t active;      ///< the entry, tasks, and coroutines that wait
  jitrun_execution_t *owner; ///< NULL: the entry's thread waits for the rest
  bool is_used; ///< there was some; set before other threads know it
  jitrun_async_t **owned;
  size_t owned_count, owned_capacity;
  struct jr_async_frame *frames;
  struct jr_resumption *waiting; ///< for a handle
};

struct jr_context;

void jr_async_work_init(struct jr_async_work *work);
void jr_async_work_deinit(struct jr_async_work *work);

/// Before the entry runs.
void jr_async_work_begin(struct jr_context *context);

/// Waits until the async work of the execution is done, running tasks of the
/// pool meanwhile, and gives the context back. Returns `error`, or else the
/// first error of async work that nobody has seen.
jitrun_error_t *
jr_async_work_finish(struct jr_context *context,
                     /*own*/ jitrun_error_t *error) JITRUN_MUST_USE;

/// Leaves that to whoever does the last of the work, who then calls
/// jr_execution_finish().
void jr_async_work_detach(struct jr_context *context,
                          jitrun_execution_t *owner);

/// Has coroutines that wait in a cancelled execution go on, with an error; only
/// between jr_async_work_enter(), if that is true, and jr_async_work_leave().
void jr_async_work_cancel(struct jr_context *context);
bool jr_async_work_enter(struct jr_context *context);
void jr_async_work_leave(struct jr_context *context);

/// Gives up the handles of an execution whose work is done; memory of the
/// execution that is in a value it returned goes along with that. Returns the
/// first error that nobody has seen.
jitrun_error_t *jr_async_work_end(struct jr_context *context) JITRUN_MUST_USE;

/// A handle that an entry returns, of the type of its result, retained for the
/// caller.
void jr_async_work_result(jitrun_async_t *async, const jitrun_type_t *type);

/// Where this thread keeps the error of a call that failed.
struct jr_async_error **jr_async_held(struct jr_context *context);

extern const struct jr_async_functions jr_async_functions;

// Between async_work.c and async_exec.c.

/// Has the coroutine go on when the handle is set; NULL: as a task of the
/// runner.
void jr_async_resume_on(struct jr_context *context, jitrun_async_t *async,
                        void *coroutine, void (*resume)(void *coroutine));

/// Before this thread blocks: what it would have run later is for others.
void jr_async_flush(struct jr_context *context);

/// Makes a handle one of the execution, which takes the reference over. What
/// handlers return is, when it fits.
void jr_async_own(struct jr_context *context, /*own*/ jitrun_async_t *async);

#endif

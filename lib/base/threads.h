/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The process's thread pool: parallel loops and tasks. Threads start with the
/// first use that needs them, spin briefly for work, then block.
#ifndef JR_BASE_THREADS_H
#define JR_BASE_THREADS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct jr_pool;

/// The process-wide pool; as many threads as the affinity mask allows, the
/// caller being one of them. Never NULL (falls back to running inline).
struct jr_pool *jr_pool_default(void);

/// A pool of `thread_count` threads (>= 1, the calling thread included).
jitrun_error_t *jr_pool_create(size_t thread_count, struct jr_pool **out_pool)
    __attribute__((warn_unused_result));

/// Waits for all work, ends the threads.
void jr_pool_destroy(struct jr_pool *pool);

size_t jr_pool_thread_count(const struct jr_pool *pool);

/// Runs `body` over [0, count) in pieces of at least `grain` items on the pool
/// and the calling thread; returns when all are done. May be nested and called
/// from several threads at once.
void jr_pool_for(struct jr_pool *pool, size_t count, size_t grain,
                 void (*body)(void *context, size_t first, size_t last),
                 void *context);

/// Runs `task` some time on a thread of the pool (inline when it has only the
/// caller). RESOURCE_EXHAUSTED when it cannot be queued.
jitrun_error_t *jr_pool_submit(struct jr_pool *pool, void (*task)(void *),
                               void *context)
    __attribute__((warn_unused_result));

/// Returns when `is_done(context)`, called under the pool's lock, is true; a
/// negative `timeout_ns` waits for ever, otherwise it may return before. Runs
/// tasks of the pool meanwhile if `helps`, so that a wait for a task ends even
/// when no worker is free. Whoever makes the condition true calls
/// jr_pool_notify() behind it.
void jr_pool_wait(struct jr_pool *pool, bool helps, int64_t timeout_ns,
                  bool (*is_done)(void *context), void *context);
void jr_pool_notify(struct jr_pool *pool);

/// Around a wait, in a task, for what another task may have to do: while all
/// threads of the pool are in one, tasks get threads of their own. Does nothing
/// on other threads.
void jr_pool_block(void);
void jr_pool_unblock(void);

/// Size of a stack for signal handlers.
enum { JR_SIGNAL_STACK_BYTES = (1 << 16) - 64 };

/// Has signal handlers that ask for it (SA_ONSTACK) run on `memory` when they
/// interrupt this thread, so that one can tell of a stack that is full; unless
/// it has such a stack already. NULL takes ours back. `memory` is the caller's.
void jr_thread_signal_stack(void *memory);

#endif

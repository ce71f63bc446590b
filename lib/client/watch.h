/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a client knows of the executions that have not ended: for texts of
/// deadlines and warnings, for the deadlines of those that nobody waits for,
/// and for threads that would wait for themselves. The thread that looks at the
/// times is there only if something is to be done by one.
#ifndef JR_CLIENT_WATCH_H
#define JR_CLIENT_WATCH_H

#include "base/bytes.h"
#include "jitrun/async.h"
#include "jitrun/client.h"

#include <stdint.h>

struct jr_batch;
struct jr_watch;

/// Where a batch is in the list, and when there is something to do. All but the
/// deadline, which is set before, is the watch's.
struct jr_watched {
  struct jr_batch *next;
  struct jr_batch **link; ///< NULL: it is not in the list
  uint64_t start_ns;
  uint64_t warn_ns, gap_ns; ///< the next warning, and how long to the one after
  int64_t timeout_ns; ///< that the watch sees to; below 0: nobody, or others
  uint64_t deadline_ns;
};

jitrun_error_t *jr_watch_create(const jitrun_client_options_t *options,
                                struct jr_watch **out_watch)
    __attribute__((warn_unused_result));

/// Ends the thread, and waits for it unless this is it.
void jr_watch_destroy(/*own*/ struct jr_watch *watch);

/// True when executions have to be listed even if nobody can wait for them.
bool jr_watch_warns(const struct jr_watch *watch);

/// Before the first of jr_watch_add(): starts the thread where a batch needs
/// it. RESOURCE_EXHAUSTED.
jitrun_error_t *jr_watch_prepare(struct jr_watch *watch,
                                 const struct jr_batch *batch)
    __attribute__((warn_unused_result));

/// Lists a batch until it is removed.
void jr_watch_add(struct jr_watch *watch, struct jr_batch *batch);
void jr_watch_remove(struct jr_watch *watch, struct jr_batch *batch);

/// DEADLINE_EXCEEDED with what is outstanding; NULL when the batch has ended.
jitrun_error_t *jr_watch_late(struct jr_watch *watch,
                              const struct jr_batch *batch, int64_t timeout_ns)
    __attribute__((warn_unused_result));

/// FAILED_PRECONDITION when a token is set by what this thread is to run later.
jitrun_error_t *jr_watch_refuse(struct jr_watch *watch,
                                const jitrun_async_t *token)
    __attribute__((warn_unused_result));

/// Waits for a token, at most `timeout_ns` (0: as the client's options say;
/// below 0: for ever), and warns if it takes long. NULL, the token's error,
/// that of the last function, or DEADLINE_EXCEEDED, "`what` is not ready after
/// ...", with what is outstanding.
jitrun_error_t *jr_watch_wait(jitrun_client_t *client,
                              const jitrun_async_t *token, int64_t timeout_ns,
                              const char *what)
    __attribute__((warn_unused_result));

/// One warning after another of a wait that goes on.
struct jr_patience {
  const struct jr_watch *watch;
  uint64_t start_ns, deadline_ns, warn_ns, gap_ns;
};

/// A wait that begins now; below 0: for ever.
struct jr_patience jr_patience_begin(const struct jr_watch *watch,
                                     int64_t timeout_ns);

/// How long to wait now; below 0: for ever. 0: the time is over.
int64_t jr_patience_next(const struct jr_patience *patience);

/// True when a warning is due: it counts as given.
bool jr_patience_is_due(struct jr_patience *patience);

void jr_watch_warn(const struct jr_watch *watch, struct jr_bytes *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// States that call sites share, by name and id: those of one program or of one
/// execution. Finding one that is there takes no lock: the hash of the name,
/// one comparison, some 30 ns. While one is made the others that ask for it
/// wait; no lock is held meanwhile, so other keys go on.
#ifndef JR_RUNTIME_STATES_H
#define JR_RUNTIME_STATES_H

#include "base/error.h"
#include "jitrun/customcall.h"

#include <pthread.h>

struct jr_state;
struct jr_state_table;
struct jr_state_waiter;

/// What all states of a program, its executions' included, have in common: they
/// may wait for each other.
struct jr_state_sync {
  pthread_mutex_t lock;
  pthread_cond_t ended; ///< a create
  struct jr_state_waiter *waiters;
};

/// Zero-initialised is empty and ready.
struct jr_states {
  struct jr_state_table *table; ///< atomic
  struct jr_state *newest;      ///< of those that were made
};

void jr_state_sync_init(struct jr_state_sync *sync);
void jr_state_sync_deinit(struct jr_state_sync *sync);

/// INVALID_ARGUMENT when a key cannot be used.
jitrun_error_t *
jr_state_key_check(const jitrun_state_key_t *key) JITRUN_MUST_USE;

/// The state of a checked key; made with `call` if it is not there.
/// FAILED_PRECONDITION when that would wait for itself.
jitrun_error_t *jr_states_get(struct jr_states *states,
                              struct jr_state_sync *sync,
                              const jitrun_call_t *call,
                              const jitrun_state_key_t *key,
                              void **out_state) JITRUN_MUST_USE;

/// Destroys all, those made last first. Nobody else may use them.
void jr_states_clear(struct jr_states *states);

#endif

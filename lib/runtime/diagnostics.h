/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers say besides their errors, kept until it is known whether there
/// is an error for them to be notes of. Bounded, so that a loop cannot take all
/// memory: what does not fit is counted.
#ifndef JR_RUNTIME_DIAGNOSTICS_H
#define JR_RUNTIME_DIAGNOSTICS_H

#include "base/error.h"
#include "jitrun/program.h"

#include <pthread.h>

enum {
  JR_DIAGNOSTIC_COUNT = 64,  ///< texts that are kept
  JR_DIAGNOSTIC_BYTES = 4096 ///< of each
};

struct jr_diagnostic {
  struct jr_diagnostic *next;
  size_t size;
  char text[];
};

struct jr_diagnostics {
  pthread_mutex_t lock;
  struct jr_diagnostic *first, *last;
  uint64_t count; ///< said, whether kept or not
  uint32_t kept;
};

void jr_diagnostics_init(struct jr_diagnostics *diagnostics);
void jr_diagnostics_deinit(struct jr_diagnostics *diagnostics);

/// Keeps a text. Thread-safe.
void jr_diagnostics_add(struct jr_diagnostics *diagnostics, const char *text,
                        size_t size);

/// Where there is an error they become notes of it, in order, and are gone.
jitrun_error_t *
jr_diagnostics_join(struct jr_diagnostics *diagnostics,
                    /*own*/ jitrun_error_t *error) JITRUN_MUST_USE;

/// Gives those that are kept to a function; then they are gone.
void jr_diagnostics_send(struct jr_diagnostics *diagnostics,
                         jitrun_diagnostic_fn_t send, void *context);

/// Forgets all. Nobody else may use them, so where there are none it costs
/// nothing.
void jr_diagnostics_clear(struct jr_diagnostics *diagnostics);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory that a program may change and that lives as long as it is loaded: one
/// instance a loaded program, apart from the code or within it. A program that
/// has such memory runs one execution at a time.
#ifndef JR_RUNTIME_GLOBALS_H
#define JR_RUNTIME_GLOBALS_H

#include "runtime/table.h"

#include <pthread.h>

struct jr_globals {
  void **bases; ///< one an allocation: of a global its memory; NULL: none has
  void *memory;
  bool is_there; ///< the program has such memory
  pthread_mutex_t lock;
  pthread_cond_t is_left;
  bool is_entered;
};

void jr_globals_init(struct jr_globals *globals);
void jr_globals_deinit(struct jr_globals *globals);

/// Makes the memory, with its first contents; notes whether the code has some
/// of its own.
jitrun_error_t *jr_globals_make(struct jr_globals *globals,
                                const struct jr_table *table) JITRUN_MUST_USE;

/// Waits until no other execution has the globals; does nothing where there are
/// none. CANCELLED when `cancel` (NULL: never) becomes non-zero. Leave from any
/// thread.
jitrun_error_t *
jr_globals_enter(struct jr_globals *globals,
                 const volatile int32_t *cancel) JITRUN_MUST_USE;
void jr_globals_leave(struct jr_globals *globals);

#endif

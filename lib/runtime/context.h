/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Execution contexts: the mutable side of one execution. A context is made
/// from the program's table once: frames with plain pointers and the slots that
/// the dispatcher walks. When it is used again, only arguments of allocations
/// whose base changed are rebased.
///
/// Life: acquire -> set bases, words and options -> start -> run -> give back.
/// Used by one execution at a time; only the functions of jitrun_call_api_t may
/// come from other threads.
#ifndef JR_RUNTIME_CONTEXT_H
#define JR_RUNTIME_CONTEXT_H

#include "runtime/async_work.h"
#include "runtime/meter.h"
#include "runtime/program.h"

/// A pointer in a frame: the base of an allocation plus an offset.
struct jr_reloc {
  jitrun_arg_t *arg;
  uint64_t offset;
};

/// A scalar in a frame: a word of the entry's parameters.
struct jr_patch {
  jitrun_arg_t *arg;
  uint32_t word;
};

/// What a thunk refers to outside of the registers, found once.
struct jr_move {
  jitrun_call_t *frame; ///< TAKE, PASS, RETURN: of the call
  uint32_t number;      ///< of its result; RUN: of sites that have results
  jitrun_arg_t *to;     ///< PASS, GIVE: the argument
  uint64_t *words;      ///< PARAM: the word; RETURN, ANSWER: the words of the
                        ///< entry's result
};

/// Memory that an execution allocated and that goes with it.
struct jr_block {
  struct jr_block *next; ///< in the same chain
  void *data;
  void *start; ///< of the allocation that `data` is in
  size_t size_bytes;
  uint64_t serial; ///< when it was tracked, from 1; 0: it is not
  uint32_t place;  ///< the assertion that says where it was allocated
};

/// What a module made for the execution.
struct jr_begun {
  void *state;
  bool is_begun;
};

enum {
  JR_BLOCK_CHAINS = 64,
  JR_MAX_DEPTH = 64 ///< of executions inside of executions
};

/// Those blocks, found by their data's address. Has a lock of its own.
struct jr_blocks {
  pthread_mutex_t lock;
  size_t count;
  uint64_t serial; ///< of the last block that was tracked
  struct jr_block *chains[JR_BLOCK_CHAINS];
  const struct jr_meter *meter; ///< of the execution; NULL: none
};

struct jr_profiling;
struct jr_workspace;

struct jr_context {
  struct jr_exec exec; ///< first: handlers and code are given its address
  jitrun_program_t *program;
  struct jr_context *next; ///< in the program's pool
  uint64_t run_id;

  struct jr_arena arena; ///< owns the arrays; frames have their own block
  unsigned char *frames;
  struct jr_reloc *relocs; ///< by allocation: those of A are in
  uint32_t *reloc_ends;    ///< [ends[A - 1], ends[A])
  struct jr_patch *patches;
  uint32_t *patch_ends;  ///< the same, by entry
  jitrun_type_t **views; ///< one an allocation: the type of this execution of a
                         ///< parameter whose type is dynamic, else NULL
  uint64_t *scalars, *results; ///< what exec.scalars and .results point to
  struct jr_move *moves;       ///< one a thunk
  uint64_t *registers;         ///< of thunks
  uint8_t *widths;             ///< one a register: bits of a scalar

  void *temp;       ///< arena of temporary allocations; NULL until it is needed
  void *given_temp; ///< of the caller, for this execution; NULL: `temp` serves
  void *temp_base;  ///< where bases of temporaries are
  bool is_temp_counted; ///< the execution's meter has `temp`
  struct jr_blocks blocks;
  struct jr_async_error *held; ///< of a call that failed and whose status the
                               ///< program looked at, the last one; NULL: none
  struct jr_async_work async;

  struct jr_begun *modules; ///< one a module of the program
  struct jr_states states;  ///< states of the execution's scope
  struct jr_diagnostics diagnostics;

  jitrun_run_options_t options; ///< of the caller
  struct jr_context *outermost; ///< the execution that this one is inside of,
                                ///< or itself: its lock counts
  uint32_t depth;               ///< how far inside
  pthread_mutex_t output_lock;  ///< of options.print and .diagnostic
  volatile uint64_t own_site; ///< exec.current_site when the caller keeps none
  struct jr_profiling *profiling;  ///< NULL: has never had a profile
  struct jr_workspace *workspaces; ///< one a site; NULL: none has asked for one
};

/// The functions that native code calls (dispatch.c, blocks.c).
extern const struct jr_exec_functions jr_exec_functions;

/// The functions that handlers call (call_api.c).
extern const jitrun_call_api_t jr_call_api;

static inline struct jr_context *jr_context_of(struct jr_exec *exec) {
  return (struct jr_context *)(void *)exec;
}

/// True when the execution has been asked to stop, from whatever thread.
static inline bool jr_exec_is_cancelled(const struct jr_exec *exec) {
  return __atomic_load_n(exec->cancel, __ATOMIC_RELAXED) != 0;
}

/// Says which site runs now, for other threads and signal handlers.
static inline void jr_exec_set_site(struct jr_exec *exec, uint64_t site) {
  __atomic_store_n(exec->current_site, site, __ATOMIC_RELAXED);
}

/// Takes a context out of the program's pool, or makes one (and runs the
/// prepare stage).
jitrun_error_t *
jr_context_acquire(jitrun_program_t *program,
                   struct jr_context **out_context) JITRUN_MUST_USE;

/// Gives a context back; ends the execution, whatever way it went: its states,
/// its modules, its memory.
void jr_context_give_back(struct jr_context *context);

void jr_context_destroy(struct jr_context *context);

/// Sets the base of an allocation, and what points into it.
void jr_context_rebase(struct jr_context *context, uint32_t alloc, void *base);

/// Gets ready for one execution of an entry, whose bases, views and words are
/// set: temporary memory, scalar arguments, the initialize stage.
jitrun_error_t *jr_context_start(struct jr_context *context,
                                 uint32_t entry) JITRUN_MUST_USE;

/// CANCELLED for an execution that was asked to stop.
jitrun_error_t *jr_error_cancelled(void) JITRUN_MUST_USE;

/// Calls the sites [first, first + count); see jr_exec_functions.run.
jitrun_error_t *jr_dispatch(struct jr_exec *exec, uint64_t first,
                            uint64_t count) JITRUN_MUST_USE;

/// Finds the frames that thunks pass results between, and makes registers;
/// after the frames are built.
jitrun_error_t *jr_thunks_prepare(struct jr_context *context) JITRUN_MUST_USE;

/// Runs an entry by its thunks.
jitrun_error_t *jr_thunks_run(struct jr_context *context,
                              uint32_t entry) JITRUN_MUST_USE;

/// The functions for results of calls: see jitrun_call_api_t and
/// jr_exec_functions.
jitrun_error_t *jr_result_alloc(const jitrun_call_t *call, uint32_t index,
                                const int64_t *dims) JITRUN_MUST_USE;
jitrun_error_t *jr_result_set(const jitrun_call_t *call, uint32_t index,
                              void *data, const int64_t *dims,
                              const int64_t *strides) JITRUN_MUST_USE;
jitrun_error_t *jr_result_check(struct jr_exec *exec,
                                const jitrun_call_t *frame,
                                uint64_t number) JITRUN_MUST_USE;

/// See jitrun_call_api_t.
void jr_place_fill(const jitrun_call_t *call, jitrun_place_t *out_place);
void *jr_call_workspace(const jitrun_call_t *call, size_t size_bytes);
void jr_workspaces_free(struct jr_context *context);

/// Memory for the rest of the execution; NULL when there is none, with what the
/// execution's meter says of it, if that is why.
void *jr_blocks_alloc(struct jr_blocks *blocks, size_t size_bytes,
                      size_t alignment, jitrun_error_t **out_error);
/// The same for those who need no reason.
void *jr_blocks_scratch(struct jr_blocks *blocks, size_t size_bytes,
                        size_t alignment);
/// Frees one; other addresses are ignored.
void jr_blocks_free(struct jr_blocks *blocks, void *data);
void jr_blocks_free_all(struct jr_blocks *blocks);
/// Tracks the block of this data: it is missed if it stays to the end.
void jr_blocks_track(struct jr_blocks *blocks, const void *data,
                     uint32_t place);
/// Takes the block out that the address is in; NULL for others.
struct jr_block *jr_blocks_take(struct jr_blocks *blocks, const void *address);

/// What a program that was compiled with checks calls, see jr_exec_functions.
jitrun_error_t *jr_check_fail(struct jr_exec *exec, uint64_t index,
                              const int64_t *values,
                              uint64_t count) JITRUN_MUST_USE;
void jr_check_track(struct jr_exec *exec, const void *data, uint64_t index);

/// Tells of tracked memory that an entry, which is done, has neither freed nor
/// returned.
void jr_check_leaks(struct jr_context *context, uint32_t entry);

/// Takes the memory that the address is in from a context whose execution is
/// done; NULL for other memory, and when there is none for the record.
struct jr_async_memory *jr_context_take_memory(struct jr_context *context,
                                               const void *address);

#endif

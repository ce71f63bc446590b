/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Specialisers: one entry of an MLIR program, compiled again for the sizes and
/// values of the arguments that it is run with.
///
/// Sizes become part of the program where it asks for that (`rt.constraint`:
/// "shape", "value"), where they are 1 or where the signature has them already;
/// other sizes only have to be equal where they were equal. Programs are kept,
/// up to a limit, least recently used first out.
///
/// Life: open -> get or run, any number of times -> close. All functions but
/// close are thread-safe: threads that ask for the same at the same time have
/// it compiled once. Programs that were handed out outlive the specialiser.
#ifndef JITRUN_SPECIALIZE_H
#define JITRUN_SPECIALIZE_H

#include "jitrun/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_specializer jitrun_specializer_t;

/// Which program runs. The default one is compiled for any sizes. Whatever is
/// asked for, an entry that nothing can be specialised in (all sizes static, no
/// values asked for) has the default program only, and one with constraints
/// that its signature leaves open has none.
typedef enum jitrun_specialize_mode {
  /// The specialised program, or the default one while it is being compiled.
  JITRUN_SPECIALIZE_ENABLED = 0,
  /// The default program only; FAILED_PRECONDITION for an entry with open
  /// constraints.
  JITRUN_SPECIALIZE_DISABLED = 1,
  /// The specialised program; callers wait for it.
  JITRUN_SPECIALIZE_ALWAYS = 2
} jitrun_specialize_mode_t;

/// Options; zero-initialise, then set `size`.
typedef struct jitrun_specialize_options {
  size_t size; ///< sizeof(jitrun_specialize_options_t)
  jitrun_specialize_mode_t mode;
  size_t cache_limit; ///< programs that are kept; 0: 64
  const char *entry;  ///< NULL: the default entry, else the first
  /// After a program did not compile: how long it is not tried again, twice as
  /// long after each further failure up to 64 times as long; until then get
  /// gives the same error, or the default program. 0: a second.
  uint64_t retry_ns;
  jitrun_runner_fn_t runner; ///< of compiles in mode ENABLED; NULL: the
                             ///< process's pool
  void *runner_context;
  /// Receives why a program did not compile where the default one runs instead;
  /// NULL: dropped. Called on any thread.
  jitrun_diagnostic_fn_t diagnostic;
  void *diagnostic_context;
} jitrun_specialize_options_t;

/// Opens a specialiser for an MLIR file (text or bytecode; "-" is standard
/// input). Both options may be NULL. FAILED_PRECONDITION for an image, which is
/// compiled already; NOT_FOUND for an entry that is none; else as
/// jitrun_program_open_file().
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_specializer_open_file(const char *path,
                             const jitrun_open_options_t *open_options,
                             const jitrun_specialize_options_t *options,
                             jitrun_specializer_t **out_specializer);

/// As above, from memory, which is copied; `name` as in
/// jitrun_program_open_memory().
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_specializer_open_memory(const void *data, size_t size_bytes,
                               const char *name,
                               const jitrun_open_options_t *open_options,
                               const jitrun_specialize_options_t *options,
                               jitrun_specializer_t **out_specializer);

/// Waits for compiles that are under way, then frees everything. No other call
/// may be going on.
JITRUN_API void
jitrun_specializer_close(/*own*/ jitrun_specializer_t *specializer);

/// The entry as the program has it, without any specialisation. Borrowed.
JITRUN_API const jitrun_entry_t *
jitrun_specializer_entry(const jitrun_specializer_t *specializer);

/// The program to run for these arguments, retained, and its entry, borrowed
/// from it. The program is right for them alone: run it with no others.
/// INVALID_ARGUMENT when there are more or fewer arguments than the entry has,
/// or their ranks and sizes do not fit ("failed to resolve symbolic shape");
/// else why the program does not compile.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_specializer_get(jitrun_specializer_t *specializer,
                       const jitrun_tensor_t *args, size_t arg_count,
                       jitrun_program_t **out_program,
                       const jitrun_entry_t **out_entry);

/// jitrun_specializer_get(), then jitrun_program_run().
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_specializer_run(jitrun_specializer_t *specializer,
                       const jitrun_tensor_t *args, size_t arg_count,
                       const jitrun_tensor_t *results, size_t result_count,
                       const jitrun_run_options_t *options);

/// The default program, retained. FAILED_PRECONDITION, "default executable is
/// not available", when there is none.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_specializer_default(jitrun_specializer_t *specializer,
                           jitrun_program_t **out_program);

/// Waits until no compile is under way. `timeout_ns` < 0: for ever; else
/// DEADLINE_EXCEEDED when some go on for longer.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_specializer_wait_all(jitrun_specializer_t *specializer,
                            int64_t timeout_ns);

/// What a specialiser has done so far.
typedef struct jitrun_specializer_stats {
  size_t size;       ///< sizeof(jitrun_specializer_stats_t), set by the caller
  uint64_t hits;     ///< gets that were answered by a program kept
  uint64_t misses;   ///< all others but those with the default program only
  uint64_t compiled; ///< specialised programs made
  uint64_t failed;   ///< compiles that failed
  uint64_t evicted;  ///< programs given up for the limit
  uint64_t kept;     ///< programs that are kept now
} jitrun_specializer_stats_t;

JITRUN_API void jitrun_specializer_stats(jitrun_specializer_t *specializer,
                                         jitrun_specializer_stats_t *out_stats);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Watching a compile: what its stages are called, what each took, and the
/// program as it is after each.
///
/// An observer is the caller's: filled in, handed over by address in the
/// options of jitrun/program.h and jitrun/compile.h, read for as long as
/// programs are compiled with these options, never changed. Its functions are
/// called on the thread that compiles, of several threads for several compiles.
/// A compile without an observer prepares nothing for one.
#ifndef JITRUN_STAGES_H
#define JITRUN_STAGES_H

#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A stage that has ended well. Valid during the call.
typedef struct jitrun_stage {
  size_t size;           ///< sizeof(jitrun_stage_t), for what is added later
  const char *name;      ///< "tensors"
  size_t index;          ///< for jitrun_stage_name(); a compile begins with 0
  uint64_t time_ns;      ///< without what the observer took
  uint64_t memory_bytes; ///< by which the peak of the process's memory grew
  const char *text; ///< the whole program after it, when asked for; else NULL
  size_t text_bytes;
  const char *suffix; ///< what the text is: "mlir", "ll" or "s"
} jitrun_stage_t;

/// Zero-initialise, then set `size`.
typedef struct jitrun_observer {
  size_t size; ///< sizeof(jitrun_observer_t)
  void *context;
  /// A stage begins; NULL: nobody wants to know.
  void (*begin)(void *context, const char *name);
  /// A stage has ended; one that fails does not. NULL: nobody wants to know.
  void (*end)(void *context, const jitrun_stage_t *stage);
  /// Stages whose text `end` wants, by name; "all" stands for all of them. A
  /// name that is none is INVALID_ARGUMENT, with the nearest ones.
  const char *const *texts;
  size_t text_count;
} jitrun_observer_t;

/// What a stage took. See jitrun_stats_t.
typedef struct jitrun_stage_cost {
  const char *name;
  uint64_t time_ns;
  uint64_t memory_bytes; ///< by which the peak of the process's memory grew
} jitrun_stage_cost_t;

/// The name of a stage, in the order in which they run; NULL past the last.
/// Programs without code of their own skip some.
JITRUN_API const char *jitrun_stage_name(size_t index);

/// What a function of loaded code is called and where it is. `context` is the
/// options' code_context.
typedef void (*jitrun_code_fn_t)(void *context, const char *name,
                                 const void *address, size_t size_bytes);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a part of libjitrun.a is made of, and which of them are linked. The
/// list of parts refers to them weakly: an archive gives a linker what is named
/// by something else, and the rest are NULL.
#ifndef JR_CUSTOMCALLS_PARTS_H
#define JR_CUSTOMCALLS_PARTS_H

#include "jitrun/customcall.h"
#include "jitrun/parts.h"

#include <stdbool.h>
#include <stddef.h>

/// X(name), in the order in which registries take their calls.
#define JR_PARTS(X)                                                            \
  X(control)                                                                   \
  X(memory)                                                                    \
  X(print)                                                                     \
  X(gemm)                                                                      \
  X(random)                                                                    \
  X(sort)                                                                      \
  X(argmax)                                                                    \
  X(reduce)                                                                    \
  X(softmax)                                                                   \
  X(fft)                                                                       \
  X(transpose)                                                                 \
  X(cholesky)                                                                  \
  X(triangular)                                                                \
  X(collective)                                                                \
  X(transfer)                                                                  \
  X(xla)                                                                       \
  X(functions)

struct jitrun_part {
  const char *name;
  const jitrun_customcall_t *calls;
  size_t call_count;
  bool is_replaceable; ///< who registers one of these names takes its place
  void *(*find_function)(const char *name); ///< NULL: it has no functions
};

/// A part of calls alone; whether a user's may replace them.
#define JR_PART(part, table, can_replace)                                      \
  const struct jitrun_part jitrun_part_##part = {                              \
      .name = #part,                                                           \
      .calls = (table),                                                        \
      .call_count = sizeof(table) / sizeof(table)[0],                          \
      .is_replaceable = (can_replace)}

/// For a file whose code cannot say what is needed.
#define JR_NEEDS_ALL_PARTS                                                     \
  static const jitrun_part_t *const *const needed_parts                        \
      __attribute__((used)) = jitrun_part_all;

enum jr_part_index {
#define X(name) JR_PART_##name,
  JR_PARTS(X)
#undef X
      JR_PART_COUNT
};

/// The part, or NULL where it is not linked; NULL past the last.
const struct jitrun_part *jr_part_get(size_t index);

/// True where every part is.
bool jr_parts_complete(void);

/// The part that has a call of that name, of those linked; or NULL.
const struct jitrun_part *jr_part_of_call(const char *name);

#endif

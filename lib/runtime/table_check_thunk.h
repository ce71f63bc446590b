/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The two halves of checking thunks: table_check_thunk.c follows control flow,
/// and with it what was called and passed; table_check_value.c looks at thunks
/// that only use registers.
#ifndef JR_RUNTIME_TABLE_CHECK_THUNK_H
#define JR_RUNTIME_TABLE_CHECK_THUNK_H

#include "runtime/table_check.h"

/// What is known while the thunks of one owner, an entry or a computation, are
/// followed.
struct jr_thunk_check {
  const struct jr_table *table;
  uint32_t entry;       ///< JR_NONE in a computation
  uint32_t computation; ///< JR_NONE in an entry
  uint32_t owner;       ///< a number of its own, from 1
  uint32_t deepest;     ///< nest seen
  uint8_t *ran;         ///< one a site: some thunk runs it
  uint32_t *known;      ///< one an argument, then one a parameter: the owner
                        ///< whose thunks have passed or returned it, or run the
                        ///< call whose result it is
  uint64_t *log; ///< what became known, to be forgotten where a nest ends
  uint64_t log_count;
  uint32_t *depths; ///< one a computation: how deep its thunks nest
};

/// An error that names the thunk.
jitrun_error_t *jr_thunk_refuse(const struct jr_thunk_check *check,
                                uint32_t index,
                                const char *cause) JITRUN_MUST_USE;

/// From here on an argument, or `arg_count` + a parameter, is known.
void jr_thunk_learn(struct jr_thunk_check *check, uint64_t item);
bool jr_thunk_knows(const struct jr_thunk_check *check, uint64_t item);

/// A thunk that uses registers and has no body.
jitrun_error_t *jr_check_value(struct jr_thunk_check *check,
                               uint32_t index) JITRUN_MUST_USE;

/// The registers that a thunk says it uses exist, and control what they may:
/// those of a nest.
jitrun_error_t *jr_check_nest(const struct jr_thunk_check *check,
                              uint32_t index) JITRUN_MUST_USE;

/// The types of registers.
jitrun_error_t *
jr_check_registers(const struct jr_table *table) JITRUN_MUST_USE;

/// True for a result of the entry that thunks have to return, of this type.
bool jr_is_answer(const struct jr_thunk_check *check, uint64_t param,
                  jr_type_ref_t type);

/// True for an argument that is passed at run time.
static inline bool jr_is_passed(const struct jr_arg *arg) {
  return arg->kind == JR_ARG_SCALAR || arg->kind == JR_ARG_BUFFER;
}

#endif

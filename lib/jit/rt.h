/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The operations and attributes of JitRt, in generic form: verified, then
/// replaced by what the planner knows. rt.c collects them and goes through them
/// kind by kind; the parts are below.
#ifndef JR_JIT_RT_H
#define JR_JIT_RT_H

#include "jit/memo.h"
#include "jit/unit.h"

enum jr_rt_kind {
  JR_RT_EXPORT,
  JR_RT_TRACE,
  JR_RT_CALL,
  JR_RT_IS_OK,
  JR_RT_SET_OUTPUT,
  JR_RT_SET_ERROR,
  JR_RT_CAST,
  JR_RT_KINDS
};

/// A growable list of operations.
struct jr_ops {
  MlirOperation *items;
  size_t count, capacity;
};

bool jr_ops_push(struct jr_ops *ops, MlirOperation op);
void jr_ops_deinit(struct jr_ops *ops);

/// The stage's state; lists are in program order, inner operations first.
struct jr_rt {
  struct jr_unit *unit;
  struct jr_ops ops[JR_RT_KINDS];
  struct jr_memo plain_ops;   ///< names of those with no rule
  struct jr_memo plain_attrs; ///< the same of attributes
  bool changed;               ///< the module is not what MLIR verified
  jitrun_error_t *error;
};

/// The kind of an operation; JR_RT_KINDS for all others.
enum jr_rt_kind jr_rt_kind_of(const struct jr_unit *unit, MlirOperation op);

/// True for `!rt.execution_context` and its older name.
bool jr_rt_is_context(MlirType type);
bool jr_rt_is_status(MlirType type);

/// INVALID_ARGUMENT as MLIR writes it: "'name' op message".
jitrun_error_t *jr_rt_error(const struct jr_unit *unit, MlirOperation op,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull, warn_unused_result));

/// Checks one operation, or an attribute of it, by the dialect's rules.
jitrun_error_t *jr_rt_verify(const struct jr_unit *unit,
                             MlirOperation op) JITRUN_MUST_USE;
jitrun_error_t *jr_rt_verify_attr(const struct jr_unit *unit, MlirOperation op,
                                  MlirNamedAttribute one) JITRUN_MUST_USE;

/// Gives every exported function its ordinal and puts them in that order.
jitrun_error_t *jr_rt_exports(struct jr_rt *rt) JITRUN_MUST_USE;

/// Notes which calls are in which rt.trace; see JR_ATTR_REGION.
void jr_rt_regions(struct jr_rt *rt);

/// The region that a call is in, or is by itself: its index + 1; 0: none.
uint32_t jr_rt_region(struct jr_unit *unit, MlirOperation call);

/// Takes rt.is_ok out of the program: a status is then looked at by whatever
/// uses it, and one that was only asserted is not used at all.
jitrun_error_t *jr_rt_tests(struct jr_rt *rt) JITRUN_MUST_USE;

/// Once no call gives a status any more: what remains of its type becomes i1.
jitrun_error_t *jr_rt_statuses(struct jr_rt *rt) JITRUN_MUST_USE;

/// Calls become calls of declarations; one whose status is used has a last
/// result more and JR_ATTR_STATUS.
jitrun_error_t *jr_rt_calls(struct jr_rt *rt) JITRUN_MUST_USE;

/// The private declaration that carries a target, for one type of function: its
/// symbol. Made if it is not there; its name is made of what it declares, and a
/// symbol of the program that has the name by chance is passed over.
MlirAttribute jr_rt_declare(const struct jr_unit *unit, MlirSymbolTable symbols,
                            MlirStringRef target, MlirType type);

/// rt.set_output becomes what the function returns, rt.set_error, after that,
/// an assertion that fails.
jitrun_error_t *jr_rt_outputs(struct jr_rt *rt) JITRUN_MUST_USE;
void jr_rt_errors(struct jr_rt *rt);

/// Takes contexts out of signatures and calls: native code has its own. Sets
/// `changed` when there were some.
jitrun_error_t *jr_rt_contexts(struct jr_rt *rt) JITRUN_MUST_USE;

/// The function that an operation is in; null when there is none.
MlirOperation jr_rt_function(const struct jr_unit *unit, MlirOperation op);

#endif

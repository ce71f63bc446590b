/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Rewriting functions that need code: calls become calls into the runtime,
/// arguments and memory are taken from the execution, errors leave the
/// function.
#ifndef JR_JIT_NATIVE_H
#define JR_JIT_NATIVE_H

#include "jit/build.h"
#include "jit/unit.h"

/// One function while it is rewritten. Its blocks are swept once, front to
/// back: each operation is detached and appended to the block being built, so
/// that a check in the middle of a block costs no more than the operation.
struct jr_native {
  struct jr_unit *unit;
  const struct jr_function *function;
  struct jr_builder builder;
  MlirRegion body;
  MlirBlock error_block;
  MlirValue exec, null;
  MlirValue functions, bases, slots, results; ///< fields of the execution
  uint64_t pending_first, pending_count;      ///< static sites not yet called
  MlirValue error; ///< in a coroutine: of the last thing that could fail
};

/// Rewrites all native functions of the module, whose control flow is in
/// blocks.
jitrun_error_t *jr_native_rewrite(struct jr_unit *unit) JITRUN_MUST_USE;

/// Goes on in a block for where the condition does not hold; returns the one
/// for where it does.
MlirBlock jr_native_unless(struct jr_native *native, MlirValue condition);
/// Leaves the function with an error; what follows is built in `next`.
void jr_native_fail(struct jr_native *native, MlirValue error, MlirBlock next);

/// Stores where a memref value is: its address at `to + at`, and the sizes and
/// strides that its type leaves open behind `to + extents_at`, one behind the
/// other (`is_packed`) or each at its place among all. native_views.c
struct jr_memref_place {
  MlirValue to;
  int64_t at, extents_at;
  bool is_packed;
};
void jr_native_store_memref(struct jr_native *native, MlirValue memref,
                            const struct jr_memref_place *place);

/// Takes the operands of an operation that is to go away, and erases views that
/// then have no use.
void jr_native_drop_operands(struct jr_native *native, MlirOperation op);

/// Emits the call of a site whose operands native code stores.
jitrun_error_t *jr_native_call(struct jr_native *native, MlirOperation call,
                               uint32_t site) JITRUN_MUST_USE;

/// Calls `functions->run(exec, first, count)`; its error.
MlirValue jr_native_try(struct jr_native *native, uint64_t first,
                        uint64_t count);

/// The same, and leaves the function on an error.
void jr_native_run(struct jr_native *native, uint64_t first, uint64_t count);

/// Leaves the function when there is an error. A coroutine cannot: it keeps the
/// error, and tests it by a call of `ok`; see async.h.
void jr_native_leave(struct jr_native *native, MlirValue error);

/// Runs one site at once, on `frame`, or on that of its slot where that is
/// null; its error, which says where it is. For programs with async work.
/// native_async.c
MlirValue jr_native_site(struct jr_native *native, uint64_t site,
                         MlirValue frame);

/// A copy of the site's frame on the stack, where it may run twice at once.
MlirValue jr_native_frame(struct jr_native *native, uint32_t site);

/// Has the thread keep an error that may be NULL.
void jr_native_keep(struct jr_native *native, MlirValue error);

/// Replaces a call with JR_ATTR_ASYNC.
jitrun_error_t *jr_native_async(struct jr_native *native,
                                MlirOperation call) JITRUN_MUST_USE;

/// Stack space, taken once at the start of the function.
MlirValue jr_native_stack(struct jr_native *native, int64_t count);

/// Writes what a failed assertion says, and where; its index.
jitrun_error_t *jr_native_assertion(struct jr_native *native, MlirOperation op,
                                    const char *message,
                                    int64_t *out_index) JITRUN_MUST_USE;

/// Replaces an allocation at run time, a deallocation. native_memory.c
jitrun_error_t *jr_native_alloc(struct jr_native *native,
                                MlirOperation op) JITRUN_MUST_USE;
void jr_native_dealloc(struct jr_native *native, MlirOperation op);

/// Replaces a jitrun.check. native_check.c
jitrun_error_t *jr_native_check(struct jr_native *native,
                                MlirOperation op) JITRUN_MUST_USE;

/// Tells the execution to miss the memory at `data`, which `op` allocates, when
/// the program does not free it; if that is asked for.
jitrun_error_t *jr_native_track(struct jr_native *native, MlirOperation op,
                                MlirValue data) JITRUN_MUST_USE;

/// Replaces an operation that stands for placed memory by its base.
void jr_native_placed(struct jr_native *native, MlirOperation op,
                      uint32_t alloc);

/// Gives the entry's arguments their values.
void jr_native_params(struct jr_native *native, MlirBlock entry);

/// A memref value for the base of an allocation.
MlirValue jr_native_base(struct jr_native *native, uint32_t alloc,
                         MlirType type, const MlirValue *words);

#endif

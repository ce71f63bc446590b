/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Operation and attribute names that the compiler looks for, uniqued once per
/// context so that a comparison is one pointer compare.
#ifndef JR_JIT_NAMES_H
#define JR_JIT_NAMES_H

#include "mlir-c/IR.h"

#include <string.h>

/// X(member, "spelling")
#define JR_JIT_NAMES(X)                                                        \
  X(arith_constant, "arith.constant")                                          \
  X(async_call, "async.call")                                                  \
  X(async_execute, "async.execute")                                            \
  X(async_func, "async.func")                                                  \
  X(index_constant, "index.constant")                                          \
  X(cf_assert, "cf.assert")                                                    \
  X(func_call, "func.call")                                                    \
  X(func_call_indirect, "func.call_indirect")                                  \
  X(func_constant, "func.constant")                                            \
  X(func_func, "func.func")                                                    \
  X(func_return, "func.return")                                                \
  X(llvm_func, "llvm.func")                                                    \
  X(llvm_global_ctors, "llvm.mlir.global_ctors")                               \
  X(llvm_global_dtors, "llvm.mlir.global_dtors")                               \
  X(llvm_mlir_global, "llvm.mlir.global")                                      \
  X(llvm_inline_asm, "llvm.inline_asm")                                        \
  X(memref_alloc, "memref.alloc")                                              \
  X(memref_alloca, "memref.alloca")                                            \
  X(memref_assume_alignment, "memref.assume_alignment")                        \
  X(memref_cast, "memref.cast")                                                \
  X(memref_collapse_shape, "memref.collapse_shape")                            \
  X(memref_dealloc, "memref.dealloc")                                          \
  X(memref_expand_shape, "memref.expand_shape")                                \
  X(memref_get_global, "memref.get_global")                                    \
  X(memref_global, "memref.global")                                            \
  X(memref_reinterpret_cast, "memref.reinterpret_cast")                        \
  X(memref_subview, "memref.subview")                                          \
  X(memref_transpose, "memref.transpose")                                      \
  X(memref_view, "memref.view")                                                \
  X(rt_call, "rt.call")                                                        \
  X(rt_custom_call, "rt.custom_call")                                          \
  X(rt_export, "rt.export")                                                    \
  X(rt_is_ok, "rt.is_ok")                                                      \
  X(rt_set_error, "rt.set_error")                                              \
  X(rt_set_output, "rt.set_output")                                            \
  X(rt_trace, "rt.trace")                                                      \
  X(rt_unsigned_cast, "rt.unsigned_cast")                                      \
  X(rt_yield, "rt.yield")                                                      \
  X(unrealized_cast, "builtin.unrealized_conversion_cast")                     \
  X(check, "jitrun.check")                                                     \
  X(site_marker, "jitrun.site")

struct jr_names {
#define X(member, spelling) MlirIdentifier member;
  JR_JIT_NAMES(X)
#undef X
};

void jr_names_init(struct jr_names *names, MlirContext context);

/// True when `op` is of the operation that `name` stands for.
static inline bool jr_is(MlirOperation op, MlirIdentifier name) {
  return mlirIdentifierEqual(mlirOperationGetName(op), name);
}

static inline bool jr_ref_begins(MlirStringRef text, const char *prefix) {
  size_t length = strlen(prefix);
  return text.length >= length && memcmp(text.data, prefix, length) == 0;
}

static inline MlirStringRef jr_ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static inline MlirNamedAttribute jr_named(MlirContext context, const char *name,
                                          MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, jr_ref(name)), value);
}

static inline bool jr_ref_is_one_of(MlirStringRef text,
                                    const char *const *others, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (mlirStringRefEqual(text, jr_ref(others[i])))
      return true;
  }
  return false;
}

#endif

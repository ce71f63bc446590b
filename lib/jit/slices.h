/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which memory a memref value is, as far as the program text tells.
#ifndef JR_JIT_SLICES_H
#define JR_JIT_SLICES_H

#include "jit/types.h"
#include "jit/unit.h"

/// Attribute that the planner puts on allocations it has placed: the index in
/// SECTION_ALLOCS.
#define JR_ATTR_ALLOC "jitrun.alloc"

/// What a memref value is made of.
struct jr_slice {
  uint32_t alloc;     ///< JR_NONE: not known before the program runs
  int64_t offset;     ///< bytes from its base to element [0, ..., 0]
  MlirOperation root; ///< the operation that allocated it; null: an argument
  bool whole;         ///< the value is the allocation itself, as it is declared
  const struct jr_mlir_type *type; ///< the most static one known of the value;
                                   ///< NULL: none that we have
};

/// The unpacked form of a type, made once a type, and written to the table;
/// NULL for types that we do not have (and without memory).
const struct jr_mlir_type *jr_type_find(struct jr_unit *unit, MlirType type);

/// Follows `value` through views and casts to an argument of `function`, a
/// placed allocation or a constant.
void jr_slice_resolve(struct jr_unit *unit, const struct jr_function *function,
                      MlirValue value, struct jr_slice *out_slice);

/// The same while planning, when no operation comes or goes: memory that was
/// found is remembered.
void jr_slice_find(struct jr_unit *unit, const struct jr_function *function,
                   MlirValue value, struct jr_slice *out_slice);

/// The bytes by which one operation moves the address of its first operand;
/// false where that is not known, and for other operations.
bool jr_slice_step(struct jr_unit *unit, MlirOperation op, int64_t *out_delta);

/// The value of an integer, index or bool constant operation.
bool jr_constant_s64(const struct jr_unit *unit, MlirValue value,
                     int64_t *out_value);

/// What an integer was before casts that only change the sign of its type.
MlirValue jr_skip_sign_casts(const struct jr_unit *unit, MlirValue value);

/// True for operations that only rename memory or make constants: they cost
/// nothing by themselves and have no effect.
bool jr_op_is_neutral(const struct jr_unit *unit, MlirOperation op);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Building operations at the end of a block: the few of the LLVM, arith and cf
/// dialects that calls into the runtime are made of.
#ifndef JR_JIT_BUILD_H
#define JR_JIT_BUILD_H

#include "jit/types.h"

struct jr_builder {
  MlirContext context;
  MlirBlock block; ///< operations are appended here
  MlirLocation location;
  MlirType ptr, i1, i8, i32, i64, index;
};

void jr_builder_init(struct jr_builder *builder, MlirContext context);

/// Appends an operation and returns it. `operands`, `results` and `attributes`
/// may be NULL when their count is 0.
struct jr_op_parts {
  const MlirValue *operands;
  size_t operand_count;
  const MlirType *results;
  size_t result_count;
  const MlirNamedAttribute *attributes;
  size_t attribute_count;
  const MlirBlock *successors;
  size_t successor_count;
};
MlirOperation jr_build(struct jr_builder *builder, const char *name,
                       const struct jr_op_parts *parts);

MlirValue jr_build_s64(struct jr_builder *builder, int64_t value);
MlirValue jr_build_null(struct jr_builder *builder);

/// One operand, one result: casts and loads.
MlirValue jr_build_unary(struct jr_builder *builder, const char *name,
                         MlirValue operand, MlirType result);
/// Two operands of one type, result of the same.
MlirValue jr_build_binary(struct jr_builder *builder, const char *name,
                          MlirValue a, MlirValue b);

/// address + bytes.
MlirValue jr_build_offset(struct jr_builder *builder, MlirValue address,
                          int64_t bytes);
/// The same for an i64 value.
MlirValue jr_build_moved(struct jr_builder *builder, MlirValue address,
                         MlirValue bytes);
MlirValue jr_build_load(struct jr_builder *builder, MlirType type,
                        MlirValue address, int64_t offset);
void jr_build_store(struct jr_builder *builder, MlirValue value,
                    MlirValue address, int64_t offset);

/// Calls a function pointer; a null `result` type makes a call without one.
MlirValue jr_build_call_pointer(struct jr_builder *builder, MlirValue function,
                                const MlirValue *operands, size_t count,
                                MlirType result);

void jr_build_branch(struct jr_builder *builder, MlirValue condition,
                     MlirBlock if_true, MlirBlock if_false);

/// True when `pointer` is NULL, as an i1.
MlirValue jr_build_is_null(struct jr_builder *builder, MlirValue pointer,
                           MlirValue null);

/// Branches to `on_error` with `error` when it is not NULL, else goes on in a
/// new block, which becomes the builder's.
void jr_build_check(struct jr_builder *builder, MlirValue error, MlirValue null,
                    MlirBlock on_error);

/// A scalar between its type in the program and its type in a frame: index is
/// i64, i1 and i4 are i8, all others are as they are.
MlirValue jr_build_to_frame(struct jr_builder *builder, MlirValue value);
MlirValue jr_build_from_frame(struct jr_builder *builder, MlirType type,
                              MlirValue address, int64_t offset);

/// The descriptor that upstream lowers a memref of `rank` to, and one field of
/// it.
MlirType jr_build_descriptor_type(const struct jr_builder *builder,
                                  uint16_t rank);
MlirValue jr_build_field(struct jr_builder *builder, MlirValue aggregate,
                         const int64_t *position, size_t depth, MlirType type);

/// A memref value of `type` whose element [0, ..., 0] is at `data`. Dynamic
/// sizes and strides are taken from `words`, in order; NULL when there are
/// none.
MlirValue jr_build_memref(struct jr_builder *builder, MlirType type,
                          MlirValue data, const MlirValue *words);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a function takes from where its operations came from: values from
/// outside become its arguments, but for constants and placed memory, whose
/// operations are copied, since they cost nothing.
#ifndef JR_JIT_CAPTURE_H
#define JR_JIT_CAPTURE_H

#include "jit/unit.h"

/// A growable list of values.
struct jr_values {
  MlirValue *items;
  size_t count, capacity;
};

/// False without memory.
bool jr_values_push(struct jr_values *values, MlirValue value);

/// A function that operations are moved into. Set the first three; deinit.
struct jr_capture {
  const struct jr_unit *unit;
  MlirOperation function;
  MlirBlock body;                ///< its first block
  struct jr_values outer, inner; ///< values from outside, and what stands for
                                 ///< each in the function
  bool failed;                   ///< for lack of memory
};

void jr_capture_deinit(struct jr_capture *capture);

/// True when `op` is in the function, or the function itself.
bool jr_capture_holds(const struct jr_capture *capture, MlirOperation op);

/// True for operations that are made again where they are used.
bool jr_is_copied(const struct jr_unit *unit, MlirOperation op);

/// True when `op` allocates memory that has a place in the table.
bool jr_is_placed(MlirOperation op);

/// Adds an argument for a value from outside.
MlirValue jr_capture_argument(struct jr_capture *capture, MlirValue value);

/// Replaces the operands in the function that come from outside.
void jr_capture_operands(struct jr_capture *capture);

/// Adds what the function's arguments stand for to a call of it.
void jr_capture_pass(const struct jr_capture *capture,
                     MlirOperationState *call);

#endif

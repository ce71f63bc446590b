/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What thunks compute with scalar registers: one list, which the image format,
/// the interpreter and the compiler share. Numbers are part of the format.
#ifndef JR_RUNTIME_THUNK_OPS_H
#define JR_RUNTIME_THUNK_OPS_H

#include <stdint.h>

/// X(number, NAME, name in listings). All take two integers of one type and
/// give a third of it, but comparisons, which give an i1, and extensions, which
/// take one (given twice) and give any integer: also a shorter one.
#define JR_THUNK_OPS(X)                                                        \
  X(1, ADD, "add")                                                             \
  X(2, SUB, "sub")                                                             \
  X(3, MUL, "mul")                                                             \
  X(4, DIV_S, "div signed")                                                    \
  X(5, DIV_U, "div unsigned")                                                  \
  X(6, REM_S, "rem signed")                                                    \
  X(7, REM_U, "rem unsigned")                                                  \
  X(8, CEIL_DIV_S, "ceildiv signed")                                           \
  X(9, CEIL_DIV_U, "ceildiv unsigned")                                         \
  X(10, FLOOR_DIV_S, "floordiv signed")                                        \
  X(11, AND, "and")                                                            \
  X(12, OR, "or")                                                              \
  X(13, XOR, "xor")                                                            \
  X(14, SHL, "shl")                                                            \
  X(15, SHR_S, "shr signed")                                                   \
  X(16, SHR_U, "shr unsigned")                                                 \
  X(17, MIN_S, "min signed")                                                   \
  X(18, MIN_U, "min unsigned")                                                 \
  X(19, MAX_S, "max signed")                                                   \
  X(20, MAX_U, "max unsigned")                                                 \
  X(21, EQ, "eq")                                                              \
  X(22, NE, "ne")                                                              \
  X(23, LT_S, "lt signed")                                                     \
  X(24, LE_S, "le signed")                                                     \
  X(25, GT_S, "gt signed")                                                     \
  X(26, GE_S, "ge signed")                                                     \
  X(27, LT_U, "lt unsigned")                                                   \
  X(28, LE_U, "le unsigned")                                                   \
  X(29, GT_U, "gt unsigned")                                                   \
  X(30, GE_U, "ge unsigned")                                                   \
  X(31, EXTEND_S, "extend signed")                                             \
  X(32, EXTEND_U, "extend unsigned")

enum jr_thunk_op {
#define X(number, name, text) JR_OP_##name = (number),
  JR_THUNK_OPS(X)
#undef X
};

/// The number that a word of `bits` bits, 1 to 64, is in two's complement.
static inline int64_t jr_sign_extend(uint64_t value, uint32_t bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((value ^ sign) - sign);
}

/// What is computed from two words of `bits` bits, 1 to 64, zero-extended; its
/// low bits count. False for a division by zero, which has no result.
_Bool jr_thunk_compute(uint32_t op, uint32_t bits, const uint64_t operands[2],
                       uint64_t *out_value);

#endif

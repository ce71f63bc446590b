/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See thunk_ops.h. Everything wraps around, as machine code does; what machine
/// code leaves open has one fixed result here: shifts by more bits than there
/// are give 0 or the sign, the least number divided by -1 itself.
#include "runtime/thunk_ops.h"

#include <stdbool.h>

/// Both operands, read in both ways.
struct operands {
  uint64_t a, b;
  int64_t sa, sb;
  uint32_t bits;
};

/// Towards zero; -x where the divisor is -1, which cannot overflow like that.
static int64_t divide(int64_t a, int64_t b) {
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t remainder_of(int64_t a, int64_t b) {
  return b == -1 ? 0 : a % b;
}

/// The quotient moved by one away from zero where it was rounded the other way.
static int64_t divide_up(int64_t a, int64_t b) {
  bool is_exact = remainder_of(a, b) == 0;
  return divide(a, b) + (!is_exact && (a < 0) == (b < 0));
}

static int64_t divide_down(int64_t a, int64_t b) {
  bool is_exact = remainder_of(a, b) == 0;
  return divide(a, b) - (!is_exact && (a < 0) != (b < 0));
}

static uint64_t quotient_of(uint32_t op, const struct operands *o) {
  switch (op) {
  case JR_OP_DIV_S:
    return (uint64_t)divide(o->sa, o->sb);
  case JR_OP_DIV_U:
    return o->a / o->b;
  case JR_OP_REM_S:
    return (uint64_t)remainder_of(o->sa, o->sb);
  case JR_OP_REM_U:
    return o->a % o->b;
  case JR_OP_CEIL_DIV_S:
    return (uint64_t)divide_up(o->sa, o->sb);
  case JR_OP_CEIL_DIV_U:
    return o->a / o->b + (o->a % o->b != 0);
  default: // FLOOR_DIV_S
    return (uint64_t)divide_down(o->sa, o->sb);
  }
}

static uint64_t compare(uint32_t op, const struct operands *o) {
  switch (op) {
  case JR_OP_EQ:
    return o->a == o->b;
  case JR_OP_NE:
    return o->a != o->b;
  case JR_OP_LT_S:
    return o->sa < o->sb;
  case JR_OP_LE_S:
    return o->sa <= o->sb;
  case JR_OP_GT_S:
    return o->sa > o->sb;
  case JR_OP_GE_S:
    return o->sa >= o->sb;
  case JR_OP_LT_U:
    return o->a < o->b;
  case JR_OP_LE_U:
    return o->a <= o->b;
  case JR_OP_GT_U:
    return o->a > o->b;
  default: // GE_U
    return o->a >= o->b;
  }
}

static uint64_t choose(uint32_t op, const struct operands *o) {
  bool is_less =
      op == JR_OP_MIN_S || op == JR_OP_MAX_S ? o->sa < o->sb : o->a < o->b;
  bool is_least = op == JR_OP_MIN_S || op == JR_OP_MIN_U;
  return is_less == is_least ? o->a : o->b;
}

static uint64_t shift(uint32_t op, const struct operands *o) {
  uint64_t most = o->bits - 1;
  if (op == JR_OP_SHR_S)
    return (uint64_t)(o->sa >> (o->b > most ? most : o->b));
  if (o->b > most)
    return 0;
  return op == JR_OP_SHL ? o->a << o->b : o->a >> o->b;
}

static uint64_t combine(uint32_t op, const struct operands *o) {
  switch (op) {
  case JR_OP_ADD:
    return o->a + o->b;
  case JR_OP_SUB:
    return o->a - o->b;
  case JR_OP_MUL:
    return o->a * o->b;
  case JR_OP_AND:
    return o->a & o->b;
  case JR_OP_OR:
    return o->a | o->b;
  case JR_OP_XOR:
    return o->a ^ o->b;
  case JR_OP_EXTEND_S:
    return (uint64_t)o->sa;
  default: // EXTEND_U
    return o->a;
  }
}

bool jr_thunk_compute(uint32_t op, uint32_t bits, const uint64_t operands[2],
                      uint64_t *out_value) {
  struct operands o = {.a = operands[0],
                       .b = operands[1],
                       .sa = jr_sign_extend(operands[0], bits),
                       .sb = jr_sign_extend(operands[1], bits),
                       .bits = bits};
  if (op >= JR_OP_DIV_S && op <= JR_OP_FLOOR_DIV_S) {
    if (o.b == 0)
      return false;
    *out_value = quotient_of(op, &o);
  } else if (op >= JR_OP_EQ && op <= JR_OP_GE_U) {
    *out_value = compare(op, &o);
  } else if (op >= JR_OP_MIN_S && op <= JR_OP_MAX_U) {
    *out_value = choose(op, &o);
  } else if (op >= JR_OP_SHL && op <= JR_OP_SHR_U) {
    *out_value = shift(op, &o);
  } else {
    *out_value = combine(op, &o);
  }
  return true;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Divisions by zero and those that overflow, shifts by too many bits: of
/// integers, index, and vectors of them.
#include "jit/checks.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

struct division {
  const char *name; ///< without the dialect
  bool is_signed;
};

static const struct division divisions[] = {
    {"divsi", true},      {"divui", false},    {"remsi", true},
    {"remui", false},     {"ceildivsi", true}, {"ceildivui", false},
    {"floordivsi", true}, {"divs", true},      {"divu", false},
    {"rems", true},       {"remu", false},     {"ceildivs", true},
    {"ceildivu", false},  {"floordivs", true},
};

static const char *const shifts[] = {"shli", "shrsi", "shrui",
                                     "shl",  "shrs",  "shru"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Bits of an integer type, 64 of index, or of a vector's elements; 0 for what
/// is none, and for vectors of unknown length.
static unsigned bits_of(MlirType type) {
  if (mlirTypeIsAVector(type)) {
    if (mlirVectorTypeIsScalable(type))
      return 0;
    type = mlirShapedTypeGetElementType(type);
  }
  if (mlirTypeIsAIndex(type))
    return 64;
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

/// Adds that no lane of `divisor` is zero.
static void check_zero(struct jr_checker *checker, MlirValue divisor) {
  jr_check_begin(checker, "division by zero");
  jr_check_require_value(
      checker, jr_check_compare(
                   checker, JR_NOT_EQUAL, divisor,
                   jr_check_constant(checker, mlirValueGetType(divisor), 0)));
}

static int64_t least_of(unsigned bits) {
  return bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
}

/// -1 as a divisor and the smallest number do not meet: one of `a != min` and
/// `b != -1` is true in each lane.
static void check_overflow(struct jr_checker *checker, unsigned bits,
                           MlirValue dividend, MlirValue divisor) {
  struct jr_builder *b = &checker->builder;
  MlirType type = mlirValueGetType(dividend);
  int64_t least = least_of(bits);
  jr_check_begin(checker,
                 "overflow: the smallest number of %u bits divided by "
                 "-1",
                 bits);
  /* Their differences are both zero only there, as is the `or` of them. */
  MlirValue from_least = jr_build_binary(
      b, "arith.xori", dividend, jr_check_constant(checker, type, least));
  MlirValue from_one = jr_build_binary(b, "arith.xori", divisor,
                                       jr_check_constant(checker, type, -1));
  MlirValue either = jr_build_binary(b, "arith.ori", from_least, from_one);
  jr_check_require_value(checker,
                         jr_check_compare(checker, JR_NOT_EQUAL, either,
                                          jr_check_constant(checker, type, 0)));
}

static void check_division(struct jr_checker *checker, unsigned bits,
                           bool is_signed) {
  MlirValue dividend = mlirOperationGetOperand(checker->op, 0);
  MlirValue divisor = mlirOperationGetOperand(checker->op, 1);
  int64_t number = 0;
  int64_t dividend_number = 0;
  bool is_known = jr_constant_read(divisor, &number);
  if (!is_known || number == 0)
    check_zero(checker, divisor);
  bool is_negating = !is_known || number == -1;
  if (is_signed && bits <= 64 && is_negating &&
      (!jr_constant_read(dividend, &dividend_number) ||
       dividend_number == least_of(bits)))
    check_overflow(checker, bits, dividend, divisor);
}

/// The amount as an i64 to show; vectors have many.
static void say_shift(struct jr_checker *checker, MlirValue amount,
                      unsigned bits) {
  MlirType type = mlirValueGetType(amount);
  if (mlirTypeIsAVector(type) || bits > 64) {
    jr_check_say(checker, "a shift");
    return;
  }
  if (bits < 64)
    amount = jr_build_unary(&checker->builder, "arith.extui", amount,
                            checker->builder.i64);
  jr_check_say(checker, "a shift by ");
  jr_check_say_amount(checker, (struct jr_amount){.value = amount});
}

static void check_shift(struct jr_checker *checker, unsigned bits) {
  MlirValue amount = mlirOperationGetOperand(checker->op, 1);
  MlirType type = mlirValueGetType(amount);
  int64_t number = 0;
  if (jr_constant_read(amount, &number) && number >= 0 && number < bits)
    return;
  jr_check_begin(checker, "%s", "");
  say_shift(checker, amount, bits);
  jr_check_say(checker, " is too wide for %u bits", bits);
  jr_check_require_value(
      checker, jr_check_compare(checker, JR_UNSIGNED_LESS_OR_EQUAL, amount,
                                jr_check_constant(checker, type, bits - 1)));
}

void jr_check_arith(struct jr_checker *checker) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(checker->op));
  const char *dot = memchr(name.data, '.', name.length);
  MlirStringRef word =
      mlirStringRefCreate(dot + 1, name.length - (size_t)(dot + 1 - name.data));
  unsigned bits =
      bits_of(mlirValueGetType(mlirOperationGetOperand(checker->op, 0)));
  for (size_t i = 0; bits > 0 && i < COUNT(divisions); i++) {
    if (mlirStringRefEqual(word, jr_ref(divisions[i].name))) {
      check_division(checker, bits, divisions[i].is_signed);
      return;
    }
  }
  for (size_t i = 0; bits > 0 && i < COUNT(shifts); i++) {
    if (mlirStringRefEqual(word, jr_ref(shifts[i]))) {
      check_shift(checker, bits);
      return;
    }
  }
}

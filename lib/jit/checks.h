/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checks of what a program does at run time, for those who ask for them: an
/// operation that could go wrong (an access, a view, a division) has conditions
/// put in front of it. A condition that is known to hold now costs nothing.
///
/// Where the condition is false, `jitrun.check` fails the execution. Its
/// message is made here, and shows values of the execution: see
/// jr_exec_functions.fail_check. In async functions it is a cf.assert instead,
/// which upstream's passes know, and shows none.
#ifndef JR_JIT_CHECKS_H
#define JR_JIT_CHECKS_H

#include "jit/build.h"
#include "jit/unit.h"

/// Attribute of a jitrun.check: its message.
#define JR_ATTR_MESSAGE "message"

/// Attribute on allocations that the program has to free by itself.
#define JR_ATTR_EXPLICIT "jitrun.explicit"

/// Marks allocations that are the program's own, before tensors get memory.
/// Does nothing when no checks are asked for, as all of these.
void jr_checks_begin(struct jr_unit *unit);

/// Adds the checks, once there are no tensors: of operations of linalg that
/// shapes agree, of their bodies nothing yet.
jitrun_error_t *jr_checks_insert(struct jr_unit *unit) JITRUN_MUST_USE;

/// Adds those of the bodies, which are in loops now.
jitrun_error_t *jr_checks_bodies(struct jr_unit *unit) JITRUN_MUST_USE;

/// True for an allocation that the program has to free.
static inline bool jr_is_explicit(MlirOperation op) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(JR_ATTR_EXPLICIT)));
}

enum { JR_CHECK_VALUES = 4 };

/// A size or an index: a constant, or a value of type index.
struct jr_amount {
  bool is_known;
  int64_t number;
  MlirValue value;
};

/// One operation while its checks are built. New operations are gathered in a
/// block of their own, which then goes in front of it.
struct jr_checker {
  struct jr_unit *unit;
  struct jr_builder builder;
  MlirOperation op;
  bool is_async;           ///< in a coroutine, or what may become one
  struct jr_bytes message; ///< of the condition that is built
  MlirValue values[JR_CHECK_VALUES];
  size_t value_count;
};

enum jr_compare { /* arith.cmpi's predicates */
                  JR_EQUAL = 0,
                  JR_NOT_EQUAL = 1,
                  JR_LESS_OR_EQUAL = 3,
                  JR_UNSIGNED_LESS = 6,
                  JR_UNSIGNED_LESS_OR_EQUAL = 7
};

/// Begins the message of a condition, with the operation's name.
void jr_check_begin(struct jr_checker *checker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Goes on with it.
void jr_check_say(struct jr_checker *checker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void jr_check_say_amount(struct jr_checker *checker, struct jr_amount amount);
void jr_check_say_type(struct jr_checker *checker, MlirType type);

/// Ends it with its condition; the message is dropped when that is known to
/// hold.
void jr_check_require(struct jr_checker *checker, struct jr_amount a,
                      enum jr_compare compare, struct jr_amount b);
void jr_check_require_value(struct jr_checker *checker, MlirValue condition);

struct jr_amount jr_amount_of(int64_t number);
/// A value of type index or of an integer type; constants are seen through.
struct jr_amount jr_amount_read(MlirValue value);
/// Its number, when the value is a constant, or a splat of one.
bool jr_constant_read(MlirValue value, int64_t *out_number);
MlirValue jr_amount_build(struct jr_checker *checker, struct jr_amount amount);
struct jr_amount jr_amount_add(struct jr_checker *checker, struct jr_amount a,
                               struct jr_amount b);
struct jr_amount jr_amount_multiply(struct jr_checker *checker,
                                    struct jr_amount a, struct jr_amount b);
/// The size of a dimension of a memref.
struct jr_amount jr_amount_dim(struct jr_checker *checker, MlirValue memref,
                               intptr_t number);

/// arith.constant of an integer, an index, or a vector full of one.
MlirValue jr_check_constant(struct jr_checker *checker, MlirType type,
                            int64_t number);
/// arith.cmpi of two values of a type; a vector's lanes are joined by `and`.
MlirValue jr_check_compare(struct jr_checker *checker, enum jr_compare compare,
                           MlirValue a, MlirValue b);
/// True where all lanes of a vector of i1 are; an i1 as it is.
MlirValue jr_check_all(struct jr_checker *checker, MlirValue lanes);

/// What an operation of a name has to meet.
struct jr_check_row {
  const char *name;
  void (*check)(struct jr_checker *checker);
};

/// Adds what the row for the operation says, if there is one.
void jr_check_by_name(struct jr_checker *checker,
                      const struct jr_check_row *rows, size_t count);

/// Adds what one operation has to meet. checks_arith.c, checks_memref.c,
/// checks_vector.c
void jr_check_arith(struct jr_checker *checker);
void jr_check_memref(struct jr_checker *checker);
void jr_check_vector(struct jr_checker *checker);

/// Index `at` of an access begins `count` elements that have to be in dimension
/// `number` of the memref.
void jr_check_index(struct jr_checker *checker, MlirValue memref,
                    intptr_t number, MlirValue at, int64_t count);

/// Has `build` make the checks of an operation, and puts them in front of it,
/// where that can be.
void jr_check_place(struct jr_checker *checker, MlirOperation op,
                    void (*build)(struct jr_checker *checker));

/// Makes the assertions of upstream's pass ours. checks_linalg.c
void jr_check_adopt(struct jr_checker *checker);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Operations of linalg are checked by upstream's pass, which puts assertions
/// in front of them. Their messages hold the whole operation over several
/// lines; here they become sentences, with the sizes.
#include "jit/checks.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static const char mark[] = "ERROR: Runtime op verification failed\n";

/// Collects upstream's assertions.
struct assertions {
  struct jr_checker *checker;
  MlirOperation *ops;
  size_t count, room;
};

static MlirWalkResult note_assertion(MlirOperation op, void *context) {
  struct assertions *found = context;
  if (!jr_is(op, found->checker->unit->names.cf_assert))
    return MlirWalkResultAdvance;
  MlirStringRef text = mlirStringAttrGetValue(
      mlirOperationGetInherentAttributeByName(op, jr_ref("msg")));
  if (!jr_ref_begins(text, mark))
    return MlirWalkResultAdvance;
  if (found->count < found->room)
    found->ops[found->count] = op;
  found->count++;
  return MlirWalkResultAdvance;
}

/// Goes behind the last `what` in the text, or stays where it is.
static MlirStringRef behind(MlirStringRef text, const char *what) {
  size_t size = strlen(what);
  for (size_t i = text.length; i >= size; i--) {
    if (memcmp(text.data + i - size, what, size) == 0)
      return mlirStringRefCreate(text.data + i, text.length - i);
  }
  return text;
}

/// The text up to a byte.
static MlirStringRef until(MlirStringRef text, char byte) {
  const char *end = memchr(text.data, byte, text.length);
  return mlirStringRefCreate(text.data,
                             end ? (size_t)(end - text.data) : text.length);
}

/// The number after "#", and what follows it.
static unsigned take_number(MlirStringRef *text) {
  unsigned number = 0;
  const char *hash = memchr(text->data, '#', text->length);
  size_t at = hash ? (size_t)(hash + 1 - text->data) : text->length;
  for (; at < text->length && text->data[at] >= '0' && text->data[at] <= '9';
       at++)
    number = number % 100000 * 10 + (unsigned)(text->data[at] - '0');
  *text = mlirStringRefCreate(text->data + at, text->length - at);
  return number;
}

/// "linalg.matmul" out of the operation's text.
static MlirStringRef operation_name(MlirStringRef text) {
  static const char begin[] = "linalg.";
  size_t size = sizeof begin - 1;
  for (size_t i = 0; i + size <= text.length; i++) {
    if (memcmp(text.data + i, begin, size) == 0) {
      MlirStringRef rest = mlirStringRefCreate(text.data + i, text.length - i);
      size_t end = size;
      while (end < rest.length &&
             (rest.data[end] == '_' ||
              (rest.data[end] >= 'a' && rest.data[end] <= 'z') ||
              (rest.data[end] >= '0' && rest.data[end] <= '9')))
        end++;
      return mlirStringRefCreate(rest.data, end);
    }
  }
  return jr_ref("linalg");
}

/// The values that a condition compares, where it does.
static bool read_comparison(MlirValue condition, struct jr_amount *out_a,
                            struct jr_amount *out_b) {
  if (!mlirValueIsAOpResult(condition))
    return false;
  MlirOperation op = mlirOpResultGetOwner(condition);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name, jr_ref("arith.cmpi")) &&
      !mlirStringRefEqual(name, jr_ref("index.cmp")))
    return false;
  *out_a = jr_amount_read(mlirOperationGetOperand(op, 0));
  *out_b = jr_amount_read(mlirOperationGetOperand(op, 1));
  return true;
}

/// Puts a check of ours in an assertion's place.
static void adopt(struct jr_checker *checker) {
  MlirOperation op = checker->op;
  MlirStringRef text = mlirStringAttrGetValue(
      mlirOperationGetInherentAttributeByName(op, jr_ref("msg")));
  MlirValue condition = mlirOperationGetOperand(op, 0);
  MlirStringRef name = operation_name(text);
  MlirStringRef reason = until(behind(text, "\n^ "), '\n');
  MlirStringRef rest = reason;
  unsigned dimension = take_number(&rest);
  unsigned operand = take_number(&rest);
  struct jr_amount wanted = {0};
  struct jr_amount found = {0};
  jr_check_begin(checker, "%s", "");
  checker->message.size = 0;
  jr_check_say(checker, "%.*s: ", (int)name.length, name.data);
  if (read_comparison(condition, &wanted, &found) && rest.length > 0) {
    jr_check_say(checker, "sizes do not agree: dimension %u of operand %u has ",
                 dimension, operand);
    jr_check_say_amount(checker, found);
    jr_check_say(checker, " elements, other operands ask for ");
    jr_check_say_amount(checker, wanted);
  } else {
    jr_check_say(checker, "%.*s", (int)reason.length, reason.data);
  }
  jr_check_require_value(checker, condition);
}

void jr_check_adopt(struct jr_checker *checker) {
  struct jr_unit *unit = checker->unit;
  struct assertions found = {.checker = checker};
  MlirOperation module = mlirModuleGetOperation(unit->module);
  mlirOperationWalk(module, note_assertion, &found, MlirWalkPreOrder);
  found.ops =
      jr_arena_alloc(&unit->arena, (found.count + 1) * sizeof *found.ops);
  if (!found.ops)
    return; /* they say what they say */
  found.room = found.count;
  found.count = 0;
  mlirOperationWalk(module, note_assertion, &found, MlirWalkPreOrder);
  for (size_t i = 0; i < found.count; i++) {
    int64_t number;
    bool is_known =
        jr_constant_read(mlirOperationGetOperand(found.ops[i], 0), &number);
    if (!is_known || number == 0)
      jr_check_place(checker, found.ops[i], adopt);
    mlirOperationDestroy(found.ops[i]);
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Public functions that cannot be entries. Functions of MLIR are public unless
/// somebody says otherwise, so a helper that takes a vector is no reason to
/// refuse the program: it is kept for those that call it, and the table says
/// why it is no entry. Where no function is left the first is refused with its
/// place, by planning; so is a function that is marked to be an entry.
#include "jit/skipped_entries.h"

#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

jitrun_error_t *jr_skip_entry(struct jr_unit *unit, MlirStringRef name,
                              const struct jr_bytes *reason) {
  struct jr_table_writer *table = &unit->table;
  struct jr_skipped record = {
      .name = jr_table_add_string(table, name.data, name.length),
      .reason =
          jr_table_add_string(table, (const char *)reason->data, reason->size)};
  struct jr_skipped *slot = jr_table_add(table, JR_SECTION_SKIPPED, 1);
  if (!slot)
    return jr_error_no_memory();
  *slot = record;
  return NULL;
}

/// Types that no lowering makes those of an entry.
static bool is_unfit(MlirType type) {
  return mlirTypeIsAVector(type) || mlirTypeIsAUnrankedMemRef(type) ||
         mlirTypeIsAUnrankedTensor(type) || mlirTypeIsAFunction(type) ||
         mlirTypeIsATuple(type) || mlirTypeIsANone(type);
}

static void append_reason(struct jr_bytes *reason, const char *what,
                          intptr_t number, MlirType type) {
  jr_bytes_appendf(reason, "its %s %lld has type ", what, (long long)number);
  jr_mlir_type_print(type, reason);
  jr_bytes_append_text(reason, "; entries take and return scalars and ranked "
                               "memrefs and tensors");
}

/// Why a function cannot be an entry; nothing where it may be.
static void find_reason(MlirOperation function, struct jr_bytes *reason) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function, jr_ref("function_type")));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 0; i < inputs && reason->size == 0; i++) {
    if (is_unfit(mlirFunctionTypeGetInput(type, i)))
      append_reason(reason, "argument", i, mlirFunctionTypeGetInput(type, i));
  }
  for (intptr_t i = 0; i < results && reason->size == 0; i++) {
    if (is_unfit(mlirFunctionTypeGetResult(type, i)))
      append_reason(reason, "result", i, mlirFunctionTypeGetResult(type, i));
  }
}

/// True when some public function may be an entry.
static bool has_fit_entry(const struct jr_unit *unit) {
  MlirIdentifier name = unit->names.func_func;
  bool found = false;
  for (MlirOperation op = jr_first_of(unit, name);
       !found && !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    struct jr_bytes reason = {0};
    if (jr_is_exported(op, false))
      find_reason(op, &reason);
    found = jr_is_exported(op, false) && reason.size == 0;
    jr_bytes_deinit(&reason);
  }
  return found;
}

static jitrun_error_t *skip_unfit(struct jr_unit *unit, MlirOperation op) {
  struct jr_bytes reason = {0};
  find_reason(op, &reason);
  jitrun_error_t *error = jr_bytes_check(&reason);
  if (!error && reason.size > 0) {
    error = jr_skip_entry(unit, jr_symbol_name(op), &reason);
    mlirOperationSetInherentAttributeByName(
        op, mlirSymbolTableGetVisibilityAttributeName(),
        mlirStringAttrGet(unit->context, jr_ref("private")));
  }
  jr_bytes_deinit(&reason);
  return error;
}

jitrun_error_t *jr_skip_entries(struct jr_unit *unit) {
  MlirIdentifier name = unit->names.func_func;
  if (jr_any_marked(unit) || !has_fit_entry(unit))
    return NULL;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (jr_is_exported(op, false))
      JITRUN_TRY(skip_unfit(unit, op));
  }
  return NULL;
}

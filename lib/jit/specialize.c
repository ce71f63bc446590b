/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See specialize.h.
#include "jit/specialize.h"

#include "jit/plan.h"
#include "jitrun/program.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// The attributes of argument `number`, a dictionary; null where it has none.
static MlirAttribute argument_attrs(MlirOperation function, intptr_t number) {
  MlirAttribute all =
      mlirOperationGetInherentAttributeByName(function, jr_ref("arg_attrs"));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
      number >= mlirArrayAttrGetNumElements(all))
    return mlirAttributeGetNull();
  return mlirArrayAttrGetElement(all, number);
}

uint32_t jr_constraint_flag(MlirOperation function, intptr_t number) {
  static const struct {
    const char *name;
    jitrun_constraint_t constraint;
  } rows[] = {{"rank", JITRUN_CONSTRAINT_RANK},
              {"shape", JITRUN_CONSTRAINT_SHAPE},
              {"value", JITRUN_CONSTRAINT_VALUE}};
  MlirAttribute attrs = argument_attrs(function, number);
  if (mlirAttributeIsNull(attrs))
    return 0;
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(attrs, jr_ref("rt.constraint"));
  for (size_t i = 0; i < 3 && !mlirAttributeIsNull(value); i++) {
    if (mlirStringRefEqual(mlirStringAttrGetValue(value), jr_ref(rows[i].name)))
      return (uint32_t)rows[i].constraint << JR_PARAM_CONSTRAINT_SHIFT;
  }
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// From bytes to a verified MLIR module, in a context of its own. Dialects are
/// registered by name of the few libraries that programs of these levels need,
/// and loaded by the parser as it meets them.
#include "jit/guard.h"
#include "jit/locations.h"
#include "jit/unit.h"
#include "jit/upstream.h"

#include "mlir-c/Dialect/Affine.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Async.h"
#include "mlir-c/Dialect/Bufferization.h"
#include "mlir-c/Dialect/Complex.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Index.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Shape.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/Tosa.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Dialect/Vector.h"

#include <string.h>

static void register_dialects(MlirContext context, bool check) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__affine__(), mlirGetDialectHandle__arith__(),
      mlirGetDialectHandle__async__(),  mlirGetDialectHandle__bufferization__(),
      mlirGetDialectHandle__cf__(),     mlirGetDialectHandle__complex__(),
      mlirGetDialectHandle__func__(),   mlirGetDialectHandle__index__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__math__(),   mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__shape__(),
      mlirGetDialectHandle__tensor__(), mlirGetDialectHandle__tosa__(),
      mlirGetDialectHandle__ub__(),     mlirGetDialectHandle__vector__(),
  };
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++)
    mlirDialectHandleInsertDialect(handles[i], registry);
  jr_register_models(registry);
  if (check)
    jr_register_linalg_checks(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
}

static bool is_bytecode(const struct jr_compile_input *input) {
  return input->size >= 4 && memcmp(input->data, "ML\xefR", 4) == 0;
}

/// What MLIR is given: the program, with old spellings rewritten in text.
static jitrun_error_t *make_source(struct jr_unit *unit,
                                   MlirStringRef *out_source) {
  const struct jr_compile_input *input = unit->input;
  *out_source = mlirStringRefCreate(input->data, input->size);
  if (is_bytecode(input))
    return jr_guard_bytecode(input->data, input->size, input->name);
  JITRUN_TRY(jr_guard_text(input->data, input->size, input->name));
  JITRUN_TRY(
      jr_desugar(input->data, input->size, input->name, &unit->desugared));
  const struct jr_bytes *text = &unit->desugared.text;
  if (text->size > 0)
    *out_source = mlirStringRefCreate((const char *)text->data, text->size);
  return NULL;
}

jitrun_error_t *jr_parse(struct jr_unit *unit) {
  MlirStringRef source;
  JITRUN_TRY(make_source(unit, &source));
  unit->context = mlirContextCreateWithThreading(false);
  register_dialects(unit->context, unit->options->check);
  mlirContextSetAllowUnregisteredDialects(unit->context, true);
  jr_diagnostics_attach(&unit->diagnostics, unit->context, unit->input->name,
                        &unit->desugared);
  jr_names_init(&unit->names, unit->context);
  unit->module = mlirModuleCreateParse(unit->context, source);
  if (mlirModuleIsNull(unit->module))
    return jr_diagnostics_take(&unit->diagnostics,
                               "the program cannot be parsed");
  jr_locations_name(unit);
  return NULL;
}

struct jr_source_location jr_locate(const struct jr_unit *unit,
                                    MlirLocation location) {
  struct jr_source_location result;
  jr_location_read(location, &unit->desugared, &result.file, &result.line,
                   &result.column);
  /* MLIR calls a buffer that has no name "-". */
  if (result.file.length == 0 || mlirStringRefEqual(result.file, jr_ref("-")))
    result.file = jr_ref(unit->input->name);
  return result;
}

jitrun_error_t *jr_error_op(const struct jr_unit *unit, MlirOperation op,
                            jitrun_code_t code, const char *format, ...) {
  struct jr_bytes text = {0};
  va_list arguments;
  va_start(arguments, format);
  jr_bytes_appendv(&text, format, arguments);
  va_end(arguments);
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *error =
      message ? jr_error(code, "%s", message) : jr_error_no_memory();
  struct jr_source_location at = jr_locate(unit, mlirOperationGetLocation(op));
  struct jr_bytes file = {0};
  jr_bytes_append(&file, at.file.data, at.file.length);
  const char *file_text = jr_bytes_text(&file);
  if (file_text)
    error = jr_error_at(error, file_text, at.line, at.column);
  jr_bytes_deinit(&file);
  jr_bytes_deinit(&text);
  return error;
}

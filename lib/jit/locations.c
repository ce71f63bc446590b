/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See locations.h. Locations are constants of the context, so each is rebuilt
/// as often as it is met; only compiles that are watched pay for that.
#include "jit/locations.h"

#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Pass.h"

/// From mlir-c's generated header of passes, which is not self-contained.
MlirPass mlirCreateLLVMDIScopeForLLVMFuncOpPass(void);

enum {
  MAX_DEPTH = 32, ///< of locations in locations
  MAX_PARTS = 64  ///< of a fused one
};

static MlirLocation name_location(const struct jr_unit *unit,
                                  MlirLocation location, int depth);

static MlirLocation name_position(const struct jr_unit *unit,
                                  MlirLocation location) {
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  if (file.length > 0 && !mlirStringRefEqual(file, jr_ref("-")))
    return location;
  unsigned line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
  unsigned last = (unsigned)mlirLocationFileLineColRangeGetEndLine(location);
  return mlirLocationFileLineColRangeGet(
      unit->context, jr_ref(unit->input->name), line,
      jr_desugar_column(
          &unit->desugared, line,
          (unsigned)mlirLocationFileLineColRangeGetStartColumn(location)),
      last,
      jr_desugar_column(
          &unit->desugared, last,
          (unsigned)mlirLocationFileLineColRangeGetEndColumn(location)));
}

static MlirLocation name_parts(const struct jr_unit *unit,
                               MlirLocation location, int depth) {
  MlirLocation parts[MAX_PARTS];
  unsigned count = mlirLocationFusedGetNumLocations(location);
  if (count > MAX_PARTS)
    return location;
  mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; i < count; i++)
    parts[i] = name_location(unit, parts[i], depth);
  return mlirLocationFusedGet(unit->context, (intptr_t)count, parts,
                              mlirLocationFusedGetMetadata(location));
}

// NOLINTBEGIN(misc-no-recursion): as deep as MAX_DEPTH.
static MlirLocation name_location(const struct jr_unit *unit,
                                  MlirLocation location, int depth) {
  if (depth == MAX_DEPTH)
    return location;
  if (mlirLocationIsAFileLineColRange(location))
    return name_position(unit, location);
  if (mlirLocationIsACallSite(location))
    return mlirLocationCallSiteGet(
        name_location(unit, mlirLocationCallSiteGetCallee(location), depth + 1),
        name_location(unit, mlirLocationCallSiteGetCaller(location),
                      depth + 1));
  if (mlirLocationIsAName(location))
    return mlirLocationNameGet(
        unit->context, mlirIdentifierStr(mlirLocationNameGetName(location)),
        name_location(unit, mlirLocationNameGetChildLoc(location), depth + 1));
  if (mlirLocationIsAFused(location))
    return name_parts(unit, location, depth + 1);
  return location;
}
// NOLINTEND(misc-no-recursion)

static void name_arguments(const struct jr_unit *unit, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    mlirBlockArgumentSetLocation(
        argument, name_location(unit, mlirValueGetLocation(argument), 0));
  }
}

static MlirWalkResult name_op(MlirOperation op, void *context) {
  const struct jr_unit *unit = context;
  mlirOperationSetLocation(
      op, name_location(unit, mlirOperationGetLocation(op), 0));
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      name_arguments(unit, block);
  }
  return MlirWalkResultAdvance;
}

void jr_locations_name(struct jr_unit *unit) {
  const struct jr_compile_options *options = unit->options;
  if (options->debug_info || options->bytecode || unit->stages.texts)
    mlirOperationWalk(mlirModuleGetOperation(unit->module), name_op, unit,
                      MlirWalkPreOrder);
}

/// What all operations of a function are given.
struct scope {
  const struct jr_unit *unit;
  MlirLocation fallback; ///< of the function
  bool is_own;           ///< the program brought its debug information
};

/// Upstream translates a position alone; locations of other kinds may come out
/// as none, which LLVM's verifier refuses of calls.
static MlirLocation flatten(const struct scope *scope, MlirLocation location) {
  const struct jr_unit *unit = scope->unit;
  struct jr_source_location at = jr_locate(unit, location);
  if (at.line == 0)
    return scope->fallback;
  return scope->is_own ? location
                       : mlirLocationFileLineColGet(unit->context, at.file,
                                                    at.line, at.column);
}

static MlirWalkResult flatten_op(MlirOperation op, void *context) {
  const struct scope *scope = context;
  mlirOperationSetLocation(op, flatten(scope, mlirOperationGetLocation(op)));
  return MlirWalkResultAdvance;
}

static void flatten_function(const struct jr_unit *unit, MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  struct jr_source_location at = jr_locate(unit, location);
  struct scope scope = {
      .unit = unit,
      .fallback = mlirLocationFileLineColGet(unit->context, at.file, at.line,
                                             at.column),
      .is_own = mlirLocationIsAFused(location) &&
                !mlirAttributeIsNull(mlirLocationFusedGetMetadata(location))};
  mlirOperationWalk(op, flatten_op, &scope, MlirWalkPreOrder);
}

jitrun_error_t *jr_locations_scope(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  if (!unit->options->debug_info)
    return NULL;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirModuleGetBody(unit->module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                           jr_ref("llvm.func")))
      flatten_function(unit, op);
  }
  MlirPassManager manager = mlirPassManagerCreate(unit->context);
  mlirPassManagerEnableVerifier(manager, false);
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateLLVMDIScopeForLLVMFuncOpPass());
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  if (mlirLogicalResultIsSuccess(result))
    return NULL;
  return jr_error_note(jr_diagnostics_take(&unit->diagnostics,
                                           "a pass of MLIR failed and did not "
                                           "say why"),
                       "while giving functions debug information");
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What rt.trace names: each becomes a region in the table, and the calls in it
/// say which one they are in. Programs do nothing for it; a trace of a profile
/// shows a region from its first call to its last.
#include "jit/rt.h"

#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// What is between the quotes of `hlo_trace<"dot.1">`.
static MlirStringRef read_name(MlirAttribute annotation) {
  MlirStringRef data = {0};
  if (!mlirAttributeIsNull(annotation) && mlirAttributeIsAOpaque(annotation))
    data = mlirOpaqueAttrGetData(annotation);
  const char *first = data.data ? memchr(data.data, '"', data.length) : NULL;
  const char *last = first ? memrchr(data.data, '"', data.length) : NULL;
  if (last == first)
    return jr_ref("trace");
  return mlirStringRefCreate(first + 1, (size_t)(last - first) - 1);
}

static uint32_t add_region(struct jr_unit *unit, MlirAttribute annotation,
                           uint32_t parent) {
  struct jr_table_writer *table = &unit->table;
  MlirStringRef name = read_name(annotation);
  uint32_t index = jr_table_count(table, JR_SECTION_REGIONS);
  jr_str_t text = jr_table_add_string(table, name.data, name.length);
  struct jr_region *region = jr_table_add(table, JR_SECTION_REGIONS, 1);
  if (!region)
    return 0; // jr_table_finish() tells
  *region = (struct jr_region){.name = text, .parent = parent};
  return index + 1;
}

static uint32_t get_region(MlirOperation op) {
  MlirAttribute attribute =
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(JR_ATTR_REGION));
  return mlirAttributeIsNull(attribute)
             ? 0
             : (uint32_t)mlirIntegerAttrGetValueInt(attribute);
}

uint32_t jr_rt_region(struct jr_unit *unit, MlirOperation call) {
  uint32_t region = get_region(call);
  MlirAttribute annotation =
      mlirOperationGetDiscardableAttributeByName(call, jr_ref("rt.trace"));
  return mlirAttributeIsNull(annotation) ? region
                                         : add_region(unit, annotation, region);
}

/// One rt.trace, while what is in it is looked at.
struct walk {
  const struct jr_unit *unit;
  MlirOperation trace;
  MlirAttribute number;
};

/// Marks calls, and the outermost of the traces inside, which mark theirs.
static MlirWalkResult mark(MlirOperation op, void *context) {
  const struct walk *walk = context;
  enum jr_rt_kind kind = jr_rt_kind_of(walk->unit, op);
  bool is_trace = kind == JR_RT_TRACE;
  if (mlirOperationEqual(op, walk->trace))
    return MlirWalkResultAdvance;
  if (is_trace || kind == JR_RT_CALL || jr_is(op, walk->unit->names.func_call))
    mlirOperationSetDiscardableAttributeByName(op, jr_ref(JR_ATTR_REGION),
                                               walk->number);
  return is_trace ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

void jr_rt_regions(struct jr_rt *rt) {
  const struct jr_ops *traces = &rt->ops[JR_RT_TRACE];
  MlirType type = mlirIntegerTypeGet(rt->unit->context, 64);
  for (size_t i = traces->count; i > 0; i--) { // the outer ones first
    MlirOperation trace = traces->items[i - 1];
    uint32_t number = add_region(
        rt->unit, mlirOperationGetAttributeByName(trace, jr_ref("annotation")),
        get_region(trace));
    struct walk walk = {.unit = rt->unit,
                        .trace = trace,
                        .number = mlirIntegerAttrGet(type, number)};
    mlirOperationWalk(trace, mark, &walk, MlirWalkPreOrder);
  }
}

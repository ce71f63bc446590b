/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See thunker.h: functions are walked, entries first, and what was made of
/// them is written.
#include "jit/thunker.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "runtime/table_check.h"
#include "runtime/table_query.h"

#include <stdlib.h>
#include <string.h>

/// Of functions that call each other; a nest costs stack when it runs.
enum { MAX_FUNCTIONS = 64 };

bool jr_thunk_cannot(struct jr_thunker *thunker, MlirOperation op,
                     const char *reason) {
  struct jr_unit *unit = thunker->unit;
  struct jr_source_location at = jr_locate(unit, mlirOperationGetLocation(op));
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  struct jr_bytes text = {0};
  if (thunker->body->refused != 0)
    return false;
  jr_bytes_appendf(&text, "'%.*s' at %.*s:%u:%u %s", (int)name.length,
                   name.data, (int)at.file.length, at.file.data, at.line,
                   at.column, reason);
  thunker->body->refused =
      jr_table_add_string(&unit->table, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return false;
}

static bool append(struct jr_thunker *thunker, struct jr_thunk_list *list,
                   struct jr_thunk thunk) {
  struct jr_thunk *items =
      jr_grow(list->items, &list->capacity, list->count, sizeof *items);
  if (!items) {
    thunker->failed = true;
    return false;
  }
  list->items = items;
  items[list->count++] = thunk;
  return true;
}

bool jr_thunk_add(struct jr_thunker *thunker, struct jr_thunk thunk) {
  thunker->run = SIZE_MAX;
  return append(thunker, &thunker->body->list, thunk);
}

bool jr_thunk_add_head(struct jr_thunker *thunker, struct jr_thunk thunk) {
  return append(thunker, &thunker->body->head, thunk);
}

bool jr_thunk_open(struct jr_thunker *thunker, struct jr_thunk thunk,
                   size_t *out_place) {
  struct jr_body *body = thunker->body;
  *out_place = body->list.count;
  body->nests += thunk.kind != JR_THUNK_BRANCH;
  body->deepest = body->nests > body->deepest ? body->nests : body->deepest;
  return jr_thunk_add(thunker, thunk);
}

void jr_thunk_close(struct jr_thunker *thunker, size_t place) {
  struct jr_thunk_list *list = &thunker->body->list;
  thunker->run = SIZE_MAX;
  list->items[place].d = (uint32_t)(list->count - place - 1);
  thunker->body->nests -= list->items[place].kind != JR_THUNK_BRANCH;
}

bool jr_thunk_deepen(struct jr_thunker *thunker, MlirOperation op,
                     uint32_t depth) {
  struct jr_body *body = thunker->body;
  if (depth > JR_TABLE_MAX_NEST)
    return jr_thunk_cannot(thunker, op, "is nested more than 128 deep");
  body->deepest = depth > body->deepest ? depth : body->deepest;
  return true;
}

uint32_t jr_thunk_register(struct jr_thunker *thunker, jr_type_ref_t type) {
  struct jr_table_writer *table = &thunker->unit->table;
  const jitrun_type_t *record = jr_table_written_type(table, type);
  uint64_t bytes = 0;
  bool fits = record->kind == JITRUN_KIND_SCALAR
                  ? jr_dtype_size((jitrun_dtype_t)record->dtype) <= 8 &&
                        record->dtype != JITRUN_DTYPE_S4 &&
                        record->dtype != JITRUN_DTYPE_U4
                  : record->kind == JITRUN_KIND_BUFFER &&
                        jr_type_size_bytes(record, &bytes);
  if (!fits)
    return JR_NONE;
  uint32_t index = jr_table_count(table, JR_SECTION_REGISTERS);
  struct jr_register *added = jr_table_add(table, JR_SECTION_REGISTERS, 1);
  if (!added) {
    thunker->failed = true;
    return JR_NONE;
  }
  added->type = type;
  return index;
}

static uint32_t add_value(struct jr_thunker *thunker, struct jr_number_map *map,
                          MlirValue value) {
  const struct jr_mlir_type *type =
      jr_type_find(thunker->unit, mlirValueGetType(value));
  uint32_t number = type ? jr_thunk_register(thunker, type->written) : JR_NONE;
  if (number != JR_NONE && !jr_number_set(map, value.ptr, number)) {
    thunker->failed = true;
    return JR_NONE;
  }
  return number;
}

uint32_t jr_thunk_define(struct jr_thunker *thunker, MlirValue value) {
  return add_value(thunker, &thunker->registers, value);
}

uint32_t jr_thunk_passing(struct jr_thunker *thunker, MlirValue value) {
  uint32_t number = jr_number_get(&thunker->passing, value.ptr);
  return number == JR_NONE ? add_value(thunker, &thunker->passing, value)
                           : number;
}

static bool walk_op(struct jr_thunker *thunker, MlirOperation op) {
  const struct jr_names *names = &thunker->unit->names;
  bool known = true;
  if (jr_is(op, names->func_call))
    return jr_thunk_call(thunker, op);
  if (jr_is(op, names->func_return))
    return jr_thunk_return(thunker, op);
  if (jr_op_is_neutral(thunker->unit, op))
    return true;
  bool done = jr_thunk_scalar(thunker, op, &known);
  if (!known)
    done = jr_thunk_access(thunker, op, &known);
  if (!known)
    done = jr_thunk_nest(thunker, op, &known);
  return known ? done : jr_thunk_cannot(thunker, op, "needs native code");
}

bool jr_thunk_block(struct jr_thunker *thunker, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool ends = mlirOperationIsNull(next) &&
                !jr_is(op, thunker->unit->names.func_return) &&
                mlirOperationGetNumSuccessors(op) == 0;
    if (ends) /* the terminator of a nest, which knows what it is for */
      return true;
    if (!walk_op(thunker, op))
      return false;
  }
  return true;
}

/// What a private function is given stands in registers.
static bool define_params(struct jr_thunker *thunker, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < count; i++) {
    if (jr_thunk_define(thunker, mlirBlockGetArgument(block, i)) == JR_NONE)
      return jr_thunk_cannot(thunker, thunker->function->op,
                             "takes what thunks have no register for");
  }
  return true;
}

static bool walk_function(struct jr_thunker *thunker) {
  MlirOperation op = thunker->function->op;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  if (thunker->depth > MAX_FUNCTIONS)
    return jr_thunk_cannot(thunker, op, "is called from too many others");
  if (thunker->function->entry == JR_NONE && !define_params(thunker, block))
    return false;
  return jr_thunk_block(thunker, block);
}

/// Takes away the registers that were added since there were `count`, when no
/// function that ended since has thunks which use them.
static void drop_registers(struct jr_thunker *thunker, size_t ended,
                           uint32_t count) {
  for (size_t i = ended; i < thunker->order_count; i++) {
    if (thunker->bodies[thunker->order[i]].state == JR_BODY_DONE)
      return;
  }
  jr_table_truncate(&thunker->unit->table, JR_SECTION_REGISTERS, count);
}

struct jr_body *jr_thunk_function(struct jr_thunker *thunker, size_t index) {
  struct jr_body *body = &thunker->bodies[index];
  struct jr_function *outer_function = thunker->function;
  struct jr_body *outer_body = thunker->body;
  size_t ended = thunker->order_count;
  uint32_t registers =
      jr_table_count(&thunker->unit->table, JR_SECTION_REGISTERS);
  if (body->state != JR_BODY_NEW)
    return body;
  thunker->function = &thunker->unit->functions[index];
  thunker->body = body;
  thunker->depth++;
  thunker->run = SIZE_MAX;
  body->state = JR_BODY_OPEN;
  body->state = walk_function(thunker) ? JR_BODY_DONE : JR_BODY_REFUSED;
  thunker->order[thunker->order_count++] = index;
  drop_registers(thunker, ended, registers);
  thunker->depth--;
  thunker->run = SIZE_MAX;
  thunker->function = outer_function;
  thunker->body = outer_body;
  return body;
}

/// Writes one list; which computations it calls is known by then.
static bool write_list(struct jr_thunker *thunker,
                       const struct jr_thunk_list *list) {
  struct jr_table_writer *table = &thunker->unit->table;
  if (list->count == 0)
    return true;
  struct jr_thunk *records =
      list->count < JR_NONE
          ? jr_table_add(table, JR_SECTION_THUNKS, (uint32_t)list->count)
          : NULL;
  if (!records)
    return false;
  memcpy(records, list->items, list->count * sizeof *records);
  for (size_t i = 0; i < list->count; i++) {
    if (records[i].kind == JR_THUNK_CALL)
      records[i].a = thunker->bodies[records[i].a].computation;
  }
  return true;
}

static bool write_body(struct jr_thunker *thunker, const struct jr_body *body,
                       uint32_t *out_first, uint32_t *out_count) {
  struct jr_table_writer *table = &thunker->unit->table;
  *out_first = jr_table_count(table, JR_SECTION_THUNKS);
  bool done =
      write_list(thunker, &body->head) && write_list(thunker, &body->list);
  *out_count = jr_table_count(table, JR_SECTION_THUNKS) - *out_first;
  return done;
}

/// Run-time words of results, in their order.
static void place_words(struct jr_unit *unit, uint32_t index) {
  struct jr_table_writer *table = &unit->table;
  struct jr_entry *entry = jr_table_at(table, JR_SECTION_ENTRIES, index);
  entry->result_words = 0;
  for (uint32_t i = 0; i < entry->result_count; i++) {
    struct jr_param *param = jr_table_at(
        table, JR_SECTION_PARAMS, entry->first_param + entry->param_count + i);
    const jitrun_type_t *type = jr_table_written_type(table, param->type);
    param->first_word = entry->result_words;
    if (jr_type_is_word(type))
      entry->result_words++;
    else if (param->flags & JR_RESULT_STORED)
      entry->result_words += 1 + jr_type_dynamic_count(type);
  }
}

static void mark_called(struct jr_thunker *thunker,
                        const struct jr_body *body) {
  for (size_t i = 0; i < body->list.count; i++) {
    if (body->list.items[i].kind == JR_THUNK_CALL)
      thunker->bodies[body->list.items[i].a].is_called = true;
  }
}

/// Numbers what entries call: who ended later calls who ended earlier.
static void number_computations(struct jr_thunker *thunker) {
  uint32_t count = 0;
  for (size_t i = thunker->order_count; i-- > 0;) {
    struct jr_body *body = &thunker->bodies[thunker->order[i]];
    const struct jr_function *function =
        &thunker->unit->functions[thunker->order[i]];
    if (function->entry == JR_NONE && !body->is_called)
      continue;
    if (body->state != JR_BODY_DONE)
      continue;
    mark_called(thunker, body);
    if (function->entry == JR_NONE)
      body->computation = count++;
  }
}

static bool write_entry(struct jr_thunker *thunker, size_t index) {
  struct jr_table_writer *table = &thunker->unit->table;
  const struct jr_body *body = &thunker->bodies[index];
  uint32_t number = thunker->unit->functions[index].entry;
  uint32_t first = jr_table_count(table, JR_SECTION_THUNKS);
  uint32_t count = 0;
  bool done =
      body->state != JR_BODY_DONE || write_body(thunker, body, &first, &count);
  struct jr_entry *entry = jr_table_at(table, JR_SECTION_ENTRIES, number);
  entry->first_thunk = first;
  entry->thunk_count = count;
  entry->thunks_refused = body->state == JR_BODY_DONE ? 0 : body->refused;
  return done;
}

static bool write_computation(struct jr_thunker *thunker, size_t index) {
  struct jr_unit *unit = thunker->unit;
  const struct jr_function *function = &unit->functions[index];
  struct jr_source_location at = jr_locate(unit, function->location);
  struct jr_computation record = {
      .name = jr_table_add_string(&unit->table, function->name,
                                  strlen(function->name)),
      .file = jr_table_add_string(&unit->table, at.file.data, at.file.length),
      .line = at.line,
      .column = at.column};
  bool done = write_body(thunker, &thunker->bodies[index], &record.first_thunk,
                         &record.thunk_count);
  struct jr_computation *slot =
      jr_table_add(&unit->table, JR_SECTION_COMPUTATIONS, 1);
  if (!slot)
    return false;
  *slot = record;
  return done;
}

/// Entries in their order, then computations in theirs.
static bool write_all(struct jr_thunker *thunker) {
  const struct jr_unit *unit = thunker->unit;
  bool done = true;
  number_computations(thunker);
  for (size_t i = 0; done && i < unit->reached_count; i++) {
    if (unit->functions[unit->reached[i]].entry != JR_NONE)
      done = write_entry(thunker, unit->reached[i]);
  }
  for (size_t i = thunker->order_count; done && i-- > 0;) {
    const struct jr_body *body = &thunker->bodies[thunker->order[i]];
    if (body->is_called && body->state == JR_BODY_DONE)
      done = write_computation(thunker, thunker->order[i]);
  }
  return done;
}

static bool note_sites(struct jr_thunker *thunker,
                       const struct jr_planner *planners) {
  for (size_t i = 0; i < thunker->unit->reached_count; i++) {
    const struct jr_planner *planner = &planners[i];
    for (size_t k = 0; k < planner->call_count; k++) {
      if (!jr_number_set(&thunker->sites, planner->calls[k].op.ptr,
                         planner->calls[k].site))
        return false;
    }
  }
  return true;
}

static void free_thunker(struct jr_thunker *thunker, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(thunker->bodies[i].head.items);
    free(thunker->bodies[i].list.items);
  }
  free(thunker->registers.places);
  free(thunker->passing.places);
  free(thunker->sites.places);
}

jitrun_error_t *jr_plan_thunks(struct jr_unit *unit,
                               const struct jr_planner *planners) {
  size_t count = unit->function_count;
  struct jr_thunker thunker = {
      .unit = unit,
      .bodies =
          jr_arena_zalloc(&unit->arena, count + 1, sizeof *thunker.bodies),
      .order = jr_arena_zalloc(&unit->arena, count + 1, sizeof *thunker.order)};
  if (!thunker.bodies || !thunker.order)
    return jr_error_no_memory();
  bool done = note_sites(&thunker, planners);
  for (size_t i = 0; done && i < unit->reached_count; i++) {
    const struct jr_function *function = &unit->functions[unit->reached[i]];
    if (function->entry == JR_NONE)
      continue;
    place_words(unit, function->entry);
    (void)jr_thunk_function(&thunker, unit->reached[i]);
    done = !thunker.failed;
  }
  done = done && write_all(&thunker);
  free_thunker(&thunker, count);
  return done ? NULL : jr_error_no_memory();
}

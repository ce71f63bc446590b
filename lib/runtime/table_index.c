/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The indices of an entry's arguments, in order: those of parameters and those
/// of outputs have to be the places of a tuple, each of them once. One that
/// others begin with is the tuple's own, for the table that XLA keeps of it.
#include "runtime/table_interface.h"
#include "runtime/table_shape.h"

#include "base/bytes.h"
#include "base/dtype.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A place, and the argument that has it.
struct place {
  int64_t number; ///< of the parameter; 0 for outputs
  const int64_t *index;
  uint32_t count;
  uint32_t argument;
};

/// Places in order.
struct places {
  struct place *items;
  uint32_t count;
  bool are_outputs;
};

/// Number `at` of a place, its parameter's coming first.
static int64_t number_at(const struct place *place, uint32_t at) {
  return at == 0 ? place->number : place->index[at - 1];
}

/// How many numbers two places have in common from their beginnings.
static uint32_t common_count(const struct place *a, const struct place *b) {
  uint32_t least = (a->count < b->count ? a->count : b->count) + 1;
  uint32_t at = 0;
  while (at < least && number_at(a, at) == number_at(b, at))
    at++;
  return at;
}

static int compare_places(const void *left, const void *right) {
  const struct place *a = left;
  const struct place *b = right;
  uint32_t at = common_count(a, b);
  if (at > a->count || at > b->count)
    return (a->count > b->count) - (a->count < b->count);
  int64_t x = number_at(a, at);
  int64_t y = number_at(b, at);
  return (x > y) - (x < y);
}

/// Those of one place in the order of their arguments.
static int order_places(const void *left, const void *right) {
  const struct place *a = left;
  const struct place *b = right;
  int order = compare_places(a, b);
  return order ? order
               : (a->argument > b->argument) - (a->argument < b->argument);
}

/// "output {0,1}", "index {1} of parameter 0".
static void append_place(struct jr_bytes *text, const struct places *places,
                         const struct place *place) {
  jr_bytes_append_text(text, places->are_outputs ? "output {" : "index {");
  for (uint32_t i = 0; i < place->count; i++)
    jr_bytes_appendf(text, i > 0 ? ",%" PRId64 : "%" PRId64, place->index[i]);
  jr_bytes_append_text(text, "}");
  if (!places->are_outputs)
    jr_bytes_appendf(text, " of parameter %" PRId64, place->number);
}

/// The message is `before`, the place, `after`.
static jitrun_error_t *refuse(const struct places *places, const char *before,
                              const struct place *place, const char *after) {
  struct jr_bytes text = {0};
  jr_bytes_append_text(&text, before);
  append_place(&text, places, place);
  jr_bytes_append_text(&text, after);
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *error =
      message ? jr_error_text(JITRUN_INVALID_ARGUMENT, message, text.size)
              : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *refuse_twice(const struct places *places,
                                    const struct place *a,
                                    const struct place *b) {
  uint32_t first = a->argument < b->argument ? a->argument : b->argument;
  uint32_t second = a->argument < b->argument ? b->argument : a->argument;
  char before[64];
  char after[64];
  (void)snprintf(before, sizeof before, "argument %" PRIu32 " is ", second);
  (void)snprintf(after, sizeof after, ", and so is argument %" PRIu32, first);
  return refuse(places, before, b, after);
}

/// Where the numbers of `after` are first not what has to follow `before`
/// (NULL: nothing is before it), and what has to stand there.
static uint32_t find_gap(const struct place *before, const struct place *after,
                         int64_t *out_wanted) {
  uint32_t at = before ? common_count(before, after) : 0;
  if (before && at <= before->count) {
    *out_wanted = number_at(before, at) + 1;
    if (number_at(after, at) != *out_wanted)
      return at;
    at++;
  }
  *out_wanted = 0;
  while (at <= after->count && number_at(after, at) == 0)
    at++;
  return at;
}

/// Names the place that is missing before `after`.
static jitrun_error_t *refuse_gap(const struct places *places,
                                  const struct place *after, uint32_t at,
                                  int64_t wanted) {
  int64_t index[JR_INDEX_MAX_COUNT] = {0};
  struct place missing = {
      .number = at == 0 ? wanted : after->number, .index = index, .count = at};
  for (uint32_t i = 1; i < at; i++)
    index[i - 1] = number_at(after, i);
  if (at > 0)
    index[at - 1] = wanted;
  return refuse(places, "no argument is ", &missing, "");
}

static void set_tuple(struct jr_interface *interface,
                      const struct places *places, uint32_t argument) {
  jitrun_allocation_t *allocation = &interface->allocations[argument];
  if (places->are_outputs) {
    allocation->is_output = false;
    allocation->alias = JITRUN_ALIAS_NONE;
    if (allocation->kind != JITRUN_ALLOCATION_LIVE_OUT)
      return; // a parameter keeps what it is
  }
  allocation->kind = JITRUN_ALLOCATION_TUPLE;
}

/// Each place once and none left out, as far as the places themselves tell.
static jitrun_error_t *check_places(struct jr_interface *interface,
                                    const struct places *places) {
  for (uint32_t i = 0; i < places->count; i++) {
    const struct place *before = i > 0 ? &places->items[i - 1] : NULL;
    const struct place *after = &places->items[i];
    if (before && compare_places(before, after) == 0)
      return refuse_twice(places, before, after);
    int64_t wanted = 0;
    uint32_t gap = find_gap(before, after, &wanted);
    if (gap <= after->count)
      return refuse_gap(places, after, gap, wanted);
    if (before && common_count(before, after) > before->count)
      set_tuple(interface, places, before->argument);
  }
  return NULL;
}

/// An output is as large as the part of the shape that it is.
static jitrun_error_t *check_size(const struct places *places,
                                  const struct place *place,
                                  const struct jr_shape_leaf *leaf,
                                  uint64_t size_bytes) {
  if (leaf->size_bytes == size_bytes)
    return NULL;
  char before[64];
  char after[120];
  (void)snprintf(before, sizeof before, "argument %" PRIu32 " is ",
                 place->argument);
  (void)snprintf(after, sizeof after,
                 ", which takes %" PRIu64 " bytes, and has %" PRIu64,
                 leaf->size_bytes, size_bytes);
  return refuse(places, before, place, after);
}

/// True for a part that needs memory: no token, nor an empty tuple.
static bool has_memory(const struct jr_shape_leaf *leaf) {
  return leaf->type && leaf->type->kind == JITRUN_KIND_BUFFER;
}

/// What an argument is to the part of the shape that comes next: the same, a
/// tuple around it, behind it (more than 0), or nothing in the shape.
static jitrun_error_t *match_place(struct jr_interface *interface,
                                   const struct places *places,
                                   const struct place *place,
                                   const struct jr_shape_leaf *leaf,
                                   int *out_order) {
  struct place wanted = {0};
  char before[64];
  if (leaf)
    wanted = (struct place){.index = leaf->index, .count = leaf->index_count};
  *out_order = leaf ? compare_places(place, &wanted) : -1;
  if (*out_order > 0)
    return NULL;
  bool is_tuple =
      leaf && *out_order < 0 && common_count(place, &wanted) > place->count;
  if (is_tuple || (leaf && *out_order == 0 && !has_memory(leaf))) {
    set_tuple(interface, places, place->argument);
    return NULL;
  }
  if (leaf && *out_order == 0)
    return check_size(places, place, leaf,
                      interface->allocations[place->argument].size_bytes);
  (void)snprintf(before, sizeof before, "argument %" PRIu32 " is ",
                 place->argument);
  return refuse(places, before, place,
                ", which the result's shape does not have");
}

static jitrun_error_t *refuse_missing(const struct places *places,
                                      const struct jr_shape_leaf *leaf) {
  const struct place place = {.index = leaf->index, .count = leaf->index_count};
  struct jr_bytes text = {0};
  jr_bytes_append_text(&text, ", which the result's shape has as ");
  jr_type_format(&text, leaf->type);
  const char *after = jr_bytes_text(&text);
  jitrun_error_t *error =
      refuse(places, "no argument is ", &place, after ? after : "");
  jr_bytes_deinit(&text);
  return error;
}

/// Moves `*next` to the part of the shape that an output is, or behind it.
static jitrun_error_t *find_part(struct jr_interface *interface,
                                 const struct places *places,
                                 const struct place *place,
                                 const struct jr_shape_tree *tree,
                                 size_t *next) {
  int order = 1;
  while (order > 0) {
    const struct jr_shape_leaf *leaf =
        *next < tree->leaf_count ? &tree->leaves[*next] : NULL;
    JITRUN_TRY(match_place(interface, places, place, leaf, &order));
    if (order > 0 && leaf && has_memory(leaf))
      return refuse_missing(places, leaf);
    *next += order >= 0;
  }
  return NULL;
}

/// Walks the shape and the outputs together.
static jitrun_error_t *check_shape(struct jr_interface *interface,
                                   const struct places *places,
                                   const struct jr_shape_tree *tree) {
  size_t next = 0;
  for (uint32_t i = 0; i < places->count; i++) {
    const struct place *place = &places->items[i];
    if (i > 0 && compare_places(place - 1, place) == 0)
      return refuse_twice(places, place - 1, place);
    JITRUN_TRY(find_part(interface, places, place, tree, &next));
  }
  for (; next < tree->leaf_count; next++) {
    if (has_memory(&tree->leaves[next]))
      return refuse_missing(places, &tree->leaves[next]);
  }
  return NULL;
}

static jitrun_error_t *make_places(const struct jr_interface *interface,
                                   bool are_outputs, struct jr_arena *arena,
                                   struct places *out_places) {
  *out_places = (struct places){.are_outputs = are_outputs};
  out_places->items =
      jr_arena_zalloc(arena, interface->allocation_count, sizeof(struct place));
  if (!out_places->items)
    return jr_error_no_memory();
  for (uint32_t i = 0; i < interface->allocation_count; i++) {
    const jitrun_allocation_t *one = &interface->allocations[i];
    if (!are_outputs && one->kind == JITRUN_ALLOCATION_PARAMETER)
      out_places->items[out_places->count++] =
          (struct place){one->number, one->index, one->index_count, i};
    else if (are_outputs && one->is_output)
      out_places->items[out_places->count++] =
          (struct place){0, one->output_index, one->output_index_count, i};
  }
  qsort(out_places->items, out_places->count, sizeof(struct place),
        order_places);
  return NULL;
}

static jitrun_error_t *order_inputs(struct jr_interface *interface,
                                    struct jr_arena *arena) {
  struct places places;
  interface->inputs = jr_arena_alloc(arena, interface->allocation_count *
                                                sizeof *interface->inputs);
  if (!interface->inputs)
    return jr_error_no_memory();
  if (!interface->is_described) { // the caller gives all of them as they are
    interface->input_count = interface->allocation_count;
    for (uint32_t i = 0; i < interface->input_count; i++)
      interface->inputs[i] = i;
    return NULL;
  }
  JITRUN_TRY(make_places(interface, false, arena, &places));
  JITRUN_TRY(check_places(interface, &places));
  for (uint32_t i = 0; i < places.count; i++) {
    uint32_t argument = places.items[i].argument;
    if (interface->allocations[argument].kind == JITRUN_ALLOCATION_PARAMETER)
      interface->inputs[interface->input_count++] = argument;
  }
  return NULL;
}

/// The next output; its place is its number.
static void add_output(struct jr_interface *interface, bool is_result,
                       uint32_t index, const jitrun_type_t *type,
                       int64_t *numbers) {
  uint32_t number = interface->output_count++;
  numbers[number] = number;
  interface->outputs[number] =
      (jitrun_output_t){.is_result = is_result,
                        .is_row_major = true,
                        .index = index,
                        .shape_index_count = 1,
                        .shape_index = &numbers[number],
                        .type = type};
}

/// Results, then marked parameters, else every memref. `places` says in which
/// order those that are marked come; NULL: in that of the parameters.
static jitrun_error_t *list_plain(struct jr_interface *interface,
                                  const struct jr_table *table,
                                  const struct jr_entry *entry,
                                  const struct places *places,
                                  struct jr_arena *arena) {
  const struct jr_param *params = &table->params[entry->first_param];
  const struct jr_param *results = params + entry->param_count;
  uint32_t count = places ? places->count : entry->param_count;
  size_t most = (size_t)entry->param_count + entry->result_count;
  int64_t *numbers = jr_arena_alloc(arena, most * sizeof *numbers);
  if (!numbers)
    return jr_error_no_memory();
  for (uint32_t i = 0; i < entry->result_count; i++)
    add_output(interface, true, i, jr_table_type(table, results[i].type),
               numbers);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t argument = places ? places->items[i].argument : i;
    if (interface->allocations[argument].is_output) // else it is of a tuple
      add_output(interface, false, argument,
                 jr_table_type(table, params[argument].type), numbers);
  }
  bool is_marked = interface->output_count > 0;
  for (uint32_t i = 0; !is_marked && i < entry->param_count; i++) {
    const jitrun_type_t *type = jr_table_type(table, params[i].type);
    if (type->kind == JITRUN_KIND_BUFFER)
      add_output(interface, false, i, type, numbers);
  }
  return NULL;
}

/// The part of the shape that an output is; NULL: it tells nothing.
static const struct jr_shape_leaf *find_leaf(const struct jr_shape_tree *tree,
                                             const struct place *place,
                                             size_t *cursor) {
  for (; *cursor < tree->leaf_count; (*cursor)++) {
    const struct jr_shape_leaf *leaf = &tree->leaves[*cursor];
    const struct place found = {.index = leaf->index,
                                .count = leaf->index_count};
    if (compare_places(&found, place) == 0)
      return leaf;
  }
  return NULL;
}

/// Where the entry is described, the outputs have places and nothing else is
/// one.
static void list_described(struct jr_interface *interface,
                           const struct jr_table *table,
                           const struct jr_entry *entry,
                           const struct places *places,
                           const struct jr_shape_tree *tree) {
  size_t cursor = 0;
  for (uint32_t i = 0; i < places->count; i++) {
    const struct place *place = &places->items[i];
    const struct jr_param *param =
        &table->params[entry->first_param + place->argument];
    if (!interface->allocations[place->argument].is_output)
      continue;
    const struct jr_shape_leaf *leaf = find_leaf(tree, place, &cursor);
    interface->outputs[interface->output_count++] = (jitrun_output_t){
        .is_row_major = !leaf || leaf->is_row_major,
        .is_bounded = leaf && leaf->is_bounded,
        .index = place->argument,
        .shape_index_count = place->count,
        .shape_index = place->index,
        .type = leaf ? leaf->type : jr_table_type(table, param->type)};
  }
}

/// Either all outputs say their place, or none does; those that do not stay in
/// the order of the arguments.
static jitrun_error_t *check_placed(const struct jr_interface *interface,
                                    const struct jr_table *table,
                                    const struct jr_entry *entry,
                                    bool *out_are_placed) {
  uint32_t placed = 0;
  uint32_t outputs = 0;
  for (uint32_t i = 0; i < interface->allocation_count; i++) {
    outputs += interface->allocations[i].is_output;
    placed +=
        (table->params[entry->first_param + i].flags & JR_PARAM_PLACED) != 0;
  }
  *out_are_placed = placed > 0;
  if (placed == 0 || placed == outputs)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "%" PRIu32 " of %" PRIu32
                  " outputs say which one they are: all have to, or none",
                  placed, outputs);
}

/// The outputs are what the result's shape has; where there is none, each place
/// is there that has to be. Gives the shape of an entry that is described.
static jitrun_error_t *check_outputs(struct jr_interface *interface,
                                     const struct places *places,
                                     bool are_placed, struct jr_arena *arena,
                                     struct jr_shape_tree *out_tree) {
  if (interface->is_described && interface->result_shape) {
    JITRUN_TRY(jr_shape_parse(interface->result_shape, arena, out_tree));
    return check_shape(interface, places, out_tree);
  }
  return are_placed ? check_places(interface, places) : NULL;
}

static jitrun_error_t *order_outputs(struct jr_interface *interface,
                                     const struct jr_table *table,
                                     const struct jr_entry *entry,
                                     struct jr_arena *arena) {
  struct places places;
  struct jr_shape_tree tree = {0};
  bool are_placed = false;
  size_t most = (size_t)entry->param_count + entry->result_count;
  interface->outputs = jr_arena_zalloc(arena, most, sizeof *interface->outputs);
  if (!interface->outputs)
    return jr_error_no_memory();
  JITRUN_TRY(check_placed(interface, table, entry, &are_placed));
  if (!interface->is_described && !are_placed)
    return list_plain(interface, table, entry, NULL, arena);
  JITRUN_TRY(make_places(interface, true, arena, &places));
  JITRUN_TRY(check_outputs(interface, &places, are_placed, arena, &tree));
  if (!interface->is_described)
    return list_plain(interface, table, entry, &places, arena);
  list_described(interface, table, entry, &places, &tree);
  return NULL;
}

jitrun_error_t *jr_interface_order(struct jr_interface *interface,
                                   const struct jr_table *table,
                                   const struct jr_entry *entry,
                                   struct jr_arena *arena) {
  JITRUN_TRY(order_inputs(interface, arena));
  return order_outputs(interface, table, entry, arena);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The tuple that the outputs of an executable make: as the result's shape
/// tells, else one of all of them. It is kept in preorder, as jitrun_leaves_t
/// has it, and tuples of it are made before an execution and filled after it.
#include "client/tupled.h"

#include "base/arena.h"
#include "client/tuple.h"
#include "runtime/table_shape.h"

#include <stdlib.h>
#include <string.h>

/// Outputs are arrays; tokens and empty tuples are tuples of nothing.
static bool is_output(const struct jr_shape_leaf *leaf) {
  return leaf->type && leaf->type->kind != JITRUN_KIND_TOKEN;
}

static void append_number(struct jr_bytes *shape, size_t number) {
  int32_t value = (int32_t)number;
  jr_bytes_append(shape, &value, sizeof value);
}

static void append_leaf(struct jr_bytes *shape,
                        const struct jr_shape_leaf *leaf) {
  static const int32_t mark = JITRUN_LEAF;
  if (is_output(leaf))
    jr_bytes_append(shape, &mark, sizeof mark);
  else
    append_number(shape, 0);
}

/// A tuple at depth `depth`, which is at most JR_SHAPE_MAX_DEPTH: the leaves
/// that are in it, in their order.
static void append_tuple(struct jr_bytes *shape,
                         const struct jr_shape_leaf *leaves, size_t count,
                         uint32_t depth) {
  append_number(shape,
                count == 0 ? 0 : (size_t)leaves[count - 1].index[depth] + 1);
  for (size_t first = 0; first < count;) {
    size_t end = first + 1;
    while (end < count &&
           leaves[end].index[depth] == leaves[first].index[depth])
      end++;
    if (leaves[first].index_count == depth + 1)
      append_leaf(shape, &leaves[first]);
    else
      append_tuple(shape, leaves + first, end - first, depth + 1);
    first = end;
  }
}

/// A shape that is no tuple becomes one of one.
static void append_tree(struct jr_bytes *shape,
                        const struct jr_shape_tree *tree) {
  if (tree->leaf_count == 1 && tree->leaves[0].index_count == 0) {
    append_number(shape, is_output(&tree->leaves[0]));
    if (is_output(&tree->leaves[0]))
      append_leaf(shape, &tree->leaves[0]);
    return;
  }
  append_tuple(shape, tree->leaves, tree->leaf_count, 0);
}

static void append_flat(struct jr_bytes *shape, size_t count) {
  static const int32_t mark = JITRUN_LEAF;
  append_number(shape, count);
  for (size_t i = 0; i < count; i++)
    jr_bytes_append(shape, &mark, sizeof mark);
}

jitrun_error_t *jr_tuple_shape_read(jitrun_executable_t *executable) {
  const char *text = jitrun_entry_result_shape(executable->entry);
  struct jr_arena arena = {0};
  struct jr_shape_tree tree;
  struct jr_bytes shape = {0};
  jitrun_error_t *error = text ? jr_shape_parse(text, &arena, &tree) : NULL;
  if (!error && text)
    append_tree(&shape, &tree);
  else if (!error)
    append_flat(&shape, executable->output_count);
  jr_arena_deinit(&arena);
  if (!error)
    error = jr_bytes_check(&shape);
  if (error)
    jr_bytes_deinit(&shape);
  else
    executable->tuple_shape = (int32_t *)(void *)shape.data;
  return error;
}

/// Makes the tuple that begins at `*next`, and those in it.
jitrun_error_t *jr_tuple_shape_make(jitrun_device_t *device,
                                    const int32_t **next,
                                    jitrun_buffer_t **out_tuple) {
  size_t count = (size_t)*(*next)++;
  jitrun_buffer_t *tuple;
  *out_tuple = NULL;
  JITRUN_TRY(jr_tuple_make(device, count, &tuple));
  jitrun_error_t *error = NULL;
  for (size_t i = 0; i < count && !error; i++) {
    jitrun_buffer_t *element = NULL;
    if (**next == JITRUN_LEAF)
      ++*next; // to be put in
    else
      error = jr_tuple_shape_make(device, next, &element);
    if (element)
      jr_tuple_put(tuple, i, element);
  }
  if (error)
    jitrun_buffer_release(tuple);
  else
    *out_tuple = tuple;
  return error;
}

void jr_tuple_shape_fill(jitrun_buffer_t *tuple, jitrun_buffer_t ***next) {
  tuple->size_bytes = 0;
  for (size_t i = 0; i < tuple->element_count; i++) {
    jitrun_buffer_t *element = tuple->elements[i];
    if (element)
      jr_tuple_shape_fill(element, next);
    else
      element = *(*next)++;
    jr_tuple_put(tuple, i, element);
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See table_shape.h. Without recursion: the place in each tuple that is open
/// is the index of what comes next.
#include "runtime/table_shape.h"

#include "base/dtype.h"

#include <string.h>

enum { MAX_RANK = 64 };

struct reader {
  const char *text;
  const char *next;
  struct jr_arena *arena;
  int64_t path[JR_SHAPE_MAX_DEPTH];
  uint32_t depth;
  struct jr_shape_leaf *leaves;
  size_t count, capacity;
};

static jitrun_error_t *refuse(const struct reader *reader, const char *cause) {
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "the shape '%.80s%s' cannot be read at column %zu: %s",
                  reader->text, strlen(reader->text) > 80 ? "..." : "",
                  (size_t)(reader->next - reader->text) + 1, cause);
}

/// Blanks, and comments: XLA counts long tuples in them.
static void skip_blanks(struct reader *reader) {
  for (;;) {
    const char *end = NULL;
    if (strncmp(reader->next, "/*", 2) == 0)
      end = strstr(reader->next + 2, "*/");
    if (end)
      reader->next = end + 2;
    else if (*reader->next == ' ')
      reader->next++;
    else
      return;
  }
}

static bool take(struct reader *reader, char wanted) {
  skip_blanks(reader);
  if (*reader->next != wanted)
    return false;
  reader->next++;
  return true;
}

/// A decimal number; false when there is none, or it passes 63 bits.
static bool take_number(struct reader *reader, int64_t *out_value) {
  skip_blanks(reader);
  const char *start = reader->next;
  int64_t value = 0;
  for (; *reader->next >= '0' && *reader->next <= '9'; reader->next++) {
    int64_t digit = *reader->next - '0';
    if (value > (INT64_MAX - digit) / 10)
      return false;
    value = 10 * value + digit;
  }
  *out_value = value;
  return reader->next > start;
}

/// "<=4" is a size up to 4.
static void take_bound(struct reader *reader, struct jr_shape_leaf *leaf) {
  skip_blanks(reader);
  if (strncmp(reader->next, "<=", 2) != 0)
    return;
  leaf->is_bounded = true;
  reader->next += 2;
}

/// Numbers between commas, up to `end`, which is taken.
static jitrun_error_t *read_list(struct reader *reader,
                                 struct jr_shape_leaf *leaf, char end,
                                 int64_t numbers[MAX_RANK],
                                 uint32_t *out_count) {
  *out_count = 0;
  if (take(reader, end))
    return NULL;
  do {
    if (*out_count == MAX_RANK)
      return refuse(reader, "there are more than 64 numbers");
    if (end == ']')
      take_bound(reader, leaf);
    if (!take_number(reader, &numbers[(*out_count)++]))
      return refuse(reader, "a number is missing, or too large");
  } while (take(reader, ','));
  if (!take(reader, end))
    return refuse(reader, end == ']' ? "',' or ']' is missing"
                                     : "',' or '}' is missing; tiles and "
                                       "memory spaces are not supported");
  return NULL;
}

/// "{1,0}": the dimensions, the one whose elements are neighbours first.
static jitrun_error_t *read_layout(struct reader *reader, uint32_t rank,
                                   struct jr_shape_leaf *leaf) {
  int64_t order[MAX_RANK];
  uint64_t seen = 0;
  uint32_t count = 0;
  leaf->is_row_major = true;
  if (!take(reader, '{'))
    return NULL;
  JITRUN_TRY(read_list(reader, leaf, '}', order, &count));
  for (uint32_t i = 0; i < count; i++) {
    if (order[i] < 0 || order[i] >= rank || (seen >> order[i] & 1))
      return refuse(reader, "the layout is no order of the dimensions");
    seen |= (uint64_t)1 << order[i];
    leaf->is_row_major &= order[i] == (int64_t)(rank - 1 - i);
  }
  return count == rank
             ? NULL
             : refuse(reader, "the layout is no order of the dimensions");
}

static jitrun_error_t *read_dtype(struct reader *reader,
                                  jitrun_dtype_t *out_dtype) {
  const char *start = reader->next;
  size_t size = strspn(start, "abcdefghijklmnopqrstuvwxyz0123456789");
  if (size == 0)
    return refuse(reader, "an element type is missing");
  *out_dtype = jr_dtype_parse(start, size);
  if (*out_dtype == JITRUN_DTYPE_INVALID || *out_dtype == JITRUN_DTYPE_OPAQUE)
    return refuse(reader, "there is no element type of this name");
  reader->next += size;
  return NULL;
}

static jitrun_error_t *add_leaf(struct reader *reader,
                                const struct jr_shape_leaf *found) {
  size_t bytes = reader->depth * sizeof(int64_t);
  int64_t *index = jr_arena_alloc(reader->arena, bytes);
  if (reader->count == reader->capacity)
    return refuse(reader, "it has too many parts");
  if (!index)
    return jr_error_no_memory();
  memcpy(index, reader->path, bytes);
  struct jr_shape_leaf *leaf = &reader->leaves[reader->count++];
  *leaf = *found;
  leaf->index = index;
  leaf->index_count = reader->depth;
  return NULL;
}

static jitrun_error_t *make_type(struct reader *reader, jitrun_dtype_t dtype,
                                 const int64_t *dims, uint32_t rank,
                                 const jitrun_type_t **out_type) {
  jitrun_type_t *type =
      jr_arena_alloc(reader->arena, jr_type_record_size(rank));
  if (!type)
    return jr_error_no_memory();
  *type =
      (jitrun_type_t){.kind = dtype == JITRUN_DTYPE_TOKEN ? JITRUN_KIND_TOKEN
                                                          : JITRUN_KIND_BUFFER,
                      .dtype = (uint8_t)dtype,
                      .rank = (uint16_t)rank};
  int64_t *extents = (int64_t *)(void *)(type + 1);
  if (rank > 0)
    memcpy(extents, dims, rank * sizeof *dims);
  jr_dense_strides(dims, rank, extents + rank);
  *out_type = type;
  return NULL;
}

static jitrun_error_t *read_array(struct reader *reader) {
  struct jr_shape_leaf leaf = {0};
  jitrun_dtype_t dtype = JITRUN_DTYPE_INVALID;
  int64_t dims[MAX_RANK];
  uint32_t rank = 0;
  JITRUN_TRY(read_dtype(reader, &dtype));
  if (!take(reader, '['))
    return refuse(reader, "'[' is missing");
  JITRUN_TRY(read_list(reader, &leaf, ']', dims, &rank));
  JITRUN_TRY(read_layout(reader, rank, &leaf));
  bool is_token = dtype == JITRUN_DTYPE_TOKEN;
  if (is_token && rank > 0)
    return refuse(reader, "a token has sizes");
  if (!is_token &&
      !jr_elements_bytes(jr_dtype_size(dtype), dims, rank, &leaf.size_bytes))
    return refuse(reader, "it has over 2^63 bytes");
  JITRUN_TRY(make_type(reader, dtype, dims, rank, &leaf.type));
  return add_leaf(reader, &leaf);
}

/// What begins here: an array, or a tuple, whose first part comes next.
static jitrun_error_t *read_part(struct reader *reader, bool *out_is_open) {
  *out_is_open = false;
  if (!take(reader, '('))
    return read_array(reader);
  if (take(reader, ')'))
    return add_leaf(reader, &(struct jr_shape_leaf){.is_row_major = true});
  if (reader->depth == JR_SHAPE_MAX_DEPTH)
    return refuse(reader, "tuples are nested over 32 deep");
  reader->path[reader->depth++] = 0;
  *out_is_open = true;
  return NULL;
}

/// Closes tuples that end here; false when another part follows in one.
static bool close_tuples(struct reader *reader) {
  while (reader->depth > 0) {
    if (take(reader, ',')) {
      reader->path[reader->depth - 1]++;
      return false;
    }
    if (!take(reader, ')'))
      return true;
    reader->depth--;
  }
  return true;
}

static jitrun_error_t *read_shape(struct reader *reader) {
  bool is_open = false;
  do {
    JITRUN_TRY(read_part(reader, &is_open));
  } while (is_open || !close_tuples(reader));
  skip_blanks(reader);
  if (reader->depth > 0)
    return refuse(reader, "',' or ')' is missing");
  return *reader->next ? refuse(reader, "there is more than one shape") : NULL;
}

jitrun_error_t *jr_shape_parse(const char *text, struct jr_arena *arena,
                               struct jr_shape_tree *out_tree) {
  struct reader reader = {
      .text = text, .next = text, .arena = arena, .capacity = 1};
  *out_tree = (struct jr_shape_tree){0};
  for (const char *at = text; *at; at++)
    reader.capacity += *at == ',';
  if (reader.capacity > JR_SHAPE_MAX_LEAVES)
    reader.capacity = JR_SHAPE_MAX_LEAVES;
  reader.leaves =
      jr_arena_zalloc(arena, reader.capacity, sizeof *reader.leaves);
  if (!reader.leaves)
    return jr_error_no_memory();
  JITRUN_TRY(read_shape(&reader));
  *out_tree = (struct jr_shape_tree){reader.leaves, reader.count};
  return NULL;
}

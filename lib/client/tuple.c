/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tuples of buffers. A tuple's handles of its elements never leave it, so that
/// what becomes of the tuple can be read from them: it was donated when one of
/// them was. Its elements do not change once somebody else has it.
#include "client/tuple.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

static bool is_tuple(const jitrun_buffer_t *buffer) {
  return buffer->dtype == JITRUN_DTYPE_TUPLE;
}

jitrun_error_t *jr_tuple_refuse(const jitrun_buffer_t *buffer,
                                const char *purpose) {
  if (!buffer || !is_tuple(buffer))
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "cannot %s a tuple of %zu elements; take them out with "
                  "jitrun_tuple_elements()",
                  purpose, buffer->element_count);
}

jitrun_error_t *jr_tuple_make(jitrun_device_t *device, size_t count,
                              jitrun_buffer_t **out_tuple) {
  static const struct jr_shape shape = {.dtype = JITRUN_DTYPE_TUPLE};
  *out_tuple = NULL;
  jitrun_buffer_t **elements = jr_calloc(count + 1, sizeof(void *));
  if (!elements)
    return jr_error_no_memory();
  jitrun_error_t *error =
      jr_buffer_create(device, &shape, 0, NULL, NULL, out_tuple);
  if (error) {
    free(elements);
    return error;
  }
  (*out_tuple)->elements = elements;
  (*out_tuple)->element_count = count;
  (*out_tuple)->depth = 1;
  return NULL;
}

void jr_tuple_put(jitrun_buffer_t *tuple, size_t index,
                  jitrun_buffer_t *element) {
  tuple->elements[index] = element;
  tuple->size_bytes += element->size_bytes;
  if (tuple->depth <= element->depth)
    tuple->depth = element->depth + 1;
}

void jr_tuple_free(jitrun_buffer_t *tuple) {
  for (size_t i = 0; i < tuple->element_count; i++)
    jitrun_buffer_release(tuple->elements[i]);
  free(tuple->elements);
}

void jr_tuple_delete(jitrun_buffer_t *tuple) {
  (void)pthread_mutex_lock(&tuple->lock);
  if (tuple->state == JR_BUFFER_LIVE)
    tuple->state = JR_BUFFER_DELETED;
  (void)pthread_mutex_unlock(&tuple->lock);
  for (size_t i = 0; i < tuple->element_count; i++)
    jitrun_buffer_delete(tuple->elements[i]);
}

void jr_tuple_set_donated(jitrun_buffer_t *tuple) {
  (void)pthread_mutex_lock(&tuple->lock);
  if (tuple->state == JR_BUFFER_LIVE)
    tuple->state = JR_BUFFER_DONATED;
  (void)pthread_mutex_unlock(&tuple->lock);
  for (size_t i = 0; i < tuple->element_count; i++) {
    if (is_tuple(tuple->elements[i]))
      jr_tuple_set_donated(tuple->elements[i]);
  }
}

/// DELETED or DONATED where an element was, too.
static enum jr_buffer_state find_state(const jitrun_buffer_t *tuple) {
  // The lock is not part of what a tuple is.
  jitrun_buffer_t *locked = (jitrun_buffer_t *)(uintptr_t)tuple;
  (void)pthread_mutex_lock(&locked->lock);
  enum jr_buffer_state state = tuple->state;
  (void)pthread_mutex_unlock(&locked->lock);
  for (size_t i = 0; state == JR_BUFFER_LIVE && i < tuple->element_count; i++) {
    if (jitrun_buffer_is_deleted(tuple->elements[i]))
      state = JR_BUFFER_DONATED;
  }
  return state;
}

bool jr_tuple_is_deleted(const jitrun_buffer_t *tuple) {
  return find_state(tuple) != JR_BUFFER_LIVE;
}

jitrun_error_t *jr_tuple_check(const jitrun_buffer_t *tuple,
                               const char *purpose) {
  enum jr_buffer_state state = find_state(tuple);
  if (state == JR_BUFFER_LIVE)
    return NULL;
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "cannot %s a tuple of %zu elements on device %s: it was %s",
                  purpose, tuple->element_count, tuple->device->name,
                  state == JR_BUFFER_DELETED ? "deleted" : "donated");
}

size_t jr_tuple_leaves(const jitrun_buffer_t *tuple, jitrun_buffer_t **leaves,
                       size_t room) {
  size_t count = 0;
  for (size_t i = 0; i < tuple->element_count; i++) {
    jitrun_buffer_t *element = tuple->elements[i];
    size_t left = count < room ? room - count : 0;
    if (is_tuple(element)) {
      count += jr_tuple_leaves(element, leaves + count, left);
      continue;
    }
    if (left > 0)
      leaves[count] = element;
    count++;
  }
  return count;
}

/// A tuple of other handles of the same memory, or of copies on `device`.
static jitrun_error_t *copy_elements(jitrun_buffer_t *const *elements,
                                     size_t count, jitrun_device_t *device,
                                     jitrun_buffer_t **out_tuple) {
  jitrun_buffer_t *tuple;
  JITRUN_TRY(jr_tuple_make(device, count, &tuple));
  tuple->element_count = 0; // those that are there
  for (size_t i = 0; i < count; i++) {
    jitrun_buffer_t *element;
    jitrun_error_t *error =
        jitrun_buffer_copy_to(elements[i], device, &element);
    if (error) {
      jitrun_buffer_release(tuple);
      return jr_error_note(error, "at element %zu of a tuple", i);
    }
    jr_tuple_put(tuple, i, element);
    tuple->element_count = i + 1;
  }
  *out_tuple = tuple;
  return NULL;
}

jitrun_error_t *jr_tuple_copy(jitrun_buffer_t *tuple, jitrun_device_t *device,
                              jitrun_buffer_t **out_tuple) {
  JITRUN_TRY(jr_tuple_check(tuple, "copy"));
  return copy_elements(tuple->elements, tuple->element_count, device,
                       out_tuple);
}

jitrun_error_t *jitrun_tuple_create(jitrun_device_t *device,
                                    jitrun_buffer_t *const *elements,
                                    size_t count, jitrun_buffer_t **out_tuple) {
  if (!device || !out_tuple || (count > 0 && !elements))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a tuple needs a device, its elements and a place to be "
                    "put in; one of them is NULL");
  *out_tuple = NULL;
  for (size_t i = 0; i < count; i++) {
    if (!elements[i])
      return jr_error(JITRUN_INVALID_ARGUMENT, "element %zu of a tuple is NULL",
                      i);
    if (elements[i]->device->client != device->client)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "element %zu of a tuple is a buffer of another client",
                      i);
    if (elements[i]->device != device)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "element %zu of a tuple on device %s is on device %s", i,
                      device->name, elements[i]->device->name);
    if (elements[i]->depth >= MAX_DEPTH)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "a tuple cannot have tuples in more than %d others",
                      MAX_DEPTH - 1);
  }
  return copy_elements(elements, count, device, out_tuple);
}

size_t jitrun_tuple_count(const jitrun_buffer_t *tuple) {
  return tuple && is_tuple(tuple) ? tuple->element_count : 0;
}

static jitrun_error_t *check_tuple(const jitrun_buffer_t *tuple,
                                   const void *out) {
  if (!tuple || !out)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "taking elements out needs a tuple and a place to put "
                    "them in; one of them is NULL");
  return is_tuple(tuple)
             ? jr_tuple_check(tuple, "take elements out of")
             : jr_error(JITRUN_INVALID_ARGUMENT,
                        "the buffer to take elements out of is no tuple");
}

jitrun_error_t *jitrun_tuple_element(jitrun_buffer_t *tuple, size_t index,
                                     jitrun_buffer_t **out_element) {
  if (out_element)
    *out_element = NULL;
  JITRUN_TRY(check_tuple(tuple, out_element));
  if (index >= tuple->element_count)
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "element %zu of a tuple of %zu was asked for; they count "
                    "from 0",
                    index, tuple->element_count);
  return jitrun_buffer_copy_to(tuple->elements[index], tuple->device,
                               out_element);
}

jitrun_error_t *jitrun_tuple_elements(jitrun_buffer_t *tuple,
                                      jitrun_buffer_t **out_elements,
                                      size_t count) {
  for (size_t i = 0; out_elements && i < count; i++)
    out_elements[i] = NULL;
  JITRUN_TRY(check_tuple(tuple, count > 0 ? (void *)out_elements : tuple));
  if (count != tuple->element_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a tuple has %zu elements, and there is room for %zu",
                    tuple->element_count, count);
  jitrun_error_t *error = NULL;
  for (size_t i = 0; i < count && !error; i++)
    error = jitrun_buffer_copy_to(tuple->elements[i], tuple->device,
                                  &out_elements[i]);
  for (size_t i = 0; i < count && error; i++) {
    jitrun_buffer_release(out_elements[i]);
    out_elements[i] = NULL;
  }
  return error;
}

/// Waits that have one time.
jitrun_error_t *jr_tuple_wait(jitrun_buffer_t *tuple, int64_t timeout_ns) {
  int64_t limit_ns = jr_client_timeout(tuple->device->client, timeout_ns);
  uint64_t start = jr_clock_ns();
  JITRUN_TRY(jr_tuple_check(tuple, "wait for"));
  for (size_t i = 0; i < tuple->element_count; i++) {
    int64_t left_ns = limit_ns;
    if (limit_ns > 0)
      left_ns -= (int64_t)(jr_clock_ns() - start);
    if (limit_ns > 0 && left_ns <= 0)
      left_ns = 1;
    JITRUN_TRY(jr_error_note(jitrun_buffer_wait(tuple->elements[i], left_ns),
                             "at element %zu of a tuple", i));
  }
  return NULL;
}

jitrun_error_t *jr_tuple_ready(jitrun_buffer_t *tuple,
                               jitrun_async_t **out_token) {
  size_t count = tuple->element_count;
  JITRUN_TRY(jr_tuple_check(tuple, "wait for"));
  jitrun_async_t **tokens = jr_calloc(count + 1, sizeof(void *));
  if (!tokens)
    return jr_error_no_memory();
  jitrun_error_t *error = NULL;
  for (size_t i = 0; i < count && !error; i++)
    error = jitrun_buffer_ready(tuple->elements[i], &tokens[i]);
  if (!error)
    error = jr_token_join(tokens, count, out_token);
  for (size_t i = 0; i < count; i++)
    jitrun_async_release(tokens[i]);
  free(tokens);
  return error;
}

/// Gives host memory back once, for all leaves that use it.
struct shared_release {
  size_t reference_count; ///< atomic
  jitrun_release_fn_t release;
  void *context;
};

static void release_shared(void *context) {
  struct shared_release *shared = context;
  if (__atomic_sub_fetch(&shared->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (shared->release)
    shared->release(shared->context);
  free(shared);
}

/// What of the leaves and their shape is used up.
struct reader {
  jitrun_device_t *device;
  jitrun_leaves_t leaves;
  struct shared_release *shared;
  size_t next_shape, next_leaf;
};

static jitrun_error_t *make_leaf(struct reader *reader,
                                 jitrun_buffer_t **out_buffer) {
  const jitrun_leaves_t *leaves = &reader->leaves;
  if (reader->next_leaf >= leaves->count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the shape of a tuple has more leaves than the %zu tensors",
                    leaves->count);
  size_t leaf = reader->next_leaf++;
  (void)__atomic_fetch_add(&reader->shared->reference_count, 1,
                           __ATOMIC_RELAXED);
  return jr_error_note(
      jitrun_buffer_from_host(reader->device, &leaves->tensors[leaf],
                              leaves->semantics, release_shared, reader->shared,
                              out_buffer),
      "at leaf %zu of a tuple", leaf);
}

/// A tuple that is being made.
struct level {
  jitrun_buffer_t *tuple;
  size_t filled, wanted;
};

/// Begins a tuple of `wanted` elements inside of the last one.
static jitrun_error_t *push_level(struct reader *reader, struct level *levels,
                                  size_t *depth, int32_t wanted) {
  if (*depth == MAX_DEPTH)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a tuple cannot have tuples in more than %d others",
                    MAX_DEPTH - 1);
  if (wanted < 0 || (size_t)wanted > reader->leaves.shape_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the shape of a tuple has %" PRId32
                    " at %zu, where %zu numbers are",
                    wanted, reader->next_shape - 1, reader->leaves.shape_count);
  struct level *level = &levels[*depth];
  *level = (struct level){.wanted = (size_t)wanted};
  JITRUN_TRY(jr_tuple_make(reader->device, level->wanted, &level->tuple));
  level->tuple->element_count = 0;
  ++*depth;
  return NULL;
}

static void add_element(struct level *level,
                        /*own*/ jitrun_buffer_t *element) {
  jr_tuple_put(level->tuple, level->filled, element);
  level->tuple->element_count = ++level->filled;
}

/// A leaf, or the beginning of a tuple.
static jitrun_error_t *read_number(struct reader *reader, struct level *levels,
                                   size_t *depth) {
  int32_t number = reader->leaves.shape[reader->next_shape++];
  jitrun_buffer_t *leaf;
  if (number != JITRUN_LEAF || *depth == 0)
    return push_level(reader, levels, depth, number);
  JITRUN_TRY(make_leaf(reader, &leaf));
  add_element(&levels[*depth - 1], leaf);
  return NULL;
}

static bool is_full(const struct level *level) {
  return level->filled == level->wanted;
}

/// Reads the whole shape; the first of `levels` has the tuple then.
static jitrun_error_t *read_shape(struct reader *reader, struct level *levels,
                                  size_t *depth) {
  const jitrun_leaves_t *leaves = &reader->leaves;
  while (reader->next_shape < leaves->shape_count) {
    JITRUN_TRY(read_number(reader, levels, depth));
    while (*depth > 1 && is_full(&levels[*depth - 1])) {
      --*depth;
      add_element(&levels[*depth - 1], levels[*depth].tuple);
    }
    if (is_full(&levels[0]))
      break;
  }
  bool is_whole = *depth == 1 && is_full(&levels[0]) &&
                  reader->next_shape == leaves->shape_count &&
                  reader->next_leaf == leaves->count;
  return is_whole ? NULL
                  : jr_error(JITRUN_INVALID_ARGUMENT,
                             "the shape of a tuple is not one of %zu leaves",
                             leaves->count);
}

static jitrun_error_t *make_flat(struct reader *reader, struct level *level) {
  level->wanted = reader->leaves.count;
  JITRUN_TRY(jr_tuple_make(reader->device, level->wanted, &level->tuple));
  level->tuple->element_count = 0;
  for (size_t i = 0; i < reader->leaves.count; i++) {
    jitrun_buffer_t *leaf;
    JITRUN_TRY(make_leaf(reader, &leaf));
    add_element(level, leaf);
  }
  return NULL;
}

static jitrun_error_t *read_leaves(struct reader *reader,
                                   jitrun_buffer_t **out_tuple) {
  struct level levels[MAX_DEPTH] = {{0}};
  size_t depth = reader->leaves.shape ? 0 : 1;
  jitrun_error_t *error = reader->leaves.shape
                              ? read_shape(reader, levels, &depth)
                              : make_flat(reader, &levels[0]);
  if (!error) {
    *out_tuple = levels[0].tuple;
    return NULL;
  }
  for (size_t i = 0; i < depth; i++)
    jitrun_buffer_release(levels[i].tuple);
  return error;
}

jitrun_error_t *jitrun_tuple_from_host(jitrun_device_t *device,
                                       const jitrun_leaves_t *leaves,
                                       jitrun_buffer_t **out_tuple) {
  struct reader reader = {.device = device};
  if (out_tuple)
    *out_tuple = NULL;
  JITRUN_TRY(jr_options_read(leaves, "for a tuple", &reader.leaves,
                             sizeof reader.leaves));
  struct shared_release *shared = jr_malloc(sizeof *shared);
  if (!shared) {
    if (reader.leaves.release)
      reader.leaves.release(reader.leaves.release_context);
    return jr_error_no_memory();
  }
  *shared = (struct shared_release){1, reader.leaves.release,
                                    reader.leaves.release_context};
  reader.shared = shared;
  jitrun_error_t *error = NULL;
  if (!device || !leaves || !out_tuple ||
      (reader.leaves.count > 0 && !reader.leaves.tensors))
    error = jr_error(JITRUN_INVALID_ARGUMENT,
                     "a tuple needs a device, leaves and a place to be put in; "
                     "one of them is NULL");
  else
    error = read_leaves(&reader, out_tuple);
  release_shared(shared);
  return error;
}

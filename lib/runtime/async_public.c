/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The functions of jitrun/async.h, for callers and, in a table, for handlers.
#include "base/alloc.h"
#include "base/dtype.h"
#include "base/error.h"
#include "runtime/async.h"
#include "runtime/table_check.h"

#include <stdlib.h>
#include <string.h>

static bool is_async_kind(uint8_t kind) {
  return kind == JITRUN_KIND_TOKEN || kind == JITRUN_KIND_ASYNC_SCALAR ||
         kind == JITRUN_KIND_ASYNC_BUFFER;
}

size_t jr_async_storage_bytes(const jitrun_type_t *type) {
  if (type->kind == JITRUN_KIND_ASYNC_SCALAR)
    return jr_dtype_size(type->dtype);
  if (type->kind == JITRUN_KIND_ASYNC_BUFFER)
    return sizeof(struct jr_descriptor) + 2 * sizeof(int64_t) * type->rank;
  return 0;
}

bool jr_async_set_type(jitrun_async_t *async, const jitrun_type_t *type) {
  size_t size = jr_type_record_size(
      type->kind == JITRUN_KIND_ASYNC_BUFFER ? type->rank : 0);
  jitrun_type_t *copy = jr_malloc(size);
  if (!copy)
    return false;
  memcpy(copy, type, size);
  (void)pthread_mutex_lock(&async->lock);
  if (!async->type) {
    async->type = copy;
    copy = NULL;
  }
  (void)pthread_mutex_unlock(&async->lock);
  free(copy);
  return true;
}

jitrun_error_t *jitrun_async_create(const jitrun_type_t *type,
                                    jitrun_async_t **out_async) {
  JR_NEED(out_async);
  *out_async = NULL;
  if (!type || !is_async_kind(type->kind) || type->rank > JR_TABLE_MAX_RANK ||
      (type->kind != JITRUN_KIND_TOKEN && jr_dtype_size(type->dtype) == 0))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "an async handle is made of the type of a token, or of an "
                    "async value of a scalar or a buffer");
  jitrun_async_t *async = jr_async_create(
      type->kind == JITRUN_KIND_TOKEN ? JR_ASYNC_TOKEN : JR_ASYNC_VALUE,
      jr_async_storage_bytes(type));
  if (async && !jr_async_set_type(async, type)) {
    jitrun_async_release(async);
    async = NULL;
  }
  if (!async)
    return jr_error_no_memory();
  async->is_open = true;
  *out_async = async;
  return NULL;
}

jitrun_async_state_t jitrun_async_state(const jitrun_async_t *async) {
  return async ? (jitrun_async_state_t)atomic_load(&async->state)
               : JITRUN_ASYNC_PENDING;
}

/// Checks the kind of what is set.
static jitrun_error_t *check_kind(const jitrun_async_t *async,
                                  jitrun_kind_t kind) {
  static const char *const names[] = {[JITRUN_KIND_TOKEN] = "a token",
                                      [JITRUN_KIND_ASYNC_SCALAR] = "a scalar",
                                      [JITRUN_KIND_ASYNC_BUFFER] = "a buffer"};
  if (!async || !async->is_open)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the async handle is NULL, or one that a program sets");
  if (async->type->kind != kind)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the async handle is for %s and is set as %s",
                    names[async->type->kind], names[kind]);
  return NULL;
}

static jitrun_error_t *refuse_again(void) {
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "the async handle is set already; it can be set once");
}

/// Of several threads, one stores a value.
static jitrun_error_t *claim(jitrun_async_t *async) {
  (void)pthread_mutex_lock(&async->lock);
  bool is_first =
      !async->is_claimed && jitrun_async_state(async) == JITRUN_ASYNC_PENDING;
  if (is_first)
    async->is_claimed = true;
  (void)pthread_mutex_unlock(&async->lock);
  return is_first ? NULL : refuse_again();
}

/// An error may have come first all the same.
static jitrun_error_t *complete(jitrun_async_t *async) {
  return jr_async_complete(async, JITRUN_ASYNC_AVAILABLE, NULL)
             ? NULL
             : refuse_again();
}

jitrun_error_t *jitrun_async_set_token(jitrun_async_t *async) {
  JITRUN_TRY(check_kind(async, JITRUN_KIND_TOKEN));
  return complete(async);
}

jitrun_error_t *jitrun_async_set_scalar(jitrun_async_t *async,
                                        const void *value) {
  JITRUN_TRY(check_kind(async, JITRUN_KIND_ASYNC_SCALAR));
  if (!value)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the value to set the async handle to is NULL");
  JITRUN_TRY(claim(async));
  memcpy(async->storage, value, async->storage_bytes);
  return complete(async);
}

/// What is set, when its sizes and strides are known.
struct view {
  const jitrun_tensor_t *buffer;
  const jitrun_type_t *wanted;
  int64_t extents[2 * JR_TABLE_MAX_RANK];
  bool is_empty;
};

static jitrun_error_t *refuse_extent(const struct view *view, const char *what,
                                     uint32_t number, int64_t found) {
  struct jr_bytes text = {0};
  jr_type_format(&text, view->wanted);
  const char *type = jr_bytes_text(&text);
  jitrun_error_t *error = jr_error(
      JITRUN_INVALID_ARGUMENT,
      "the async handle is of type %s, and %s %u of the buffer is %lld",
      type ? type : "?", what, number, (long long)found);
  jr_bytes_deinit(&text);
  return error;
}

/// Sizes, and the strides of a row-major buffer.
static jitrun_error_t *fill_sizes(struct view *view) {
  const jitrun_tensor_t *buffer = view->buffer;
  const int64_t *wanted = jitrun_type_dims(view->wanted);
  int64_t stride = 1;
  for (uint32_t i = buffer->rank; i-- > 0;) {
    int64_t size = buffer->dims[i];
    if (size < 0 || (wanted[i] != JITRUN_DYNAMIC && wanted[i] != size))
      return refuse_extent(view, "size", i, size);
    view->is_empty = view->is_empty || size == 0;
    view->extents[i] = size;
    view->extents[buffer->rank + i] = stride;
    /* strides that overflow are of sizes that no memory has */
    (void)__builtin_mul_overflow(stride, size, &stride);
  }
  return NULL;
}

/// Strides count where there is more than one element along them.
static jitrun_error_t *fill_strides(struct view *view) {
  const jitrun_tensor_t *buffer = view->buffer;
  const int64_t *wanted = jitrun_type_strides(view->wanted);
  int64_t *strides = view->extents + buffer->rank;
  if (buffer->strides && buffer->rank > 0)
    memcpy(strides, buffer->strides, buffer->rank * sizeof *strides);
  for (uint32_t i = 0; i < buffer->rank; i++) {
    if (wanted[i] == JITRUN_DYNAMIC || wanted[i] == strides[i])
      continue;
    if (view->extents[i] > 1 && !view->is_empty)
      return refuse_extent(view, "stride", i, strides[i]);
    strides[i] = wanted[i];
  }
  return NULL;
}

/// Compares a buffer with the type of the handle.
static jitrun_error_t *check_buffer(struct view *view) {
  const jitrun_tensor_t *buffer = view->buffer;
  const jitrun_type_t *type = view->wanted;
  if (!buffer || buffer->dtype != (jitrun_dtype_t)type->dtype ||
      buffer->rank != type->rank)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the async handle is for a buffer of type %s and rank %u; "
                    "it is set to one of type %s and rank %u",
                    jr_dtype_name(type->dtype), type->rank,
                    jr_dtype_name(buffer ? buffer->dtype : 0),
                    buffer ? buffer->rank : 0);
  if (buffer->rank > 0 && !buffer->dims)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the sizes of the async buffer are NULL");
  JITRUN_TRY(fill_sizes(view));
  JITRUN_TRY(fill_strides(view));
  if (!buffer->data && !view->is_empty)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the data of the async buffer is NULL");
  return NULL;
}

jitrun_error_t *jitrun_async_set_buffer(jitrun_async_t *async,
                                        const jitrun_tensor_t *buffer) {
  JITRUN_TRY(check_kind(async, JITRUN_KIND_ASYNC_BUFFER));
  struct view view = {.buffer = buffer, .wanted = async->type};
  JITRUN_TRY(check_buffer(&view));
  JITRUN_TRY(claim(async));
  struct jr_descriptor *to = (struct jr_descriptor *)(void *)async->storage;
  to->allocated = to->aligned = buffer->data;
  to->offset = 0;
  if (buffer->rank > 0)
    memcpy(to->extents, view.extents, 2 * sizeof(int64_t) * buffer->rank);
  return complete(async);
}

void jitrun_async_set_error(jitrun_async_t *async, jitrun_error_t *error) {
  if (!async || !async->is_open) {
    jitrun_error_free(error);
    return;
  }
  if (!error)
    error = jr_error(JITRUN_UNKNOWN, "failed without an error");
  (void)jr_async_complete(async, JITRUN_ASYNC_ERROR,
                          jr_async_error_create(error));
}

jitrun_error_t *jitrun_async_error(const jitrun_async_t *async) {
  if (jitrun_async_state(async) != JITRUN_ASYNC_ERROR)
    return NULL;
  struct jr_async_error *shared = jr_async_get_error(async);
  if (!shared)
    return jr_error_no_memory();
  atomic_store(&shared->is_seen, true);
  jitrun_error_t *error = jr_error_copy(shared->error);
  jr_async_error_release(shared);
  return error;
}

jitrun_error_t *jitrun_async_wait(const jitrun_async_t *async,
                                  int64_t timeout_ns) {
  if (!async)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the async handle to wait for is NULL");
  jr_async_block((jitrun_async_t *)(uintptr_t)async, true, timeout_ns, NULL);
  if (jitrun_async_state(async) == JITRUN_ASYNC_PENDING)
    return jr_error(JITRUN_DEADLINE_EXCEEDED,
                    "the async value is not available after %lld ns",
                    (long long)timeout_ns);
  return jitrun_async_error(async);
}

static void read_buffer(const jitrun_async_t *async,
                        jitrun_tensor_t *out_value) {
  const struct jr_descriptor *from =
      (const struct jr_descriptor *)(const void *)async->storage;
  size_t element = jr_dtype_size(async->type->dtype);
  out_value->rank = async->type->rank;
  out_value->dims = from->extents;
  out_value->strides = from->extents + async->type->rank;
  out_value->data =
      (void *)((uintptr_t)from->aligned + (uint64_t)from->offset * element);
}

jitrun_error_t *jitrun_async_read(const jitrun_async_t *async,
                                  jitrun_tensor_t *out_value) {
  JR_NEED(out_value);
  *out_value = (jitrun_tensor_t){0};
  JR_NEED(async);
  if (jitrun_async_state(async) == JITRUN_ASYNC_PENDING)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the async value is not available yet; wait for it");
  JITRUN_TRY(jitrun_async_error(async));
  if (!async->type)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "the async value is one inside of a program, whose type is "
                    "not known");
  out_value->dtype = (jitrun_dtype_t)async->type->dtype;
  if (async->type->kind == JITRUN_KIND_ASYNC_BUFFER)
    read_buffer(async, out_value);
  else if (async->type->kind == JITRUN_KIND_ASYNC_SCALAR)
    out_value->data = async->storage;
  return NULL;
}

/// What is to be called later.
struct later {
  struct jr_waiter waiter;
  jitrun_async_fn_t function;
  void *context;
};

static void run_later(void *context) {
  struct later *later = context;
  later->function(later->context);
  free(later);
}

jitrun_error_t *jitrun_async_then(jitrun_async_t *async,
                                  jitrun_async_fn_t function, void *context) {
  if (!async || !function)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "what is to be called once an async handle is set needs "
                    "both; one of them is NULL");
  struct later *later = jr_malloc(sizeof *later);
  if (!later)
    return jr_error_no_memory();
  *later = (struct later){
      .waiter = {.run = run_later}, .function = function, .context = context};
  later->waiter.context = later;
  if (!jr_async_await(async, &later->waiter))
    run_later(later);
  return NULL;
}

/// What native code takes for granted of a buffer, without looking at it.
static bool fits_extents(const jitrun_type_t *type,
                         const jitrun_type_t *wanted) {
  const int64_t *found = jitrun_type_dims(type);
  const int64_t *extents = jitrun_type_dims(wanted);
  for (uint32_t i = 0; i < 2u * wanted->rank; i++) {
    bool is_stride = i >= wanted->rank;
    if (extents[i] != JITRUN_DYNAMIC && extents[i] != found[i] &&
        !(is_stride && extents[i - wanted->rank] == 1))
      return false;
  }
  return true;
}

bool jr_async_fits(const jitrun_async_t *async, const jitrun_type_t *type) {
  if (!async || async->kind == JR_ASYNC_GROUP)
    return false;
  if (type->kind == JITRUN_KIND_TOKEN)
    return async->kind == JR_ASYNC_TOKEN;
  return async->kind == JR_ASYNC_VALUE &&
         async->storage_bytes >= jr_async_storage_bytes(type) &&
         (!async->type ||
          (async->type->kind == type->kind &&
           async->type->dtype == type->dtype &&
           async->type->rank == type->rank && fits_extents(async->type, type)));
}

const jitrun_async_api_t jr_async_api = {
    .size = sizeof(jitrun_async_api_t),
    .create = jitrun_async_create,
    .retain = jitrun_async_retain,
    .release = jitrun_async_release,
    .state = jitrun_async_state,
    .set_token = jitrun_async_set_token,
    .set_scalar = jitrun_async_set_scalar,
    .set_buffer = jitrun_async_set_buffer,
    .set_error = jitrun_async_set_error,
    .error = jitrun_async_error,
    .wait = jitrun_async_wait,
    .read = jitrun_async_read,
    .then = jitrun_async_then,
    .error_free = jitrun_error_free,
};

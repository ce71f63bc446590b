/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Buffers: making, sharing, waiting for, giving up.
#include "client/tuple.h"

#include "base/alloc.h"
#include "base/dtype.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_element(jitrun_dtype_t dtype) {
  return jr_dtype_size(dtype) > 0 && dtype != JITRUN_DTYPE_OPAQUE &&
         dtype != JITRUN_DTYPE_TOKEN;
}

jitrun_error_t *jr_shape_check(jitrun_dtype_t dtype, const int64_t *dims,
                               uint32_t rank, struct jr_shape *out_shape) {
  *out_shape = (struct jr_shape){.dtype = dtype, .rank = rank, .dims = dims};
  if (!is_element(dtype))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "buffers have numbers, and dtype %d is none", (int)dtype);
  if (rank > JR_BUFFER_MAX_RANK || (rank > 0 && !dims))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a buffer was to have %" PRIu32
                    " sizes%s; it has at most %d",
                    rank, dims ? "" : ", at NULL", JR_BUFFER_MAX_RANK);
  for (uint32_t i = 0; i < rank; i++) {
    if (dims[i] < 0)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "a buffer was to have size %" PRId64
                      " in dimension %" PRIu32,
                      dims[i], i);
  }
  if (!jr_elements_bytes(jr_dtype_size(dtype), dims, rank,
                         &out_shape->size_bytes))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a buffer was to have more elements than any memory");
  return NULL;
}

jitrun_error_t *jr_token_create(jitrun_async_t **out_token) {
  static const jitrun_type_t type = {.kind = JITRUN_KIND_TOKEN,
                                     .dtype = JITRUN_DTYPE_TOKEN};
  return jitrun_async_create(&type, out_token);
}

jitrun_error_t *
jr_buffer_create(jitrun_device_t *device, const struct jr_shape *shape,
                 uint64_t offset_bytes, struct jr_memory *memory,
                 jitrun_async_t *ready, jitrun_buffer_t **out_buffer) {
  size_t dims_bytes = shape->rank * sizeof *shape->dims;
  jitrun_buffer_t *buffer = jr_malloc(sizeof *buffer + dims_bytes);
  *out_buffer = buffer;
  if (!buffer) {
    jr_memory_release(memory);
    jitrun_async_release(ready);
    return jr_error_no_memory();
  }
  *buffer = (jitrun_buffer_t){.reference_count = 1,
                              .device = device,
                              .dtype = shape->dtype,
                              .rank = shape->rank,
                              .offset_bytes = offset_bytes,
                              .size_bytes = shape->size_bytes,
                              .ready = ready,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .memory = memory};
  if (dims_bytes > 0)
    memcpy(buffer->dims, shape->dims, dims_bytes);
  jr_memory_add_handle(memory);
  jitrun_client_retain(device->client);
  return NULL;
}

void jitrun_buffer_retain(jitrun_buffer_t *buffer) {
  if (buffer)
    (void)__atomic_fetch_add(&buffer->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_buffer_release(jitrun_buffer_t *buffer) {
  if (!buffer ||
      __atomic_sub_fetch(&buffer->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  jitrun_client_t *client = buffer->device->client;
  jr_tuple_free(buffer);
  jr_memory_drop_handle(buffer->memory);
  jr_memory_release(buffer->held);
  jitrun_async_release(buffer->ready);
  (void)pthread_mutex_destroy(&buffer->lock);
  free(buffer->host_value);
  free(buffer);
  jitrun_client_release(client);
}

void jitrun_buffer_delete(jitrun_buffer_t *buffer) {
  if (!buffer)
    return;
  if (buffer->elements) {
    jr_tuple_delete(buffer);
    return;
  }
  (void)pthread_mutex_lock(&buffer->lock);
  struct jr_memory *memory = buffer->memory;
  void *host_value = buffer->host_value;
  buffer->memory = NULL;
  buffer->host_value = NULL;
  buffer->is_dropped = true;
  if (buffer->state == JR_BUFFER_LIVE)
    buffer->state = JR_BUFFER_DELETED;
  (void)pthread_mutex_unlock(&buffer->lock);
  jr_memory_drop_handle(memory);
  free(host_value);
}

bool jitrun_buffer_is_deleted(const jitrun_buffer_t *buffer) {
  // The lock is not part of what a buffer is.
  jitrun_buffer_t *locked = (jitrun_buffer_t *)(uintptr_t)buffer;
  if (!buffer)
    return true;
  if (buffer->elements)
    return jr_tuple_is_deleted(buffer);
  (void)pthread_mutex_lock(&locked->lock);
  bool is_deleted = locked->state != JR_BUFFER_LIVE;
  (void)pthread_mutex_unlock(&locked->lock);
  return is_deleted;
}

jitrun_dtype_t jitrun_buffer_dtype(const jitrun_buffer_t *buffer) {
  return buffer ? buffer->dtype : JITRUN_DTYPE_INVALID;
}

uint32_t jitrun_buffer_rank(const jitrun_buffer_t *buffer) {
  return buffer ? buffer->rank : 0;
}

const int64_t *jitrun_buffer_dims(const jitrun_buffer_t *buffer) {
  return buffer ? buffer->dims : NULL;
}

jitrun_device_t *jitrun_buffer_device(const jitrun_buffer_t *buffer) {
  return buffer ? buffer->device : NULL;
}

uint64_t jitrun_buffer_size_bytes(const jitrun_buffer_t *buffer) {
  return buffer ? buffer->size_bytes : 0;
}

/// "2x3xf32".
static void append_shape(struct jr_bytes *text, const jitrun_buffer_t *buffer) {
  for (uint32_t i = 0; i < buffer->rank; i++)
    jr_bytes_appendf(text, "%" PRId64 "x", buffer->dims[i]);
  jr_bytes_append_text(text, jr_dtype_name(buffer->dtype));
}

static jitrun_error_t *refuse_dead(const jitrun_buffer_t *buffer,
                                   enum jr_buffer_state state,
                                   const char *purpose) {
  struct jr_bytes text = {0};
  append_shape(&text, buffer);
  const char *shape = jr_bytes_text(&text);
  jitrun_error_t *error =
      jr_error(JITRUN_FAILED_PRECONDITION,
               "cannot %s a buffer %s on device %s: it was %s", purpose,
               shape ? shape : "", buffer->device->name,
               state == JR_BUFFER_DELETED ? "deleted" : "donated");
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jr_buffer_use(jitrun_buffer_t *buffer, const char *purpose,
                              struct jr_memory **out_memory) {
  *out_memory = NULL;
  if (!buffer)
    return jr_error(JITRUN_INVALID_ARGUMENT, "cannot %s a buffer that is NULL",
                    purpose);
  JITRUN_TRY(jr_tuple_refuse(buffer, purpose));
  (void)pthread_mutex_lock(&buffer->lock);
  enum jr_buffer_state state = buffer->state;
  if (state == JR_BUFFER_LIVE) {
    *out_memory = buffer->memory;
    jr_memory_retain(buffer->memory);
  }
  (void)pthread_mutex_unlock(&buffer->lock);
  return state == JR_BUFFER_LIVE ? NULL : refuse_dead(buffer, state, purpose);
}

jitrun_error_t *jitrun_buffer_allocate(jitrun_device_t *device,
                                       jitrun_dtype_t dtype,
                                       const int64_t *dims, uint32_t rank,
                                       jitrun_buffer_t **out_buffer) {
  struct jr_shape shape;
  struct jr_memory *memory;
  JR_NEED(out_buffer);
  *out_buffer = NULL;
  JR_NEED(device);
  JITRUN_TRY(jr_shape_check(dtype, dims, rank, &shape));
  JITRUN_TRY(jr_device_accept(device, dtype));
  JITRUN_TRY(jr_memory_allocate(&device->heap, shape.size_bytes, &memory));
  return jr_buffer_create(device, &shape, 0, memory, NULL, out_buffer);
}

/// Another handle of a part of the memory, with the same readiness.
static jitrun_error_t *share(jitrun_buffer_t *buffer,
                             const struct jr_shape *shape,
                             uint64_t offset_bytes, const char *purpose,
                             jitrun_buffer_t **out_buffer) {
  struct jr_memory *memory;
  JITRUN_TRY(jr_buffer_use(buffer, purpose, &memory));
  jitrun_async_retain(buffer->ready);
  return jr_buffer_create(buffer->device, shape, offset_bytes, memory,
                          buffer->ready, out_buffer);
}

jitrun_error_t *jitrun_buffer_view(jitrun_buffer_t *buffer,
                                   uint64_t offset_bytes, jitrun_dtype_t dtype,
                                   const int64_t *dims, uint32_t rank,
                                   jitrun_buffer_t **out_view) {
  struct jr_shape shape;
  JR_NEED(out_view);
  *out_view = NULL;
  JR_NEED(buffer);
  JITRUN_TRY(jr_tuple_refuse(buffer, "make a view of"));
  JITRUN_TRY(jr_shape_check(dtype, dims, rank, &shape));
  JITRUN_TRY(jr_device_accept(buffer->device, dtype));
  if (offset_bytes > buffer->size_bytes ||
      shape.size_bytes > buffer->size_bytes - offset_bytes)
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "a view of %" PRIu64 " bytes from byte %" PRIu64
                    " does not lie within a buffer of %" PRIu64 " bytes",
                    shape.size_bytes, offset_bytes, buffer->size_bytes);
  if (offset_bytes % jr_dtype_size(dtype) != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a view of %s cannot begin at byte %" PRIu64
                    ": it is no multiple of %zu",
                    jr_dtype_name(dtype), offset_bytes, jr_dtype_size(dtype));
  return share(buffer, &shape, buffer->offset_bytes + offset_bytes,
               "make a view of", out_view);
}

jitrun_error_t *jr_buffer_share(jitrun_buffer_t *buffer,
                                jitrun_buffer_t **out_buffer) {
  const struct jr_shape shape = {.dtype = buffer->dtype,
                                 .rank = buffer->rank,
                                 .dims = buffer->dims,
                                 .size_bytes = buffer->size_bytes};
  return share(buffer, &shape, buffer->offset_bytes, "copy", out_buffer);
}

jitrun_error_t *jitrun_buffer_ready(jitrun_buffer_t *buffer,
                                    jitrun_async_t **out_token) {
  struct jr_memory *memory;
  JR_NEED(out_token);
  *out_token = NULL;
  if (buffer && buffer->elements)
    return jr_tuple_ready(buffer, out_token);
  JITRUN_TRY(jr_buffer_use(buffer, "wait for", &memory));
  jr_memory_release(memory);
  if (buffer->ready) {
    jitrun_async_retain(buffer->ready);
    *out_token = buffer->ready;
    return NULL;
  }
  JITRUN_TRY(jr_token_create(out_token));
  return jitrun_async_set_token(*out_token);
}

jitrun_error_t *jitrun_buffer_wait(jitrun_buffer_t *buffer,
                                   int64_t timeout_ns) {
  struct jr_memory *memory;
  if (buffer && buffer->elements)
    return jr_tuple_wait(buffer, timeout_ns);
  JITRUN_TRY(jr_buffer_use(buffer, "wait for", &memory));
  jr_memory_release(memory);
  if (!buffer->ready)
    return NULL;
  char name[JR_CLIENT_NAME_SIZE + 32];
  (void)snprintf(name, sizeof name, "a buffer on device %s",
                 buffer->device->name);
  return jr_error_note(
      jr_watch_wait(buffer->device->client, buffer->ready, timeout_ns, name),
      "while waiting for %s", name);
}

jitrun_error_t *jitrun_buffer_hold(jitrun_buffer_t *buffer, int64_t timeout_ns,
                                   void **out_data) {
  struct jr_memory *memory;
  JR_NEED(out_data);
  *out_data = NULL;
  JITRUN_TRY(jr_buffer_use(buffer, "hold", &memory));
  jitrun_error_t *error = jitrun_buffer_wait(buffer, timeout_ns);
  if (error) {
    jr_memory_release(memory);
    return error;
  }
  *out_data = (char *)memory->data + buffer->offset_bytes;
  (void)pthread_mutex_lock(&buffer->lock);
  bool is_first = buffer->hold_count++ == 0;
  if (is_first)
    buffer->held = memory;
  (void)pthread_mutex_unlock(&buffer->lock);
  if (!is_first)
    jr_memory_release(memory);
  return NULL;
}

void jitrun_buffer_unhold(jitrun_buffer_t *buffer) {
  struct jr_memory *memory = NULL;
  if (!buffer)
    return;
  (void)pthread_mutex_lock(&buffer->lock);
  if (buffer->hold_count == 1) {
    memory = buffer->held;
    buffer->held = NULL;
  }
  buffer->hold_count -= buffer->hold_count > 0;
  (void)pthread_mutex_unlock(&buffer->lock);
  jr_memory_release(memory);
}

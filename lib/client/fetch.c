/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Host values that are made before anybody waits for them.
#include "client/tuple.h"

#include "base/alloc.h"

#include <stdlib.h>

/// One copy to host memory that the buffer keeps in the end.
struct fetch {
  jitrun_buffer_t *buffer; ///< retained
  void *data;
  jitrun_async_t *copied; ///< the copy's token
  jitrun_async_t *done;   ///< the caller's, retained
};

static void free_fetch(struct fetch *fetch) {
  jitrun_async_release(fetch->copied);
  jitrun_async_release(fetch->done);
  free(fetch->data);
  jitrun_buffer_release(fetch->buffer);
  free(fetch);
}

/// Gives the buffer its value, unless it has one, or is gone.
static void keep_data(struct fetch *fetch) {
  jitrun_buffer_t *buffer = fetch->buffer;
  (void)pthread_mutex_lock(&buffer->lock);
  if (!buffer->host_value && buffer->state == JR_BUFFER_LIVE) {
    buffer->host_value = fetch->data;
    fetch->data = NULL;
  }
  (void)pthread_mutex_unlock(&buffer->lock);
}

static void end_fetch(void *context) {
  struct fetch *fetch = context;
  jitrun_error_t *error = jitrun_async_error(fetch->copied);
  if (!error)
    keep_data(fetch);
  if (!error)
    error = jitrun_async_set_token(fetch->done);
  if (error)
    jitrun_async_set_error(fetch->done, error);
  free_fetch(fetch);
}

/// Begins the copy; it frees itself.
static jitrun_error_t *start_fetch(/*own*/ struct fetch *fetch) {
  const jitrun_tensor_t tensor = {.dtype = fetch->buffer->dtype,
                                  .rank = fetch->buffer->rank,
                                  .dims = fetch->buffer->dims,
                                  .data = fetch->data};
  jitrun_error_t *error =
      jitrun_buffer_to_host_async(fetch->buffer, &tensor, &fetch->copied);
  if (error) {
    free_fetch(fetch);
    return error;
  }
  error = jitrun_async_then(fetch->copied, end_fetch, fetch);
  if (!error)
    return NULL;
  jitrun_error_free(error);
  jitrun_error_free(jitrun_async_wait(fetch->copied, -1));
  end_fetch(fetch);
  return NULL;
}

static bool has_value(jitrun_buffer_t *buffer) {
  (void)pthread_mutex_lock(&buffer->lock);
  bool has = buffer->host_value != NULL;
  (void)pthread_mutex_unlock(&buffer->lock);
  return has;
}

static jitrun_error_t *make_fetch(jitrun_buffer_t *buffer,
                                  struct fetch **out_fetch) {
  struct fetch *fetch = jr_calloc(1, sizeof *fetch);
  *out_fetch = fetch;
  if (!fetch)
    return jr_error_no_memory();
  fetch->buffer = buffer;
  jitrun_buffer_retain(buffer);
  fetch->data = jr_malloc(buffer->size_bytes);
  jitrun_error_t *error =
      fetch->data ? jr_token_create(&fetch->done) : jr_error_no_memory();
  if (error)
    free_fetch(fetch);
  return error;
}

jitrun_error_t *jitrun_buffer_fetch(jitrun_buffer_t *buffer,
                                    jitrun_async_t **out_token) {
  struct fetch *fetch;
  if (!buffer || !out_token)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "fetching needs a buffer and a place for its token; one "
                    "of them is NULL");
  *out_token = NULL;
  JITRUN_TRY(jr_tuple_refuse(buffer, "read"));
  if (!jr_device_apart(buffer->device) || has_value(buffer))
    return jitrun_buffer_ready(buffer, out_token);
  JITRUN_TRY(make_fetch(buffer, &fetch));
  jitrun_async_t *done = fetch->done;
  jitrun_async_retain(done);
  jitrun_error_t *error = start_fetch(fetch);
  if (error)
    jitrun_async_release(done);
  else
    *out_token = done;
  return error;
}

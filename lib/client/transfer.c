/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Copies between host memory and buffers, and between devices. A transfer is
/// one copy of elements: it waits for its source to be ready, runs on the
/// process's pool, and sets a token. Small ones whose source is ready are done
/// on the spot. Those of devices whose memory the host cannot use run on a
/// thread of the device's.
#include "client/move.h"
#include "client/tuple.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  SPOT_BYTES = 1 << 16, ///< up to here a task would cost more than the copy
  BORROW_ALIGNMENT = 16 ///< what vector code asks of memory of callers
};

/// It keeps the clients of both sides: the caller may give up all else as soon
/// as the token is set.
struct transfer {
  struct jr_task task; ///< first, to be found by it
  jitrun_client_t *client;
  jitrun_client_t *from_client; ///< NULL: the caller's memory, or the same
  jitrun_device_t *to, *from;   ///< see jr_move_elements()
  struct jr_copy copy;          ///< its arrays are in `words`
  uint64_t size_bytes;          ///< of the elements
  struct jr_memory *memory;     ///< these two are kept until it is done
  struct jr_memory *other;      ///< NULL: the other side is the caller's
  jitrun_async_t *after;        ///< to wait for; NULL: nothing
  jitrun_async_t *done;         ///< set at the end
  jitrun_release_fn_t release;  ///< called at the end; NULL: nobody is
  void *release_context;
  int64_t words[];
};

static void release_memory(struct transfer *transfer) {
  jr_memory_release(transfer->memory);
  jr_memory_release(transfer->other);
  transfer->memory = NULL;
  transfer->other = NULL;
}

static void free_transfer(struct transfer *transfer) {
  jitrun_client_t *client = transfer->client;
  jitrun_client_t *from_client = transfer->from_client;
  release_memory(transfer);
  jitrun_async_release(transfer->after);
  jitrun_async_release(transfer->done);
  free(transfer);
  jitrun_client_release(client);
  jitrun_client_release(from_client);
}

/// Ends it: `error` (NULL: none) is what the token gets.
static void end_transfer(struct transfer *transfer,
                         /*own*/ jitrun_error_t *error) {
  release_memory(transfer);
  if (transfer->release)
    transfer->release(transfer->release_context);
  if (!error)
    error = jitrun_async_set_token(transfer->done);
  if (error)
    jitrun_async_set_error(transfer->done, error);
  free_transfer(transfer);
}

static void run_transfer(void *context) {
  struct transfer *transfer = context;
  end_transfer(transfer, jr_move_elements(&transfer->copy, transfer->size_bytes,
                                          transfer->to, transfer->from));
}

static void run_task(struct jr_task *task) {
  run_transfer(task);
}

/// Has a thread of the device's run it, or this one if it cannot have any.
static void give_to_device(struct transfer *transfer, jitrun_device_t *device) {
  jitrun_error_t *error = jr_worker_start(device->copier);
  transfer->task.run = run_task;
  if (error)
    run_transfer(transfer);
  else
    jr_worker_put(device->copier, &transfer->task);
  jitrun_error_free(error);
}

/// Called once the source is ready, or will never be.
static void queue_transfer(void *context) {
  struct transfer *transfer = context;
  jitrun_error_t *error =
      transfer->after ? jitrun_async_error(transfer->after) : NULL;
  if (error) {
    end_transfer(transfer, error);
    return;
  }
  if (transfer->to || transfer->from) {
    give_to_device(transfer, transfer->to ? transfer->to : transfer->from);
    return;
  }
  // One that was waited for is not run by what it waited for: there may be any
  // number of them in a row.
  if (transfer->size_bytes > SPOT_BYTES || transfer->after)
    error = jr_pool_submit(jr_pool_default(), run_transfer, transfer);
  else
    run_transfer(transfer);
  if (!error)
    return;
  jitrun_error_free(error);
  run_transfer(transfer);
}

/// Starts it: it frees itself.
static void start_transfer(struct transfer *transfer) {
  if (!transfer->after) {
    queue_transfer(transfer);
    return;
  }
  jitrun_error_t *error =
      jitrun_async_then(transfer->after, queue_transfer, transfer);
  if (error)
    end_transfer(transfer, error);
}

/// One side of a copy.
struct side {
  void *data;
  const int64_t *strides;  ///< in elements; NULL: dense
  jitrun_device_t *device; ///< NULL: of the host
};

/// The side of memory on a device.
static struct side side_of(jitrun_device_t *device, void *data) {
  return (struct side){.data = data, .device = jr_device_apart(device)};
}

/// A transfer of elements of `shape`, with a token of its own. What it keeps is
/// for the caller to fill in.
static jitrun_error_t *make_transfer(jitrun_client_t *client,
                                     const struct jr_shape *shape,
                                     struct side to, struct side from,
                                     struct transfer **out_transfer) {
  uint32_t rank = shape->rank;
  struct transfer *transfer =
      jr_malloc(sizeof *transfer + 3 * (size_t)rank * sizeof(int64_t));
  *out_transfer = transfer;
  if (!transfer)
    return jr_error_no_memory();
  int64_t *dims = transfer->words;
  int64_t *strides[2] = {dims + rank, dims + 2 * (size_t)rank};
  const struct side sides[2] = {to, from};
  *transfer =
      (struct transfer){.copy = {.to = to.data,
                                 .from = from.data,
                                 .dims = dims,
                                 .to_strides = strides[0],
                                 .from_strides = strides[1],
                                 .rank = rank,
                                 .element_bytes = jr_dtype_size(shape->dtype)},
                        .size_bytes = shape->size_bytes,
                        .to = to.device,
                        .from = from.device,
                        .client = client};
  jitrun_client_retain(client);
  if (rank > 0)
    memcpy(dims, shape->dims, rank * sizeof *dims);
  for (size_t i = 0; i < 2; i++) {
    if (!sides[i].strides)
      jr_dense_strides(dims, rank, strides[i]);
    else if (rank > 0)
      memcpy(strides[i], sides[i].strides, rank * sizeof(int64_t));
  }
  jitrun_error_t *error = jr_token_create(&transfer->done);
  if (error) {
    free_transfer(transfer);
    *out_transfer = NULL;
  }
  return error;
}

/// True when elements lie one after the other in row-major order.
static bool is_dense(const jitrun_tensor_t *tensor) {
  int64_t step = 1;
  for (uint32_t i = tensor->rank; tensor->strides && i-- > 0;) {
    if (tensor->dims[i] > 1 && tensor->strides[i] != step)
      return false;
    if (__builtin_mul_overflow(step, tensor->dims[i], &step))
      return false;
  }
  return true;
}

/// Host memory must have an address, and strides that stay in address space.
static jitrun_error_t *check_host(const jitrun_tensor_t *tensor,
                                  const struct jr_shape *shape) {
  int64_t reach = 0;
  bool overflows = false;
  if (shape->size_bytes == 0)
    return NULL;
  if (!tensor->data)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%" PRIu64 " bytes of host memory are to be used, and "
                    "their address is NULL",
                    shape->size_bytes);
  for (uint32_t i = 0; tensor->strides && i < tensor->rank; i++) {
    int64_t step;
    int64_t most = INT64_MAX / (int64_t)sizeof(int64_t[4]);
    overflows =
        overflows || tensor->strides[i] == INT64_MIN ||
        __builtin_mul_overflow(tensor->dims[i] - 1,
                               tensor->strides[i] < 0 ? -tensor->strides[i]
                                                      : tensor->strides[i],
                               &step) ||
        __builtin_add_overflow(reach, step, &reach) || reach > most;
  }
  if (!overflows)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "the strides of host memory reach further than any memory");
}

static bool can_borrow(const jitrun_device_t *device,
                       const jitrun_tensor_t *tensor) {
  size_t element = jr_dtype_size(tensor->dtype);
  size_t alignment = element > BORROW_ALIGNMENT ? element : BORROW_ALIGNMENT;
  return device->info.is_host_addressable && is_dense(tensor) &&
         (uintptr_t)tensor->data % alignment == 0;
}

/// Host memory that a buffer is made from, and who gets it back.
struct host_source {
  const jitrun_tensor_t *tensor;
  struct jr_shape shape;
  jitrun_release_fn_t release;
  void *release_context;
};

static jitrun_error_t *borrow_host(jitrun_device_t *device,
                                   struct host_source *source,
                                   jitrun_buffer_t **out_buffer) {
  struct jr_memory *memory;
  JITRUN_TRY(jr_memory_borrow(&device->heap, source->tensor->data,
                              source->shape.size_bytes, source->release,
                              source->release_context, &memory));
  source->release = NULL; // the memory's from here on
  return jr_buffer_create(device, &source->shape, 0, memory, NULL, out_buffer);
}

/// The buffer is ready when the copy is done.
static jitrun_error_t *copy_later(jitrun_device_t *device,
                                  struct host_source *source,
                                  struct jr_memory *memory,
                                  jitrun_buffer_t **out_buffer) {
  struct transfer *transfer;
  struct side to = side_of(device, memory->data);
  struct side from = {.data = source->tensor->data,
                      .strides = source->tensor->strides};
  JITRUN_TRY(
      make_transfer(device->client, &source->shape, to, from, &transfer));
  jr_memory_retain(memory);
  transfer->memory = memory;
  jitrun_async_retain(transfer->done);
  jr_memory_retain(memory);
  jitrun_error_t *error = jr_buffer_create(device, &source->shape, 0, memory,
                                           transfer->done, out_buffer);
  if (error) {
    free_transfer(transfer);
    return error;
  }
  transfer->release = source->release;
  transfer->release_context = source->release_context;
  source->release = NULL;
  start_transfer(transfer);
  return NULL;
}

static jitrun_error_t *copy_now(jitrun_device_t *device,
                                const struct host_source *source,
                                struct jr_memory *memory,
                                jitrun_buffer_t **out_buffer) {
  const jitrun_tensor_t *tensor = source->tensor;
  int64_t strides[2][JR_BUFFER_MAX_RANK];
  jr_dense_strides(tensor->dims, tensor->rank, strides[0]);
  if (!tensor->strides)
    jr_dense_strides(tensor->dims, tensor->rank, strides[1]);
  const struct jr_copy copy = {.to = memory->data,
                               .from = tensor->data,
                               .dims = tensor->dims,
                               .to_strides = strides[0],
                               .from_strides = tensor->strides ? tensor->strides
                                                               : strides[1],
                               .rank = tensor->rank,
                               .element_bytes = jr_dtype_size(tensor->dtype)};
  JITRUN_TRY(jr_move_elements(&copy, source->shape.size_bytes,
                              jr_device_apart(device), NULL));
  jr_memory_retain(memory);
  return jr_buffer_create(device, &source->shape, 0, memory, NULL, out_buffer);
}

static jitrun_error_t *take_host(jitrun_device_t *device,
                                 struct host_source *source,
                                 jitrun_host_memory_t semantics,
                                 jitrun_buffer_t **out_buffer) {
  const jitrun_tensor_t *tensor = source->tensor;
  struct jr_memory *memory;
  const char *missing = !device ? "device" : !tensor ? "tensor" : NULL;
  if (out_buffer)
    *out_buffer = NULL;
  else
    missing = "out_buffer";
  if (missing) // not where it would be returned from without `release`
    return jr_error_null("jitrun_buffer_from_host", missing);
  if (semantics < JITRUN_HOST_COPY_NOW || semantics > JITRUN_HOST_BORROW)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "there is no way %d to take host memory", (int)semantics);
  JITRUN_TRY(jr_shape_check(tensor->dtype, tensor->dims, tensor->rank,
                            &source->shape));
  JITRUN_TRY(jr_device_accept(device, tensor->dtype));
  JITRUN_TRY(check_host(tensor, &source->shape));
  if (semantics == JITRUN_HOST_BORROW && can_borrow(device, tensor))
    return borrow_host(device, source, out_buffer);
  JITRUN_TRY(
      jr_memory_allocate(&device->heap, source->shape.size_bytes, &memory));
  jitrun_error_t *error = semantics == JITRUN_HOST_COPY_LATER
                              ? copy_later(device, source, memory, out_buffer)
                              : copy_now(device, source, memory, out_buffer);
  jr_memory_release(memory);
  return error;
}

jitrun_error_t *jitrun_buffer_from_host(jitrun_device_t *device,
                                        const jitrun_tensor_t *tensor,
                                        jitrun_host_memory_t semantics,
                                        jitrun_release_fn_t release,
                                        void *release_context,
                                        jitrun_buffer_t **out_buffer) {
  struct host_source source = {
      .tensor = tensor, .release = release, .release_context = release_context};
  jitrun_error_t *error = take_host(device, &source, semantics, out_buffer);
  if (source.release) // nobody took that over
    source.release(release_context);
  return error;
}

/// A tensor that a buffer's elements are copied to.
static jitrun_error_t *check_target(const jitrun_buffer_t *buffer,
                                    const jitrun_tensor_t *tensor,
                                    struct jr_shape *out_shape) {
  if (!tensor)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a buffer is to be copied to host memory that is NULL");
  JITRUN_TRY(
      jr_shape_check(tensor->dtype, tensor->dims, tensor->rank, out_shape));
  bool fits =
      tensor->dtype == buffer->dtype && tensor->rank == buffer->rank &&
      (tensor->rank == 0 || memcmp(tensor->dims, buffer->dims,
                                   tensor->rank * sizeof *tensor->dims) == 0);
  if (fits)
    return check_host(tensor, out_shape);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "a buffer of %s with %" PRIu32 " sizes and %" PRIu64
                  " bytes is to be copied to host memory of %s with %" PRIu32
                  " sizes and %" PRIu64 " bytes; they must be the same",
                  jr_dtype_name(buffer->dtype), buffer->rank,
                  buffer->size_bytes, jr_dtype_name(tensor->dtype),
                  tensor->rank, out_shape->size_bytes);
}

jitrun_error_t *jitrun_buffer_to_host_async(jitrun_buffer_t *buffer,
                                            const jitrun_tensor_t *tensor,
                                            jitrun_async_t **out_token) {
  struct jr_shape shape;
  struct jr_memory *memory;
  struct transfer *transfer;
  JR_NEED(out_token);
  *out_token = NULL;
  JITRUN_TRY(jr_buffer_use(buffer, "read", &memory));
  jitrun_error_t *error = check_target(buffer, tensor, &shape);
  if (!error)
    error = make_transfer(
        buffer->device->client, &shape,
        (struct side){.data = tensor->data, .strides = tensor->strides},
        side_of(buffer->device, (char *)memory->data + buffer->offset_bytes),
        &transfer);
  if (error) {
    jr_memory_release(memory);
    return error;
  }
  transfer->memory = memory;
  transfer->after = buffer->ready;
  jitrun_async_retain(transfer->after);
  jitrun_async_retain(transfer->done);
  *out_token = transfer->done;
  start_transfer(transfer);
  return NULL;
}

jitrun_error_t *jitrun_buffer_to_host(jitrun_buffer_t *buffer,
                                      const jitrun_tensor_t *tensor,
                                      int64_t timeout_ns) {
  jitrun_async_t *token;
  JITRUN_TRY(jr_tuple_refuse(buffer, "read"));
  // Waited for first: past a deadline nothing may write to the caller's memory.
  JITRUN_TRY(jitrun_buffer_wait(buffer, timeout_ns));
  JITRUN_TRY(jitrun_buffer_to_host_async(buffer, tensor, &token));
  jitrun_error_t *error = jitrun_async_wait(token, -1);
  jitrun_async_release(token);
  return error;
}

/// The elements in host memory that the buffer keeps.
static jitrun_error_t *keep_value(jitrun_buffer_t *buffer,
                                  const struct jr_memory *memory,
                                  void **out_data) {
  (void)pthread_mutex_lock(&buffer->lock);
  *out_data = buffer->host_value;
  (void)pthread_mutex_unlock(&buffer->lock);
  if (*out_data)
    return NULL;
  void *data = jr_malloc(buffer->size_bytes);
  if (!data)
    return jr_error_no_memory();
  jitrun_error_t *error =
      jr_move_bytes(data, (const char *)memory->data + buffer->offset_bytes,
                    buffer->size_bytes, NULL, buffer->device);
  (void)pthread_mutex_lock(&buffer->lock);
  if (!error && !buffer->host_value && buffer->state == JR_BUFFER_LIVE) {
    buffer->host_value = data;
    data = NULL;
  }
  *out_data = buffer->host_value;
  (void)pthread_mutex_unlock(&buffer->lock);
  free(data); // another thread was faster, or it was deleted
  if (error || *out_data)
    return error;
  struct jr_memory *gone;
  error = jr_buffer_use(buffer, "read", &gone);
  jr_memory_release(gone);
  return error;
}

jitrun_error_t *jitrun_buffer_host_value(jitrun_buffer_t *buffer,
                                         int64_t timeout_ns,
                                         jitrun_tensor_t *out_value) {
  struct jr_memory *memory;
  JR_NEED(out_value);
  JITRUN_TRY(jr_tuple_refuse(buffer, "read"));
  JITRUN_TRY(jitrun_buffer_wait(buffer, timeout_ns));
  JITRUN_TRY(jr_buffer_use(buffer, "read", &memory));
  void *data = (char *)memory->data + buffer->offset_bytes;
  jitrun_error_t *error = NULL;
  if (jr_device_apart(buffer->device))
    error = keep_value(buffer, memory, &data);
  *out_value = (jitrun_tensor_t){.dtype = buffer->dtype,
                                 .rank = buffer->rank,
                                 .dims = buffer->dims,
                                 .data = data};
  jr_memory_release(memory);
  return error;
}

/// A copy in memory of the device's own.
static jitrun_error_t *copy_across(jitrun_buffer_t *buffer,
                                   jitrun_device_t *device,
                                   struct jr_memory *source,
                                   jitrun_buffer_t **out_buffer) {
  struct transfer *transfer;
  struct jr_memory *memory;
  const struct jr_shape shape = {.dtype = buffer->dtype,
                                 .rank = buffer->rank,
                                 .dims = buffer->dims,
                                 .size_bytes = buffer->size_bytes};
  JITRUN_TRY(jr_memory_allocate(&device->heap, shape.size_bytes, &memory));
  jitrun_error_t *error = make_transfer(
      device->client, &shape, side_of(device, memory->data),
      side_of(buffer->device, (char *)source->data + buffer->offset_bytes),
      &transfer);
  if (error) {
    jr_memory_release(memory);
    return error;
  }
  if (buffer->device->client != device->client) {
    transfer->from_client = buffer->device->client;
    jitrun_client_retain(transfer->from_client);
  }
  jr_memory_retain(memory);
  jr_memory_retain(source);
  transfer->memory = memory;
  transfer->other = source;
  transfer->after = buffer->ready;
  jitrun_async_retain(transfer->after);
  jitrun_async_retain(transfer->done);
  error =
      jr_buffer_create(device, &shape, 0, memory, transfer->done, out_buffer);
  if (error)
    free_transfer(transfer);
  else
    start_transfer(transfer);
  return error;
}

jitrun_error_t *jitrun_buffer_copy_to(jitrun_buffer_t *buffer,
                                      jitrun_device_t *device,
                                      jitrun_buffer_t **out_buffer) {
  struct jr_memory *source;
  JR_NEED(out_buffer);
  *out_buffer = NULL;
  JR_NEED(buffer);
  JR_NEED(device);
  if (buffer->elements)
    return jr_tuple_copy(buffer, device, out_buffer);
  if (buffer->device == device)
    return jr_buffer_share(buffer, out_buffer);
  JITRUN_TRY(jr_device_accept(device, buffer->dtype));
  JITRUN_TRY(jr_buffer_use(buffer, "copy", &source));
  jitrun_error_t *error = copy_across(buffer, device, source, out_buffer);
  jr_memory_release(source);
  return error;
}

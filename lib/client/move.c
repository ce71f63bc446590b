/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See move.h. A device has one stream for copies, and one copy is in it at a
/// time: a failure is then that copy's, and host memory is free again when the
/// function returns, whatever became of it. Who must not wait has a thread of
/// the device's wait instead.
#include "client/move.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/// One copy in a device's stream.
struct step {
  jitrun_device_t *device; ///< whose stream it is
  jitrun_device_t *peer;   ///< that it comes from; NULL: none
  void *to;
  const void *from;
  uint64_t size_bytes;
};

typedef jitrun_error_t *(*put_fn_t)(const struct step *step);

static jitrun_address_t address_of(const void *data) {
  return (uintptr_t)data;
}

static const jitrun_driver_t *driver_of(const jitrun_device_t *device) {
  return device->client->platform.table;
}

static jitrun_error_t *put_to_device(const struct step *step) {
  return driver_of(step->device)
      ->copy_to_device(step->device->copies, address_of(step->to), step->from,
                       step->size_bytes);
}

static jitrun_error_t *put_to_host(const struct step *step) {
  return driver_of(step->device)
      ->copy_to_host(step->device->copies, step->to, address_of(step->from),
                     step->size_bytes);
}

static jitrun_error_t *put_on_device(const struct step *step) {
  return driver_of(step->device)
      ->copy_on_device(step->device->copies, address_of(step->to),
                       address_of(step->from), step->size_bytes);
}

static jitrun_error_t *put_from_peer(const struct step *step) {
  return driver_of(step->device)
      ->copy_from_peer(step->device->copies, address_of(step->to),
                       step->peer->handle, address_of(step->from),
                       step->size_bytes);
}

/// Puts a copy into its stream and waits for it.
static jitrun_error_t *take_step(const struct step *step, put_fn_t put,
                                 const char *doing) {
  jitrun_device_t *device = step->device;
  (void)pthread_mutex_lock(&device->copy_lock);
  jitrun_error_t *error = put(step);
  jitrun_error_t *later = driver_of(device)->stream_synchronize(device->copies);
  (void)pthread_mutex_unlock(&device->copy_lock);
  if (error)
    jitrun_error_free(later);
  else
    error = later;
  return jr_error_note(error, "while copying %" PRIu64 " bytes %s device %s",
                       step->size_bytes, doing, device->name);
}

/// Host memory that copies are fast with.
static jitrun_error_t *get_staging(jitrun_device_t *device, uint64_t size_bytes,
                                   void **out_data) {
  const jitrun_driver_t *driver = driver_of(device);
  *out_data = NULL;
  if (driver->host_alloc)
    return jr_error_note(
        driver->host_alloc(device->handle, size_bytes, out_data),
        "while allocating %" PRIu64 " bytes of the host for device %s",
        size_bytes, device->name);
  *out_data = jr_malloc_aligned(ALIGNMENT, size_bytes);
  return *out_data ? NULL : jr_error_no_memory();
}

static void drop_staging(jitrun_device_t *device, void *data) {
  if (!driver_of(device)->host_free)
    free(data);
  else if (data)
    driver_of(device)->host_free(device->handle, data);
}

/// Between two devices, through the host.
static jitrun_error_t *move_staged(const struct step *step) {
  void *staging;
  JITRUN_TRY(get_staging(step->peer, step->size_bytes, &staging));
  jitrun_error_t *error =
      jr_move_bytes(staging, step->from, step->size_bytes, NULL, step->peer);
  if (!error)
    error =
        jr_move_bytes(step->to, staging, step->size_bytes, step->device, NULL);
  drop_staging(step->peer, staging);
  return error;
}

static jitrun_error_t *move_across(const struct step *step) {
  bool is_peer =
      step->device->client->platform.own == step->peer->client->platform.own &&
      driver_of(step->device)->copy_from_peer;
  jitrun_error_t *error = is_peer ? take_step(step, put_from_peer, "to") : NULL;
  if (is_peer && jitrun_error_code(error) != JITRUN_UNIMPLEMENTED)
    return error;
  jitrun_error_free(error);
  return move_staged(step);
}

jitrun_error_t *jr_move_bytes(void *to, const void *from, uint64_t size_bytes,
                              jitrun_device_t *to_device,
                              jitrun_device_t *from_device) {
  struct step step = {.device = to_device ? to_device : from_device,
                      .to = to,
                      .from = from,
                      .size_bytes = size_bytes};
  if (size_bytes == 0)
    return NULL;
  if (!step.device) {
    memcpy(to, from, size_bytes);
    return NULL;
  }
  if (!from_device)
    return take_step(&step, put_to_device, "to");
  if (!to_device)
    return take_step(&step, put_to_host, "from");
  if (to_device == from_device)
    return take_step(&step, put_on_device, "on");
  step.peer = from_device;
  return move_across(&step);
}

/// Whether strides are those of elements that lie one after the other.
static bool is_dense(const struct jr_copy *copy, const int64_t *strides) {
  int64_t step = 1;
  for (uint32_t i = copy->rank; i-- > 0;) {
    if (copy->dims[i] > 1 && strides[i] != step)
      return false;
    step *= copy->dims[i]; // the sizes were checked
  }
  return true;
}

/// One side is of a device, and elements of the other have gaps between them.
static jitrun_error_t *move_strided(const struct jr_copy *copy,
                                    uint64_t size_bytes, jitrun_device_t *to,
                                    jitrun_device_t *from) {
  jitrun_device_t *device = to ? to : from;
  struct jr_copy dense = *copy;
  void *staging;
  JITRUN_TRY(get_staging(device, size_bytes, &staging));
  jitrun_error_t *error = NULL;
  if (to) {
    dense.to = staging;
    jr_copy_elements(&dense);
    error = jr_move_bytes(copy->to, staging, size_bytes, to, NULL);
  } else {
    error = jr_move_bytes(staging, copy->from, size_bytes, NULL, from);
    dense.from = staging;
    if (!error)
      jr_copy_elements(&dense);
  }
  drop_staging(device, staging);
  return error;
}

jitrun_error_t *jr_move_elements(const struct jr_copy *copy,
                                 uint64_t size_bytes, jitrun_device_t *to,
                                 jitrun_device_t *from) {
  if (!to && !from) {
    jr_copy_elements(copy);
    return NULL;
  }
  if (size_bytes == 0)
    return NULL;
  if ((to && from) ||
      is_dense(copy, to ? copy->from_strides : copy->to_strides))
    return jr_move_bytes(copy->to, copy->from, size_bytes, to, from);
  return move_strided(copy, size_bytes, to, from);
}

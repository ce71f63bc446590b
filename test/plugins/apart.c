/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A driver whose devices are as unlike the host as can be: nobody can read
/// their memory at the addresses that they give, streams run on threads of
/// their own and take their time, host memory that is copied to has rubbish in
/// it until the copy is done, and any call can be made to fail. Custom calls of
/// its platform are in apart_calls.h.
///
/// Tests open the library once more, for what they tell it and ask it:
/// jitrun_test_fail_call() and jitrun_test_count_wrong().
#define _GNU_SOURCE // NOLINT: anonymous mappings, the clock
#include "apart_memory.h"

#include "jitrun/customcall.h"

#include <stdio.h>
#include <time.h>

enum {
  DEVICE_COUNT = 2,
  MOST_DEVICES = 8,
  RUBBISH_BYTE = 0xdb,
  PAUSE_NS = 20000
};

/// What fails next: the call, or operation of a stream, that brings the count
/// to 0.
static int calls_left, operations_left;
static size_t wrong_count;

/// Makes the `nth` call from now on fail (1: the next; 0: none), or the `nth`
/// operation that a stream runs.
JITRUN_API void jitrun_test_fail_call(int nth_call, int nth_operation);
void jitrun_test_fail_call(int nth_call, int nth_operation) {
  __atomic_store_n(&calls_left, nth_call, __ATOMIC_SEQ_CST);
  __atomic_store_n(&operations_left, nth_operation, __ATOMIC_SEQ_CST);
}

/// True while what was to fail has not.
JITRUN_API bool jitrun_test_is_pending(void);
bool jitrun_test_is_pending(void) {
  return __atomic_load_n(&calls_left, __ATOMIC_SEQ_CST) > 0 ||
         __atomic_load_n(&operations_left, __ATOMIC_SEQ_CST) > 0;
}

/// What was done with closed platforms that no caller may do, memory that was
/// not freed among it.
JITRUN_API size_t jitrun_test_count_wrong(void);
size_t jitrun_test_count_wrong(void) {
  return __atomic_load_n(&wrong_count, __ATOMIC_SEQ_CST);
}

static bool is_to_fail(int *left) {
  return __atomic_load_n(left, __ATOMIC_SEQ_CST) > 0 &&
         __atomic_sub_fetch(left, 1, __ATOMIC_SEQ_CST) == 0;
}

struct jitrun_driver_device {
  struct jitrun_driver_platform *platform;
  struct memory memory;
  size_t open_count, stream_count, event_count;
};

struct jitrun_driver_platform {
  const jitrun_driver_host_t *host;
  uint32_t device_count;
  struct jitrun_driver_device devices[MOST_DEVICES];
};

/// A place in a stream that was recorded. Freed with its last reference.
struct mark {
  size_t reference_count; ///< atomic
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_reached, has_failed;
  uint64_t time_ns;
};

struct jitrun_driver_event {
  jitrun_driver_device_t *device;
  pthread_mutex_t lock;
  struct mark *mark; ///< NULL: not recorded
};

enum operation_kind { COPY, FILL, RECORD, WAIT, KERNEL, FAIL };

/// What a kernel does with the elements of its buffers.
typedef void (*kernel_fn_t)(unsigned char *const *buffers, int64_t count,
                            int64_t scalar);

enum { MOST_BUFFERS = 3 };

struct operation {
  struct operation *next;
  enum operation_kind kind;
  struct memory *memories[MOST_BUFFERS]; ///< NULL: of the host
  jitrun_address_t addresses[MOST_BUFFERS];
  unsigned char *bytes[MOST_BUFFERS];
  uint64_t size_bytes;
  uint32_t pattern, pattern_bytes;
  struct mark *mark;
  kernel_fn_t kernel;
  int64_t count, scalar;
};

struct jitrun_driver_stream {
  jitrun_driver_device_t *device;
  pthread_t thread;
  pthread_mutex_t lock; ///< of all that follows
  pthread_cond_t changed;
  struct operation *first, **last;
  bool is_busy, is_ending, has_failed;
};

static jitrun_error_t *fail(const struct jitrun_driver_platform *platform,
                            jitrun_code_t code, const char *text) {
  return platform->host->error(code, text, SIZE_MAX);
}

/// Returns an error where this call is the one to fail.
#define MAY_FAIL(platform)                                                     \
  do {                                                                         \
    if (is_to_fail(&calls_left))                                               \
      return fail(platform, JITRUN_INTERNAL, "this call was made to fail");    \
  } while (0)

static jitrun_error_t *open_platform(const jitrun_driver_host_t *host,
                                     const jitrun_driver_options_t *options,
                                     jitrun_driver_platform_t **out_platform) {
  const char *reason = getenv("JITRUN_TEST_APART_FAILS");
  *out_platform = NULL;
  if (reason)
    return host->error(JITRUN_UNAVAILABLE, reason, SIZE_MAX);
  if (is_to_fail(&calls_left))
    return host->error(JITRUN_INTERNAL, "this call was made to fail", SIZE_MAX);
  if (options->device_count > MOST_DEVICES)
    return host->error(JITRUN_INVALID_ARGUMENT,
                       "more than 8 devices were asked for", SIZE_MAX);
  jitrun_driver_platform_t *platform = calloc(1, sizeof *platform);
  if (!platform)
    return host->error(JITRUN_RESOURCE_EXHAUSTED, "no memory", SIZE_MAX);
  platform->host = host;
  platform->device_count =
      options->device_count ? options->device_count : DEVICE_COUNT;
  *out_platform = platform;
  return NULL;
}

static void count_wrong(size_t count) {
  (void)__atomic_add_fetch(&wrong_count, count, __ATOMIC_SEQ_CST);
}

static void close_platform(jitrun_driver_platform_t *platform) {
  for (size_t i = 0; i < MOST_DEVICES; i++)
    count_wrong(platform->devices[i].open_count);
  free(platform);
}

static uint32_t count_devices(const jitrun_driver_platform_t *platform) {
  return platform->device_count;
}

static jitrun_error_t *describe_device(const jitrun_driver_platform_t *platform,
                                       uint32_t ordinal,
                                       jitrun_driver_info_t *out_info) {
  static const jitrun_driver_value_t attributes[] = {{"reach", "none"}};
  (void)ordinal;
  MAY_FAIL(platform);
  *out_info = (jitrun_driver_info_t){
      .size = sizeof *out_info,
      .kind = "apart v1",
      .description = "memory that the host cannot read",
      .attributes = attributes,
      .attribute_count = 1,
      .memory_bytes = DEVICE_BYTES,
      .core_count = 1,
      .refused_dtypes =
          UINT64_C(1) << JITRUN_DTYPE_F64 | UINT64_C(1) << JITRUN_DTYPE_C128,
  };
  return NULL;
}

static jitrun_error_t *open_device(jitrun_driver_platform_t *platform,
                                   uint32_t ordinal,
                                   jitrun_driver_device_t **out_device) {
  jitrun_driver_device_t *device = &platform->devices[ordinal];
  *out_device = NULL;
  MAY_FAIL(platform);
  if (!init_memory(&device->memory))
    return fail(platform, JITRUN_RESOURCE_EXHAUSTED, "no addresses");
  device->platform = platform;
  device->open_count++;
  *out_device = device;
  return NULL;
}

static void close_device(jitrun_driver_device_t *device) {
  count_wrong(device->memory.wrong_count + device->stream_count +
              device->event_count);
  count_wrong(deinit_memory(&device->memory));
  device->open_count--;
}

static jitrun_error_t *allocate(jitrun_driver_device_t *device,
                                uint64_t size_bytes, uint64_t alignment,
                                jitrun_address_t *out_address) {
  *out_address = 0;
  MAY_FAIL(device->platform);
  *out_address = add_block(&device->memory, size_bytes, alignment);
  return *out_address ? NULL
                      : fail(device->platform, JITRUN_RESOURCE_EXHAUSTED,
                             "the card is full");
}

static void free_memory(jitrun_driver_device_t *device,
                        jitrun_address_t address) {
  remove_block(&device->memory, address);
}

static jitrun_error_t *ask_free(jitrun_driver_device_t *device,
                                uint64_t *out_free_bytes) {
  MAY_FAIL(device->platform);
  (void)pthread_mutex_lock(&device->memory.lock);
  *out_free_bytes = DEVICE_BYTES - device->memory.used_bytes;
  (void)pthread_mutex_unlock(&device->memory.lock);
  return NULL;
}

static jitrun_error_t *allocate_host(jitrun_driver_device_t *device,
                                     uint64_t size_bytes, void **out_data) {
  *out_data = NULL;
  MAY_FAIL(device->platform);
  *out_data = malloc(size_bytes);
  return *out_data
             ? NULL
             : fail(device->platform, JITRUN_RESOURCE_EXHAUSTED, "no memory");
}

static void free_host(jitrun_driver_device_t *device, void *data) {
  (void)device;
  free(data);
}

static uint64_t read_clock(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void release_mark(struct mark *mark) {
  if (!mark || __atomic_sub_fetch(&mark->reference_count, 1, __ATOMIC_ACQ_REL))
    return;
  (void)pthread_mutex_destroy(&mark->lock);
  (void)pthread_cond_destroy(&mark->changed);
  free(mark);
}

static void reach_mark(struct mark *mark, bool has_failed) {
  (void)pthread_mutex_lock(&mark->lock);
  mark->is_reached = true;
  mark->has_failed = has_failed;
  mark->time_ns = read_clock();
  (void)pthread_cond_broadcast(&mark->changed);
  (void)pthread_mutex_unlock(&mark->lock);
}

/// Whether the stream of the mark has gone well up to there.
static bool await_mark(struct mark *mark) {
  (void)pthread_mutex_lock(&mark->lock);
  while (!mark->is_reached)
    (void)pthread_cond_wait(&mark->changed, &mark->lock);
  bool is_well = !mark->has_failed;
  (void)pthread_mutex_unlock(&mark->lock);
  return is_well;
}

static void fill_bytes(const struct operation *operation) {
  for (uint64_t at = 0; at < operation->size_bytes;
       at += operation->pattern_bytes)
    memcpy(operation->bytes[0] + at, &operation->pattern,
           operation->pattern_bytes);
}

/// Whether it went well.
static bool run_operation(const struct operation *operation) {
  const struct timespec pause = {.tv_nsec = PAUSE_NS};
  (void)nanosleep(&pause, NULL);
  if (operation->kind == WAIT)
    return await_mark(operation->mark);
  if (operation->kind == RECORD)
    return true;
  if (is_to_fail(&operations_left) || operation->kind == FAIL)
    return false;
  if (operation->kind == COPY)
    memcpy(operation->bytes[0], operation->bytes[1], operation->size_bytes);
  else if (operation->kind == FILL)
    fill_bytes(operation);
  else
    operation->kernel(operation->bytes, operation->count, operation->scalar);
  return true;
}

static void free_operation(struct operation *operation) {
  for (size_t i = 0; i < MOST_BUFFERS; i++) {
    if (operation->memories[i] && operation->bytes[i])
      unuse_bytes(operation->memories[i], operation->addresses[i]);
  }
  release_mark(operation->mark);
  free(operation);
}

/// Runs one, and tells whether the stream has failed by then.
static bool end_operation(struct operation *operation, bool has_failed) {
  if (!has_failed)
    has_failed = !run_operation(operation);
  if (operation->kind == RECORD)
    reach_mark(operation->mark, has_failed);
  free_operation(operation);
  return has_failed;
}

static void *run_stream(void *context) {
  jitrun_driver_stream_t *stream = context;
  (void)pthread_mutex_lock(&stream->lock);
  while (true) {
    struct operation *operation = stream->first;
    if (!operation && stream->is_ending)
      break;
    if (!operation) {
      (void)pthread_cond_wait(&stream->changed, &stream->lock);
      continue;
    }
    stream->first = operation->next;
    if (!stream->first)
      stream->last = &stream->first;
    stream->is_busy = true;
    bool has_failed = stream->has_failed;
    (void)pthread_mutex_unlock(&stream->lock);
    has_failed = end_operation(operation, has_failed);
    (void)pthread_mutex_lock(&stream->lock);
    stream->has_failed = has_failed;
    stream->is_busy = false;
    (void)pthread_cond_broadcast(&stream->changed);
  }
  (void)pthread_mutex_unlock(&stream->lock);
  return NULL;
}

static jitrun_error_t *create_stream(jitrun_driver_device_t *device,
                                     uint32_t flags,
                                     jitrun_driver_stream_t **out_stream) {
  (void)flags;
  *out_stream = NULL;
  MAY_FAIL(device->platform);
  jitrun_driver_stream_t *stream = calloc(1, sizeof *stream);
  if (!stream)
    return fail(device->platform, JITRUN_RESOURCE_EXHAUSTED, "no memory");
  stream->device = device;
  stream->last = &stream->first;
  (void)pthread_mutex_init(&stream->lock, NULL);
  (void)pthread_cond_init(&stream->changed, NULL);
  if (pthread_create(&stream->thread, NULL, run_stream, stream) != 0) {
    free(stream);
    return fail(device->platform, JITRUN_RESOURCE_EXHAUSTED, "no thread");
  }
  (void)__atomic_add_fetch(&device->stream_count, 1, __ATOMIC_SEQ_CST);
  *out_stream = stream;
  return NULL;
}

static void destroy_stream(jitrun_driver_stream_t *stream) {
  (void)pthread_mutex_lock(&stream->lock);
  stream->is_ending = true;
  (void)pthread_cond_broadcast(&stream->changed);
  (void)pthread_mutex_unlock(&stream->lock);
  (void)pthread_join(stream->thread, NULL);
  (void)pthread_mutex_destroy(&stream->lock);
  (void)pthread_cond_destroy(&stream->changed);
  (void)__atomic_sub_fetch(&stream->device->stream_count, 1, __ATOMIC_SEQ_CST);
  free(stream);
}

static jitrun_error_t *synchronize_stream(jitrun_driver_stream_t *stream) {
  (void)pthread_mutex_lock(&stream->lock);
  while (stream->first || stream->is_busy)
    (void)pthread_cond_wait(&stream->changed, &stream->lock);
  bool has_failed = stream->has_failed;
  stream->has_failed = false;
  (void)pthread_mutex_unlock(&stream->lock);
  MAY_FAIL(stream->device->platform);
  return has_failed ? fail(stream->device->platform, JITRUN_INTERNAL,
                           "an operation of the stream failed")
                    : NULL;
}

static bool query_stream(jitrun_driver_stream_t *stream) {
  (void)pthread_mutex_lock(&stream->lock);
  bool is_done = !stream->first && !stream->is_busy;
  (void)pthread_mutex_unlock(&stream->lock);
  return is_done;
}

static void put_operation(jitrun_driver_stream_t *stream,
                          struct operation *operation) {
  (void)pthread_mutex_lock(&stream->lock);
  *stream->last = operation;
  stream->last = &operation->next;
  (void)pthread_cond_broadcast(&stream->changed);
  (void)pthread_mutex_unlock(&stream->lock);
}

/// Puts a copy of an operation into the stream, once its addresses are found to
/// be ones of its devices.
static jitrun_error_t *put(jitrun_driver_stream_t *stream,
                           const struct operation *wanted) {
  const struct jitrun_driver_platform *platform = stream->device->platform;
  MAY_FAIL(platform);
  struct operation *operation = malloc(sizeof *operation);
  if (!operation)
    return fail(platform, JITRUN_RESOURCE_EXHAUSTED, "no memory");
  *operation = *wanted;
  operation->mark = NULL;
  for (size_t i = 0; i < MOST_BUFFERS; i++) {
    if (!operation->memories[i])
      continue;
    operation->bytes[i] = use_bytes(
        operation->memories[i], operation->addresses[i], operation->size_bytes);
    if (!operation->bytes[i]) {
      free_operation(operation);
      return fail(platform, JITRUN_INVALID_ARGUMENT,
                  "those bytes are not memory of the device");
    }
  }
  operation->mark = wanted->mark;
  put_operation(stream, operation);
  return NULL;
}

static jitrun_error_t *copy_to_device(jitrun_driver_stream_t *stream,
                                      jitrun_address_t to, const void *from,
                                      uint64_t size_bytes) {
  return put(stream, &(struct operation){
                         .kind = COPY,
                         .memories = {&stream->device->memory},
                         .addresses = {to},
                         .bytes = {NULL, (unsigned char *)(uintptr_t)from},
                         .size_bytes = size_bytes});
}

static jitrun_error_t *copy_to_host(jitrun_driver_stream_t *stream, void *to,
                                    jitrun_address_t from,
                                    uint64_t size_bytes) {
  memset(to, RUBBISH_BYTE, size_bytes);
  return put(stream,
             &(struct operation){.kind = COPY,
                                 .memories = {NULL, &stream->device->memory},
                                 .addresses = {0, from},
                                 .bytes = {to},
                                 .size_bytes = size_bytes});
}

static jitrun_error_t *copy_from_peer(jitrun_driver_stream_t *stream,
                                      jitrun_address_t to,
                                      jitrun_driver_device_t *from_device,
                                      jitrun_address_t from,
                                      uint64_t size_bytes) {
  // Device 1 reaches no other.
  if (from_device != stream->device &&
      stream->device == &stream->device->platform->devices[1])
    return fail(stream->device->platform, JITRUN_UNIMPLEMENTED, "out of reach");
  return put(stream, &(struct operation){.kind = COPY,
                                         .memories = {&stream->device->memory,
                                                      &from_device->memory},
                                         .addresses = {to, from},
                                         .size_bytes = size_bytes});
}

static jitrun_error_t *copy_on_device(jitrun_driver_stream_t *stream,
                                      jitrun_address_t to,
                                      jitrun_address_t from,
                                      uint64_t size_bytes) {
  return copy_from_peer(stream, to, stream->device, from, size_bytes);
}

static jitrun_error_t *fill(jitrun_driver_stream_t *stream, jitrun_address_t to,
                            uint64_t size_bytes, uint32_t pattern,
                            uint32_t pattern_bytes) {
  return put(stream, &(struct operation){.kind = FILL,
                                         .memories = {&stream->device->memory},
                                         .addresses = {to},
                                         .size_bytes = size_bytes,
                                         .pattern = pattern,
                                         .pattern_bytes = pattern_bytes});
}

static jitrun_error_t *create_event(jitrun_driver_device_t *device,
                                    uint32_t flags,
                                    jitrun_driver_event_t **out_event) {
  (void)flags;
  *out_event = NULL;
  MAY_FAIL(device->platform);
  jitrun_driver_event_t *event = calloc(1, sizeof *event);
  if (!event)
    return fail(device->platform, JITRUN_RESOURCE_EXHAUSTED, "no memory");
  event->device = device;
  (void)pthread_mutex_init(&event->lock, NULL);
  (void)__atomic_add_fetch(&device->event_count, 1, __ATOMIC_SEQ_CST);
  *out_event = event;
  return NULL;
}

static void destroy_event(jitrun_driver_event_t *event) {
  release_mark(event->mark);
  (void)pthread_mutex_destroy(&event->lock);
  (void)__atomic_sub_fetch(&event->device->event_count, 1, __ATOMIC_SEQ_CST);
  free(event);
}

/// The mark of an event, with a reference, or NULL.
static struct mark *take_mark(jitrun_driver_event_t *event) {
  (void)pthread_mutex_lock(&event->lock);
  struct mark *mark = event->mark;
  if (mark)
    (void)__atomic_add_fetch(&mark->reference_count, 1, __ATOMIC_RELAXED);
  (void)pthread_mutex_unlock(&event->lock);
  return mark;
}

static jitrun_error_t *record_event(jitrun_driver_stream_t *stream,
                                    jitrun_driver_event_t *event) {
  struct mark *mark = calloc(1, sizeof *mark);
  if (!mark)
    return fail(event->device->platform, JITRUN_RESOURCE_EXHAUSTED,
                "no memory");
  mark->reference_count = 2; // the event's and the operation's
  (void)pthread_mutex_init(&mark->lock, NULL);
  (void)pthread_cond_init(&mark->changed, NULL);
  jitrun_error_t *error =
      put(stream, &(struct operation){.kind = RECORD, .mark = mark});
  if (error) {
    mark->reference_count = 1;
    release_mark(mark);
    return error;
  }
  (void)pthread_mutex_lock(&event->lock);
  struct mark *before = event->mark;
  event->mark = mark;
  (void)pthread_mutex_unlock(&event->lock);
  release_mark(before);
  return NULL;
}

static jitrun_error_t *wait_event(jitrun_driver_stream_t *stream,
                                  jitrun_driver_event_t *event) {
  struct mark *mark = take_mark(event);
  if (!mark)
    return NULL;
  jitrun_error_t *error =
      put(stream, &(struct operation){.kind = WAIT, .mark = mark});
  if (error)
    release_mark(mark);
  return error;
}

static bool query_event(jitrun_driver_event_t *event) {
  struct mark *mark = take_mark(event);
  bool is_reached = true;
  if (mark) {
    (void)pthread_mutex_lock(&mark->lock);
    is_reached = mark->is_reached;
    (void)pthread_mutex_unlock(&mark->lock);
  }
  release_mark(mark);
  return is_reached;
}

static jitrun_error_t *synchronize_event(jitrun_driver_event_t *event) {
  struct mark *mark = take_mark(event);
  bool is_well = !mark || await_mark(mark);
  release_mark(mark);
  MAY_FAIL(event->device->platform);
  return is_well ? NULL
                 : fail(event->device->platform, JITRUN_INTERNAL,
                        "an operation before the event failed");
}

static jitrun_error_t *measure_events(jitrun_driver_event_t *from,
                                      jitrun_driver_event_t *to,
                                      uint64_t *out_ns) {
  struct mark *first = take_mark(from);
  struct mark *last = take_mark(to);
  bool is_known = first && last && await_mark(first) && await_mark(last);
  *out_ns = is_known ? last->time_ns - first->time_ns : 0;
  release_mark(first);
  release_mark(last);
  return is_known ? NULL
                  : fail(from->device->platform, JITRUN_FAILED_PRECONDITION,
                         "an event was not reached");
}

static void *get_native(jitrun_driver_stream_t *stream) {
  return stream;
}

#include "apart_calls.h"

static jitrun_driver_t driver = {
    .size = sizeof driver,
    .version = JITRUN_DRIVER_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .platform = "apart",
    .summary = "devices of tests",
    .open = open_platform,
    .close = close_platform,
    .device_count = count_devices,
    .device_info = describe_device,
    .device_open = open_device,
    .device_close = close_device,
    .alloc = allocate,
    .free = free_memory,
    .memory_free = ask_free,
    .host_alloc = allocate_host,
    .host_free = free_host,
    .stream_create = create_stream,
    .stream_destroy = destroy_stream,
    .stream_synchronize = synchronize_stream,
    .stream_query = query_stream,
    .stream_native = get_native,
    .copy_to_device = copy_to_device,
    .copy_to_host = copy_to_host,
    .copy_on_device = copy_on_device,
    .copy_from_peer = copy_from_peer,
    .fill = fill,
    .event_create = create_event,
    .event_destroy = destroy_event,
    .event_record = record_event,
    .event_wait = wait_event,
    .event_query = query_event,
    .event_synchronize = synchronize_event,
    .event_elapsed = measure_events,
};

/// JITRUN_TEST_APART_NAME: the platform that it stands in for.
const jitrun_driver_t *jitrun_driver_query(uint32_t max_version) {
  const char *name = getenv("JITRUN_TEST_APART_NAME");
  if (name)
    driver.platform = name;
  return max_version >= JITRUN_DRIVER_VERSION ? &driver : NULL;
}

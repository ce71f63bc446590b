/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running on one device or several.
#include "device.h"

#include "report.h"

#include "base/alloc.h"
#include "base/threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_partitions(const struct jr_options *options) {
  return options->partitions ? (uint32_t)options->partitions : 1;
}

static void name_device(struct jr_run_device *device) {
  const struct jr_options *options = device->set->options;
  uint32_t partitions = count_partitions(options);
  if (partitions > 1)
    (void)snprintf(device->prefix, sizeof device->prefix,
                   "replica %u, partition %u: ", device->number / partitions,
                   device->number % partitions);
  else if (device->set->world)
    (void)snprintf(device->prefix, sizeof device->prefix,
                   "replica %u: ", device->number);
}

static jitrun_error_t *create_world(struct jr_device_set *set) {
  const struct jr_options *options = set->options;
  if (options->replicas == 0 && options->partitions == 0)
    return NULL;
  return jitrun_world_create(options->replicas ? (uint32_t)options->replicas
                                               : 1,
                             count_partitions(options), NULL, &set->world);
}

static jitrun_error_t *init_device(struct jr_run_device *device,
                                   const jitrun_entry_t *entry) {
  struct jr_options *options = device->set->options;
  name_device(device);
  return jr_binding_init(&device->binding, entry, options, device->number);
}

/// "on replica 1, partition 0", without the prefix's colon.
static jitrun_error_t *note_device(jitrun_error_t *error,
                                   const struct jr_run_device *device) {
  if (!device->prefix[0])
    return error;
  return jr_error_note(error, "on %.*s", (int)strlen(device->prefix) - 2,
                       device->prefix);
}

jitrun_error_t *jr_device_set_init(struct jr_device_set *set,
                                   struct jr_options *options,
                                   struct jr_watch *watch,
                                   jitrun_program_t *program,
                                   const jitrun_entry_t *entry) {
  *set = (struct jr_device_set){
      .options = options, .watch = watch, .program = program};
  JITRUN_TRY(create_world(set));
  uint32_t count = (uint32_t)jr_options_devices(options);
  set->items = jr_calloc(count, sizeof *set->items);
  if (!set->items)
    return jr_error_no_memory();
  set->count = count;
  for (uint32_t i = 0; i < count; i++) {
    struct jr_run_device *device = &set->items[i];
    device->set = set;
    device->number = i;
    jitrun_error_t *error = init_device(device, entry);
    if (error)
      return note_device(error, device);
  }
  return jr_remote_open(&set->remote, options, program, entry);
}

static void print_now(void *context, const char *text, size_t size) {
  (void)context;
  (void)fwrite(text, 1, size, stdout);
}

static void print_later(void *context, const char *text, size_t size) {
  struct jr_run_device *device = context;
  jr_bytes_append(&device->printed, text, size);
}

void jr_device_print(const struct jr_run_device *device, const char *text,
                     size_t size) {
  while (size > 0) {
    const char *end = memchr(text, '\n', size);
    size_t line = end ? (size_t)(end - text) + 1 : size;
    (void)fputs(device->prefix, stdout);
    (void)fwrite(text, 1, line, stdout);
    if (!end && device->prefix[0])
      (void)fputc('\n', stdout);
    text += line;
    size -= line;
  }
}

/// Notes of an execution that went well: only one with checks makes any by
/// itself.
static void print_note(void *context, const char *text, size_t size) {
  const struct jr_run_device *device = context;
  jr_report_note("%s%.*s", device->prefix, (int)size, text);
}

static void *run_device(void *argument) {
  struct jr_run_device *device = argument;
  char signal_stack[JR_SIGNAL_STACK_BYTES];
  struct jr_device_set *set = device->set;
  uint32_t partitions = count_partitions(set->options);
  const jitrun_run_options_t options = {
      .size = sizeof options,
      .print = set->world ? print_later : print_now,
      .print_context = device,
      .current_site = set->world ? &device->watch.site : &set->watch->site,
      .cancel = &set->cancel,
      .diagnostic = set->options->check ? print_note : NULL,
      .diagnostic_context = device,
      .world = set->world,
      .replica_id = device->number / partitions,
      .partition_id = device->number % partitions,
      .profile = set->profile};
  if (set->world) {
    jr_thread_signal_stack(signal_stack);
    jr_watch_thread(&device->watch.site);
  }
  device->error =
      jr_binding_run(&device->binding, device->watch.program, &options);
  __atomic_store_n(&device->watch.is_running, false, __ATOMIC_RELAXED);
  device->ended = __atomic_fetch_add(&set->ended, 1, __ATOMIC_RELAXED);
  jr_watch_thread(NULL);
  if (set->world)
    jr_thread_signal_stack(NULL);
  return NULL;
}

/// What the handlers of signals can see of the devices.
static void watch_devices(struct jr_device_set *set) {
  for (uint32_t i = 0; i < set->count; i++) {
    struct jr_run_device *device = &set->items[i];
    device->watch = (struct jr_watch_device){
        .next = i + 1 < set->count ? &set->items[i + 1].watch : NULL,
        .name = device->prefix,
        .program = device->program ? device->program : set->program,
        .site = JITRUN_NO_SITE,
        .is_running = true};
  }
  jr_watch_devices(set->world ? &set->items[0].watch : NULL);
}

/// Has each device run on a thread. Where one cannot be had, the others need
/// not wait for it.
static jitrun_error_t *run_threads(struct jr_device_set *set) {
  pthread_t *threads = jr_calloc(set->count, sizeof *threads);
  if (!threads)
    return jr_error_no_memory();
  uint32_t started = 0;
  int result = 0;
  while (started < set->count && result == 0) {
    result = pthread_create(&threads[started], NULL, run_device,
                            &set->items[started]);
    started += result == 0;
  }
  if (result != 0)
    set->cancel = 1;
  for (uint32_t i = 0; i < started; i++)
    (void)pthread_join(threads[i], NULL);
  free(threads);
  if (result != 0)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "cannot start a thread for device %u of %u: %s", started,
                    set->count, strerror(result));
  return NULL;
}

/// True when a device's error comes before another's.
static bool is_before(const struct jr_run_device *a,
                      const struct jr_run_device *b) {
  if (jr_error_follows(a->error) != jr_error_follows(b->error))
    return jr_error_follows(b->error);
  return a->ended < b->ended;
}

static jitrun_error_t *take_error(struct jr_device_set *set) {
  struct jr_run_device *first = NULL;
  for (uint32_t i = 0; i < set->count; i++) {
    struct jr_run_device *device = &set->items[i];
    if (device->error && (!first || is_before(device, first)))
      first = device;
  }
  if (!first)
    return NULL;
  jitrun_error_t *error = first->error;
  first->error = NULL;
  return note_device(error, first);
}

static void show_printed(struct jr_run_device *device) {
  jr_device_print(device, (const char *)device->printed.data,
                  device->printed.size);
  jr_bytes_deinit(&device->printed);
}

/// All of them together, on another platform.
static jitrun_error_t *run_remote(struct jr_device_set *set) {
  const jitrun_execute_options_t options = {
      .size = sizeof options, .print = print_now, .profile = set->profile};
  struct jr_binding **bindings =
      jr_calloc(set->count, sizeof(struct jr_binding *));
  if (!bindings)
    return jr_error_no_memory();
  for (uint32_t i = 0; i < set->count; i++)
    bindings[i] = &set->items[i].binding;
  jitrun_error_t *error =
      jr_remote_run(&set->remote, bindings, set->count, &options);
  free((void *)bindings);
  return error;
}

jitrun_error_t *jr_device_set_run(struct jr_device_set *set) {
  set->ended = 0;
  if (set->remote.executable)
    return run_remote(set);
  watch_devices(set);
  if (!set->world) {
    (void)run_device(&set->items[0]);
    return take_error(set);
  }
  jitrun_error_t *error = run_threads(set);
  jr_watch_devices(NULL);
  for (uint32_t i = 0; i < set->count; i++)
    show_printed(&set->items[i]);
  return error ? error : take_error(set);
}

void jr_device_set_reset(struct jr_device_set *set) {
  for (uint32_t i = 0; i < set->count; i++)
    jr_binding_reset(&set->items[i].binding);
}

void jr_device_set_deinit(struct jr_device_set *set) {
  for (uint32_t i = 0; i < set->count; i++) {
    struct jr_run_device *device = &set->items[i];
    jr_binding_deinit(&device->binding);
    jitrun_program_release(device->program);
    jr_bytes_deinit(&device->printed);
    jitrun_error_free(device->error);
  }
  free(set->items);
  jr_remote_close(&set->remote);
  jitrun_world_release(set->world);
  *set = (struct jr_device_set){0};
}

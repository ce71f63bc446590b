/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun devices: the platforms that have a driver, their devices, and why
/// others have none.
#include "open.h"
#include "remote.h"
#include "verbs.h"

#include "base/bytes.h"
#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// What the devices are written to: text, or JSON that is printed in the end.
struct listing {
  const struct jr_options *options;
  struct jr_json *json; ///< NULL: text
};

static void key_text(struct jr_json *json, const char *key, const char *text) {
  jr_json_key(json, key);
  jr_json_text(json, text);
}

static void key_number(struct jr_json *json, const char *key, uint64_t value) {
  jr_json_key(json, key);
  jr_json_u64(json, value);
}

static void write_device(struct jr_json *json, const jitrun_device_info_t *info,
                         const jitrun_memory_stats_t *stats) {
  jr_json_open_object(json);
  key_text(json, "name", info->name);
  key_text(json, "platform", info->platform);
  jr_json_key(json, "id");
  jr_json_s64(json, info->id);
  key_number(json, "process", info->process_index);
  key_number(json, "ordinal", info->local_ordinal);
  key_text(json, "kind", info->kind);
  key_text(json, "description", info->description);
  key_number(json, "cores", info->core_count);
  key_number(json, "memory_bytes", info->memory_bytes);
  key_number(json, "free_bytes", stats->largest_free_bytes);
  jr_json_key(json, "host_addressable");
  jr_json_bool(json, info->is_host_addressable);
  jr_json_key(json, "attributes");
  jr_json_open_object(json);
  for (size_t i = 0; i < info->attribute_count; i++)
    key_text(json, info->attributes[i].name, info->attributes[i].text);
  jr_json_close_object(json);
  jr_json_close_object(json);
}

static void print_device(const jitrun_device_info_t *info) {
  (void)printf("%s: %s", info->name, info->description);
  if (info->memory_bytes > 0)
    (void)printf(", %.1f MiB", (double)info->memory_bytes / (1 << 20));
  (void)putchar('\n');
}

static jitrun_error_t *list_device(struct listing *listing,
                                   jitrun_client_t *client, size_t index) {
  jitrun_device_t *device = NULL;
  jitrun_device_info_t info = {.size = sizeof info};
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  JITRUN_TRY(jitrun_client_local_device(client, index, &device));
  JITRUN_TRY(jitrun_device_info(device, &info));
  JITRUN_TRY(jitrun_device_memory_stats(device, &stats));
  if (listing->json)
    write_device(listing->json, &info, &stats);
  else
    print_device(&info);
  return NULL;
}

/// The devices of a platform that could be opened.
static jitrun_error_t *list_client(struct listing *listing,
                                   jitrun_client_t *client) {
  const struct jr_platform_choice *choice = &listing->options->platform;
  size_t count = jitrun_client_device_count(client);
  JITRUN_TRY(jr_remote_check(client, choice));
  if (choice->is_one)
    return list_device(listing, client, choice->ordinal);
  for (size_t i = 0; i < count; i++)
    JITRUN_TRY(list_device(listing, client, i));
  return NULL;
}

/// Why there are no devices; takes the error.
static void list_reason(struct listing *listing, const char *name,
                        /*own*/ jitrun_error_t *error) {
  if (listing->json)
    key_text(listing->json, "error", jitrun_error_message(error));
  else
    (void)printf("%s: none: %s\n", name, jitrun_error_message(error));
  jitrun_error_free(error);
}

static jitrun_error_t *list_platform(struct listing *listing,
                                     const char *name) {
  jitrun_client_t *client = NULL;
  struct jr_json *json = listing->json;
  jitrun_error_t *error = jr_remote_connect(listing->options, name, &client);
  // One that is asked for by name has to be there.
  if (error && *listing->options->platform.name)
    return error;
  if (json) {
    jr_json_open_object(json);
    key_text(json, "platform", name);
  }
  if (error)
    list_reason(listing, name, error);
  error = NULL;
  if (json) {
    jr_json_key(json, "devices");
    jr_json_open_array(json);
  }
  if (client)
    error = list_client(listing, client);
  if (json) {
    jr_json_close_array(json);
    jr_json_close_object(json);
  }
  jitrun_client_release(client);
  return error;
}

static jitrun_error_t *list_all(struct listing *listing) {
  const struct jr_options *options = listing->options;
  const char *wanted = options->platform.name;
  const char *name;
  if (*wanted)
    return list_platform(listing, wanted);
  for (size_t i = 0; (name = jitrun_platforms_get(options->platforms, i)); i++)
    JITRUN_TRY(list_platform(listing, name));
  return NULL;
}

static jitrun_error_t *list_json(struct listing *listing) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  listing->json = &json;
  jr_json_open_array(&json);
  jitrun_error_t *error = list_all(listing);
  jr_json_close_array(&json);
  if (!error)
    error = jr_bytes_check(&text);
  if (!error)
    puts(jr_bytes_text(&text));
  listing->json = NULL;
  jr_bytes_deinit(&text);
  return error;
}

enum jr_exit jr_verb_devices(struct jr_options *options,
                             struct jr_watch *watch) {
  struct listing listing = {.options = options};
  jitrun_error_t *error = jr_load_plugins(options, watch);
  jr_watch_enter(watch, "listing the devices");
  if (!error)
    error = options->json ? list_json(&listing) : list_all(&listing);
  return jr_report(error, options);
}

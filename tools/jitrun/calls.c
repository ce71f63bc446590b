/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun calls and jitrun devices: what there is to run programs with.
#include "open.h"
#include "verbs.h"

#include "base/bytes.h"
#include "base/json.h"
#include "jitrun/registry.h"

#include <stdio.h>

static void print_call(const jitrun_customcall_t *call, const char *signature) {
  printf("%s [%s]\n  %s\n", call->name, call->platform, signature);
  if (call->summary)
    printf("  %s\n", call->summary);
}

static void put_text(struct jr_json *json, const char *key, const char *text) {
  jr_json_key(json, key);
  if (text)
    jr_json_text(json, text);
  else
    jr_json_null(json);
}

static void put_call(struct jr_json *json, const jitrun_customcall_t *call,
                     const char *signature) {
  jr_json_open_object(json);
  put_text(json, "name", call->name);
  put_text(json, "platform", call->platform);
  put_text(json, "signature", signature);
  put_text(json, "summary", call->summary);
  jr_json_close_object(json);
}

/// Prints every call, or adds it to `json` unless that is NULL.
static jitrun_error_t *list_calls(struct jr_json *json) {
  jitrun_registry_t *registry = jitrun_registry_default();
  size_t count = jitrun_registry_call_count(registry);
  for (size_t i = 0; i < count; i++) {
    const jitrun_customcall_t *call = jitrun_registry_call_get(registry, i);
    char *signature;
    JITRUN_TRY(jitrun_customcall_describe(call, &signature));
    if (json)
      put_call(json, call, signature);
    else
      print_call(call, signature);
    jitrun_text_free(signature);
  }
  return NULL;
}

static jitrun_error_t *print_json_calls(void) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  jr_json_open_array(&json);
  jitrun_error_t *error = list_calls(&json);
  jr_json_close_array(&json);
  if (!error)
    error = jr_bytes_check(&text);
  if (!error)
    puts(jr_bytes_text(&text));
  jr_bytes_deinit(&text);
  return error;
}

enum jr_exit jr_verb_calls(struct jr_options *options, struct jr_watch *watch) {
  jitrun_error_t *error = jr_load_plugins(options, watch);
  jr_watch_enter(watch, "listing the custom calls");
  if (!error)
    error = options->json ? print_json_calls() : list_calls(NULL);
  return jr_report(error, options);
}

enum jr_exit jr_verb_devices(struct jr_options *options,
                             struct jr_watch *watch) {
  jr_watch_enter(watch, "listing the devices");
  puts(options->json ? "[{\"name\": \"host:0\", \"platform\": \"host\"}]"
                     : "host:0");
  return JR_EXIT_DONE;
}

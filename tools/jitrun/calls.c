/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun calls: what there is to run programs with. What
/// plug-ins brought stands first: it is what one looks for.
#include "open.h"
#include "verbs.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/json.h"
#include "base/strings.h"
#include "jitrun/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What is listed, and how.
struct listing {
  const struct jr_options *options;
  jitrun_registry_t *registry;
  const jitrun_customcall_t **known; ///< the calls before plug-ins came
  size_t known_count, known_types;
  struct jr_json *json; ///< NULL: text
  size_t shown;
};

/// True when the listing is for a name: it begins as one of the words given,
/// which may have the '#' of a type.
static bool is_wanted(const struct listing *listing, const char *name,
                      bool is_type) {
  const struct jr_texts *prefixes = &listing->options->prefixes;
  for (size_t i = 0; i < prefixes->count; i++) {
    const char *prefix = prefixes->items[i];
    if (jr_text_has_prefix(name, prefix + (is_type && *prefix == '#')))
      return true;
  }
  return prefixes->count == 0;
}

/// Remembers what there is before plug-ins are loaded.
static jitrun_error_t *remember(struct listing *listing) {
  size_t count = jitrun_registry_call_count(listing->registry);
  listing->known = jr_calloc(count, sizeof(jitrun_customcall_t *));
  if (!listing->known)
    return jr_error_no_memory();
  for (size_t i = 0; i < count; i++)
    listing->known[i] = jitrun_registry_call_get(listing->registry, i);
  listing->known_count = count;
  while (jitrun_registry_attr_type_get(listing->registry, listing->known_types))
    listing->known_types++;
  return NULL;
}

static bool is_known(const struct listing *listing,
                     const jitrun_customcall_t *call) {
  for (size_t i = 0; i < listing->known_count; i++) {
    if (listing->known[i] == call)
      return true;
  }
  return false;
}

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
                     const char *signature, bool is_builtin) {
  jr_json_open_object(json);
  put_text(json, "name", call->name);
  put_text(json, "platform", call->platform);
  put_text(json, "signature", signature);
  put_text(json, "summary", call->summary);
  jr_json_key(json, "builtin");
  jr_json_bool(json, is_builtin);
  jr_json_close_object(json);
}

/// Shows the calls of plug-ins, or the others.
static jitrun_error_t *list_calls(struct listing *listing, bool are_builtin) {
  size_t count = jitrun_registry_call_count(listing->registry);
  for (size_t i = 0; i < count; i++) {
    const jitrun_customcall_t *call =
        jitrun_registry_call_get(listing->registry, i);
    if (is_known(listing, call) != are_builtin ||
        !is_wanted(listing, call->name, false))
      continue;
    char *signature;
    JITRUN_TRY(jitrun_customcall_describe(call, &signature));
    if (listing->json)
      put_call(listing->json, call, signature, are_builtin);
    else
      print_call(call, signature);
    jitrun_text_free(signature);
    listing->shown++;
  }
  return NULL;
}

/// "f32", "i64 array", "string", "vendor.name".
static void append_field_type(struct jr_bytes *text,
                              const jitrun_attr_field_t *field) {
  if (field->kind == JITRUN_FIELD_STRING)
    jr_bytes_append_text(text, "string");
  else if (field->kind == JITRUN_FIELD_TYPE)
    jr_bytes_append_text(text, field->type_name);
  else
    jr_bytes_append_text(text, jr_dtype_name((jitrun_dtype_t)field->dtype));
  if (field->kind == JITRUN_FIELD_ARRAY)
    jr_bytes_append_text(text, " array");
}

/// "enumeration of i32: fast = 0, exact = 1", "structure: x f32, y string?".
static void describe_type(struct jr_bytes *text,
                          const jitrun_attr_type_t *type) {
  if (type->case_count > 0)
    jr_bytes_appendf(text, "enumeration of %s: ",
                     jr_dtype_name((jitrun_dtype_t)type->dtype));
  else
    jr_bytes_append_text(text, "structure: ");
  for (uint32_t i = 0; i < type->case_count; i++)
    jr_bytes_appendf(text, "%s%s = %" PRId64, i > 0 ? ", " : "",
                     type->cases[i].text, type->cases[i].value);
  for (uint32_t i = 0; i < type->field_count; i++) {
    const jitrun_attr_field_t *field = &type->fields[i];
    const char *name = field->name ? field->name : field->text;
    jr_bytes_appendf(text, "%s%s ", i > 0 ? ", " : "", name);
    append_field_type(text, field);
    if (field->flags & JITRUN_FIELD_OPTIONAL)
      jr_bytes_append_text(text, "?");
  }
}

static jitrun_error_t *show_type(struct listing *listing,
                                 const jitrun_attr_type_t *type,
                                 bool is_builtin) {
  struct jr_bytes text = {0};
  describe_type(&text, type);
  jitrun_error_t *error = jr_bytes_check(&text);
  const char *description = error ? NULL : jr_bytes_text(&text);
  struct jr_json *json = listing->json;
  if (!error && json) {
    jr_json_open_object(json);
    put_text(json, "name", type->name);
    put_text(json, "description", description);
    jr_json_key(json, "builtin");
    jr_json_bool(json, is_builtin);
    jr_json_close_object(json);
  } else if (!error) {
    printf("#%s\n  %s\n", type->name, description);
  }
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *list_types(struct listing *listing, bool are_builtin) {
  const jitrun_attr_type_t *type;
  size_t last = are_builtin ? listing->known_types : SIZE_MAX;
  for (size_t i = are_builtin ? 0 : listing->known_types;
       i < last && (type = jitrun_registry_attr_type_get(listing->registry, i));
       i++) {
    if (!is_wanted(listing, type->name, true))
      continue;
    JITRUN_TRY(show_type(listing, type, are_builtin));
    listing->shown++;
  }
  return NULL;
}

/// Offers a name: for having the wanted text somewhere, else for being near, or
/// for the part before its last dot being so: "jitrun." of "jitrun.gemm".
static void offer_name(struct jr_near_names *near_names, const char *name,
                       struct jr_texts *folders) {
  const size_t room = sizeof near_names->names / sizeof near_names->names[0];
  const char *dot = strrchr(name, '.');
  if (strstr(name, near_names->wanted) && near_names->count < room)
    near_names->names[near_names->count++] = name;
  else
    jr_near_names_offer(near_names, name);
  char *folder = dot ? strndup(name, (size_t)(dot - name) + 1) : NULL;
  const char **items =
      folder ? jr_realloc(folders->items, (folders->count + 1) * sizeof *items)
             : NULL;
  if (!items) {
    free(folder);
    return;
  }
  folders->items = items;
  items[folders->count++] = folder;
  jr_near_names_offer(near_names, folder);
}

/// The error when no name begins as was asked.
static jitrun_error_t *refuse_prefixes(const struct listing *listing) {
  const char *wanted = listing->options->prefixes.items[0];
  struct jr_near_names near_names = {.wanted = wanted};
  struct jr_texts folders = {0};
  struct jr_bytes text = {0};
  size_t count = jitrun_registry_call_count(listing->registry);
  for (size_t i = 0; i < count; i++)
    offer_name(&near_names,
               jitrun_registry_call_get(listing->registry, i)->name, &folders);
  jr_bytes_appendf(&text,
                   "no custom call or attribute type has a name that begins "
                   "with '%s'",
                   wanted);
  jr_near_names_append(&near_names, &text);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    error = jr_error_text(JITRUN_NOT_FOUND, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  for (size_t i = 0; i < folders.count; i++)
    free((void *)(uintptr_t)folders.items[i]);
  free(folders.items);
  return error;
}

static jitrun_error_t *list_all(struct listing *listing) {
  struct jr_json *json = listing->json;
  if (json) {
    jr_json_open_object(json);
    jr_json_key(json, "calls");
    jr_json_open_array(json);
  }
  JITRUN_TRY(list_calls(listing, false));
  if (!json)
    JITRUN_TRY(list_types(listing, false));
  JITRUN_TRY(list_calls(listing, true));
  if (json) {
    jr_json_close_array(json);
    jr_json_key(json, "attribute_types");
    jr_json_open_array(json);
    JITRUN_TRY(list_types(listing, false));
  }
  JITRUN_TRY(list_types(listing, true));
  if (json) {
    jr_json_close_array(json);
    jr_json_close_object(json);
  }
  return listing->shown > 0 ? NULL : refuse_prefixes(listing);
}

static jitrun_error_t *list_json(struct listing *listing) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  listing->json = &json;
  jitrun_error_t *error = list_all(listing);
  if (!error)
    error = jr_bytes_check(&text);
  if (!error)
    puts(jr_bytes_text(&text));
  listing->json = NULL;
  jr_bytes_deinit(&text);
  return error;
}

enum jr_exit jr_verb_calls(struct jr_options *options, struct jr_watch *watch) {
  struct listing listing = {.options = options,
                            .registry = jitrun_registry_default()};
  jitrun_error_t *error = remember(&listing);
  if (!error)
    error = jr_load_plugins(options, watch);
  jr_watch_enter(watch, "listing the custom calls");
  if (!error)
    error = options->json ? list_json(&listing) : list_all(&listing);
  free((void *)listing.known);
  return jr_report(error, options);
}

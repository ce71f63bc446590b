/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Values for one device of several.
#include "option_devices.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/strings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const tagged[] = {"--input", "--output", "--expect"};

/// The option that `text` is with a number of a device, or NULL.
static const char *find_tagged(const char *text) {
  for (size_t i = 0; i < sizeof tagged / sizeof tagged[0]; i++) {
    if (jr_text_has_prefix(text, tagged[i]) && text[strlen(tagged[i])] == '.')
      return tagged[i];
  }
  return NULL;
}

static jitrun_error_t *tag_argument(struct jr_options *options,
                                    const char *option, const char *text,
                                    const char *value, const char **out_text) {
  struct jr_bytes tag = {0};
  jr_bytes_appendf(&tag, "%s=%s%s%s", option, text, value ? "=" : "",
                   value ? value : "");
  char *copy = jr_bytes_take_text(&tag);
  jr_bytes_deinit(&tag);
  if (!copy)
    return jr_error_no_memory();
  *out_text = copy;
  return jr_options_own(options, copy);
}

jitrun_error_t *jr_devices_tag(struct jr_options *options,
                               struct jr_texts *arguments) {
  size_t count = 0;
  bool is_over = false; // past "--" nothing is an option
  for (size_t i = 0; i < arguments->count; i++) {
    const char *text = arguments->items[i];
    is_over = is_over || strcmp(text, "--") == 0;
    const char *option = is_over ? NULL : find_tagged(text);
    const char *value = NULL;
    if (option && !strchr(text, '=')) {
      if (i + 1 == arguments->count)
        return jr_error(JITRUN_INVALID_ARGUMENT, "'%s' needs a value", text);
      value = arguments->items[++i];
    }
    if (option)
      JITRUN_TRY(tag_argument(options, option, text, value, &text));
    arguments->items[count++] = text;
  }
  arguments->count = count;
  return NULL;
}

jitrun_error_t *jr_devices_parse(struct jr_options *options, const char *option,
                                 const char *text, struct jr_spec *out_spec) {
  bool is_output = strcmp(option, "--output") == 0;
  if (!find_tagged(text))
    return is_output ? jr_spec_parse_output(option, text, out_spec)
                     : jr_spec_parse(option, text, out_spec);
  size_t size = strcspn(text, "=");
  char *name = strndup(text, size);
  if (!name)
    return jr_error_no_memory();
  JITRUN_TRY(jr_options_own(options, name));
  uint64_t device = 0;
  if (!jr_parse_u64(name + strlen(option) + 1, &device))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s: give the number of a device, as in %s.0", name,
                    option);
  uint64_t count = jr_options_devices(options);
  if (device >= count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s: the program runs on %" PRIu64
                    " device%s, which count from 0; --replicas=N gives more",
                    name, count, count == 1 ? "" : "s");
  text += size + 1;
  JITRUN_TRY(is_output ? jr_spec_parse_output(name, text, out_spec)
                       : jr_spec_parse(name, text, out_spec));
  out_spec->device = (int64_t)device;
  return NULL;
}

jitrun_error_t *jr_devices_choose(const struct jr_specs *specs, uint64_t device,
                                  struct jr_spec ***out_chosen,
                                  size_t *out_count) {
  *out_count = 0;
  *out_chosen = jr_calloc(specs->count, sizeof **out_chosen);
  if (!*out_chosen)
    return jr_error_no_memory();
  for (size_t i = 0; i < specs->count; i++) {
    struct jr_spec *spec = &specs->items[i];
    if (spec->device < 0 || (uint64_t)spec->device == device)
      (*out_chosen)[(*out_count)++] = spec;
  }
  return NULL;
}

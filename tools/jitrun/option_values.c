/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Values of options: each kind is read by one function.
#include "option_values.h"

#include "option_platform.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/strings.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *jr_option_format_name(const struct jr_option *option,
                                  char buffer[JR_OPTION_NAME_SIZE]) {
  const char letter[] = {option->letter, '\0'};
  (void)snprintf(buffer, JR_OPTION_NAME_SIZE, "%s%s", option->name ? "--" : "-",
                 option->name ? option->name : letter);
  return buffer;
}

static jitrun_error_t *refuse_value(const struct jr_option *option,
                                    const char *value, const char *wanted) {
  char name[JR_OPTION_NAME_SIZE];
  return jr_error(JITRUN_INVALID_ARGUMENT, "%s%s%s: %s",
                  jr_option_format_name(option, name), option->name ? "=" : "",
                  value, wanted);
}

jitrun_error_t *jr_texts_add(struct jr_texts *texts, const char *text) {
  const char **items =
      jr_realloc(texts->items, (texts->count + 1) * sizeof *items);
  if (!items)
    return jr_error_no_memory();
  texts->items = items;
  texts->items[texts->count++] = text;
  return NULL;
}

static jitrun_error_t *store_count(const struct jr_option *option,
                                   const char *value, uint64_t *out_count) {
  if (jr_parse_u64(value, out_count) && *out_count > 0)
    return NULL;
  return refuse_value(option, value, "give a whole number from 1 on");
}

static jitrun_error_t *store_real(const struct jr_option *option,
                                  const char *value, double *out_real) {
  char *end;
  *out_real = strtod(value, &end);
  if (*value && !*end && *out_real >= 0)
    return NULL;
  return refuse_value(option, value, "give a number from 0 on");
}

static jitrun_error_t *store_seconds(const struct jr_option *option,
                                     const char *value, uint64_t *out_ns) {
  char *end;
  double seconds = strtod(value, &end);
  // A longer time would not fit the timers, and is as good as none.
  if (!*value || *end || !(seconds >= 1e-9) || !(seconds <= 1e9))
    return refuse_value(option, value, "give seconds from 1e-9 to 1e9");
  *out_ns = (uint64_t)(seconds * 1e9);
  return NULL;
}

static jitrun_error_t *store_bytes(const struct jr_option *option,
                                   const char *value, uint64_t *out_bytes) {
  char digits[32];
  size_t size = strlen(value);
  uint64_t unit = 1;
  const char *units = "KMG";
  const char *suffix = size > 0 ? strchr(units, value[size - 1]) : NULL;
  if (suffix && *suffix) {
    unit = UINT64_C(1) << 10 * (suffix - units + 1);
    size--;
  }
  if (size < sizeof digits) {
    memcpy(digits, value, size);
    digits[size] = '\0';
    if (jr_parse_u64(digits, out_bytes) &&
        jr_mul_u64(*out_bytes, unit, out_bytes) && *out_bytes > 0)
      return NULL;
  }
  return refuse_value(option, value,
                      "give a number of bytes from 1 on, such as 512M");
}

static jitrun_error_t *store_level(const struct jr_option *option,
                                   const char *value, int *out_level) {
  if (value[0] < '0' || value[0] > '3' || value[1])
    return refuse_value(option, value, "give -O0, -O1, -O2 or -O3");
  *out_level = value[0] - '0';
  return NULL;
}

enum { CHOICES = 8 };

/// "give auto, jit or thunks; did you mean 'jit'?"
static jitrun_error_t *refuse_choice(const struct jr_option *option,
                                     const char *value) {
  char words[128];
  char *names[CHOICES];
  size_t count = 0;
  char *rest = NULL;
  (void)snprintf(words, sizeof words, "%s", option->metavar);
  for (char *word = strtok_r(words, "|", &rest); word && count < CHOICES;
       word = strtok_r(NULL, "|", &rest))
    names[count++] = word;
  struct jr_near_names near_names = {.wanted = value};
  struct jr_bytes text = {0};
  for (size_t i = 0; i < count; i++) {
    const char *comma = i + 1 < count ? ", " : " or ";
    jr_bytes_appendf(&text, "%s%s", i > 0 ? comma : "give ", names[i]);
    jr_near_names_offer(&near_names, names[i]);
  }
  jr_near_names_append(&near_names, &text);
  const char *wanted = jr_bytes_text(&text);
  jitrun_error_t *error =
      wanted ? refuse_value(option, value, wanted) : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

/// Stores the number of the word among those of the metavar, "auto|jit".
static jitrun_error_t *store_choice(const struct jr_option *option,
                                    const char *value, unsigned *out_choice) {
  unsigned number = 0;
  for (const char *at = option->metavar; at; number++) {
    size_t size = strcspn(at, "|");
    if (strlen(value) == size && memcmp(value, at, size) == 0) {
      *out_choice = number;
      return NULL;
    }
    at = at[size] ? at + size + 1 : NULL;
  }
  return refuse_choice(option, value);
}

jitrun_error_t *jr_option_store(struct jr_options *options,
                                const struct jr_option *option,
                                const char *value) {
  void *field = (char *)options + option->field;
  switch (option->kind) {
  case JR_OPTION_FLAG:
    *(bool *)field = true;
    break;
  case JR_OPTION_TEXT:
    *(const char **)field = value;
    break;
  case JR_OPTION_LIST:
    return jr_texts_add(field, value);
  case JR_OPTION_COUNT:
    return store_count(option, value, field);
  case JR_OPTION_LEVEL:
    return store_level(option, value, field);
  case JR_OPTION_REAL:
    return store_real(option, value, field);
  case JR_OPTION_SECONDS:
    return store_seconds(option, value, field);
  case JR_OPTION_BYTES:
    return store_bytes(option, value, field);
  case JR_OPTION_CHOICE:
    return store_choice(option, value, field);
  case JR_OPTION_DEVICE:
    return jr_platform_parse(value, field);
  case JR_OPTION_FLAGFILE:
    break;
  }
  return NULL;
}

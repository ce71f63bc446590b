/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See option_platform.h.
#include "option_platform.h"

#include "base/strings.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HOST_DEVICES = 4096 };

static bool is_name(const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '-')
      return false;
  }
  return size > 0 && size < JR_PLATFORM_NAME_SIZE;
}

jitrun_error_t *jr_platform_parse(const char *text,
                                  struct jr_platform_choice *out_choice) {
  size_t size = strcspn(text, ":");
  uint64_t ordinal = 0;
  bool is_one = text[size] == ':';
  if (!is_name(text, size) ||
      (is_one &&
       (!jr_parse_u64(text + size + 1, &ordinal) || ordinal > UINT32_MAX)))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--device=%.40s: give a platform, or one of its devices by "
                    "number, as in host or cuda:0",
                    text);
  *out_choice =
      (struct jr_platform_choice){.ordinal = ordinal, .is_one = is_one};
  memcpy(out_choice->name, text, size);
  return NULL;
}

bool jr_platform_is_host(const struct jr_options *options) {
  const char *name = options->platform.name;
  return !*name || strcmp(name, "host") == 0;
}

/// A name that nobody has, and no --plugin may bring.
static jitrun_error_t *check_name(const struct jr_options *options) {
  static const char *const known[] = {"host", "cuda", "hip"};
  const char *name = options->platform.name;
  struct jr_near_names near_names = {.wanted = name};
  char hint[64];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i]) == 0)
      return NULL;
    jr_near_names_offer(&near_names, known[i]);
  }
  if (!*name || options->plugins.count > 0)
    return NULL;
  jr_near_names_hint(&near_names, hint, sizeof hint);
  return jr_error(
      JITRUN_INVALID_ARGUMENT,
      "--device=%s: there is no platform '%s'; there are host, cuda "
      "and hip, and those of drivers given with --plugin=LIB%s%s",
      name, name, *hint ? "; " : "", hint);
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/// How many devices the host is: as many as are asked for, one way or another.
static jitrun_error_t *check_host(const struct jr_options *options,
                                  uint64_t needed) {
  const struct jr_platform_choice *choice = &options->platform;
  uint64_t count = options->device_count ? options->device_count : needed;
  if (options->device_count > MOST_HOST_DEVICES)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--devices=%" PRIu64 ": the host is %d devices at most",
                    options->device_count, MOST_HOST_DEVICES);
  if (!choice->is_one || choice->ordinal < count)
    return NULL;
  char range[64] = "host:0";
  if (count > 1)
    (void)snprintf(range, sizeof range, "host:0 to host:%" PRIu64, count - 1);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "--device=host:%" PRIu64 ": host has %" PRIu64
                  " device%s, %s; --devices=N makes more",
                  choice->ordinal, count, plural(count), range);
}

/// What is not built for platforms besides the host.
static jitrun_error_t *check_elsewhere(const struct jr_options *options) {
  const char *what = NULL;
  if (options->verb == JR_VERB_BENCH)
    what = "bench measures";
  else if (options->specialize == JR_SPECIALIZE_ALWAYS)
    what = "--specialize=always works";
  else if (options->check)
    what = "--check works";
  if (!what)
    return NULL;
  return jr_error(JITRUN_UNIMPLEMENTED, "--device=%s: %s on the host alone",
                  options->platform.name, what);
}

jitrun_error_t *jr_platform_check(const struct jr_options *options) {
  const struct jr_platform_choice *choice = &options->platform;
  uint64_t needed = jr_options_devices(options);
  JITRUN_TRY(check_name(options));
  if (choice->is_one && needed > 1)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--device=%s:%" PRIu64
                    " is one device, and --replicas and --partitions ask for "
                    "%" PRIu64 "; give the platform alone",
                    choice->name, choice->ordinal, needed);
  if (options->device_count > 0 && options->device_count < needed)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--devices=%" PRIu64
                    ": --replicas and --partitions ask for %" PRIu64,
                    options->device_count, needed);
  if (options->device_count > UINT32_MAX)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--devices=%" PRIu64 ": nobody has so many",
                    options->device_count);
  return jr_platform_is_host(options) ? check_host(options, needed)
                                      : check_elsewhere(options);
}

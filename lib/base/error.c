/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Errors. The message lives in the error's own block, so that making one is a
/// single allocation; notes and the location are extras that are left out when
/// memory is short. The error for "no memory" is a constant.
#include "base/error.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jitrun_error {
  jitrun_code_t code;
  bool is_constant; ///< never written, never freed
  bool follows;     ///< from the error of another device
  char *location;
  char **notes;
  size_t note_count;
  char *message; ///< right behind, in the same block
};

static const struct jitrun_error no_memory = {.code = JITRUN_RESOURCE_EXHAUSTED,
                                              .is_constant = true,
                                              .message = "out of memory"};

static atomic_size_t live_count;

/// An error with room for a message of `size` bytes and its NUL, or the
/// constant one. A code that is none, or says success, becomes UNKNOWN.
static jitrun_error_t *create_error(jitrun_code_t code, size_t size) {
  jitrun_error_t *error = NULL;
  if (size < SIZE_MAX / 2)
    error = jr_malloc(sizeof *error + size + 1);
  if (!error)
    return jr_error_no_memory();
  bool is_known = code > JITRUN_OK && code <= JITRUN_UNAUTHENTICATED;
  *error = (struct jitrun_error){.code = is_known ? code : JITRUN_UNKNOWN,
                                 .message = (char *)(error + 1)};
  error->message[0] = '\0';
  error->message[size] = '\0';
  atomic_fetch_add_explicit(&live_count, 1, memory_order_relaxed);
  return error;
}

/// Length of the formatted text, or 0 when it cannot be formatted.
static size_t measure_text(const char *format, va_list args) {
  va_list copy;
  va_copy(copy, args);
  int length = vsnprintf(NULL, 0, format, copy);
  va_end(copy);
  return length > 0 ? (size_t)length : 0;
}

jitrun_error_t *jr_error(jitrun_code_t code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t size = measure_text(format, args);
  jitrun_error_t *error = create_error(code, size);
  if (!error->is_constant && size > 0)
    (void)vsnprintf(error->message, size + 1, format, args);
  va_end(args);
  return error;
}

jitrun_error_t *jr_error_text(jitrun_code_t code, const char *text,
                              size_t size) {
  if (!text)
    size = 0;
  jitrun_error_t *error = create_error(code, size);
  if (!error->is_constant && size > 0)
    memcpy(error->message, text, size);
  return error;
}

/// Makes room for one more note; the count is always the room, notes are few.
static bool grow_notes(jitrun_error_t *error) {
  char **notes =
      jr_realloc(error->notes, (error->note_count + 1) * sizeof *notes);
  if (!notes)
    return false;
  error->notes = notes;
  return true;
}

jitrun_error_t *jr_error_note(jitrun_error_t *error, const char *format, ...) {
  if (!error || error->is_constant)
    return error;
  va_list args;
  va_start(args, format);
  size_t size = measure_text(format, args);
  char *note = jr_malloc(size + 1);
  if (note && grow_notes(error)) {
    note[0] = '\0';
    (void)vsnprintf(note, size + 1, format, args);
    error->notes[error->note_count++] = note;
    note = NULL;
  }
  free(note);
  va_end(args);
  return error;
}

jitrun_error_t *jr_error_at(jitrun_error_t *error, const char *file,
                            uint32_t line, uint32_t column) {
  if (!error || error->is_constant || error->location || !file)
    return error;
  size_t room = strlen(file) + sizeof ":4294967295:4294967295";
  char *location = jr_malloc(room);
  if (!location)
    return error;
  if (line == 0)
    (void)snprintf(location, room, "%s", file);
  else
    (void)snprintf(location, room, "%s:%" PRIu32 ":%" PRIu32, file, line,
                   column);
  error->location = location;
  return error;
}

jitrun_error_t *jr_error_follow(jitrun_error_t *error) {
  if (!error->is_constant)
    error->follows = true;
  return error;
}

bool jr_error_follows(const jitrun_error_t *error) {
  return error->follows;
}

jitrun_error_t *jr_error_null(const char *function, const char *argument) {
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "%s() needs an address for '%s', and it is NULL", function,
                  argument);
}

jitrun_error_t *jr_error_no_memory(void) {
  return (jitrun_error_t *)(uintptr_t)&no_memory;
}

size_t jr_error_live_count(void) {
  return atomic_load_explicit(&live_count, memory_order_relaxed);
}

void jitrun_error_free(jitrun_error_t *error) {
  if (!error || error->is_constant)
    return;
  for (size_t i = 0; i < error->note_count; i++)
    free(error->notes[i]);
  free((void *)error->notes);
  free(error->location);
  free(error);
  atomic_fetch_sub_explicit(&live_count, 1, memory_order_relaxed);
}

jitrun_code_t jitrun_error_code(const jitrun_error_t *error) {
  return error ? error->code : JITRUN_OK;
}

const char *jitrun_error_message(const jitrun_error_t *error) {
  return error ? error->message : "";
}

const char *jitrun_error_location(const jitrun_error_t *error) {
  return error ? error->location : NULL;
}

size_t jitrun_error_note_count(const jitrun_error_t *error) {
  return error ? error->note_count : 0;
}

const char *jitrun_error_note_get(const jitrun_error_t *error, size_t index) {
  if (!error || index >= error->note_count)
    return NULL;
  return error->notes[index];
}

const char *jitrun_code_name(jitrun_code_t code) {
  static const char *const names[] = {
      "OK",
      "CANCELLED",
      "UNKNOWN",
      "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED",
      "NOT_FOUND",
      "ALREADY_EXISTS",
      "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED",
      "FAILED_PRECONDITION",
      "ABORTED",
      "OUT_OF_RANGE",
      "UNIMPLEMENTED",
      "INTERNAL",
      "UNAVAILABLE",
      "DATA_LOSS",
      "UNAUTHENTICATED",
  };
  size_t index = (size_t)code;
  return index < sizeof names / sizeof names[0] ? names[index] : "UNKNOWN";
}

jitrun_error_t *jr_error_copy(const jitrun_error_t *error) {
  if (!error)
    return NULL;
  jitrun_error_t *copy =
      jr_error_text(error->code, error->message, strlen(error->message));
  if (copy->is_constant)
    return copy;
  copy->follows = error->follows;
  copy = jr_error_at(copy, error->location, 0, 0);
  for (size_t i = 0; i < error->note_count; i++)
    copy = jr_error_note(copy, "%s", error->notes[i]);
  return copy;
}

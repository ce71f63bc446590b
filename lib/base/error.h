/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Making errors, inside the library. See jitrun/error.h for reading them.
#ifndef JR_BASE_ERROR_H
#define JR_BASE_ERROR_H

#include "jitrun/error.h"

#include <stdarg.h>
#include <stdbool.h>

/// Returns from the calling function when `expr` fails. Only while nothing is
/// owned.
#define JITRUN_TRY(expr)                                                       \
  do {                                                                         \
    jitrun_error_t *try_error_ = (expr);                                       \
    if (try_error_)                                                            \
      return try_error_;                                                       \
  } while (0)

/// A new error with a formatted message.
jitrun_error_t *jr_error(jitrun_code_t code, const char *format, ...)
    __attribute__((format(printf, 2, 3), returns_nonnull, warn_unused_result));

/// A new error from bytes that need not be NUL-terminated.
jitrun_error_t *jr_error_text(jitrun_code_t code, const char *text, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));

/// Adds a note ("while ..."); returns `error`, NULL for NULL.
jitrun_error_t *jr_error_note(/*own*/ jitrun_error_t *error, const char *format,
                              ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

/// Sets the location unless it is set already; line 0: only `file` is kept (a
/// named location). Returns `error`.
jitrun_error_t *jr_error_at(/*own*/ jitrun_error_t *error, const char *file,
                            uint32_t line, uint32_t column)
    __attribute__((warn_unused_result));

/// Says that an error only follows from that of another device, which tells
/// more: a handler may give any code itself, so that no code says it. Returns
/// `error`.
jitrun_error_t *jr_error_follow(/*own*/ jitrun_error_t *error)
    __attribute__((warn_unused_result));

/// Whether that was said of the error.
bool jr_error_follows(const jitrun_error_t *error);

/// The same error once more, with location and notes; NULL for NULL.
jitrun_error_t *jr_error_copy(const jitrun_error_t *error)
    __attribute__((warn_unused_result));

/// INVALID_ARGUMENT for an argument of a public function that is NULL.
jitrun_error_t *jr_error_null(const char *function, const char *argument)
    __attribute__((returns_nonnull, warn_unused_result));

/// Returns that from the public function that this stands in.
#define JR_NEED(argument)                                                      \
  do {                                                                         \
    if (!(argument))                                                           \
      return jr_error_null(__func__, #argument);                               \
  } while (0)

/// RESOURCE_EXHAUSTED for memory that could not be had; never allocates.
jitrun_error_t *jr_error_no_memory(void)
    __attribute__((returns_nonnull, warn_unused_result));

/// Errors alive in the process (0 at the end of each test).
size_t jr_error_live_count(void);

#endif

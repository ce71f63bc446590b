/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Errors: a code, one message for a person, where it happened, and notes that
/// callers add on the way up ("while ..."). NULL means success.
///
/// Life: returned by a call -> read -> jitrun_error_free(). An error belongs to
/// whoever received it, and is used by one thread at a time. Making one never
/// fails: when memory is short a constant RESOURCE_EXHAUSTED error is returned,
/// which jitrun_error_free() ignores.
#ifndef JITRUN_ERROR_H
#define JITRUN_ERROR_H

#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Frees an error. NULL is a no-op.
JITRUN_API void jitrun_error_free(/*own*/ jitrun_error_t *error);

/// The code; JITRUN_OK for NULL.
JITRUN_API jitrun_code_t jitrun_error_code(const jitrun_error_t *error);

/// The message, without location and notes; "" for NULL. Valid as long as the
/// error.
JITRUN_API const char *jitrun_error_message(const jitrun_error_t *error);

/// Where it happened, as "file:line:col", or NULL where that is not known.
JITRUN_API const char *jitrun_error_location(const jitrun_error_t *error);

/// The number of notes, innermost first.
JITRUN_API size_t jitrun_error_note_count(const jitrun_error_t *error);

/// Note `index`, or NULL past the last one.
JITRUN_API const char *jitrun_error_note_get(const jitrun_error_t *error,
                                             size_t index);

/// The name of a code as in the field's logs, "INVALID_ARGUMENT"; "UNKNOWN" for
/// a number that is none.
JITRUN_API const char *jitrun_code_name(jitrun_code_t code);

#ifdef __cplusplus
}
#endif
#endif

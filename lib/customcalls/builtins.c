/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the built-in calls share.
#include "customcalls/builtins.h"

#include "base/alloc.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

jitrun_error_t *jr_call_error(const jitrun_call_t *call, jitrun_code_t code,
                              const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  size_t size = length > 0 ? strlen(text) : 0;
  return call->site->api->error(call, code, text, size);
}

jitrun_error_t *jr_call_keep(jitrun_call_t *call, const void *state,
                             size_t size) {
  call->state = jr_malloc(size);
  if (!call->state)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  memcpy(call->state, state, size);
  return NULL;
}

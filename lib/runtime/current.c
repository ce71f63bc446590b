/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See current.h.
#include "runtime/current.h"

#include "runtime/context.h"

static _Thread_local struct jr_context *current;

struct jr_context *jr_current_set(struct jr_context *context) {
  struct jr_context *before = current;
  current = context;
  return before;
}

void jr_context_print(struct jr_context *context, const char *text,
                      size_t size_bytes) {
  if (!context->options.print)
    return;
  struct jr_context *outermost = context->outermost;
  (void)pthread_mutex_lock(&outermost->output_lock);
  context->options.print(context->options.print_context, text, size_bytes);
  (void)pthread_mutex_unlock(&outermost->output_lock);
}

void jr_current_print(const char *text, size_t size_bytes) {
  if (current)
    jr_context_print(current, text, size_bytes);
}

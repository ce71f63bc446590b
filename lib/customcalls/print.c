/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.print`: values as text into the output of the execution.
#include "base/bytes.h"
#include "base/values.h"
#include "customcalls/builtins.h"
#include "customcalls/parts.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdint.h>

enum { ATTR_LABEL };

static const jitrun_attr_param_t print_attrs[] = {
    [ATTR_LABEL] = {
        .name = "label", .kind = JITRUN_ATTR_STRING, .flags = JITRUN_OPTIONAL}};

const jitrun_signature_t jr_print_signature = {.size =
                                                   sizeof(jitrun_signature_t),
                                               .attrs = print_attrs,
                                               .attr_count = 1,
                                               .flags = JITRUN_VARIADIC_ARGS};

static void append_label(struct jr_bytes *text, const jitrun_attr_t *label,
                         const char *after) {
  if (label->kind == JITRUN_ATTR_ABSENT)
    return;
  jr_bytes_append(text, label->value.string, label->count);
  jr_bytes_append_text(text, after);
}

static void append_value(struct jr_bytes *text, const jitrun_arg_t *arg) {
  const void *data = arg->type->kind == JITRUN_KIND_SCALAR
                         ? (const void *)&arg->value
                         : arg->value.data;
  jr_value_format(text, arg->type, data, SIZE_MAX);
  jr_bytes_append_text(text, "\n");
}

/// One write, so that lines of calls that run at once do not mix.
jitrun_error_t *jr_print_execute(jitrun_call_t *call) {
  struct jr_bytes text = {0};
  const jitrun_attr_t *label = &call->attrs[ATTR_LABEL];
  const jitrun_arg_t *args = jitrun_call_args(call);
  uint32_t count = call->site->arg_count;
  if (count == 0)
    append_label(&text, label, "\n");
  for (uint32_t i = 0; i < count; i++) {
    append_label(&text, label, ": ");
    append_value(&text, &args[i]);
  }
  jitrun_error_t *error = NULL;
  if (text.failed)
    error = jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                          "%s: out of memory for the text", call->site->target);
  else if (text.size > 0)
    call->site->api->print(call, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return error;
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.print",
     .platform = "host",
     .summary = "prints the label and every argument, one a line",
     .signature = &jr_print_signature,
     .execute = jr_print_execute},
};

JR_PART(print, calls, false);

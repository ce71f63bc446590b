/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The public text of a custom call's signature.
#include "base/bytes.h"
#include "base/error.h"
#include "customcalls/signature.h"
#include "jitrun/customcall.h"
#include "jitrun/registry.h"

#include <stddef.h>

jitrun_error_t *jitrun_customcall_describe(const jitrun_customcall_t *call,
                                           char **out_text) {
  JR_NEED(out_text);
  *out_text = NULL;
  JR_NEED(call);
  struct jr_bytes text = {0};
  if (call->signature)
    jr_signature_format(&text, call->signature);
  else
    jr_bytes_append_text(&text, "(...) {...} -> (...)");
  *out_text = jr_bytes_take_text(&text);
  return *out_text ? NULL : jr_error_no_memory();
}

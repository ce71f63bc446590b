/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Stopping a compile after a named stage, to look at the program there.
#include "jit/unit.h"

#include <string.h>

/// In the order in which they run.
static const char *const stages[] = {"parse",  "specialize", "tensors", "plan",
                                     "blocks", "native",     "llvm"};

jitrun_error_t *jr_check_stage(const struct jr_compile_options *options) {
  if (options->form != JR_FORM_MLIR)
    return NULL;
  const char *asked = options->stage ? options->stage : "";
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
    if (strcmp(stages[i], asked) == 0)
      return NULL;
  }
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "stage '%s' is none; the stages are parse, specialize, "
                  "tensors, plan, blocks, native and llvm",
                  asked);
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

bool jr_stop_after(struct jr_unit *unit, const char *stage) {
  if (unit->options->form != JR_FORM_MLIR ||
      strcmp(unit->options->stage, stage) != 0)
    return false;
  mlirOperationPrint(mlirModuleGetOperation(unit->module), append_text,
                     &unit->image);
  unit->stopped = true;
  return true;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Runs entries that take nothing, for the programs beside this file: what a
/// program prints is what it gives.
#ifndef JR_TEST_RUN_IMAGE_H
#define JR_TEST_RUN_IMAGE_H

#include "base/bytes.h"
#include "base/error.h"
#include "jitrun/program.h"

static inline void take_print(void *context, const char *text, size_t size) {
  jr_bytes_append(context, text, size);
}

/// Runs the default entry and appends what it prints.
static inline jitrun_error_t *run_entry(jitrun_program_t *program,
                                        struct jr_bytes *out_text) {
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, NULL);
  const jitrun_run_options_t options = {
      .size = sizeof options, .print = take_print, .print_context = out_text};
  if (!entry)
    return jr_error(JITRUN_NOT_FOUND, "the program has no entry 'main'");
  return jitrun_program_run(program, entry, NULL, 0, NULL, 0, &options);
}

#endif

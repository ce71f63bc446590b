/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Binding: memory for the arguments and results of an entry, filled from
/// --input, and which of them are the outputs.
#ifndef JR_TOOLS_BIND_H
#define JR_TOOLS_BIND_H

#include "base/error.h"
#include "jitrun/async.h"
#include "jitrun/program.h"
#include "options.h"
#include "value.h"

struct jr_output {
  char label[32]; ///< "result[0]" or "arg[2]"
  bool is_result;
  size_t index;                 ///< among the results or the arguments
  const struct jr_value *value; ///< NULL until bound
  struct jr_spec *sink;         ///< --output for it; NULL: none
  struct jr_spec *expected;     ///< --expect for it; NULL: none
  bool is_extra;                ///< only there because an option names it
};

/// Lists what --output and --expect count, the outputs of jitrun/allocation.h.
/// There is room for one of each result and argument. Returns how many there
/// are.
size_t jr_outputs_list(const jitrun_entry_t *entry, struct jr_output *outputs);

/// Zero-initialised is none.
struct jr_binding {
  const jitrun_entry_t *entry;
  const struct jr_options *options;
  struct jr_spec **inputs; ///< one an argument, opened; borrowed from the
                           ///< options, as are sinks and what is expected
  struct jr_value *args, *results;
  jitrun_async_t **handles; ///< one an argument: of an async one, available
  size_t handle_count;
  jitrun_tensor_t *arg_views;
  struct jr_output *outputs;
  size_t output_count;
};

/// Opens the inputs of a device, compares them with the signature, lays them
/// out as it says. INVALID_ARGUMENT lists the signature. Deinit in any case.
jitrun_error_t *jr_binding_init(struct jr_binding *binding,
                                const jitrun_entry_t *entry,
                                struct jr_options *options, uint64_t device)
    __attribute__((warn_unused_result));

/// Gives all arguments their first values again.
void jr_binding_reset(struct jr_binding *binding);

/// Runs the entry once, and takes its results.
jitrun_error_t *jr_binding_run(struct jr_binding *binding,
                               jitrun_program_t *program,
                               const jitrun_run_options_t *options)
    __attribute__((warn_unused_result));

/// Takes a result that was made elsewhere, or the dense elements that an
/// argument has become.
jitrun_error_t *jr_binding_take(struct jr_binding *binding, bool is_result,
                                size_t index, const jitrun_tensor_t *tensor)
    __attribute__((warn_unused_result));

void jr_binding_deinit(struct jr_binding *binding);

#endif

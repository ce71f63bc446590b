/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// --input.N, --output.N and --expect.N: for one device of several. They are
/// kept among --input, --output and --expect, in order, with their whole text
/// as the value.
#ifndef JR_TOOLS_OPTION_DEVICES_H
#define JR_TOOLS_OPTION_DEVICES_H

#include "options.h"

/// Turns each argument "--input.1=SPEC" into "--input=--input.1=SPEC", so that
/// there is one option for all devices; `options` owns the new texts.
jitrun_error_t *jr_devices_tag(struct jr_options *options,
                               struct jr_texts *arguments)
    __attribute__((warn_unused_result));

/// Parses the value of an option, tagged or not; `options` owns new texts.
/// INVALID_ARGUMENT for a device that the options do not ask for.
jitrun_error_t *jr_devices_parse(struct jr_options *options, const char *option,
                                 const char *text, struct jr_spec *out_spec)
    __attribute__((warn_unused_result));

/// The specs that device `device` gets, in order; to be freed with free().
jitrun_error_t *jr_devices_choose(const struct jr_specs *specs, uint64_t device,
                                  struct jr_spec ***out_chosen,
                                  size_t *out_count)
    __attribute__((warn_unused_result));

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running on devices of another platform than the host: arguments are copied
/// there and outputs back.
#ifndef JR_TOOLS_REMOTE_H
#define JR_TOOLS_REMOTE_H

#include "bind.h"

#include "jitrun/executable.h"

/// Zero-initialised is none.
struct jr_remote {
  jitrun_client_t *client;
  jitrun_executable_t *executable; ///< NULL: the host runs the program
};

/// Makes a client of the platform that the options name. The driver's reason
/// where it cannot be had.
jitrun_error_t *jr_remote_connect(const struct jr_options *options,
                                  const char *platform,
                                  jitrun_client_t **out_client)
    __attribute__((warn_unused_result));

/// OUT_OF_RANGE for a device of --device that the client has not.
jitrun_error_t *jr_remote_check(const jitrun_client_t *client,
                                const struct jr_platform_choice *choice)
    __attribute__((warn_unused_result));

/// Makes what runs the entry on devices of the options' platform; nothing for
/// the host. Close in any case.
jitrun_error_t *
jr_remote_open(struct jr_remote *remote, const struct jr_options *options,
               jitrun_program_t *program, const jitrun_entry_t *entry)
    __attribute__((warn_unused_result));

/// Runs it once, for `count` bindings, and takes the outputs into them.
jitrun_error_t *jr_remote_run(struct jr_remote *remote,
                              struct jr_binding *const *bindings, size_t count,
                              const jitrun_execute_options_t *options)
    __attribute__((warn_unused_result));

void jr_remote_close(struct jr_remote *remote);

#endif

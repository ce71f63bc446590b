/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Entries whose buffers are in memory that the host cannot use.
#ifndef JR_RUNTIME_APART_H
#define JR_RUNTIME_APART_H

#include "runtime/program.h"

/// UNIMPLEMENTED, with the reason, for an entry that looks into memory itself,
/// instead of handing that of parameters, results and temporaries to custom
/// calls: what it does itself, it does on the host, with the host's memory.
jitrun_error_t *jr_entry_check_apart(const jitrun_program_t *program,
                                     uint32_t entry) JITRUN_MUST_USE;

#endif

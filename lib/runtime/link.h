/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Linking an object into a shared library, with a linker of the system.
#ifndef JR_RUNTIME_LINK_H
#define JR_RUNTIME_LINK_H

#include "base/bytes.h"

struct jr_link_input {
  const void *object;
  size_t size;
  const char *output_path; ///< temporary files are made beside it
  const char *system; ///< of another machine, "aarch64-linux-gnu"; NULL: this
};

/// Links, and reads the result. FAILED_PRECONDITION when there is no linker, or
/// for another machine when the object needs helpers that are not here for it;
/// INTERNAL with the linker's own words when it fails.
jitrun_error_t *jr_link_shared(const struct jr_link_input *input,
                               struct jr_bytes *out_library) JITRUN_MUST_USE;

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A shared library that is no plug-in: it has no query function.
#include "jitrun/customcall.h"

/// Something else, exported in its place.
JITRUN_API int not_a_query(void);
int not_a_query(void) {
  return 1;
}

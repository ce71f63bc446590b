/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The header of an image that is linked into a C or C++ program.
#ifndef JR_RUNTIME_HEADER_H
#define JR_RUNTIME_HEADER_H

#include "base/bytes.h"
#include "runtime/table.h"

/// Appends it: a declaration of the image's symbol, and the parts of
/// libjitrun.a that the image needs, by address, so that a linker takes them.
void jr_header_format(struct jr_bytes *text, const char *prefix,
                      const struct jr_table *table);

#endif

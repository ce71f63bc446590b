/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Words, numbers and strings in the text of one attribute. Any bytes can be
/// given. Each function skips blanks first, and stays where it is when what it
/// looks for is not there.
#ifndef JR_JIT_ATTR_SCANNER_H
#define JR_JIT_ATTR_SCANNER_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A piece of the text; empty where nothing was found.
struct jr_span {
  const char *data;
  size_t size;
};

bool jr_span_equals(struct jr_span span, const char *text);

/// What is left of the text.
struct jr_scanner {
  const char *at, *end;
};

/// True when only blanks are left.
bool jr_scan_done(struct jr_scanner *scanner);

/// True when the next byte is `byte`, which stays.
bool jr_scan_sees(struct jr_scanner *scanner, char byte);

/// Moves past `token`.
bool jr_scan_accept(struct jr_scanner *scanner, const char *token);

/// A run of letters, digits, '_', '$' and '.'.
struct jr_span jr_scan_word(struct jr_scanner *scanner);

/// A run of what numbers are made of: as a word, with signs.
struct jr_span jr_scan_number(struct jr_scanner *scanner);

/// A decimal number of 64 bits.
bool jr_scan_s64(struct jr_scanner *scanner, int64_t *out_value);

/// A string in quotes with MLIR's escapes, whose bytes are appended.
bool jr_scan_string(struct jr_scanner *scanner, struct jr_bytes *out);

/// What stands here, up to a comma or a closing bracket that is not inside;
/// does not move.
struct jr_span jr_scan_peek(struct jr_scanner *scanner);

#endif

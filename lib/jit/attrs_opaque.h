/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attributes of dialects that are not there. Such an attribute is only its
/// text, "name<...>" or "name ..." of its dialect; the attribute types of the
/// compile's registry say what it means. Nothing here knows MLIR.
#ifndef JR_JIT_ATTRS_OPAQUE_H
#define JR_JIT_ATTRS_OPAQUE_H

#include "base/arena.h"
#include "base/error.h"
#include "jit/attr_scanner.h"
#include "jitrun/attributes.h"
#include "jitrun/customcall.h"

/// What a text means.
struct jr_attr_value {
  const char *name;      ///< of a field: for handlers
  const char *type_name; ///< of an enumeration or structure; else NULL
  uint8_t kind;          ///< jitrun_attr_kind_t: SCALAR, STRING, ARRAY or DICT;
                         ///< ABSENT only while it is read
  uint8_t dtype;
  uint64_t bits;    ///< SCALAR
  uint64_t count;   ///< STRING: bytes; ARRAY: elements; DICT: items
  const void *data; ///< STRING, ARRAY
  const struct jr_attr_value *items; ///< DICT: sorted by name
};

/// The types that there are, and where values are kept.
struct jr_attr_reader {
  const jitrun_attr_type_t *const *types;
  size_t type_count;
  struct jr_arena *arena;
};

/// Reads the attribute `text` of `dialect`. NOT_FOUND when it is of no known
/// type; INVALID_ARGUMENT when it is not written as its type says: the message
/// names type and field, what was found and what is allowed.
jitrun_error_t *jr_opaque_read(const struct jr_attr_reader *reader,
                               struct jr_span dialect, struct jr_span text,
                               struct jr_attr_value *out_value)
    __attribute__((warn_unused_result));

/// Reads "[b, 0, f]x[0, i, o]->[b, 0, f]", the dimension numbers of a
/// convolution, into the nine fields of its type. False when it is none.
bool jr_conv_read(struct jr_scanner *scanner, struct jr_arena *arena,
                  struct jr_attr_value *values);

#endif

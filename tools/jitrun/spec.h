/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// SPEC, the way values are written on the command line:
///
///   TYPE           zeros; a TYPE is "2x3xf32", "f32" for one value
///   TYPE=VALUES    "1,2,3,4,5,6", "1 2 3 4 5 6", "[[1 2 3][4 5 6]]"; one
///                  value is taken for all elements
///   TYPE@FILE      raw little-endian elements, row-major, nothing else
///   @FILE          a .npy file
///   x.npz:NAME     after '@': a member of an archive of such files
///   (ignored)      --expect only: nothing is compared
///
/// "arg[2]=" or "result[0]=" in front says what it is for. --output has
/// "@FILE", or "-" to print.
///
/// Life: parse (from the text alone) -> open (reads the file) -> fill -> close.
#ifndef JR_TOOLS_SPEC_H
#define JR_TOOLS_SPEC_H

#include "base/bytes.h"
#include "base/error.h"
#include "value.h"

enum jr_spec_kind {
  JR_SPEC_ZEROS,
  JR_SPEC_VALUES,
  JR_SPEC_RAW,
  JR_SPEC_NPY,
  JR_SPEC_IGNORED,
  JR_SPEC_PRINTED ///< --output only
};

struct jr_spec {
  const char *option; ///< "--input", "--input.1"
  int64_t device;     ///< that it is for; below 0: all
  bool has_slot;      ///< it names what it is for:
  bool slot_is_result;
  size_t slot_index;
  const char *text; ///< the whole SPEC; borrowed from the command line
  enum jr_spec_kind kind;
  const char *rest; ///< VALUES: what follows '='; files: the path
  /// Set by parse, for NPY by open.
  jitrun_dtype_t dtype;
  size_t rank;
  int64_t dims[JR_MAX_RANK];
  struct jr_value file; ///< files, once opened
};

/// Checks all that can be known without a file: INVALID_ARGUMENT says what is
/// wrong at which character.
jitrun_error_t *jr_spec_parse(const char *option, const char *text,
                              struct jr_spec *out_spec)
    __attribute__((warn_unused_result));

/// As above, of an --output.
jitrun_error_t *jr_spec_parse_output(const char *option, const char *text,
                                     struct jr_spec *out_spec)
    __attribute__((warn_unused_result));

/// Reads the file, if there is one; type and sizes are known afterwards.
jitrun_error_t *jr_spec_open(struct jr_spec *spec)
    __attribute__((warn_unused_result));

/// Writes the elements to `value`, which has the dtype and sizes of the opened
/// `spec` and is all zeros.
void jr_spec_fill(const struct jr_spec *spec, struct jr_value *value);

void jr_spec_close(struct jr_spec *spec);

/// Appends the type, "2x3xf32".
void jr_spec_format_type(const struct jr_spec *spec, struct jr_bytes *text);

/// The names of element types, for people; NULL past the last.
const char *jr_spec_dtype_name(size_t index);

#endif

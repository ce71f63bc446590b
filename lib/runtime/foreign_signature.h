/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the user says of a function that jitrun did not compile:
///
///   signature = name "(" [ type { "," type } ] ")" [ "->" results ] ;
///   results   = type | "(" [ type { "," type } ] ")" ;
///   type      = scalar | "memref" "<" { size "x" } element [ "," layout ] ">"
///   ; scalar    = "index" | "i1" | "i8" | "i16" | "i32" | "i64"
///             | "f16" | "bf16" | "f32" | "f64" ;
///   element   = scalar | "complex" "<" ( "f32" | "f64" ) ">" ;
///   size      = number | "?" ;
///   layout    = "strided" "<" "[" [ size { "," size } ] "]"
///               [ "," "offset" ":" size ] ">" ;
///
/// Blanks may stand between words. A name has letters, digits, '_', '$', '.'
/// and '-', and begins with no digit.
#ifndef JR_RUNTIME_FOREIGN_SIGNATURE_H
#define JR_RUNTIME_FOREIGN_SIGNATURE_H

#include "base/bytes.h"

enum {
  JR_FOREIGN_MAX_TYPES = 64, ///< parameters, or results
  JR_FOREIGN_MAX_RANK = 32,
  JR_FOREIGN_MAX_NAME = 200
};

/// A part of the text.
struct jr_foreign_text {
  const char *text;
  size_t size;
};

struct jr_foreign_type {
  bool is_memref;
  struct jr_foreign_text element; ///< of a scalar: the type itself
  struct jr_foreign_text layout;  ///< memref: "strided<...>", or size 0
  uint32_t rank;
  int64_t dims[JR_FOREIGN_MAX_RANK]; ///< JITRUN_DYNAMIC where not known
};

struct jr_foreign_signature {
  struct jr_foreign_text name;
  struct jr_foreign_type params[JR_FOREIGN_MAX_TYPES];
  struct jr_foreign_type results[JR_FOREIGN_MAX_TYPES];
  uint32_t param_count, result_count;
};

/// Reads a signature; what is read refers to `text`. INVALID_ARGUMENT has the
/// column, and the text with a mark under it as notes.
jitrun_error_t *
jr_foreign_parse(const char *text,
                 struct jr_foreign_signature *out_signature) JITRUN_MUST_USE;

/// Appends an MLIR program with one entry of that signature, which calls
/// `jitrun_foreign`. Its results are copies; the function's own are given to
/// `jitrun_drop`, by the address that `jitrun_address_N` reads of a memref, or
/// 0 where that address came in with an argument or an earlier result.
void jr_foreign_format(const struct jr_foreign_signature *signature,
                       struct jr_bytes *text);

#endif

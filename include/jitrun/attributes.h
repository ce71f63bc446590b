/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attribute types: enumerations and structures of a dialect that programs
/// write as `#vendor.name<...>`. The compiler does not know the dialect; a
/// record says what such a text means, and handlers get a number or named
/// values.
///
/// A record is registered in a registry, alone or with a plug-in, and counts
/// for programs that are compiled with that registry afterwards. Records are
/// plain data: static const, as a rule.
#ifndef JITRUN_ATTRIBUTES_H
#define JITRUN_ATTRIBUTES_H

#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of fields.
typedef enum jitrun_field_kind {
  JITRUN_FIELD_SCALAR = 1, ///< a number of `dtype`; PRED: true or false
  JITRUN_FIELD_STRING = 2, ///< "text"
  JITRUN_FIELD_ARRAY = 3,  ///< [1, 2], each of `dtype`
  JITRUN_FIELD_TYPE = 4    ///< an attribute of the type `type_name`
} jitrun_field_kind_t;

/// Flag of jitrun_attr_field_t: it may be left out. A number is then 0, a
/// string or array empty, and a field of another type is not there.
#define JITRUN_FIELD_OPTIONAL 1u

/// One field of a structure. Programs write `text = value`, or the value alone:
/// values without a name come first and stand for the fields in order.
typedef struct jitrun_attr_field {
  const char *text; ///< in the program; "": only ever without a name
  const char *name; ///< for handlers; NULL: the same as `text`
  uint8_t kind;     ///< jitrun_field_kind_t
  uint8_t dtype;    ///< SCALAR, ARRAY: any but complex
  uint16_t reserved;
  uint32_t flags;
  const char *type_name; ///< TYPE: registered before, or with this one
} jitrun_attr_field_t;

/// One case of an enumeration, and the number that handlers get for it.
typedef struct jitrun_attr_case {
  const char *text;
  int64_t value;
} jitrun_attr_case_t;

/// An attribute type: an enumeration if it has cases, a structure if it has
/// fields. `#vendor.name<...>` and `#vendor<name ...>` are the same.
///
/// Handlers see an enumeration as a SCALAR, a structure as a DICT whose items
/// are sorted by name; jitrun_attr_t.type_name tells either from a plain one.
/// The order of the fields here is that of a JitRt aggregate's bindings.
typedef struct jitrun_attr_type {
  size_t size;      ///< sizeof(jitrun_attr_type_t)
  const char *name; ///< "vendor.name": dialect, then the name in it
  const jitrun_attr_case_t *cases;
  const jitrun_attr_field_t *fields;
  uint32_t case_count, field_count;
  uint8_t dtype; ///< of an enumeration's number: S8 to S64 or U8 to U64
  uint8_t reserved[7];
} jitrun_attr_type_t;

#ifdef __cplusplus
}
#endif
#endif

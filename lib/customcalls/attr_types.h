/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attribute types of a registry: a list of records that never move.
#ifndef JR_CUSTOMCALLS_ATTR_TYPES_H
#define JR_CUSTOMCALLS_ATTR_TYPES_H

#include "base/arena.h"
#include "base/error.h"
#include "jitrun/attributes.h"
#include "jitrun/registry.h"

/// Those that were registered. Zero-initialised is empty.
struct jr_attr_types {
  const jitrun_attr_type_t **items; ///< in the order of registration
  size_t count, capacity;
};

/// The types of XLA's dialects, which every registry has.
extern const jitrun_attr_type_t jr_xla_attr_types[];
extern const size_t jr_xla_attr_type_count;

/// INVALID_ARGUMENT when a record cannot be registered: what it lacks, and how
/// to give it. Types of fields are not looked up.
jitrun_error_t *jr_attr_type_check(const jitrun_attr_type_t *type)
    __attribute__((warn_unused_result));

/// The type of that name, XLA's or of the list; NULL: none is.
const jitrun_attr_type_t *jr_attr_type_find(const struct jr_attr_types *types,
                                            const char *name);

/// Makes room for `count` checked types, whose names must be free (else
/// ALREADY_EXISTS) and whose fields must be of types that are known or among
/// them (else NOT_FOUND). Nothing is added yet.
jitrun_error_t *jr_attr_types_reserve(struct jr_attr_types *types,
                                      const jitrun_attr_type_t *added,
                                      size_t count)
    __attribute__((warn_unused_result));

/// Adds records that there is room for. Cannot fail.
void jr_attr_types_append(struct jr_attr_types *types,
                          const jitrun_attr_type_t *added, size_t count);

/// All types that a registry has now. The array is freed with free(), the
/// records are valid as long as the registry.
jitrun_error_t *jr_registry_attr_types(jitrun_registry_t *registry,
                                       const jitrun_attr_type_t *const **out,
                                       size_t *out_count)
    __attribute__((warn_unused_result));

#endif

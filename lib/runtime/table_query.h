/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Questions about a checked table that its records answer only together.
#ifndef JR_RUNTIME_TABLE_QUERY_H
#define JR_RUNTIME_TABLE_QUERY_H

#include "runtime/table.h"

/// The entry that a parameter or result belongs to, of a checked table.
uint32_t jr_table_param_entry(const struct jr_table *table, uint32_t param);

/// True for a result of an entry, false for a parameter.
bool jr_table_is_result(const struct jr_table *table, uint32_t param);

/// The number of run-time words of a parameter or result.
uint32_t jr_table_param_words(const struct jr_table *table, uint32_t param);

/// The entry whose parameters or results a site's arguments refer to, of a
/// checked table; JR_NONE when they refer to none, so that any entry may run
/// it.
uint32_t jr_table_site_entry(const struct jr_table *table, uint64_t site);

/// The number of thunks in the body of one.
static inline uint32_t jr_thunk_nested(const struct jr_thunk *thunk) {
  switch (thunk->kind) {
  case JR_THUNK_FOR:
  case JR_THUNK_FOR_UNSIGNED:
  case JR_THUNK_WHILE:
  case JR_THUNK_CASE:
  case JR_THUNK_BRANCH:
    return thunk->d;
  default:
    return 0;
  }
}

/// The bits of a scalar's word that count.
uint32_t jr_type_word_bits(const jitrun_type_t *type);

/// True when no size and no stride of a type is JITRUN_DYNAMIC.
bool jr_type_is_static(const jitrun_type_t *type);

/// The number of sizes and strides of a type that are JITRUN_DYNAMIC.
uint32_t jr_type_dynamic_count(const jitrun_type_t *type);

#endif

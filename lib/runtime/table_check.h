/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The parts of jr_table_check(), in the order in which it calls them: each
/// relies on those before it. Errors are DATA_LOSS.
#ifndef JR_RUNTIME_TABLE_CHECK_H
#define JR_RUNTIME_TABLE_CHECK_H

#include "runtime/table_query.h"

enum {
  JR_TABLE_MAX_RANK = 64,
  JR_TABLE_MAX_ALIGNMENT = 4096, ///< of temporary memory
  JR_TABLE_MAX_DEPTH = 64,       ///< of dictionaries
  JR_TABLE_MAX_NEST = 128,       ///< of thunks, those they call included
  JR_TABLE_MAX_NAME = 4096       ///< bytes of attributes' names that count
};

bool jr_is_power_of_two(uint64_t value);

/// table_layout.c: points into the sections of a header that was read; records
/// that are not as declared are converted.
jitrun_error_t *jr_table_locate(const void *image,
                                const struct jr_table_header *header,
                                struct jr_table *out_table) JITRUN_MUST_USE;

/// The string, or the type record, is inside its section and valid; `owner` and
/// `index` name who refers to it.
jitrun_error_t *jr_check_string(const struct jr_table *table, jr_str_t string,
                                const char *owner,
                                uint64_t index) JITRUN_MUST_USE;
jitrun_error_t *jr_check_type(const struct jr_table *table, jr_type_ref_t type,
                              const char *owner,
                              uint64_t index) JITRUN_MUST_USE;

jitrun_error_t *jr_check_entries(const struct jr_table *table) JITRUN_MUST_USE;
jitrun_error_t *jr_check_allocs(const struct jr_table *table) JITRUN_MUST_USE;
/// Sets `has_described`.
jitrun_error_t *jr_check_params(struct jr_table *table) JITRUN_MUST_USE;
jitrun_error_t *jr_check_sites(const struct jr_table *table) JITRUN_MUST_USE;
jitrun_error_t *jr_check_attrs(const struct jr_table *table) JITRUN_MUST_USE;
jitrun_error_t *jr_check_thunks(const struct jr_table *table) JITRUN_MUST_USE;

#endif

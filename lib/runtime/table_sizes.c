/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Sizes of what tables hold: all that readers need of what writes them.
#include "runtime/table_write.h"

#include "jitrun/customcall.h"

static const size_t record_bytes[JR_SECTION_COUNT] = {
    [JR_SECTION_STRINGS] = 1,
    [JR_SECTION_TYPES] = sizeof(int64_t),
    [JR_SECTION_ENTRIES] = sizeof(struct jr_entry),
    [JR_SECTION_PARAMS] = sizeof(struct jr_param),
    [JR_SECTION_ALLOCS] = sizeof(struct jr_alloc),
    [JR_SECTION_SITES] = sizeof(struct jr_site),
    [JR_SECTION_ARGS] = sizeof(struct jr_arg),
    [JR_SECTION_ATTRS] = sizeof(struct jr_attr),
    [JR_SECTION_THUNKS] = sizeof(struct jr_thunk),
    [JR_SECTION_ASSERTS] = sizeof(struct jr_assert),
    [JR_SECTION_IMPORTS] = sizeof(struct jr_import),
    [JR_SECTION_SKIPPED] = sizeof(struct jr_skipped),
    [JR_SECTION_DATA] = 1,
    [JR_SECTION_REGIONS] = sizeof(struct jr_region),
    [JR_SECTION_REGISTERS] = sizeof(struct jr_register),
    [JR_SECTION_COMPUTATIONS] = sizeof(struct jr_computation),
};

size_t jr_section_record_bytes(enum jr_section_kind section) {
  return record_bytes[section];
}

uint32_t jr_frame_header_bytes(uint32_t arg_count, uint32_t result_count) {
  return (uint32_t)(sizeof(jitrun_call_t) +
                    ((size_t)arg_count + result_count) * sizeof(jitrun_arg_t));
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which --input, --output or --expect is for which argument or result: those
/// with a name for what they name, the others for the next that nobody names.
#ifndef JR_TOOLS_ASSIGN_H
#define JR_TOOLS_ASSIGN_H

#include "base/error.h"
#include "spec.h"

#include <stdbool.h>
#include <stddef.h>

/// An argument or a result.
struct jr_slot {
  bool is_result;
  size_t index;
};

/// Takes "arg[2]=" or "result[0]=" off the front of a text (the brackets may be
/// missing), if it stands there.
bool jr_slot_parse(const char **text, struct jr_slot *out_slot);

struct jr_slots {
  struct jr_slot *items;
  size_t count;
  size_t open_count; ///< those behind take only what names them
};

/// Finds the spec for each slot; NULL: there is none. INVALID_ARGUMENT for a
/// name that no slot has, or that is given twice. `*out_left`: specs without a
/// name for which there was no slot.
jitrun_error_t *jr_specs_assign(struct jr_spec *const *specs, size_t count,
                                const struct jr_slots *slots,
                                struct jr_spec **out_specs, size_t *out_left)
    __attribute__((warn_unused_result));

#endif

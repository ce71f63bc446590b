/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Assigning values to arguments and results.
#include "assign.h"

#include "base/strings.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool jr_slot_parse(const char **text, struct jr_slot *out_slot) {
  static const char *const words[] = {"arg", "result"};
  char digits[16];
  for (int i = 0; i < 2; i++) {
    if (!jr_text_has_prefix(*text, words[i]))
      continue;
    const char *at = *text + strlen(words[i]);
    bool is_open = *at == '[';
    at += is_open;
    size_t size = strspn(at, "0123456789");
    const char *end = at + size;
    if (size == 0 || size >= sizeof digits || (is_open && *end != ']') ||
        end[is_open] != '=')
      return false;
    memcpy(digits, at, size);
    digits[size] = '\0';
    *out_slot = (struct jr_slot){.is_result = i == 1,
                                 .index = strtoull(digits, NULL, 10)};
    *text = end + is_open + 1;
    return true;
  }
  return false;
}

static jitrun_error_t *refuse_slot(const struct jr_spec *spec,
                                   const char *problem) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "%s=%.80s: %s[%zu] %s", spec->option,
                  spec->text, spec->slot_is_result ? "result" : "arg",
                  spec->slot_index, problem);
}

/// Gives a spec with a name to its slot.
static jitrun_error_t *assign_named(struct jr_spec *spec,
                                    const struct jr_slots *slots,
                                    struct jr_spec **out_specs) {
  for (size_t i = 0; i < slots->count; i++) {
    const struct jr_slot *slot = &slots->items[i];
    if (slot->is_result != spec->slot_is_result ||
        slot->index != spec->slot_index)
      continue;
    if (out_specs[i])
      return refuse_slot(spec, "is given twice");
    out_specs[i] = spec;
    return NULL;
  }
  return refuse_slot(spec, "does not exist");
}

jitrun_error_t *jr_specs_assign(struct jr_spec *const *specs, size_t count,
                                const struct jr_slots *slots,
                                struct jr_spec **out_specs, size_t *out_left) {
  size_t next = 0;
  *out_left = 0;
  for (size_t i = 0; i < slots->count; i++)
    out_specs[i] = NULL;
  for (size_t i = 0; i < count; i++) {
    if (specs[i]->has_slot)
      JITRUN_TRY(assign_named(specs[i], slots, out_specs));
  }
  for (size_t i = 0; i < count; i++) {
    if (specs[i]->has_slot)
      continue;
    while (next < slots->open_count && out_specs[next])
      next++;
    if (next < slots->open_count)
      out_specs[next++] = specs[i];
    else
      ++*out_left;
  }
  return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See fit.h. Of LLVM's data layout only that counts which code and libjitrun
/// must agree upon: byte order, the size of pointers, the alignment of 64-bit
/// words. The rest is between functions of the code, and its text differs from
/// one LLVM to the next.
#include "runtime/fit.h"

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/strings.h"
#include "runtime/exec.h"

#include <stdlib.h>
#include <string.h>

/// CPU features that this machine lacks.
static jitrun_error_t *check_features(const struct jr_table *table) {
  struct jr_bytes missing = {0};
  jr_cpu_missing(jr_table_string(table, table->header->features), &missing);
  const char *names = jr_bytes_text(&missing);
  jitrun_error_t *err = NULL;
  if (!names)
    err = jr_error_no_memory();
  else if (*names)
    err = jr_error(JITRUN_FAILED_PRECONDITION,
                   "the code needs CPU features that this machine lacks: %s; "
                   "compile it for another CPU",
                   names);
  jr_bytes_deinit(&missing);
  return err;
}

/// Says what a part of a layout demands that is not so here, or NULL.
static const char *find_objection(const char *part) {
  if (strncmp(part, "E", 1) == 0)
    return "the most significant byte first";
  if (jr_text_has_prefix(part, "p:") || jr_text_has_prefix(part, "p0:"))
    return strtoul(strchr(part, ':') + 1, NULL, 10) == 64
               ? NULL
               : "pointers that are not of 64 bits";
  if (jr_text_has_prefix(part, "i64:"))
    return strtoul(part + 4, NULL, 10) == 64
               ? NULL
               : "64-bit integers that are not aligned to 64 bits";
  return NULL;
}

static jitrun_error_t *check_layout(const struct jr_table *table) {
  const char *layout = jr_table_string(table, table->header->data_layout);
  const char *part = layout;
  const char *objection = NULL;
  while (*part && !objection) {
    objection = find_objection(part);
    part += strcspn(part, "-");
    part += *part == '-';
  }
  if (!objection)
    return NULL;
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "the code has a data layout with %s ('%.200s'), which is not "
                  "this machine's; compile it for another target",
                  objection, layout);
}

static jitrun_error_t *check_machine(const struct jr_table *table) {
  uint32_t machine = table->header->machine;
  if (machine == jr_cpu_machine())
    return NULL;
  return jr_error(
      JITRUN_FAILED_PRECONDITION, "the code is for %s, this machine is %s",
      jr_cpu_machine_name(machine), jr_cpu_machine_name(jr_cpu_machine()));
}

/// Code of older versions runs: what the interface has is only added to.
static jitrun_error_t *check_interface(const struct jr_table *table) {
  uint32_t version = table->header->exec_version;
  if (version >= JR_EXEC_OLDEST && version <= JR_EXEC_VERSION)
    return NULL;
  return jr_error(
      JITRUN_FAILED_PRECONDITION,
      "the code is for version %u of the native interface, this "
      "jitrun has version %u, and takes code from version %u on; %s",
      version, JR_EXEC_VERSION, JR_EXEC_OLDEST,
      version > JR_EXEC_VERSION ? "use a newer jitrun" : "compile it again");
}

static jitrun_error_t *check_entries(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->entry_count; i++) {
    if (table->code_offsets[i] == 0)
      return jr_error(JITRUN_UNIMPLEMENTED, "entry '%s' has no native code",
                      jr_table_string(table, table->entries[i].name));
  }
  return NULL;
}

void jr_code_check(const struct jr_table *table, struct jr_problems *problems) {
  if (table->header->exec_version == 0) {
    jr_problems_add(problems, jr_error(JITRUN_UNIMPLEMENTED,
                                       "the image has no native code"));
    return;
  }
  bool is_native = table->header->machine == jr_cpu_machine();
  jr_problems_add(problems, check_machine(table));
  jr_problems_add(problems, check_interface(table));
  jr_problems_add(problems, check_layout(table));
  if (!is_native) // its features have other names
    return;
  jr_problems_add(problems, check_features(table));
  jr_problems_add(problems, check_entries(table));
}

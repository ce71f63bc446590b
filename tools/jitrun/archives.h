/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The .npz files that a run writes: outputs are collected, and each file is
/// written when all of them are there.
#ifndef JR_TOOLS_ARCHIVES_H
#define JR_TOOLS_ARCHIVES_H

#include "base/error.h"
#include "npz.h"
#include "value.h"

#include <stdbool.h>
#include <stddef.h>

struct jr_archive {
  char *path;
  struct jr_npz npz;
  size_t unnamed; ///< members that were given no name: arr_0, arr_1
};

/// Zero-initialised is none.
struct jr_archives {
  struct jr_archive *items;
  size_t count;
};

/// Adds a value if `name` is that of a .npz file, with or without a member;
/// false when it is not. `*out_error` is set in any case.
bool jr_archives_take(struct jr_archives *archives, const char *name,
                      const struct jr_value *value, jitrun_error_t **out_error);

/// Writes all files.
jitrun_error_t *jr_archives_write(struct jr_archives *archives)
    __attribute__((warn_unused_result));

void jr_archives_deinit(struct jr_archives *archives);

#endif

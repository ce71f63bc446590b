/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shapes as XLA writes them: "(f32[2,3]{1,0}, (s32[], pred[4]{0}))".
#ifndef JR_RUNTIME_TABLE_SHAPE_H
#define JR_RUNTIME_TABLE_SHAPE_H

#include "base/arena.h"
#include "base/error.h"
#include "jitrun/types.h"

enum {
  JR_SHAPE_MAX_DEPTH = 32, ///< of tuples in tuples
  JR_SHAPE_MAX_LEAVES = 1 << 16
};

/// What is no tuple with something in it.
struct jr_shape_leaf {
  const jitrun_type_t *type; ///< an array, or a token; NULL: an empty tuple
  const int64_t *index;      ///< its place in each tuple around it, the
                             ///< outermost first
  uint32_t index_count;
  bool is_bounded;     ///< sizes are upper bounds: "f32[<=4]"
  bool is_row_major;   ///< as far as a layout is told
  uint64_t size_bytes; ///< of its elements
};

struct jr_shape_tree {
  const struct jr_shape_leaf *leaves; ///< in the order of their indices
  size_t leaf_count;
};

/// Reads a shape; what it gives is the arena's. INVALID_ARGUMENT names what is
/// wrong and its column. Linear in the text.
jitrun_error_t *jr_shape_parse(const char *text, struct jr_arena *arena,
                               struct jr_shape_tree *out_tree) JITRUN_MUST_USE;

#endif

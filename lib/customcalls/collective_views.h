/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Buffers of collective calls as blocks, one for each member of a group.
/// Packed blocks are row-major and follow each other.
#ifndef JR_CUSTOMCALLS_COLLECTIVE_VIEWS_H
#define JR_CUSTOMCALLS_COLLECTIVE_VIEWS_H

#include "customcalls/collective.h"

/// A source or destination that can be cut along `dim`.
struct jr_view {
  char *data;
  int64_t dims[JR_MAX_RANK], strides[JR_MAX_RANK];
  uint32_t rank;
  size_t element_bytes;
  uint64_t count; ///< of elements of all blocks
  uint32_t dim;
};

/// Elements of a buffer's type; UINT64_MAX on overflow.
uint64_t jr_elements_count(const jitrun_type_t *type);

/// Along which dimension a source, and then its destination, is cut by a group
/// of `factor`; below 0: not at all. The sizes have been checked.
int64_t jr_collective_dim(const struct jr_collective *collective,
                          const jitrun_type_t *from, const jitrun_type_t *to,
                          uint32_t factor);
int64_t jr_collective_to_dim(const struct jr_collective *collective,
                             const jitrun_type_t *to, int64_t dim);

/// INVALID_ARGUMENT unless the sizes of all sources and destinations fit a
/// group of `factor`.
jitrun_error_t *jr_collective_sizes(const jitrun_call_t *call,
                                    const struct jr_collective *collective,
                                    uint32_t factor) JITRUN_MUST_USE;

struct jr_view jr_view_make(const jitrun_arg_t *arg, int64_t dim);

/// Copies block `block` of `blocks` to `packed`, or from it.
void jr_view_copy_block(const struct jr_view *view, uint32_t blocks,
                        uint32_t block, void *packed, bool is_pack);

/// The same with all blocks, which lie behind each other.
void jr_view_copy(const struct jr_view *view, uint32_t blocks, void *packed,
                  bool is_pack);

#endif

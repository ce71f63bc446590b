/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tuples: buffers of dtype TUPLE, whose elements are buffers or tuples on the
/// same device. A tuple has handles of its own: elements that it is made of, or
/// that are taken out of it, share the memory and go their own ways.
///
/// What functions of jitrun/buffer.h do with a tuple: retain, release, delete,
/// is_deleted, ready, wait, size_bytes (of all leaves) and copy_to do it with
/// all elements; rank and dims are 0 and nothing; those that need elements of a
/// number type (view, to_host, host_value, hold) are INVALID_ARGUMENT. So is a
/// tuple as an argument, but for jitrun_executable_options_t.tupled_params.
#ifndef JITRUN_TUPLE_H
#define JITRUN_TUPLE_H

#include "jitrun/buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// In jitrun_leaves_t.shape: the next leaf.
#define JITRUN_LEAF (-1)

/// Host memory that a tuple is made from.
typedef struct jitrun_leaves {
  size_t size; ///< sizeof(jitrun_leaves_t)
  const jitrun_tensor_t *tensors;
  size_t count;
  jitrun_host_memory_t semantics;
  jitrun_release_fn_t release; ///< called once, for all; may be NULL
  void *release_context;
  /// The tuple in preorder: a number begins a tuple of so many elements,
  /// JITRUN_LEAF is the next tensor. {2, JITRUN_LEAF, 1, JITRUN_LEAF} is the
  /// tuple of a leaf and a tuple of a leaf. NULL: a tuple of all tensors.
  const int32_t *shape;
  size_t shape_count;
} jitrun_leaves_t;

/// Makes a tuple from host memory; errors are those of
/// jitrun_buffer_from_host(), and INVALID_ARGUMENT for a shape that is none.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_tuple_from_host(jitrun_device_t *device, const jitrun_leaves_t *leaves,
                       jitrun_buffer_t **out_tuple);

/// Makes a tuple of buffers and tuples on the device, any number of them.
/// FAILED_PRECONDITION for one that was deleted or donated.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_tuple_create(jitrun_device_t *device, jitrun_buffer_t *const *elements,
                    size_t count, jitrun_buffer_t **out_tuple);

/// The number of elements; 0 for a buffer that is no tuple.
JITRUN_API size_t jitrun_tuple_count(const jitrun_buffer_t *tuple);

/// Element `index`, to be released. OUT_OF_RANGE names the range.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_tuple_element(jitrun_buffer_t *tuple, size_t index,
                     jitrun_buffer_t **out_element);

/// All elements, of which there must be `count`, to be released; on failure all
/// are NULL.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_tuple_elements(jitrun_buffer_t *tuple, jitrun_buffer_t **out_elements,
                      size_t count);

#ifdef __cplusplus
}
#endif
#endif

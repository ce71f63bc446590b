/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Symbolic shapes: what a set of arguments has in common with others that one
/// specialised program serves. A dimension is a size where the program may rely
/// on it, else an id from -2 downwards, the same for equal sizes.
#ifndef JR_RUNTIME_SYMBOLIC_SHAPE_H
#define JR_RUNTIME_SYMBOLIC_SHAPE_H

#include "jitrun/program.h"

/// A parameter, as far as shapes go.
struct jr_shape_param {
  const jitrun_type_t *type; ///< borrowed; NULL: a memref of any rank
  jitrun_constraint_t constraint;
};

/// Made once for a signature; immutable, so that threads can share it.
struct jr_shape_resolver {
  struct jr_shape_param *params;
  size_t param_count;
  uint32_t *order; ///< parameters that differ from call to call, the more
                   ///< constrained first
  size_t order_count;
  int64_t *static_sizes; ///< of all dimensions that the signature fixes, sorted
  size_t static_count;
};

jitrun_error_t *
jr_shape_resolver_init(const struct jr_shape_param *params, size_t count,
                       struct jr_shape_resolver *out_resolver) JITRUN_MUST_USE;
void jr_shape_resolver_deinit(struct jr_shape_resolver *resolver);

/// How many words jr_shapes_resolve() needs for such arguments, as many as
/// there are parameters.
size_t jr_shapes_room(const struct jr_shape_resolver *resolver,
                      const jitrun_tensor_t *args);

/// Writes the symbolic shapes: for each parameter of `order` its rank (its
/// complement when the strides are not dense) and its dimensions, or, for a
/// scalar whose value counts, its bytes in one word. Equal words mean that one
/// specialised program serves both. What follows `out_count` words of `words`
/// is scratch. INVALID_ARGUMENT, "failed to resolve symbolic shape", when
/// arguments do not fit the signature; parameters of static type are not looked
/// at.
jitrun_error_t *jr_shapes_resolve(const struct jr_shape_resolver *resolver,
                                  const jitrun_tensor_t *args, int64_t *words,
                                  size_t *out_count) JITRUN_MUST_USE;

/// True for a parameter that one word, its value, stands for.
bool jr_shape_is_value(const struct jr_shape_param *param);

/// How many words of elements follow the dimensions of a parameter in the
/// words: those of a buffer of rank 0 or 1 whose value counts.
size_t jr_shape_content_words(const struct jr_shape_param *param,
                              const int64_t *dims);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.softmax` and `jitrun.log_softmax`. The largest element of a line is
/// taken away first, so that no power is too large.
#include "customcalls/builtins.h"
#include "customcalls/parts.h"
#include "customcalls/reduction_kernels.h"
#include "customcalls/softmax_blocks.h"
#include "customcalls/vector_math.h"
#include "customcalls/wide_lines.h"
#include "customcalls/widen.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK = 2048 }; ///< elements whose sum is made at a time

enum { ARG_DATA, ARG_RESULT, ARG_COUNT };

#define BUFFER(what)                                                           \
  {.name = (what),                                                             \
   .kind = JITRUN_KIND_BUFFER,                                                 \
   .min_rank = 1,                                                              \
   .max_rank = JR_MAX_RANK,                                                    \
   .dtypes = JR_WIDE_LINE_DTYPES}
static const jitrun_param_t params[ARG_COUNT] = {
    [ARG_DATA] = BUFFER("data"), [ARG_RESULT] = BUFFER("result")};
static const jitrun_attr_param_t attr_params[] = {
    {.name = "dimension",
     .kind = JITRUN_ATTR_SCALAR,
     .flags = JITRUN_OPTIONAL,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = params,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attr_params,
                                             .attr_count = 1};

/// What computes a line.
struct softmax {
  enum jr_wide wide;
  size_t bytes; ///< of an element
  const struct jr_reduction_kernel *max, *sum;
};

/// The result of a kernel for a block of up to BLOCK elements.
static double fold(const struct softmax *softmax,
                   const struct jr_reduction_kernel *kernel, const void *from,
                   size_t count) {
  float f32 = 0;
  double f64 = 0;
  kernel->fold(from, count, softmax->wide == JR_WIDE_F32 ? (void *)&f32 : &f64);
  return softmax->wide == JR_WIDE_F32 ? (double)f32 : f64;
}

static size_t block_at(size_t first, size_t count) {
  return count - first < BLOCK ? count - first : BLOCK;
}

/// The sum of powers, each of which goes to `to`, or for a while to the block.
static double sum_powers(const struct softmax *softmax, const char *from,
                         size_t count, double largest, char *to) {
  double block[BLOCK];
  double sum = 0;
  for (size_t i = 0; i < count; i += BLOCK) {
    size_t size = block_at(i, count);
    void *powers = to ? (void *)(to + i * softmax->bytes) : block;
    jr_exp_block(softmax->wide, from + i * softmax->bytes, size, largest,
                 powers);
    sum += fold(softmax, softmax->sum, powers, size);
  }
  return sum;
}

static void compute_softmax(const void *context, const void *from, size_t count,
                            void *to) {
  const struct softmax *softmax = context;
  double largest = fold(softmax, softmax->max, from, count);
  double sum = sum_powers(softmax, from, count, largest, to);
  jr_divide_block(softmax->wide, to, count, sum);
}

static void compute_log_softmax(const void *context, const void *from,
                                size_t count, void *to) {
  const struct softmax *softmax = context;
  double largest = fold(softmax, softmax->max, from, count);
  double sum = sum_powers(softmax, from, count, largest, NULL);
  double shifts[] = {largest, sum > 0 ? jr_log_f64(sum) : sum};
  jr_subtract_block(softmax->wide, from, count, shifts, to);
}

static jitrun_error_t *check(jitrun_call_t *call) {
  const jitrun_type_t *const *types = call->site->types;
  uint32_t dimension = 0;
  return jr_wide_lines_check(call, &call->attrs[0], types[ARG_DATA],
                             types[ARG_RESULT], &dimension);
}

static jitrun_error_t *run(jitrun_call_t *call, bool is_log) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  uint32_t dimension = 0;
  jitrun_error_t *error =
      jr_wide_lines_check(call, &call->attrs[0], args[ARG_DATA].type,
                          args[ARG_RESULT].type, &dimension);
  if (error)
    return error;
  enum jr_wide wide = jr_wide_of((jitrun_dtype_t)args[ARG_DATA].type->dtype);
  const struct softmax softmax = {
      .wide = wide,
      .bytes = jr_wide_size(wide),
      .max = jr_reduction_kernel(wide, JR_REDUCE_MAX),
      .sum = jr_reduction_kernel(wide, JR_REDUCE_SUM)};
  const struct jr_wide_lines lines = {.compute = is_log ? compute_log_softmax
                                                        : compute_softmax,
                                      .context = &softmax,
                                      .wide = wide};
  return jr_wide_lines_run(call, &lines, &args[ARG_DATA], &args[ARG_RESULT],
                           dimension);
}

static jitrun_error_t *run_softmax(jitrun_call_t *call) {
  return run(call, false);
}

static jitrun_error_t *run_log_softmax(jitrun_call_t *call) {
  return run(call, true);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.log_softmax",
     .platform = "host",
     .summary = "logarithms of the softmax along a dimension",
     .signature = &signature,
     .execute = run_log_softmax,
     .instantiate = check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.softmax",
     .platform = "host",
     .summary = "powers of e along a dimension, divided by their sum",
     .signature = &signature,
     .execute = run_softmax,
     .instantiate = check},
};

JR_PART(softmax, calls, false);

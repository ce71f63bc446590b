/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See lines.h.
#include "customcalls/lines.h"

#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

jitrun_error_t *jr_dimension_read(const jitrun_call_t *call,
                                  const jitrun_attr_t *attr, uint32_t rank,
                                  uint32_t *out_dimension) {
  int64_t last = (int64_t)rank - 1;
  int64_t dimension = attr->kind == JITRUN_ATTR_ABSENT ? last : attr->value.s64;
  if (dimension < 0)
    dimension += rank;
  *out_dimension = (uint32_t)dimension;
  if (dimension >= 0 && dimension <= last)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'dimension' is %" PRId64
                       ", and the buffer has dimensions 0 to %" PRId64,
                       call->site->target, attr->value.s64, last);
}

jitrun_error_t *jr_dims_agree(const jitrun_call_t *call,
                              const jitrun_type_t *const types[2],
                              const char *const names[2], uint32_t except) {
  if (types[0]->rank != types[1]->rank)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: '%s' has rank %u, '%s' has rank %u; both must "
                         "have as many dimensions",
                         call->site->target, names[0], types[0]->rank, names[1],
                         types[1]->rank);
  for (uint32_t i = 0; i < types[0]->rank; i++) {
    int64_t first = jitrun_type_dims(types[0])[i];
    int64_t second = jitrun_type_dims(types[1])[i];
    if (first != second && i != except && first != JITRUN_DYNAMIC &&
        second != JITRUN_DYNAMIC)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: dimension %u of '%s' is %" PRId64
                           ", that of '%s' %" PRId64 "; they must be equal",
                           call->site->target, i, names[0], first, names[1],
                           second);
  }
  return NULL;
}

jitrun_error_t *jr_dtypes_agree(const jitrun_call_t *call,
                                const jitrun_type_t *const types[2],
                                const char *const names[2]) {
  if (types[0]->dtype == types[1]->dtype)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: '%s' has elements of %s, '%s' of %s; both must be "
                       "of one type",
                       call->site->target, names[0],
                       jr_dtype_name((jitrun_dtype_t)types[0]->dtype), names[1],
                       jr_dtype_name((jitrun_dtype_t)types[1]->dtype));
}

void jr_lines_init(struct jr_lines *lines, const jitrun_arg_t *buffer,
                   uint32_t dimension) {
  const int64_t *dims = jitrun_type_dims(buffer->type);
  const int64_t *strides = jitrun_type_strides(buffer->type);
  size_t bytes = jr_dtype_size((jitrun_dtype_t)buffer->type->dtype);
  *lines = (struct jr_lines){.data = buffer->value.data,
                             .element_bytes = bytes,
                             .count = (size_t)dims[dimension],
                             .step_bytes = (ptrdiff_t)bytes *
                                           (ptrdiff_t)strides[dimension],
                             .line_count = 1};
  for (uint32_t i = 0; i < buffer->type->rank; i++) {
    if (i == dimension)
      continue;
    lines->dims[lines->rank] = (size_t)dims[i];
    lines->steps_bytes[lines->rank++] =
        (ptrdiff_t)bytes * (ptrdiff_t)strides[i];
    lines->line_count *= (size_t)dims[i];
  }
}

char *jr_lines_at(const struct jr_lines *lines, size_t index) {
  char *at = lines->data;
  for (uint32_t i = lines->rank; i-- > 0;) {
    at += (ptrdiff_t)(index % lines->dims[i]) * lines->steps_bytes[i];
    index /= lines->dims[i];
  }
  return at;
}

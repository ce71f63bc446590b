/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Comparing values. Integers are compared as such unless a tolerance was asked
/// for, so that those past 2^53 do not pass for their neighbours.
#include "compare.h"

#include "base/dtype.h"
#include "base/numbers.h"
#include "base/values.h"

#include <inttypes.h>
#include <math.h>

struct jr_tolerance jr_tolerance_default(jitrun_dtype_t dtype) {
  switch (dtype) {
  case JITRUN_DTYPE_F64:
  case JITRUN_DTYPE_C128:
    return (struct jr_tolerance){1e-7, 1e-7};
  case JITRUN_DTYPE_F32:
  case JITRUN_DTYPE_C64:
    return (struct jr_tolerance){1e-5, 1.3e-6};
  case JITRUN_DTYPE_F16:
    return (struct jr_tolerance){1e-5, 1e-3};
  case JITRUN_DTYPE_BF16:
    return (struct jr_tolerance){1e-5, 1.6e-2};
  case JITRUN_DTYPE_F8E4M3FN:
  case JITRUN_DTYPE_F8E4M3B11FNUZ:
  case JITRUN_DTYPE_F8E4M3FNUZ:
    return (struct jr_tolerance){1e-5, 1.25e-1};
  case JITRUN_DTYPE_F8E5M2:
  case JITRUN_DTYPE_F8E5M2FNUZ:
    return (struct jr_tolerance){1e-5, 2.5e-1};
  default:
    return (struct jr_tolerance){0, 0};
  }
}

static bool same_real(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static double to_real(struct jr_number number) {
  if (number.kind == JR_NUMBER_SIGNED)
    return (double)number.s64;
  if (number.kind == JR_NUMBER_UNSIGNED)
    return (double)number.u64;
  return number.real;
}

/// As hypot(), for which alone the tool would load libm.
static double distance(double x, double y) {
  double longer = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
  double shorter = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
  double ratio = longer > 0 && isfinite(longer) ? shorter / longer : 0;
  return longer * sqrt(1 + ratio * ratio) + (isnan(x + y) ? NAN : 0);
}

/// True when two numbers of the same kind agree.
static bool agree(struct jr_number actual, struct jr_number expected,
                  struct jr_tolerance tolerance) {
  if (actual.s64 == expected.s64 && actual.u64 == expected.u64 &&
      same_real(actual.real, expected.real) &&
      same_real(actual.imag, expected.imag))
    return true;
  double error = distance(to_real(actual) - to_real(expected),
                          actual.imag - expected.imag);
  double size = distance(to_real(expected), expected.imag);
  double allowed = tolerance.atol + tolerance.rtol * size;
  // An infinity agrees with itself alone; NaN makes every comparison false.
  return allowed > 0 && isfinite(size) && error <= allowed;
}

/// "[1, 2]" of element `index` in row-major order, "" for rank 0.
static void append_index(struct jr_bytes *text, const jitrun_type_t *type,
                         uint64_t index) {
  const int64_t *dims = jitrun_type_dims(type);
  int64_t at[JR_MAX_RANK];
  uint32_t rank = type->rank;
  for (uint32_t i = rank; i-- > 0;) {
    at[i] = (int64_t)(index % (uint64_t)dims[i]);
    index /= (uint64_t)dims[i];
  }
  for (uint32_t i = 0; i < rank; i++)
    jr_bytes_appendf(text, "%s%" PRId64, i == 0 ? "at [" : ", ", at[i]);
  if (rank > 0)
    jr_bytes_append_text(text, "]: ");
}

static void append_pair(struct jr_bytes *text, const struct jr_value *actual,
                        const struct jr_value *expected, uint64_t index) {
  jitrun_dtype_t dtype = (jitrun_dtype_t)actual->type->dtype;
  append_index(text, actual->type, index);
  jr_element_format(text, dtype,
                    jr_value_element(actual->type, actual->data, index));
  jr_bytes_append_text(text, ", expected ");
  jr_element_format(text, dtype,
                    jr_value_element(expected->type, expected->data, index));
}

static void append_shapes(struct jr_bytes *text, const struct jr_value *actual,
                          const struct jr_value *expected) {
  jr_bytes_append_text(text, "it is ");
  jr_type_format(text, actual->type);
  jr_bytes_append_text(text, ", expected ");
  jr_type_format(text, expected->type);
}

bool jr_compare(const struct jr_value *actual, const struct jr_value *expected,
                struct jr_tolerance tolerance, struct jr_bytes *text) {
  if (!jr_value_same_shape(actual, expected)) {
    append_shapes(text, actual, expected);
    return false;
  }
  jitrun_dtype_t dtype = (jitrun_dtype_t)actual->type->dtype;
  uint64_t count = jr_value_count(actual);
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < count; i++) {
    struct jr_number found =
        jr_element_read(dtype, jr_value_element(actual->type, actual->data, i));
    struct jr_number wanted = jr_element_read(
        dtype, jr_value_element(expected->type, expected->data, i));
    if (agree(found, wanted, tolerance))
      continue;
    if (wrong++ == 0)
      append_pair(text, actual, expected, i);
  }
  if (wrong > 0)
    jr_bytes_appendf(
        text, "; %" PRIu64 " of %" PRIu64 " elements differ (atol %g, rtol %g)",
        wrong, count, tolerance.atol, tolerance.rtol);
  return wrong == 0;
}

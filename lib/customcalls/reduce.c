/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reductions. Each element type has a type that it is reduced in; the elements
/// go through a block of that type, which stays in the cache.
#include "customcalls/reduce.h"

#include "base/dtype.h"
#include "base/numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 512 };

/// What the elements of a type are reduced in.
enum wide { WIDE_NONE, WIDE_S64, WIDE_U64, WIDE_F32, WIDE_F64 };

static enum wide widen(jitrun_dtype_t dtype) {
  switch (jr_dtype_number_kind(dtype)) {
  case JR_NUMBER_SIGNED:
    return WIDE_S64;
  case JR_NUMBER_UNSIGNED:
    return WIDE_U64;
  case JR_NUMBER_REAL:
    return dtype == JITRUN_DTYPE_F64 ? WIDE_F64 : WIDE_F32;
  case JR_NUMBER_COMPLEX:
    return dtype == JITRUN_DTYPE_C64 ? WIDE_F32 : WIDE_F64;
  case JR_NUMBER_NONE:
    break;
  }
  return WIDE_NONE;
}

const char *jr_reduction_name(enum jr_reduction reduction) {
  static const char *const names[] = {"sum", "product", "min", "max"};
  return names[reduction];
}

bool jr_can_reduce(jitrun_dtype_t dtype, enum jr_reduction reduction) {
  enum jr_number_kind kind = jr_dtype_number_kind(dtype);
  if (dtype == JITRUN_DTYPE_OPAQUE || dtype == JITRUN_DTYPE_TOKEN)
    return false;
  if (kind == JR_NUMBER_COMPLEX)
    return reduction == JR_SUM || reduction == JR_PRODUCT;
  return kind != JR_NUMBER_NONE;
}

/// One block in the making. Complex numbers are two after each other.
union block {
  uint64_t u64[BLOCK];
  int64_t s64[BLOCK];
  float f32[BLOCK];
  double f64[BLOCK];
};

/// Integers of fewer than 8 bytes, little-endian.
static void read_integers(const char *from, size_t bytes, bool is_signed,
                          size_t count, union block *block) {
  unsigned shift = 64 - 8 * (unsigned)bytes;
  for (size_t i = 0; i < count; i++) {
    uint32_t half = 0;
    if (bytes == 4) // a constant size is one load
      memcpy(&half, from + i * 4, 4);
    else
      memcpy(&half, from + i * bytes, bytes);
    block->u64[i] = half;
    if (is_signed)
      block->s64[i] = (int64_t)(block->u64[i] << shift) >> shift;
  }
}

/// Reads `count` numbers; of complex elements, two each.
static void read_block(jitrun_dtype_t dtype, const char *from, size_t count,
                       union block *block) {
  size_t bytes = jr_dtype_size(dtype);
  enum wide wide = widen(dtype);
  if (wide == WIDE_F64)
    memcpy(block->f64, from, count * sizeof(double));
  else if (dtype == JITRUN_DTYPE_F32 || dtype == JITRUN_DTYPE_C64)
    memcpy(block->f32, from, count * sizeof(float));
  else if (wide == WIDE_F32)
    for (size_t i = 0; i < count; i++)
      block->f32[i] = (float)jr_element_to_f64(dtype, from + i * bytes);
  else if (bytes == sizeof(uint64_t))
    memcpy(block->u64, from, count * sizeof(uint64_t));
  else
    read_integers(from, bytes, wide == WIDE_S64, count, block);
}

/// A 4-bit number has a byte of its own, with its sign.
static uint8_t wrap_byte(jitrun_dtype_t dtype, uint64_t value) {
  switch (dtype) {
  case JITRUN_DTYPE_PRED:
    return value != 0;
  case JITRUN_DTYPE_U4:
    return value & 0xf;
  case JITRUN_DTYPE_S4:
    return (uint8_t)(((value & 0xf) ^ 8) - 8);
  default:
    return (uint8_t)value;
  }
}

static void write_float(jitrun_dtype_t dtype, double value, char *to) {
  uint64_t bits = jr_float_encode(dtype, value);
  memcpy(to, &bits, jr_dtype_size(dtype));
}

/// Writes what a block holds; integers keep their low bits.
static void write_block(jitrun_dtype_t dtype, const union block *block,
                        size_t count, char *to) {
  size_t bytes = jr_dtype_size(dtype);
  switch (dtype) {
  case JITRUN_DTYPE_F32:
  case JITRUN_DTYPE_C64:
    memcpy(to, block->f32, count * sizeof(float));
    break;
  case JITRUN_DTYPE_F64:
  case JITRUN_DTYPE_C128:
    memcpy(to, block->f64, count * sizeof(double));
    break;
  default:
    if (widen(dtype) == WIDE_F32) {
      for (size_t i = 0; i < count; i++)
        write_float(dtype, (double)block->f32[i], to + i * bytes);
    } else if (bytes == 1) {
      for (size_t i = 0; i < count; i++)
        to[i] = (char)wrap_byte(dtype, block->u64[i]);
    } else {
      for (size_t i = 0; i < count; i++)
        memcpy(to + i * bytes, &block->u64[i], bytes);
    }
    break;
  }
}

/// Sums and products are the same with and without a sign, and wrap around.
static void reduce_u64(enum jr_reduction reduction, uint64_t *a,
                       const uint64_t *b, size_t count) {
  switch (reduction) {
  case JR_SUM:
    for (size_t i = 0; i < count; i++)
      a[i] += b[i];
    break;
  case JR_PRODUCT:
    for (size_t i = 0; i < count; i++)
      a[i] *= b[i];
    break;
  case JR_MIN:
    for (size_t i = 0; i < count; i++)
      a[i] = a[i] < b[i] ? a[i] : b[i];
    break;
  default:
    for (size_t i = 0; i < count; i++)
      a[i] = a[i] > b[i] ? a[i] : b[i];
    break;
  }
}

/// For the reductions that look at the sign.
static void compare_s64(enum jr_reduction reduction, int64_t *a,
                        const int64_t *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool is_smaller = a[i] < b[i];
    a[i] = is_smaller == (reduction == JR_MIN) ? a[i] : b[i];
  }
}

/// Where one of two is NaN it is taken.
static void reduce_f32(enum jr_reduction reduction, float *a, const float *b,
                       size_t count) {
  switch (reduction) {
  case JR_SUM:
    for (size_t i = 0; i < count; i++)
      a[i] += b[i];
    break;
  case JR_PRODUCT:
    for (size_t i = 0; i < count; i++)
      a[i] *= b[i];
    break;
  case JR_MIN:
    for (size_t i = 0; i < count; i++)
      a[i] = a[i] < b[i] || isnan(a[i]) ? a[i] : b[i];
    break;
  default:
    for (size_t i = 0; i < count; i++)
      a[i] = a[i] > b[i] || isnan(a[i]) ? a[i] : b[i];
    break;
  }
}

static void reduce_f64(enum jr_reduction reduction, double *a, const double *b,
                       size_t count) {
  switch (reduction) {
  case JR_SUM:
    for (size_t i = 0; i < count; i++)
      a[i] += b[i];
    break;
  case JR_PRODUCT:
    for (size_t i = 0; i < count; i++)
      a[i] *= b[i];
    break;
  case JR_MIN:
    for (size_t i = 0; i < count; i++)
      a[i] = a[i] < b[i] || isnan(a[i]) ? a[i] : b[i];
    break;
  default:
    for (size_t i = 0; i < count; i++)
      a[i] = a[i] > b[i] || isnan(a[i]) ? a[i] : b[i];
    break;
  }
}

static void multiply_c64(union block *a, const union block *b, size_t count) {
  for (size_t i = 0; i < count; i += 2) {
    float real = a->f32[i] * b->f32[i] - a->f32[i + 1] * b->f32[i + 1];
    a->f32[i + 1] = a->f32[i] * b->f32[i + 1] + a->f32[i + 1] * b->f32[i];
    a->f32[i] = real;
  }
}

static void multiply_c128(union block *a, const union block *b, size_t count) {
  for (size_t i = 0; i < count; i += 2) {
    double real = a->f64[i] * b->f64[i] - a->f64[i + 1] * b->f64[i + 1];
    a->f64[i + 1] = a->f64[i] * b->f64[i + 1] + a->f64[i + 1] * b->f64[i];
    a->f64[i] = real;
  }
}

static void reduce_block(const struct jr_reduce *reduce, union block *a,
                         const union block *b, size_t count) {
  enum jr_reduction reduction = reduce->reduction;
  if (reduce->dtype == JITRUN_DTYPE_PRED) // or and and
    reduction = reduction == JR_SUM || reduction == JR_MAX ? JR_MAX : JR_MIN;
  if (reduction == JR_PRODUCT && reduce->dtype == JITRUN_DTYPE_C64) {
    multiply_c64(a, b, count);
    return;
  }
  if (reduction == JR_PRODUCT && reduce->dtype == JITRUN_DTYPE_C128) {
    multiply_c128(a, b, count);
    return;
  }
  switch (widen(reduce->dtype)) {
  case WIDE_S64:
    if (reduction == JR_MIN || reduction == JR_MAX)
      compare_s64(reduction, a->s64, b->s64, count);
    else
      reduce_u64(reduction, a->u64, b->u64, count);
    return;
  case WIDE_U64:
    reduce_u64(reduction, a->u64, b->u64, count);
    return;
  case WIDE_F32:
    reduce_f32(reduction, a->f32, b->f32, count);
    return;
  case WIDE_F64:
    reduce_f64(reduction, a->f64, b->f64, count);
    return;
  case WIDE_NONE:
    return;
  }
}

/// A true bool may be any byte but 0.
static void normalize(jitrun_dtype_t dtype, union block *block, size_t count) {
  for (size_t i = 0; dtype == JITRUN_DTYPE_PRED && i < count; i++)
    block->u64[i] = block->u64[i] != 0;
}

void jr_reduce(const struct jr_reduce *reduce, void *out) {
  union block sum;
  union block next;
  bool is_complex = jr_dtype_number_kind(reduce->dtype) == JR_NUMBER_COMPLEX;
  size_t count = reduce->count * (is_complex ? 2 : 1);
  size_t bytes = jr_dtype_size(reduce->dtype) / (is_complex ? 2 : 1);
  for (size_t first = 0; first < count; first += BLOCK) {
    size_t size = count - first < BLOCK ? count - first : BLOCK;
    size_t offset = reduce->offset_bytes + first * bytes;
    read_block(reduce->dtype, (const char *)reduce->parts[0] + offset, size,
               &sum);
    normalize(reduce->dtype, &sum, size);
    for (uint32_t i = 1; i < reduce->part_count; i++) {
      read_block(reduce->dtype, (const char *)reduce->parts[i] + offset, size,
                 &next);
      normalize(reduce->dtype, &next, size);
      reduce_block(reduce, &sum, &next, size);
    }
    write_block(reduce->dtype, &sum, size, (char *)out + first * bytes);
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Elements as numbers. All floats smaller than f64 go through one encoder and
/// one decoder that are told the format by its parameters, in integer
/// arithmetic, so that each result is exact whatever the rounding mode is.
#include "base/numbers.h"

#include "base/decimal.h"
#include "base/dtype.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_LIMIT = 512 };

/// How a float format spends its bits.
struct float_format {
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity; ///< the highest exponent is infinity and NaN
  uint64_t nan;      ///< the quiet NaN that conversions make
  uint64_t largest;  ///< bits of the largest finite number
};

static const struct float_format formats[] = {
    [JITRUN_DTYPE_F16] = {5, 10, 15, true, 0x7e00, 0x7bff},
    [JITRUN_DTYPE_F32] = {8, 23, 127, true, 0x7fc00000, 0x7f7fffff},
    [JITRUN_DTYPE_F64] = {11, 52, 1023, true, 0x7ff8000000000000,
                          0x7fefffffffffffff},
    [JITRUN_DTYPE_BF16] = {8, 7, 127, true, 0x7fc0, 0x7f7f},
    [JITRUN_DTYPE_F8E5M2] = {5, 2, 15, true, 0x7e, 0x7b},
    [JITRUN_DTYPE_F8E4M3FN] = {4, 3, 7, false, 0x7f, 0x7e},
    [JITRUN_DTYPE_F8E4M3B11FNUZ] = {4, 3, 11, false, 0x80, 0x7f},
    [JITRUN_DTYPE_F8E5M2FNUZ] = {5, 2, 16, false, 0x80, 0x7f},
    [JITRUN_DTYPE_F8E4M3FNUZ] = {4, 3, 8, false, 0x80, 0x7f},
};

static const struct float_format *find_format(jitrun_dtype_t dtype) {
  if ((size_t)dtype >= sizeof formats / sizeof *formats ||
      formats[dtype].exponent_bits == 0)
    return NULL;
  return &formats[dtype];
}

/// The dtype of the two parts of a complex number.
static jitrun_dtype_t part_dtype(jitrun_dtype_t dtype) {
  return dtype == JITRUN_DTYPE_C64 ? JITRUN_DTYPE_F32 : JITRUN_DTYPE_F64;
}

enum jr_number_kind jr_dtype_number_kind(jitrun_dtype_t dtype) {
  switch (dtype) {
  case JITRUN_DTYPE_S4:
  case JITRUN_DTYPE_S8:
  case JITRUN_DTYPE_S16:
  case JITRUN_DTYPE_S32:
  case JITRUN_DTYPE_S64:
    return JR_NUMBER_SIGNED;
  case JITRUN_DTYPE_PRED:
  case JITRUN_DTYPE_U4:
  case JITRUN_DTYPE_U8:
  case JITRUN_DTYPE_U16:
  case JITRUN_DTYPE_U32:
  case JITRUN_DTYPE_U64:
  case JITRUN_DTYPE_OPAQUE:
    return JR_NUMBER_UNSIGNED;
  case JITRUN_DTYPE_C64:
  case JITRUN_DTYPE_C128:
    return JR_NUMBER_COMPLEX;
  default:
    return find_format(dtype) ? JR_NUMBER_REAL : JR_NUMBER_NONE;
  }
}

/// Bits of information in an integer, where memory may have more.
static int integer_bits(jitrun_dtype_t dtype) {
  if (dtype == JITRUN_DTYPE_PRED)
    return 1;
  if (dtype == JITRUN_DTYPE_S4 || dtype == JITRUN_DTYPE_U4)
    return 4;
  return (int)jr_dtype_size(dtype) * 8;
}

double jr_float_decode(jitrun_dtype_t dtype, uint64_t bits) {
  const struct float_format *format = find_format(dtype);
  if (!format)
    return 0;
  int mantissa_bits = format->mantissa_bits;
  int top = (1 << format->exponent_bits) - 1;
  uint64_t mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
  int exponent = (int)(bits >> mantissa_bits) & top;
  bool is_negative = bits >> (mantissa_bits + format->exponent_bits) & 1;
  double value;
  if (format->has_infinity && exponent == top)
    value = mantissa ? NAN : INFINITY;
  else if (!format->has_infinity &&
           (bits == format->nan || (bits & 0x7f) > format->largest))
    value = NAN;
  else if (exponent == 0)
    value = ldexp((double)mantissa, 1 - format->bias - mantissa_bits);
  else
    value = ldexp((double)(mantissa | UINT64_C(1) << mantissa_bits),
                  exponent - format->bias - mantissa_bits);
  return is_negative ? -value : value;
}

/// Drops `shift` low bits, to nearest, ties to even.
static uint64_t shift_rounding(uint64_t value, int shift) {
  if (shift <= 0)
    return value;
  if (shift > 63)
    return 0;
  uint64_t half = UINT64_C(1) << (shift - 1);
  uint64_t rest = value & ((half << 1) - 1);
  uint64_t kept = value >> shift;
  return kept + (rest > half || (rest == half && (kept & 1)));
}

/// The magnitude's bits of a finite number; past `largest` when it overflows.
static uint64_t encode_finite(const struct float_format *format,
                              double magnitude) {
  if (magnitude == 0)
    return 0;
  int exponent;
  // All 53 bits of the number, the first of them 1.
  uint64_t mantissa = (uint64_t)ldexp(frexp(magnitude, &exponent), 53);
  int biased = exponent - 1 + format->bias;
  int shift = 52 - format->mantissa_bits;
  if (biased < 1)
    return shift_rounding(mantissa, shift + 1 - biased);
  // The mantissa's first bit, or a carry out of it, counts the exponent up.
  return shift_rounding(mantissa, shift) +
         ((uint64_t)(biased - 1) << format->mantissa_bits);
}

uint64_t jr_float_encode(jitrun_dtype_t dtype, double value) {
  const struct float_format *format = find_format(dtype);
  if (!format)
    return 0;
  uint64_t infinity = format->has_infinity ? format->largest + 1 : format->nan;
  uint64_t bits = infinity;
  if (isnan(value))
    bits = format->nan;
  else if (!isinf(value))
    bits = encode_finite(format, fabs(value));
  if (bits > format->largest && !isnan(value))
    bits = infinity;
  // FNUZ has one zero and one NaN, whose bits are those of a negative zero.
  bool is_unsigned = format->nan == 0x80 && (bits == 0 || bits == format->nan);
  if (signbit(value) && !is_unsigned)
    bits |= UINT64_C(1) << (format->exponent_bits + format->mantissa_bits);
  return bits;
}

/// The bits of an element of up to 8 bytes.
static uint64_t read_bits(const void *data, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, data, size);
  return bits;
}

/// Bits in the low `count` of `bits` as a two's complement number.
static int64_t extend_sign(uint64_t bits, int count) {
  uint64_t sign = UINT64_C(1) << (count - 1);
  bits &= sign | (sign - 1);
  return (int64_t)((bits ^ sign) - sign);
}

struct jr_number jr_element_read(jitrun_dtype_t dtype, const void *data) {
  struct jr_number number = {.kind = jr_dtype_number_kind(dtype)};
  size_t size = jr_dtype_size(dtype);
  switch (number.kind) {
  case JR_NUMBER_SIGNED:
    number.s64 = extend_sign(read_bits(data, size), integer_bits(dtype));
    break;
  case JR_NUMBER_UNSIGNED:
    number.u64 = read_bits(data, size);
    if (dtype == JITRUN_DTYPE_PRED)
      number.u64 = number.u64 != 0;
    else if (dtype == JITRUN_DTYPE_U4)
      number.u64 &= 0xf;
    break;
  case JR_NUMBER_REAL:
    number.real = jr_float_decode(dtype, read_bits(data, size));
    break;
  case JR_NUMBER_COMPLEX: {
    jitrun_dtype_t part = part_dtype(dtype);
    size_t half = size / 2;
    number.real = jr_float_decode(part, read_bits(data, half));
    number.imag =
        jr_float_decode(part, read_bits((const char *)data + half, half));
    break;
  }
  case JR_NUMBER_NONE:
    break;
  }
  return number;
}

static double number_to_f64(struct jr_number number) {
  if (number.kind == JR_NUMBER_SIGNED)
    return (double)number.s64;
  if (number.kind == JR_NUMBER_UNSIGNED)
    return (double)number.u64;
  return number.real;
}

double jr_element_to_f64(jitrun_dtype_t dtype, const void *data) {
  return number_to_f64(jr_element_read(dtype, data));
}

/// The number as sign and magnitude, when it is a whole one below 2^64.
static bool split_whole(struct jr_number number, bool *out_negative,
                        uint64_t *out_magnitude) {
  if (number.kind == JR_NUMBER_SIGNED) {
    *out_negative = number.s64 < 0;
    uint64_t bits = (uint64_t)number.s64;
    *out_magnitude = *out_negative ? 0 - bits : bits;
    return true;
  }
  if (number.kind == JR_NUMBER_UNSIGNED) {
    *out_negative = false;
    *out_magnitude = number.u64;
    return true;
  }
  double magnitude = fabs(number.real);
  if (!(magnitude < 0x1p64))
    return false;
  *out_magnitude = (uint64_t)magnitude;
  if (magnitude != (double)*out_magnitude)
    return false;
  *out_negative = number.real < 0;
  return true;
}

static bool write_integer(jitrun_dtype_t dtype, struct jr_number number,
                          void *data) {
  bool is_negative;
  uint64_t magnitude;
  if (!split_whole(number, &is_negative, &magnitude))
    return false;
  int bits = integer_bits(dtype);
  uint64_t limit = UINT64_MAX >> (64 - bits);
  if (jr_dtype_number_kind(dtype) == JR_NUMBER_SIGNED)
    limit = (limit >> 1) + is_negative;
  else if (is_negative && magnitude > 0)
    return false;
  if (magnitude > limit)
    return false;
  uint64_t value = is_negative ? 0 - magnitude : magnitude;
  memcpy(data, &value, jr_dtype_size(dtype));
  return true;
}

bool jr_element_write(jitrun_dtype_t dtype, struct jr_number number,
                      void *data) {
  size_t size = jr_dtype_size(dtype);
  uint64_t bits;
  switch (jr_dtype_number_kind(dtype)) {
  case JR_NUMBER_SIGNED:
  case JR_NUMBER_UNSIGNED:
    return write_integer(dtype, number, data);
  case JR_NUMBER_REAL:
    bits = jr_float_encode(dtype, number_to_f64(number));
    memcpy(data, &bits, size);
    return true;
  case JR_NUMBER_COMPLEX:
    bits = jr_float_encode(part_dtype(dtype), number_to_f64(number));
    memcpy(data, &bits, size / 2);
    bits = jr_float_encode(part_dtype(dtype), number.imag);
    memcpy((char *)data + size / 2, &bits, size / 2);
    return true;
  case JR_NUMBER_NONE:
    break;
  }
  return false;
}

/// Integers are read by hand: strtoll would take blanks and lose the range.
static enum jr_element_text parse_integer(jitrun_dtype_t dtype,
                                          const char *text, void *data) {
  bool is_negative = *text == '-';
  if (*text == '-' || *text == '+')
    text++;
  uint64_t base = 10;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text += 2;
  }
  if (!*text)
    return JR_ELEMENT_SYNTAX;
  uint64_t value = 0;
  bool is_too_large = false;
  for (; *text; text++) {
    const char *digits = "0123456789abcdefABCDEF";
    const char *digit = strchr(digits, *text);
    uint64_t place = digit ? (uint64_t)(digit - digits) : UINT64_MAX;
    if (digit && place >= 16)
      place -= 6;
    if (place >= base)
      return JR_ELEMENT_SYNTAX;
    is_too_large |= __builtin_mul_overflow(value, base, &value);
    is_too_large |= __builtin_add_overflow(value, place, &value);
  }
  struct jr_number number = {.kind = JR_NUMBER_UNSIGNED, .u64 = value};
  if (is_negative && value > 0) {
    is_too_large |= value > UINT64_C(1) << 63;
    number = (struct jr_number){.kind = JR_NUMBER_SIGNED,
                                .s64 = (int64_t)(0 - value)};
  }
  if (is_too_large || !jr_element_write(dtype, number, data))
    return JR_ELEMENT_RANGE;
  return JR_ELEMENT_OK;
}

static enum jr_element_text parse_real(jitrun_dtype_t dtype, const char *text,
                                       void *data) {
  if (!*text || strchr(" \t\n\r\v\f", *text) || strchr(text, '('))
    return JR_ELEMENT_SYNTAX; // blanks and "nan(1)" are strtod's alone
  const char *word = text + (*text == '-' || *text == '+');
  bool is_infinity = *word == 'i' || *word == 'I';
  char *end;
  uint64_t bits;
  double value = strtod(text, &end);
  if (*end)
    return JR_ELEMENT_SYNTAX;
  if (dtype == JITRUN_DTYPE_F32) {
    // Not by way of a double, which would round twice.
    float single = strtof(text, &end);
    value = (double)single;
  }
  bits = jr_float_encode(dtype, value);
  double held = jr_float_decode(dtype, bits);
  if (!isnan(value) && (is_infinity ? !isinf(held) : !isfinite(held)))
    return JR_ELEMENT_RANGE;
  memcpy(data, &bits, jr_dtype_size(dtype));
  return JR_ELEMENT_OK;
}

/// "(real,imaginary)", which it cuts up, or a real number.
static enum jr_element_text parse_complex(jitrun_dtype_t dtype, char *text,
                                          void *data) {
  jitrun_dtype_t part = part_dtype(dtype);
  size_t half = jr_dtype_size(part);
  char parts[16] = {0};
  char *real = text;
  const char *imag = "0";
  if (*text == '(') {
    char *comma = strchr(text, ',');
    char *close = strchr(text, ')');
    if (!comma || !close || close < comma || close[1])
      return JR_ELEMENT_SYNTAX;
    *comma = *close = '\0';
    real = text + 1;
    imag = comma + 1;
    imag += strspn(imag, " ");
  }
  enum jr_element_text result = parse_real(part, real, parts);
  if (result == JR_ELEMENT_OK)
    result = parse_real(part, imag, parts + half);
  if (result == JR_ELEMENT_OK)
    memcpy(data, parts, 2 * half);
  return result;
}

enum jr_element_text jr_element_parse(jitrun_dtype_t dtype, const char *text,
                                      size_t size, void *data) {
  char copy[TEXT_LIMIT];
  if (size >= sizeof copy || memchr(text, '\0', size))
    return JR_ELEMENT_SYNTAX;
  memcpy(copy, text, size);
  copy[size] = '\0';
  if (dtype == JITRUN_DTYPE_PRED && strcmp(copy, "true") == 0)
    return parse_integer(dtype, "1", data);
  if (dtype == JITRUN_DTYPE_PRED && strcmp(copy, "false") == 0)
    return parse_integer(dtype, "0", data);
  switch (jr_dtype_number_kind(dtype)) {
  case JR_NUMBER_SIGNED:
  case JR_NUMBER_UNSIGNED:
    return parse_integer(dtype, copy, data);
  case JR_NUMBER_REAL:
    return parse_real(dtype, copy, data);
  case JR_NUMBER_COMPLEX:
    return parse_complex(dtype, copy, data);
  case JR_NUMBER_NONE:
    break;
  }
  return JR_ELEMENT_SYNTAX;
}

/// Floats smaller than f32 need few digits: the shortest decimal that is read
/// as `value` is also the shortest one of the double that it is nearest to.
static double shorten_real(jitrun_dtype_t dtype, double value) {
  char text[40];
  for (int precision = 0; isfinite(value) && precision < 9; precision++) {
    (void)snprintf(text, sizeof text, "%.*e", precision, value);
    double near = strtod(text, NULL);
    if (jr_float_decode(dtype, jr_float_encode(dtype, near)) == value)
      return near;
  }
  return value;
}

static void append_real(struct jr_bytes *out, jitrun_dtype_t dtype,
                        double value) {
  char text[JR_DECIMAL_SIZE];
  if (dtype == JITRUN_DTYPE_F32)
    jr_format_f32((float)value, text);
  else if (dtype == JITRUN_DTYPE_F64)
    jr_format_f64(value, text);
  else
    jr_format_f64(shorten_real(dtype, value), text);
  jr_bytes_append_text(out, text);
}

void jr_element_format(struct jr_bytes *out, jitrun_dtype_t dtype,
                       const void *data) {
  struct jr_number number = jr_element_read(dtype, data);
  switch (number.kind) {
  case JR_NUMBER_SIGNED:
    jr_bytes_appendf(out, "%" PRId64, number.s64);
    break;
  case JR_NUMBER_UNSIGNED:
    jr_bytes_appendf(out, "%" PRIu64, number.u64);
    break;
  case JR_NUMBER_REAL:
    append_real(out, dtype, number.real);
    break;
  case JR_NUMBER_COMPLEX:
    jr_bytes_append_text(out, "(");
    append_real(out, part_dtype(dtype), number.real);
    jr_bytes_append_text(out, ",");
    append_real(out, part_dtype(dtype), number.imag);
    jr_bytes_append_text(out, ")");
    break;
  case JR_NUMBER_NONE:
    jr_bytes_append_text(out, dtype == JITRUN_DTYPE_TOKEN ? "available" : "?");
    break;
  }
}

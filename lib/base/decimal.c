/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shortest decimals. printf and strtod do the arithmetic, with growing
/// precision until the value reads back; the digits are then laid out here,
/// because printf would write the locale's radix character.
#include "base/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_DIGITS = 17, ///< enough for any double
  MIN_PLAIN_EXP = -5,
  MAX_PLAIN_EXP = 15 ///< beyond these the exponent is written
};

/// A number as 0.d1d2d3... without the radix: value = d1.d2d3... * 10^exponent.
struct decimal {
  char digits[MAX_DIGITS + 1];
  size_t digit_count;
  int exponent;
};

/// Takes printf's "%.*e" text of a positive number apart.
static void split_text(const char *text, struct decimal *out_decimal) {
  out_decimal->digit_count = 0;
  for (; *text && *text != 'e'; text++) {
    bool is_digit = *text >= '0' && *text <= '9';
    if (is_digit && out_decimal->digit_count < MAX_DIGITS)
      out_decimal->digits[out_decimal->digit_count++] = *text;
  }
  out_decimal->exponent = (int)strtol(text + 1, NULL, 10);
  while (out_decimal->digit_count > 1 &&
         out_decimal->digits[out_decimal->digit_count - 1] == '0')
    out_decimal->digit_count--;
}

/// Splits a positive finite number with as few digits as read back.
static void find_shortest(double value, bool is_float,
                          struct decimal *out_decimal) {
  char text[64]; // 17 digits, a radix of any encoding, an exponent
  for (int precision = 0; precision < MAX_DIGITS; precision++) {
    (void)snprintf(text, sizeof text, "%.*e", precision, value);
    double back = is_float ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (back == value)
      break;
  }
  split_text(text, out_decimal);
}

static char *put_zeros(char *out, int count) {
  for (; count > 0; count--)
    *out++ = '0';
  return out;
}

static char *put_digits(char *out, const char *digits, size_t count) {
  memcpy(out, digits, count);
  return out + count;
}

/// Writes the digits with the radix where the exponent puts it.
static char *put_plain(char *out, const struct decimal *decimal) {
  size_t count = decimal->digit_count;
  if (decimal->exponent < 0) {
    out = put_digits(out, "0.", 2);
    out = put_zeros(out, -decimal->exponent - 1);
    return put_digits(out, decimal->digits, count);
  }
  size_t whole = (size_t)decimal->exponent + 1;
  if (count <= whole) {
    out = put_digits(out, decimal->digits, count);
    return put_zeros(out, (int)(whole - count));
  }
  out = put_digits(out, decimal->digits, whole);
  *out++ = '.';
  return put_digits(out, decimal->digits + whole, count - whole);
}

static char *put_scientific(char *out, const struct decimal *decimal) {
  *out++ = decimal->digits[0];
  if (decimal->digit_count > 1) {
    *out++ = '.';
    out = put_digits(out, decimal->digits + 1, decimal->digit_count - 1);
  }
  // sign, up to 3 digits
  return out + snprintf(out, 6, "e%+03d", decimal->exponent);
}

static const char *format_number(double value, bool is_float, char *buffer) {
  char *out = buffer;
  struct decimal decimal = {.digits = "0", .digit_count = 1, .exponent = 0};
  if (signbit(value) && !isnan(value))
    *out++ = '-';
  value = fabs(value);
  if (isfinite(value) && value > 0)
    find_shortest(value, is_float, &decimal);
  if (!isfinite(value))
    out = put_digits(out, isnan(value) ? "nan" : "inf", 3);
  else if (decimal.exponent >= MIN_PLAIN_EXP &&
           decimal.exponent <= MAX_PLAIN_EXP)
    out = put_plain(out, &decimal);
  else
    out = put_scientific(out, &decimal);
  *out = '\0';
  return buffer;
}

const char *jr_format_f64(double value, char buffer[JR_DECIMAL_SIZE]) {
  return format_number(value, false, buffer);
}

const char *jr_format_f32(float value, char buffer[JR_DECIMAL_SIZE]) {
  return format_number((double)value, true, buffer);
}

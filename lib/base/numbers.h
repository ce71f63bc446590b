/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Single elements in memory as numbers and as text, for every dtype. Every
/// conversion to a smaller float rounds to nearest, ties to even.
#ifndef JR_BASE_NUMBERS_H
#define JR_BASE_NUMBERS_H

#include "base/bytes.h"
#include "jitrun/types.h"

/// What a number of a dtype is. PRED is UNSIGNED with 0 and 1.
enum jr_number_kind {
  JR_NUMBER_NONE, ///< unknown dtype
  JR_NUMBER_SIGNED,
  JR_NUMBER_UNSIGNED,
  JR_NUMBER_REAL,
  JR_NUMBER_COMPLEX
};

/// One element, exactly: those of every dtype fit.
struct jr_number {
  enum jr_number_kind kind;
  int64_t s64;       ///< SIGNED
  uint64_t u64;      ///< UNSIGNED
  double real, imag; ///< REAL, COMPLEX
};

enum jr_number_kind jr_dtype_number_kind(jitrun_dtype_t dtype);

/// Reads the element at `data`, which need not be aligned.
struct jr_number jr_element_read(jitrun_dtype_t dtype, const void *data);

/// Writes a number of any kind as an element: floats are rounded, complex to
/// real keeps the real part, no float is out of range of a float. False, with
/// nothing written, for an integer dtype that does not hold the number.
bool jr_element_write(jitrun_dtype_t dtype, struct jr_number number,
                      void *data);

/// The element as a double: 64-bit integers rounded, the real part of complex.
double jr_element_to_f64(jitrun_dtype_t dtype, const void *data);

enum jr_element_text {
  JR_ELEMENT_OK,
  JR_ELEMENT_SYNTAX, ///< not a number of this kind
  JR_ELEMENT_RANGE   ///< a number that the dtype does not hold
};

/// Parses the whole of `text` into the element at `data`: decimal and 0x
/// integers, floats as strtod reads them ("inf" and "nan" too), "true" and
/// "false" for PRED, "(1,2)" or a real number for complex. For the tool: the
/// decimal point is that of LC_NUMERIC.
enum jr_element_text jr_element_parse(jitrun_dtype_t dtype, const char *text,
                                      size_t size, void *data);

/// Appends the element: integers in decimal, PRED as 0 or 1, floats as the
/// shortest decimal that reads back, "inf", "nan", complex as "(1,2)".
void jr_element_format(struct jr_bytes *out, jitrun_dtype_t dtype,
                       const void *data);

/// The value of a float's bits; 0 for a dtype that is no real float.
double jr_float_decode(jitrun_dtype_t dtype, uint64_t bits);

/// The bits of the float nearest to `value`. Too large: infinity, or NaN where
/// the dtype has none; 0 for a dtype that is no real float.
uint64_t jr_float_encode(jitrun_dtype_t dtype, double value);

#endif

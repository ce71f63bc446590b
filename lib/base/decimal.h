/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Floating-point numbers as the shortest decimal that reads back to the same
/// value. Independent of the locale that the embedding program has set.
#ifndef JR_BASE_DECIMAL_H
#define JR_BASE_DECIMAL_H

#include <stddef.h>

/// Room for any number and its NUL.
#define JR_DECIMAL_SIZE 32

/// "1", "0.1", "-2.5e-07", "1e+20", "nan", "inf", "-inf"; returns `buffer`.
/// Plain digits from 1e-5 up to 1e16, an exponent beyond.
const char *jr_format_f64(double value, char buffer[JR_DECIMAL_SIZE]);

/// The same for a float: fewer digits are enough to read back a float.
const char *jr_format_f32(float value, char buffer[JR_DECIMAL_SIZE]);

#endif

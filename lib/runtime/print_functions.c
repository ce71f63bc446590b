/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions that programs print with, by the names that MLIR's lowering of
/// vector.print and MLIR's runner libraries use, and the few of C that programs
/// in the LLVM dialect print with. What they print goes through the execution
/// of the thread.
#include "runtime/functions.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/numbers.h"
#include "runtime/current.h"
#include "runtime/print_format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 64 };

void jr_format_g6(double value, char buffer[JR_G6_SIZE]) {
  int length = snprintf(buffer, JR_G6_SIZE, "%g", value);
  // The embedding program may have set a locale with another decimal point.
  size_t kept = 0;
  for (int i = 0; i < length; i++) {
    bool is_known = strchr("0123456789+-einfa", buffer[i]) != NULL;
    if (is_known)
      buffer[kept++] = buffer[i];
    else if (kept == 0 || buffer[kept - 1] != '.')
      buffer[kept++] = '.';
  }
  buffer[kept] = '\0';
}

static void print_string(const char *text) {
  jr_current_print(text, strlen(text));
}

static void print_s64(int64_t value) {
  char text[NUMBER_SIZE];
  (void)snprintf(text, sizeof text, "%" PRId64, value);
  print_string(text);
}

static void print_u64(uint64_t value) {
  char text[NUMBER_SIZE];
  (void)snprintf(text, sizeof text, "%" PRIu64, value);
  print_string(text);
}

static void print_f64(double value) {
  char text[JR_G6_SIZE];
  jr_format_g6(value, text);
  print_string(text);
}

static void print_f32(float value) {
  print_f64((double)value);
}

/// Halves come as their bits.
static void print_f16(uint16_t bits) {
  print_f64(jr_float_decode(JITRUN_DTYPE_F16, bits));
}

static void print_bf16(uint16_t bits) {
  print_f64(jr_float_decode(JITRUN_DTYPE_BF16, bits));
}

static void print_open(void) {
  print_string("( ");
}

static void print_close(void) {
  print_string(" )");
}

static void print_comma(void) {
  print_string(", ");
}

static void print_newline(void) {
  print_string("\n");
}

static void print_flops(double flops) {
  char text[NUMBER_SIZE + 320]; // %f of the largest double
  (void)snprintf(text, sizeof text, "%f GFLOPS\n", flops / 1.0e9);
  print_string(text);
}

static double read_clock(void) {
  return (double)jr_clock_ns() / 1.0e9;
}

static int64_t read_clock_ns(void) {
  return (int64_t)jr_clock_ns();
}

/// printf of C, with what it prints.
__attribute__((format(printf, 1, 2))) static int
print_formatted(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  struct jr_bytes text = {0};
  jr_bytes_appendv(&text, format, arguments);
  va_end(arguments);
  int size = text.failed || text.size > INT32_MAX ? -1 : (int)text.size;
  if (size > 0)
    jr_current_print((const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return size;
}

static int print_line(const char *text) {
  print_string(text);
  print_newline();
  return 0;
}

static int print_char(int character) {
  char text = (char)character;
  jr_current_print(&text, 1);
  return (unsigned char)text;
}

/// A function's address as data, which POSIX has and ISO C has not.
#define FUNCTION(name, function) {name, __extension__(void *)(function)},

static const struct jr_symbol functions[] = {
    FUNCTION("printI64", print_s64)                  //
    FUNCTION("printU64", print_u64)                  //
    FUNCTION("printF16", print_f16)                  //
    FUNCTION("printBF16", print_bf16)                //
    FUNCTION("printF32", print_f32)                  //
    FUNCTION("printF64", print_f64)                  //
    FUNCTION("printString", print_string)            //
    FUNCTION("printOpen", print_open)                //
    FUNCTION("printClose", print_close)              //
    FUNCTION("printComma", print_comma)              //
    FUNCTION("printNewline", print_newline)          //
    FUNCTION("printFlops", print_flops)              //
    FUNCTION("rtclock", read_clock)                  //
    FUNCTION("nanoTime", read_clock_ns)              //
    FUNCTION("_mlir_ciface_nanoTime", read_clock_ns) //
    FUNCTION("printf", print_formatted)              //
    FUNCTION("puts", print_line)                     //
    FUNCTION("putchar", print_char)                  //
};

size_t jr_print_functions(const struct jr_symbol **out_functions) {
  *out_functions = functions;
  return sizeof functions / sizeof functions[0];
}

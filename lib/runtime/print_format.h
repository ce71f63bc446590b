/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Numbers as MLIR's runner libraries print them.
#ifndef JR_RUNTIME_PRINT_FORMAT_H
#define JR_RUNTIME_PRINT_FORMAT_H

/// Room for any number and its NUL.
#define JR_G6_SIZE 48

/// Six significant digits, as %g of C's own locale.
void jr_format_g6(double value, char buffer[JR_G6_SIZE]);

#endif

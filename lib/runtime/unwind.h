/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Unwind tables of loaded code: whoever walks the stack while a program runs
/// (a debugger's backtrace(), the end of a thread) gets past the program's
/// frames.
#ifndef JR_RUNTIME_UNWIND_H
#define JR_RUNTIME_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An .eh_frame section at its final address, and the code that it may be of.
struct jr_unwind_table {
  const unsigned char *data; ///< 4 zero bytes follow; NULL: there is none
  size_t size;
  uint64_t code_start, code_end;
};

enum { JR_UNWIND_END_BYTES = 4 };

/// Tells the process's unwinder of the table; false where there is no unwinder,
/// or the table holds what LLVM does not emit for C: it is then left alone.
bool jr_unwind_register(const struct jr_unwind_table *table);

/// Takes back what was told.
void jr_unwind_withdraw(const struct jr_unwind_table *table);

#endif

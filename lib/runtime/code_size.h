/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// How much of an object or shared library is code.
#ifndef JR_RUNTIME_CODE_SIZE_H
#define JR_RUNTIME_CODE_SIZE_H

#include <stddef.h>
#include <stdint.h>

/// Bytes of the sections that are loaded to be executed; 0 for what is no ELF
/// file.
uint64_t jr_code_size(const void *data, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What libFuzzer calls, and has. Each target is one file <name>_fuzz.c, linked
/// with libjitrun.a. A build for fuzzing makes programs of libFuzzer; any other
/// one links replay.c, which runs a target on the files it is given.
#ifndef TEST_FUZZ_FUZZ_H
#define TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size,
                                 const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

/// libFuzzer's own way to change bytes.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif

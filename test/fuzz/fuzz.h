/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What libFuzzer calls. Each target is one file, linked with libjitrun.a and
/// -fsanitize=fuzzer,address,undefined.
#ifndef TEST_FUZZ_FUZZ_H
#define TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

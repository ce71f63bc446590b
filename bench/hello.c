/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The library that dlopen_limit.c opens: a function on four floats.
void hello(float *data);

__attribute__((visibility("default"))) void hello(float *data) {
  for (int i = 0; i < 4; i++)
    data[i] += 1;
}

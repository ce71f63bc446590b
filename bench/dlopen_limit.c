/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The limit of starting from a shared library: open it, find one function,
/// call it, print what it left.
#include <dlfcn.h>
#include <stdio.h>

typedef void (*hello_fn_t)(float *data);

int main(int argc, char **argv) {
  if (argc != 2) {
    (void)fprintf(stderr, "usage: %s LIBRARY\n", argv[0]);
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    (void)fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  hello_fn_t hello;
  *(void **)(void *)&hello = dlsym(library, "hello");
  if (!hello) {
    (void)fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  float data[4] = {1, 2, 3, 4};
  hello(data);
  printf("%g %g %g %g\n", data[0], data[1], data[2], data[3]);
  return 0;
}

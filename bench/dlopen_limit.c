/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The limits of starting from a shared library: open it, find one function,
/// call it, print what it left; or, with TIMES, only open and close it so often
/// and print least and median nanoseconds of opening.
///
///   dlopen_limit LIBRARY [TIMES]
#include "samples.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TIMES = 100000 };

typedef void (*hello_fn_t)(float *data);

/// NULL, after a message, when it cannot be opened.
static void *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    (void)fprintf(stderr, "%s\n", dlerror());
  return library;
}

static int call_hello(const char *path) {
  void *library = open_library(path);
  if (!library)
    return 1;
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

static int time_opening(const char *path, size_t times) {
  uint64_t *samples = calloc(times, sizeof *samples);
  if (!samples)
    return 1;
  for (size_t i = 0; i < times; i++) {
    uint64_t start_ns = jr_bench_now_ns();
    void *library = open_library(path);
    samples[i] = jr_bench_now_ns() - start_ns;
    if (!library || dlclose(library) != 0) {
      free(samples);
      return 1;
    }
  }
  jr_bench_sort(samples, times);
  printf("%llu %llu\n", (unsigned long long)samples[0],
         (unsigned long long)samples[times / 2]);
  free(samples);
  return 0;
}

int main(int argc, char **argv) {
  long times = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  if (argc == 2)
    return call_hello(argv[1]);
  if (times > 0 && times <= MAX_TIMES)
    return time_opening(argv[1], (size_t)times);
  (void)fprintf(stderr, "usage: %s LIBRARY [TIMES]\n", argv[0]);
  return 2;
}

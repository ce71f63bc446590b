/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Calls functions of tvm-ffi as its C callers do: every call packs its two
/// buffers and two attributes, and the callee checks their types. The calls are
/// those of bench/programs.py. Prints least and median nanoseconds of a call.
/// bench/peers.py builds this, with the headers of the package.
///
///   peer_tvm CALLS SAMPLES
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <tvm/ffi/c_api.h>

enum { FUNCTIONS = 16, SLICES = 16, FLOATS = 16, ARGS = 4 };
enum { MAX_CALLS = 1000000, MAX_SAMPLES = 100000, CALLS_PER_SAMPLE = 20000 };

struct call {
  TVMFFIObjectHandle function;
  DLTensor *from, *to;
};

static int is_vector(const TVMFFIAny *arg) {
  return arg->type_index == kTVMFFIDLTensorPtr &&
         ((const DLTensor *)arg->v_ptr)->ndim == 1;
}

/* clang-format off */
/// Sixteen functions, so that the CPU has as many targets to tell apart as with
/// bench/handlers.c.
#define FOR_FUNCTIONS(X)                                                       \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)    \
  X(14) X(15)

#define DEFINE_FUNCTION(number)                                                \
  static int scale_##number(void *self, const TVMFFIAny *args, int32_t count,  \
                            TVMFFIAny *result) {                               \
    (void)self;                                                                \
    if (count != ARGS || !is_vector(&args[0]) || !is_vector(&args[1]) ||       \
        args[2].type_index != kTVMFFIInt ||                                    \
        args[3].type_index != kTVMFFIFloat)                                    \
      return -1;                                                               \
    const float *from = ((const DLTensor *)args[0].v_ptr)->data;               \
    float *to = ((const DLTensor *)args[1].v_ptr)->data;                       \
    to[0] = from[0] * (float)args[3].v_float64 +                               \
            (float)(args[2].v_int64 + (number));                               \
    result->type_index = kTVMFFINone;                                          \
    return 0;                                                                  \
  }
FOR_FUNCTIONS(DEFINE_FUNCTION)
/* clang-format on */

#define NAME_FUNCTION(number) scale_##number,
static const TVMFFISafeCallType bodies[FUNCTIONS] = {
    FOR_FUNCTIONS(NAME_FUNCTION)};

static uint32_t mix_bits(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

static int run(const struct call *calls, long count) {
  TVMFFIAny args[ARGS] = {{.type_index = kTVMFFIDLTensorPtr},
                          {.type_index = kTVMFFIDLTensorPtr},
                          {.type_index = kTVMFFIInt},
                          {.type_index = kTVMFFIFloat}};
  TVMFFIAny result;
  for (long i = 0; i < count; i++) {
    args[0].v_ptr = calls[i].from;
    args[1].v_ptr = calls[i].to;
    args[2].v_int64 = i;
    args[3].v_float64 = 0.5;
    result.type_index = kTVMFFINone;
    if (TVMFFIFunctionCall(calls[i].function, args, ARGS, &result) != 0)
      return -1;
  }
  return 0;
}

static int fill_calls(struct call *calls, long count) {
  static float memory[SLICES][FLOATS];
  static int64_t shape[] = {FLOATS};
  static DLTensor tensors[SLICES];
  static TVMFFIObjectHandle functions[FUNCTIONS];
  for (int i = 0; i < SLICES; i++)
    tensors[i] = (DLTensor){.data = memory[i],
                            .device = {kDLCPU, 0},
                            .ndim = 1,
                            .dtype = {kDLFloat, 32, 1},
                            .shape = shape};
  for (int i = 0; i < FUNCTIONS; i++) {
    if (TVMFFIFunctionCreate(NULL, bodies[i], NULL, &functions[i]) != 0)
      return -1;
  }
  for (long i = 0; i < count; i++) {
    uint32_t bits = mix_bits((uint32_t)i);
    calls[i] = (struct call){functions[bits % FUNCTIONS],
                             &tensors[(bits >> 4) % SLICES],
                             &tensors[(bits >> 8) % SLICES]};
  }
  return 0;
}

/// Prints what a call took; the first two samples warm up.
static int measure(const struct call *calls, long count, long samples) {
  static uint64_t found_ps[MAX_SAMPLES];
  uint64_t runs =
      count < CALLS_PER_SAMPLE ? CALLS_PER_SAMPLE / (uint64_t)count : 1;
  for (long i = -2; i < samples; i++) {
    uint64_t start_ns = jr_bench_now_ns();
    for (uint64_t k = 0; k < runs; k++) {
      if (run(calls, count) != 0)
        return -1;
    }
    uint64_t ns = jr_bench_now_ns() - start_ns;
    if (i >= 0)
      found_ps[i] = ns * 1000 / runs / (uint64_t)count;
  }
  jr_bench_sort(found_ps, (size_t)samples);
  printf("%.3f %.3f\n", (double)found_ps[0] / 1e3,
         (double)found_ps[samples / 2] / 1e3);
  return 0;
}

int main(int argc, char **argv) {
  long count = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
  long samples = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  if (count <= 0 || count > MAX_CALLS || samples <= 0 ||
      samples > MAX_SAMPLES) {
    (void)fprintf(stderr, "usage: %s CALLS SAMPLES\n", argv[0]);
    return 2;
  }
  struct call *calls = calloc((size_t)count, sizeof *calls);
  if (!calls || fill_calls(calls, count) != 0 ||
      measure(calls, count, samples) != 0) {
    (void)fprintf(stderr, "peer_tvm: a call failed\n");
    return 1;
  }
  free(calls);
  return 0;
}

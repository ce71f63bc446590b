/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The custom calls of the benchmarks' programs, bench.h0 to bench.h15: two
/// buffers, two attributes, hardly any work.
#ifndef JR_BENCH_HANDLERS_H
#define JR_BENCH_HANDLERS_H

#include "jitrun/customcall.h"

enum { JR_BENCH_HANDLERS = 16 };

/// The custom call that programs name "bench.h<index>".
const jitrun_customcall_t *jr_bench_handler(size_t index);

#endif

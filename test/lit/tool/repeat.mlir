// Each run of --repeat begins with the arguments that were given.
//
// REQUIRES: llvm
// RUN: %jitrun %s --input=2xi32=1,2 --repeat=3 | %FileCheck %s
// CHECK: arg[0]: 2xi32=[2 2]
// RUN: %jitrun %s --input=2xi32 --repeat=3 --stats 2>&1 | %FileCheck %s --check-prefix=STATS
// STATS: arg[0]: 2xi32=[1 0]
// STATS-NEXT: jitrun: stats: stage parse {{[0-9.]+}} ms, memory +{{[0-9.]+}} MiB
// STATS: jitrun: stats: stage codegen {{[0-9.]+}} ms
// STATS-NEXT: jitrun: stats: stage load {{[0-9.]+}} ms
// STATS-NEXT: jitrun: stats: parse {{[0-9.]+}} ms
// STATS-NEXT: jitrun: stats: compile {{[0-9.]+}} ms
// STATS-NEXT: jitrun: stats: load {{[0-9.]+}} ms
// STATS-NEXT: jitrun: stats: run {{[0-9.]+}} ms
// STATS-NEXT: jitrun: stats: executions 3, total {{[0-9.]+}} ms, min {{[0-9.]+}} us, mean {{[0-9.]+}} us, max {{[0-9.]+}} us
// STATS-NEXT: jitrun: stats: runs 3, call sites 0, code {{[0-9]+}} bytes, image {{[0-9]+}} bytes
//
// RUN: %jitrun bench %s --input=2xi32 --repeat=20 --json | %python -m json.tool | %FileCheck %s --check-prefix=BENCH
// BENCH: "parse_ms": {{[0-9.]+}},
// BENCH-NEXT: "compile_ms": {{[0-9.]+}},
// BENCH-NEXT: "load_ms": {{[0-9.]+}},
// BENCH-NEXT: "calls": 0,
// BENCH-NEXT: "code_bytes": {{[0-9]+}},
// BENCH-NEXT: "data_bytes": {{[0-9]+}},
// BENCH-NEXT: "peak_rss_bytes": {{[0-9]+}},
// BENCH-NEXT: "warm_up_runs": {{([1-9]|1[0-9]|20)}},
// BENCH-NEXT: "runs": 20,
// BENCH-NEXT: "batch": 1,
// BENCH-NEXT: "run_ns": {
// BENCH-NEXT: "min": {{[0-9]+}},
// BENCH-NEXT: "median": {{[0-9]+}},
// BENCH-NEXT: "p90": {{[0-9]+}}
// RUN: %jitrun bench %s --input=2xi32 --repeat=20 | %FileCheck %s --check-prefix=TEXT
// TEXT: run min {{[0-9.]+}} us, median {{[0-9.]+}} us, p90 {{[0-9.]+}} us (20 runs, after {{[0-9]+}} to warm up)
// RUN: %jitrun bench %s --input=2xi32 --repeat=1 | %FileCheck %s --check-prefix=ONCE
// ONCE: parse {{[0-9.]+}} ms, compile
// ONCE-NEXT: 0 call sites, {{[0-9]+}} bytes of code, {{[0-9]+}} bytes of image, {{[0-9.]+}} MiB of memory at most
// ONCE-NEXT: (1 run, after {{[123]}} to warm up)
// RUN: %jitrun bench %s --input=2xi32 --repeat=4 --batch=10 --warm-up=7 | %FileCheck %s --check-prefix=BATCH
// BATCH: us (4 batches of 10, after 7 to warm up)
// RUN: %jitrun bench %s --input=2xi32 --repeat=1 --batch=3 --warm-up=1 --json | %FileCheck %s --check-prefix=BATCHJSON
// BATCHJSON: "warm_up_runs": 1,
// BATCHJSON-NEXT: "runs": 1,
// BATCHJSON-NEXT: "batch": 3,
//
// An image was compiled elsewhere: what that took is not known.
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun bench %t.o --input=2xi32 --repeat=1 | %FileCheck %s --check-prefix=IMAGE
// IMAGE: {{^}}load {{[0-9.]+}} ms
// IMAGE-NEXT: {{^}}0 call sites, {{[0-9]+}} bytes of image
// RUN: %jitrun %t.o --input=2xi32 --stats 2>&1 | %FileCheck %s --check-prefix=LOADED
// LOADED-NOT: compile
// LOADED: jitrun: stats: load
// LOADED: jitrun: stats: runs 1, call sites 0, image {{[0-9]+}} bytes
func.func @main(%a: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %v = memref.load %a[%c0] : memref<2xi32>
  %w = arith.addi %v, %one : i32
  memref.store %w, %a[%c0] : memref<2xi32>
  return
}

// Temporaries share memory when they are not in use at the same time: what that
// comes to is told by inspect and --stats, for text and images alike. With
// checks they do not. An image without such memory says nothing of it.
// REQUIRES: llvm
// RUN: %jitrun inspect %s | %FileCheck %s
// RUN: %jitrun inspect --json %s | %FileCheck %s --check-prefix=JSON
// RUN: %jitrun --input=100xf32 --stats %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=STATS
// RUN: %jitrun compile %s -o %t.o && %jitrun inspect %t.o | %FileCheck %s
// RUN: %jitrun --input=100xf32 --executor=thunks --stats %t.o 2>&1 >/dev/null | %FileCheck %s --check-prefix=STATS
// RUN: %jitrun compile --check %s -o %t.o && %jitrun inspect %t.o | %FileCheck %s --check-prefix=CHECKED

// CHECK: temporaries: 1232 bytes for 2512, 1200 in use at once, fragmentation 2.7 %
// JSON: "temp_bytes": 1232
// JSON: "temp_sum_bytes": 2512
// JSON-NEXT: "temp_peak_bytes": 1200
// STATS: jitrun: stats: temporaries 1232 bytes for 2512, 1200 in use at once, fragmentation 2.7 %
// CHECKED: temporaries: 2512 bytes for 2512, 2512 in use at once, fragmentation 0.0 %

func.func private @use(memref<100xf32>, memref<200xf32>)
    attributes {rt.custom_call = "jitrun.noop"}

func.func @main(%a: memref<100xf32>) {
  %s0 = memref.alloca() : memref<200xf32>
  %s1 = memref.alloca() : memref<100xf32>
  %s2 = memref.alloca() : memref<200xf32>
  %s3 = memref.alloca() : memref<100xf32>
  call @use(%a, %s0) : (memref<100xf32>, memref<200xf32>) -> ()
  call @use(%s1, %s0) : (memref<100xf32>, memref<200xf32>) -> ()
  call @use(%s1, %s2) : (memref<100xf32>, memref<200xf32>) -> ()
  call @use(%s3, %s2) : (memref<100xf32>, memref<200xf32>) -> ()
  return
}

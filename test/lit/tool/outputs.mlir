// Outputs: results, then marked arguments; where they go; what they are
// compared with.
//
// REQUIRES: llvm
// RUN: %jitrun %s --entry=both --input=2x2xf32=1,2,3,4 --input=2x2xf32 | %FileCheck %s --check-prefix=BOTH
// BOTH: result[0]: f32=1
// BOTH-NEXT: arg[1]: 2x2xf32=[{{\[}}1 2][3 4]]
// BOTH-NOT: arg
//
// RUN: %jitrun %s --entry=none --input=3xf32=1,2,3 --input=i32=7 | %FileCheck %s --check-prefix=NONE
// NONE: {{^}}arg[0]: 3xf32=[1 2 3]
// NONE-NOT: arg
//
// Long ones are elided, unless all of it is asked for.
// RUN: %jitrun %s --entry=long --input=5000xi8=1 | %FileCheck %s --check-prefix=LONG
// LONG: arg[0]: 5000xi8=[1 1 {{.*}} ... {{.*}} 1 1]
// RUN: %jitrun %s --entry=long --input=5000xi8=1 --full | %FileCheck %s --check-prefix=FULL
// FULL-NOT: ...
//
// To files and back.
// RUN: %jitrun %s --entry=both --input=2x2xf32=1,2,3,4 --input=2x2xf32 --output=- --output=@%t.npy \
// RUN:   | %FileCheck %s --check-prefix=FIRST
// FIRST: result[0]: f32=1
// FIRST-NOT: arg
// RUN: %jitrun %s --entry=both --input=@%t.npy --input=2x2xf32 --output=@%t.bin --output=@%t.bin
// RUN: %jitrun %s --entry=both --input=2x2xf32@%t.bin --input=2x2xf32 --expect=f32=1 --expect=2x2xf32=1,2,3,4 | count 0
// RUN: sh -c "%jitrun %s --entry=both --input=2x2xf32=1 --input=2x2xf32 --output=@/nonexistent/x; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=NOWHERE
// NOWHERE: jitrun: error: cannot {{.*}}'/nonexistent/
// NOWHERE: status 1
//
// RUN: sh -c "%jitrun %s --entry=both --input=2x2xf32=1,2,3,4 --input=2x2xf32 '--expect=(ignored)' --expect=2x2xf32=1,2,0,0; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=DIFFERS
// DIFFERS: jitrun: error: arg[1] differs from --expect: at [1, 0]: 3, expected 0; 2 of 4 elements differ (atol 1e-05, rtol 1.3e-06)
// DIFFERS-NEXT: status 3
// RUN: %jitrun %s --entry=both --input=2x2xf32=1,2,3,4 --input=2x2xf32 --expect=f32=1.5 --atol=0.5 | count 0
// RUN: sh -c "%jitrun %s --entry=both --input=2x2xf32 --input=2x2xf32 --expect=f64; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=SHAPE
// SHAPE: jitrun: error: result[0] differs from --expect: it is f32, expected f64
// SHAPE-NEXT: status 3
// RUN: sh -c "%jitrun %s --entry=long --input=5000xi8 --expect=5000xi8 --expect=i8; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=COUNT
// COUNT: jitrun: error: --expect is given 2 times, entry 'long' has 1 output
// COUNT-NEXT: status 1
func.func @both(%a: memref<2x2xf32>, %b: memref<2x2xf32> {jitrun.output}) -> f32 {
  memref.copy %a, %b : memref<2x2xf32> to memref<2x2xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0, %c0] : memref<2x2xf32>
  return %v : f32
}
func.func @none(%a: memref<3xf32>, %k: i32) {
  return
}
func.func @long(%a: memref<5000xi8>) {
  return
}

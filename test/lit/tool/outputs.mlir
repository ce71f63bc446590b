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
// RUN: %jitrun %s --entry=both --input=@%t.npy --input=2x2xf32 --output=@%t.bin --output=@%t.2.bin
// RUN: %jitrun %s --entry=both --input=2x2xf32@%t.2.bin --input=2x2xf32 --expect=f32=1 --expect=2x2xf32=1,2,3,4 | count 0
// RUN: sh -c "%jitrun %s --entry=both --input=2x2xf32=1 --input=2x2xf32 --output=@/nonexistent/x; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=NOWHERE
// NOWHERE: jitrun: error: cannot {{.*}}'/nonexistent/
// NOWHERE: status 1
//
//
// By name; the others are for what nobody names.
// RUN: %jitrun %s --entry=both --input=arg[1]=2x2xf32 --input=2x2xf32=1,2,3,4 --output=arg[0]=@%t.in.npy --output=arg1=@%t.out.npz:y --output=@%t.out.npz:sum | count 0
// RUN: %jitrun %s --entry=both --input=@%t.in.npy --input=2x2xf32 --expect=arg[1]=@%t.out.npz:y --expect=f32@%t.out.npz:sum
// RUN: %jitrun %s --entry=both --input=@%t.in.npy --input=2x2xf32 --output=arg[0]=- | %FileCheck %s --check-prefix=NAMED --match-full-lines
// NAMED: result[0]: f32=1
// NAMED-NEXT: arg[1]: 2x2xf32={{.*}}
// NAMED-NEXT: arg[0]: 2x2xf32={{.*}}
// RUN: sh -c "%jitrun %s --entry=both --input=2x2xf32 --input=2x2xf32 --expect=arg[0]=2x2xf32 --expect=result[0]=f32=1; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=NAMEDIFF
// NAMEDIFF: jitrun: error: result[0] differs from --expect: 0, expected 1
// NAMEDIFF-NEXT: status 3
// RUN: sh -c "%jitrun %s --entry=both --input=2x2xf32 --input=2x2xf32 --output=arg[7]=-; echo status $?" \
// RUN:   2>&1 | %FileCheck %s --check-prefix=NOARG
// NOARG: jitrun: error: --output=arg[7]=-: arg[7] does not exist
// NOARG-NEXT: jitrun: note: entry 'both' takes: arg[0]: 2x2xf32, arg[1]: 2x2xf32 (output)
// NOARG-NEXT: status 1
// RUN: not %jitrun %s --entry=both --input=arg[0]=2x2xf32 --input=arg0=2x2xf32 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: jitrun: error: --input=arg0=2x2xf32: arg[0] is given twice
//
// No output overwrites another.
// RUN: sh -c "%jitrun %s --output=@%t.x --output=@%t.x; echo status $?" 2>&1 | %FileCheck %s --check-prefix=SAME
// SAME: jitrun: error: --output=@{{.*}}.x and --output=@{{.*}}.x write to the same place; give each a file of its own
// SAME-NEXT: status 2
// RUN: not %jitrun %s --input=result[0]=f32 2>&1 | %FileCheck %s --check-prefix=NOINPUT
// NOINPUT: jitrun: error: --input=result[0]=f32: a result is no input; arg[0]= names an argument
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
// COUNT-NEXT: jitrun: note: entry 'long' takes: arg[0]: 5000xi8
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

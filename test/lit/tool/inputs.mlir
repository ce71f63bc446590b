// Arguments by signature: those that fit, and each way in which they do not.
//
// REQUIRES: llvm
// RUN: %jitrun %s --input=2x3xi32=[[1,2,3][4,5,6]] --input=i32=-3 | %FileCheck %s
// RUN: %jitrun - --input=2x3xi32=1,2,3,4,5,6 --input=i32=-3 < %s | %FileCheck %s
// CHECK: result[0]: i32=-15
//
// RUN: sh -c "%jitrun %s; echo status $?" 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: jitrun: error: entry 'main' takes 2 arguments, --input is given 0 times
// NONE-NEXT: jitrun: note: entry 'main' takes: arg[0]: 2x3xi32, arg[1]: i32
// NONE-NEXT: status 1
//
// RUN: not %jitrun %s --input=2x3xi32 --input=i64 2>&1 | %FileCheck %s --check-prefix=DTYPE
// DTYPE: jitrun: error: --input=i64 (arg[1]): is i64, i32 is needed
// DTYPE-NEXT: jitrun: note: entry 'main' takes: arg[0]: 2x3xi32, arg[1]: i32
// RUN: not %jitrun %s --input=3x2xi32 --input=i32 2>&1 | %FileCheck %s --check-prefix=DIMS
// DIMS: jitrun: error: --input=3x2xi32 (arg[0]): is 3x2xi32, 2x3xi32 is needed
// RUN: not %jitrun %s --input=6xi32 --input=i32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: jitrun: error: --input=6xi32 (arg[0]): is 6xi32, 2x3xi32 is needed
// RUN: not %jitrun %s --input=@%examples/data/b1.npy --input=i32 2>&1 | %FileCheck %s --check-prefix=NPY
// NPY: jitrun: error: --input=@{{.*}} (arg[0]): is 64xf32, 2x3xi32 is needed
// RUN: not %jitrun %s --input=i32 --input=i32 --input=i32 2>&1 | %FileCheck %s --check-prefix=MANY
// MANY: jitrun: error: entry 'main' takes 2 arguments, --input is given 3 times
// RUN: sh -c "%jitrun %s --input=@%t.none --input=i32; echo status $?" 2>&1 | %FileCheck %s --check-prefix=FILE
// FILE: jitrun: error: cannot {{.*}}.none': No such file or directory
// FILE: status 1
func.func @main(%a: memref<2x3xi32>, %k: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %v = memref.load %a[%c1, %c1] : memref<2x3xi32>
  %r = arith.muli %v, %k : i32
  return %r : i32
}

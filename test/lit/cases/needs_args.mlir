// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Count, kind, rank, sizes and element type of arguments are checked, and every
// error shows the signature.
// REQUIRES: llvm
// RUN: %jitrun %s --input=2x3xi32=1,2,3,4,5,6 --input=i32=-3 | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --input=2x3xi32=1,2,3,4,5,6 --input=i32=-3 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --input=2x3xi32=1,2,3,4,5,6 --input=i32=-3 | FileCheck %s
// CHECK: result[0]: i32=-15
//
// RUN: not %jitrun %s 2>&1 | FileCheck %s --check-prefixes=NONE,SIGNATURE
// NONE: jitrun: error: entry 'main' takes 2 arguments, --input is given 0 times
// RUN: not %jitrun %s --input=2x3xi32 2>&1 | FileCheck %s --check-prefixes=ONE,SIGNATURE
// ONE: jitrun: error: entry 'main' takes 2 arguments, --input is given 1 time
// RUN: not %jitrun %s --input=2x3xi32 --input=i64=-3 2>&1 | FileCheck %s --check-prefixes=I64,SIGNATURE
// I64: jitrun: error: --input=i64=-3 (arg[1]): is i64, i32 is needed
// RUN: not %jitrun %s --input=3x2xi32 --input=i32=-3 2>&1 | FileCheck %s --check-prefixes=SHAPE,SIGNATURE
// SHAPE: jitrun: error: --input=3x2xi32 (arg[0]): is 3x2xi32, 2x3xi32 is needed
// RUN: not %jitrun %s --input=2x3xi32 --input=i32=1 --input=i32=1 --input=i32=1 --input=i32=1 --input=i32=1 --input=i32=1 2>&1 | FileCheck %s --check-prefixes=SEVEN,SIGNATURE
// SEVEN: jitrun: error: entry 'main' takes 2 arguments, --input is given 7 times
// SIGNATURE: jitrun: note: entry 'main' takes: arg[0]: 2x3xi32, arg[1]: i32

func.func @main(%a: memref<2x3xi32>, %k: i32) -> i32 attributes {rt.exported = 0 : i32} {
  %c1 = arith.constant 1 : index
  %v = memref.load %a[%c1, %c1] : memref<2x3xi32>
  %r = arith.muli %v, %k : i32
  return %r : i32
}

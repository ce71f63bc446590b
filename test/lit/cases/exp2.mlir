// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libm and LLVM's own names for them, from the one closed list.
// REQUIRES: llvm
// RUN: %jitrun %s --input=4xf32=0,3,-3,6 --input=4xf32 | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --input=4xf32=0,3,-3,6 --input=4xf32 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --input=4xf32=0,3,-3,6 --input=4xf32 | FileCheck %s
// CHECK: arg[1]: 4xf32=[1 2 0.5 4]

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {rt.exported = 0 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %x[%i] : memref<4xf32>
    %b = math.exp2 %a : f32
    %c = math.cbrt %b : f32
    memref.store %c, %y[%i] : memref<4xf32>
  }
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that thunks cannot run carries no registers for them.
//
// REQUIRES: llvm
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun inspect --json %t.o | %FileCheck %s
// CHECK-NOT: "registers"
// CHECK: "thunks_refused": "'arith.mulf' at {{.*}} needs native code"
// CHECK-NOT: "registers"

func.func private @square(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = arith.mulf %x, %x : f32
  memref.store %y, %m[%c0] : memref<4xf32>
  return
}

func.func @main(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c1] : memref<4xf32>
  func.call @square(%m) : (memref<4xf32>) -> ()
  memref.store %x, %m[%c1] : memref<4xf32>
  return
}

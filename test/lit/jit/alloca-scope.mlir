// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stack memory of scf.while and scf.if belongs to the function, so each round
// has its own; that of a loop with bounds is one place for all rounds.
// REQUIRES: llvm
// RUN: %jitrun %s --input=index=3 | FileCheck %s
// RUN: %jitrun %s --input=index=3 -O0 | FileCheck %s

// CHECK: result[0]: f32=4
// CHECK-NEXT: result[1]: f32=3
func.func @main(%n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %first = memref.alloca() : memref<1xf32>
  memref.store %f1, %first[%c0] : memref<1xf32>
  %r:3 = scf.while (%i = %c0, %p = %first, %q = %first) : (index, memref<1xf32>, memref<1xf32>) -> (index, memref<1xf32>, memref<1xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %p, %q : index, memref<1xf32>, memref<1xf32>
  } do {
  ^bb0(%i: index, %p: memref<1xf32>, %q: memref<1xf32>):
    %new = memref.alloca() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %f1 : f32
    memref.store %y, %new[%c0] : memref<1xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %new, %p : index, memref<1xf32>, memref<1xf32>
  }
  %last = memref.load %r#1[%c0] : memref<1xf32>
  %before = memref.load %r#2[%c0] : memref<1xf32>
  return %last, %before : f32, f32
}

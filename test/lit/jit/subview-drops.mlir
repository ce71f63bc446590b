// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A subview that MLIR's passes crash on is refused; its neighbours are not, and
// neither is one that only a call takes.
// REQUIRES: llvm
// RUN: not %jitrun compile %s -o - --emit=ll 2>&1 | FileCheck %s
// RUN: sed 's/\[1, 2\] : memref/[1, 1] : memref/; s/strided<\[2\]/strided<[1]/g' %s > %t.mlir
// RUN: %jitrun compile %t.mlir -o - --emit=ll
// RUN: sed '/memref.store/d' %s > %t.call.mlir
// RUN: %jitrun %t.call.mlir --input=6x6xf64=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35 --input=index=3 --input=f64=7 | FileCheck %s --check-prefix=CALL
// CALL: 1xf64=[23]

// CHECK: subview-drops.mlir:[[#@LINE + 4]]:8: memref.subview drops some of its dimensions of size 1
func.func private @print(memref<1xf64, strided<[2], offset: ?>>)
    attributes {rt.custom_call = "jitrun.print"}
func.func @main(%a: memref<6x6xf64>, %n: index, %x: f64) {
  %v = memref.subview %a[%n, 5] [1, 1] [1, 2] : memref<6x6xf64> to memref<1xf64, strided<[2], offset: ?>>
  %zero = arith.constant 0 : index
  memref.store %x, %v[%zero] : memref<1xf64, strided<[2], offset: ?>>
  call @print(%v) : (memref<1xf64, strided<[2], offset: ?>>) -> ()
  return
}

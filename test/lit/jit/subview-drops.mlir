// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A subview that MLIR's passes crash on is refused; its neighbours are not.
// REQUIRES: llvm
// RUN: not %jitrun compile %s -o - --emit=ll 2>&1 | FileCheck %s
// RUN: sed 's/\[1, 2\] : memref/[1, 1] : memref/; s/strided<\[2\]/strided<[1]/g' %s > %t.mlir
// RUN: %jitrun compile %t.mlir -o - --emit=ll

// CHECK: subview-drops.mlir:[[#@LINE + 4]]:8: memref.subview drops some of its dimensions of size 1
func.func private @noop(memref<1xf64, strided<[2], offset: ?>>)
    attributes {rt.custom_call = "jitrun.noop"}
func.func @main(%a: memref<6x6xf64>, %n: index) {
  %v = memref.subview %a[%n, 5] [1, 1] [1, 2] : memref<6x6xf64> to memref<1xf64, strided<[2], offset: ?>>
  call @noop(%v) : (memref<1xf64, strided<[2], offset: ?>>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function waits for memory of its caller, of sizes that only the
// execution knows.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=2x3xf32=1,2,3,4,5,6 | %FileCheck %s
// CHECK: result[0]: f32=6
// CHECK-NEXT: result[1]: i64=3

async.func @test(%a: !async.value<memref<?x?xf32>>) -> (!async.value<f32>, !async.value<index>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = async.await %a : !async.value<memref<?x?xf32>>
  %x = memref.load %m[%c1, %c2] : memref<?x?xf32>
  %n = memref.dim %m, %c1 : memref<?x?xf32>
  return %x, %n : f32, index
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry returns memory whose size it alone knows; whoever asked for the
// result frees it.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=index=2 | %FileCheck %s
// CHECK: result[0]: 2x2xf32={{\[}}[123 123][123 123]]

func.func @test(%size: index) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 123.0 : f32
  %0 = memref.alloc(%size, %size) : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%size, %size) step (%c1, %c1) {
    memref.store %x, %0[%i, %j] : memref<?x?xf32>
    scf.yield
  }
  return %0 : memref<?x?xf32>
}

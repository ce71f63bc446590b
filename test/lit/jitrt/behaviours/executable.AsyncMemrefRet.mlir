// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function returns memory that tasks fill, one of a size that only the
// execution knows.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=f32=2.5 --input=index=3 | %FileCheck %s
// CHECK: result[0]: 2xf32=[2.5 2.5]
// CHECK-NEXT: result[1]: 3xf32=[2.5 2.5 2.5]

async.func @test(%x: f32, %n: index) -> (!async.value<memref<2xf32>>, !async.value<memref<?xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %t0 = async.execute {
    scf.for %i = %c0 to %c2 step %c1 {
      memref.store %x, %a[%i] : memref<2xf32>
    }
    async.yield
  }
  %t1 = async.execute {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %b[%i] : memref<?xf32>
    }
    async.yield
  }
  async.await %t0 : !async.token
  async.await %t1 : !async.token
  return %a, %b : memref<2xf32>, memref<?xf32>
}

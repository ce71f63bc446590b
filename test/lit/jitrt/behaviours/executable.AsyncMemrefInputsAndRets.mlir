// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the caller goes through tasks and is returned. Executions whose
// arguments are what others have not made yet, with a runner that only queues,
// are in unit.jit_async (chained_runs).
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=4xf32=1,2,3,4 --input=4xf32=10,20,30,40 | %FileCheck %s
// CHECK: result[0]: token=available
// CHECK-NEXT: result[1]: 4xf32=[11 22 33 44]

async.func @test(%a: !async.value<memref<4xf32>>, %b: !async.value<memref<4xf32>>)
    -> (!async.token, !async.value<memref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t, %r = async.execute (%a as %x: !async.value<memref<4xf32>>, %b as %y: !async.value<memref<4xf32>>)
      -> !async.value<memref<4xf32>> {
    scf.for %i = %c0 to %c4 step %c1 {
      %0 = memref.load %x[%i] : memref<4xf32>
      %1 = memref.load %y[%i] : memref<4xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %y[%i] : memref<4xf32>
    }
    async.yield %y : memref<4xf32>
  }
  %z = async.await %r : !async.value<memref<4xf32>>
  return %z : memref<4xf32>
}

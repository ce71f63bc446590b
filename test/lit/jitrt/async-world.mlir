// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collective within async work: the device takes part in the world until all
// of that is done, not just until its entry has returned.
//
// REQUIRES: llvm
// RUN: %jitrun %s --replicas=2 --input.0=2xf32=1,2 --input.1=2xf32=10,20 | %FileCheck %s
// CHECK: replica 0: result[0]: token=available
// CHECK-NEXT: replica 0: result[1]: 2xf32=[11 22]
// CHECK: replica 1: result[1]: 2xf32=[11 22]

func.func private @all_reduce(memref<2xf32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.all_reduce"}

async.func @main(%a: memref<2xf32>) -> (!async.token, !async.value<memref<2xf32>>) {
  %b = memref.alloc() : memref<2xf32>
  %t = async.execute {
    func.call @all_reduce(%a, %b) : (memref<2xf32>, memref<2xf32>) -> ()
    async.yield
  }
  async.await %t : !async.token
  return %b : memref<2xf32>
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler is called in a task, with a buffer and an attribute.
//
// REQUIRES: llvm
// RUN: %ways --native %s | %FileCheck %s
// CHECK: result[0]: 4xi32=[9 9 9 9]

func.func private @fill(memref<4xi32>, i32) attributes {rt.custom_call = "jitrun.memset"}
rt.export @test ordinal 0
func.func @test() -> memref<4xi32> {
  %c9 = arith.constant 9 : i32
  %m = memref.alloc() : memref<4xi32>
  %t = async.execute {
    func.call @fill(%m, %c9) : (memref<4xi32>, i32) -> ()
    async.yield
  }
  async.await %t : !async.token
  return %m : memref<4xi32>
}

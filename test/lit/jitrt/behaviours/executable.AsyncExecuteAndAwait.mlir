// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry starts one task and waits for it.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=i32=42 --input=i32=2 | %FileCheck %s
// CHECK: result[0]: i32=44

func.func @test(%a: i32, %b: i32) -> i32 {
  %token, %result = async.execute -> !async.value<i32> {
    %sum = arith.addi %a, %b : i32
    async.yield %sum : i32
  }
  %sum = async.await %result : !async.value<i32>
  return %sum : i32
}

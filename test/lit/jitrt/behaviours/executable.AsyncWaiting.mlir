// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async functions call each other and wait.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=i32=4 | %FileCheck %s
// CHECK: result[0]: i32=8

async.func private @twice(%a: i32) -> !async.value<i32> {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
async.func private @pass(%a: i32) -> !async.value<i32> {
  %0 = async.call @twice(%a) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1 : i32
}
func.func @test(%a: i32) -> i32 {
  %0 = async.call @pass(%a) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1 : i32
}

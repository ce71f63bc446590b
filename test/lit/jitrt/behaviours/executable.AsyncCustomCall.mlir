// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function calls a handler that returns an async value.
//
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/async.so --input=i32=41 | %FileCheck %s
// CHECK: result[0]: i32=42
// CHECK-NEXT: result[1]: i32=42

func.func private @promise(i32) -> !async.value<i32> attributes {rt.custom_call = "test.promise"}
rt.export @test ordinal 0
async.func @test(%a: i32) -> (!async.value<i32>, !async.value<i32>) {
  %0 = func.call @promise(%a) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1, %1 : i32, i32
}

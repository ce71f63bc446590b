// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call returns a scalar that another thread makes.
//
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/async.so --input=i32=1 | %FileCheck %s
// CHECK: result[0]: i32=2

func.func private @promise(i32) -> !async.value<i32> attributes {rt.dynamic, rt.custom_call = "test.promise"}
rt.export @test ordinal 0
func.func @test(%a: i32) -> i32 {
  %0 = call @promise(%a) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1 : i32
}

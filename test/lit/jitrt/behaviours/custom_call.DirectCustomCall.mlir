// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of JitRt's direct ABI, found as a symbol of a library.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/jitrt_bound.so | %FileCheck %s
// CHECK: result[0]: i32=42

func.func private @custom_call(i32) -> i32 attributes {rt.custom_call = "test.custom_call"}
rt.export @test ordinal 0
func.func @test() -> i32 {
  %0 = arith.constant 41 : i32
  %1 = call @custom_call(%0) : (i32) -> i32
  return %1 : i32
}

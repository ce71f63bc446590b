// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that one handler returns is the argument of another.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=i64=12 | %FileCheck %s
// CHECK: result[0]: i64=12

func.func private @hide(i64) -> !rt.opaque attributes {rt.dynamic, rt.custom_call = "test.hide"}
func.func private @show(!rt.opaque) -> i64 attributes {rt.dynamic, rt.custom_call = "test.show"}
rt.export @test ordinal 0
func.func @test(%x: i64) -> i64 {
  %0 = call @hide(%x) : (i64) -> !rt.opaque
  %1 = call @show(%0) : (!rt.opaque) -> i64
  return %1 : i64
}

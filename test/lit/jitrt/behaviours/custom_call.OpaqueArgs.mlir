// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer of the caller's goes through the program to a handler.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=opaque=4711 | %FileCheck %s
// CHECK: result[0]: i64=4711

func.func private @show(!rt.opaque) -> i64 attributes {rt.dynamic, rt.custom_call = "test.show"}
rt.export @test ordinal 0
func.func @test(%arg0: !rt.opaque) -> i64 {
  %0 = call @show(%arg0) : (!rt.opaque) -> i64
  return %0 : i64
}

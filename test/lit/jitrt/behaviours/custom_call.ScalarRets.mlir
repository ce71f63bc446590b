// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several scalar results of one call.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=f64=21 | %FileCheck %s
// CHECK: f64=21
// CHECK-NEXT: i32=42

func.func private @pair(f64) -> (f64, i32) attributes {rt.dynamic, rt.custom_call = "test.pair"}
func.func private @print(f64, i32) attributes {rt.dynamic, rt.custom_call = "jitrun.print"}
rt.export @test ordinal 0
func.func @test(%x: f64) {
  %0, %1 = call @pair(%x) : (f64) -> (f64, i32)
  call @print(%0, %1) : (f64, i32) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler gets scalars of every width, constants and arguments of the entry.
//
// REQUIRES: llvm
// RUN: %ways %s --input=i64=-5 --input=f32=0.5 | %FileCheck %s
// CHECK: i1=1
// CHECK-NEXT: i8=-7
// CHECK-NEXT: i16=300
// CHECK-NEXT: i32=-70000
// CHECK-NEXT: i64=-5
// CHECK-NEXT: f32=0.5
// CHECK-NEXT: f64=2.5

module {
  func.func private @custom_call(i1, i8, i16, i32, i64, f32, f64)
    attributes {rt.dynamic, rt.custom_call = "jitrun.print"}
  rt.export @test ordinal 0
  func.func @test(%i64: i64, %f32: f32) {
    %true = arith.constant true
    %i8 = arith.constant -7 : i8
    %i16 = arith.constant 300 : i16
    %i32 = arith.constant -70000 : i32
    %f64 = arith.constant 2.5 : f64
    call @custom_call(%true, %i8, %i16, %i32, %i64, %f32, %f64)
      : (i1, i8, i16, i32, i64, f32, f64) -> ()
    return
  }
}

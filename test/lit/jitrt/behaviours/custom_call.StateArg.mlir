// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two states under one id, which calls with the same attribute share.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/shared.so | %FileCheck %s
// CHECK: ones 1
// CHECK-NEXT: tens 10
// CHECK-NEXT: ones 2
// CHECK-NEXT: tens 20
// CHECK-NEXT: ones 1
// CHECK-NEXT: tens 10

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "shared.two"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {uid = 0 : i64} : () -> ()
  call @custom_call() {uid = 0 : i64} : () -> ()
  call @custom_call() {uid = 1 : i64} : () -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An attribute that a handler can do without.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so | %FileCheck %s
// CHECK: attr1 = 42, attr2 is absent
// CHECK-NEXT: attr1 is absent, attr2 = 0

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "test.optional"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {attr1 = 42 : i32} : () -> ()
  call @custom_call() {attr2 = 0 : i32} : () -> ()
  return
}

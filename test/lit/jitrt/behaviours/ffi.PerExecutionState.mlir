// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of an execution is shared by its calls, and new in the next one.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/shared.so --repeat=2 | %FileCheck %s
// CHECK: in the execution 1
// CHECK-NEXT: in the execution 2
// CHECK-NEXT: in the execution 1
// CHECK-NEXT: in the execution 2

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "shared.execution"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {uid = 5 : i64} : () -> ()
  call @custom_call() {uid = 5 : i64} : () -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's state is made once for the program and kept from run to run.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/shared.so --repeat=3 | %FileCheck %s
// CHECK: execution of the module 1
// CHECK-NEXT: execution of the module 1
// CHECK-NEXT: execution of the module 2
// CHECK-NEXT: execution of the module 2
// CHECK-NEXT: execution of the module 3

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "shared.module"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() : () -> ()
  call @custom_call() : () -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls say is told in the order in which they said it, with the error.
//
// REQUIRES: llvm
// RUN: not %ways %s --plugin=%plugins/shared.so 2>&1 | %FileCheck %s
// CHECK: jitrun: error: {{.*}}.mlir:[[#@LINE+12]]:3: failed as asked
// CHECK-NEXT: jitrun: note: in custom call 'shared.fail'
// CHECK-NEXT: jitrun: note: first
// CHECK-NEXT: jitrun: note: second
// CHECK-NEXT: jitrun: note: while running entry 'test'

func.func private @say() attributes {rt.dynamic, rt.custom_call = "shared.say"}
func.func private @fail() attributes {rt.dynamic, rt.custom_call = "shared.fail"}
rt.export @test ordinal 0
func.func @test() {
  call @say() {text = "first"} : () -> ()
  call @say() {text = "second"} : () -> ()
  call @fail() : () -> ()
  // nothing runs after an error
  call @say() {text = "third"} : () -> ()
  return
}

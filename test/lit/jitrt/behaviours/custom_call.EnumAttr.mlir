// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An enumeration of a user's dialect is its number.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/attrtypes.so --plugin=%plugins/testcalls.so | %FileCheck %s
// CHECK: {enum = #testlib.enum s32 2}

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "test.read_attrs"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {enum = #testlib.enum<Baz>} : () -> ()
  return
}

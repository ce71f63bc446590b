// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An enumeration of the program that is another one for handlers: other numbers,
// of another width.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/attrtypes.so --plugin=%plugins/testcalls.so | %FileCheck %s
// CHECK: {enum = #testlib.mapped.enum s8 -10}
// CHECK-NEXT: {enum = #testlib.mapped.enum s8 127}

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "test.read_attrs"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {enum = #testlib.mapped.enum<Foo>} : () -> ()
  call @custom_call() {enum = #testlib.mapped.enum<Baz>} : () -> ()
  return
}

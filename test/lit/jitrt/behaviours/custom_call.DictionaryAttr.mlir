// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of a dictionary are sorted by name, however they are written.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/testcalls.so | %FileCheck %s
// CHECK: {dict = {bar = array s32[1 2], baz = "name", foo = s64 1}}

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "test.read_attrs"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {dict = {foo = 1 : i64, baz = "name", bar = [1 : i32, 2 : i32]}} : () -> ()
  return
}

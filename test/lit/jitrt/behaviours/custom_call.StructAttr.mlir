// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure of a user's dialect is its fields by name.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/attrtypes.so --plugin=%plugins/testcalls.so | %FileCheck %s
// CHECK: {dims = #testlib.pair_of_dims {a = array s64[1 1], b = array s64[2 2], rank = s64 2}}

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "test.read_attrs"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {dims = #testlib.pair_of_dims<2, [1, 1], [2, 2]>} : () -> ()
  return
}

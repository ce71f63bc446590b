// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A type of a user's dialect is a pointer to everybody but its handlers.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=opaque=5 | %FileCheck %s
// CHECK: !testlib.value
// CHECK-NEXT: result[0]: i64=5

func.func private @type(!testlib.value) attributes {rt.dynamic, rt.custom_call = "test.type"}
func.func private @show(!testlib.value) -> i64 attributes {rt.dynamic, rt.custom_call = "test.show"}
rt.export @test ordinal 0
func.func @test(%arg0: !testlib.value) -> i64 {
  call @type(%arg0) : (!testlib.value) -> ()
  %0 = call @show(%arg0) : (!testlib.value) -> i64
  return %0 : i64
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a user's type are made and read by handlers; the program hands them
// on, through calls of its own functions and control flow as well.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --entry=test --input=i64=8 | %FileCheck %s
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=through --input=i64=8 | %FileCheck %s
// CHECK: result[0]: i64=9

func.func private @hide(i64) -> !testlib.value attributes {rt.dynamic, rt.custom_call = "test.hide"}
func.func private @next(!testlib.value) -> i64 attributes {rt.dynamic, rt.custom_call = "test.next"}
rt.export @test ordinal 0
func.func @test(%x: i64) -> i64 {
  %0 = call @hide(%x) : (i64) -> !testlib.value
  %1 = call @next(%0) : (!testlib.value) -> i64
  return %1 : i64
}
func.func private @read(%v: !testlib.value, %w: !testlib.value, %c: i1) -> i64 {
  %0 = arith.select %c, %w, %v : !testlib.value
  cf.br ^end(%0 : !testlib.value)
^end(%1: !testlib.value):
  %2 = call @next(%1) : (!testlib.value) -> i64
  return %2 : i64
}
rt.export @through ordinal 1
func.func @through(%x: i64) -> i64 {
  %true = arith.constant true
  %0 = call @hide(%x) : (i64) -> !testlib.value
  %1 = call @read(%0, %0, %true) : (!testlib.value, !testlib.value, i1) -> i64
  return %1 : i64
}

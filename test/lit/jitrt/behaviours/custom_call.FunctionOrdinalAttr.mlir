// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reference to an exported function is its ordinal, by which a handler calls it.
//
// REQUIRES: llvm
// RUN: %ways --native %s --entry=init --plugin=%plugins/shared.so | %FileCheck %s
// CHECK: the entry returned 42

func.func private @call_init(i32) attributes {rt.dynamic, rt.custom_call = "shared.run"}
rt.export @init ordinal 0
rt.export @add_one ordinal 1
func.func @init() {
  %c41 = arith.constant 41 : i32
  call @call_init(%c41) {entry = @add_one} : (i32) -> ()
  return
}
func.func @add_one(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %y = arith.addi %x, %c1 : i32
  return %y : i32
}

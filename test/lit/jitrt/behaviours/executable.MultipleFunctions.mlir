// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each exported function can be run by its name; ordinals order them.
//
// REQUIRES: llvm
// RUN: %ways --native %s --entry=add --input=i32=20 --input=i32=22 | %FileCheck %s --check-prefix=ADD
// ADD: result[0]: i32=42
// RUN: %ways --native %s --entry=mul --input=i32=20 --input=i32=2 | %FileCheck %s --check-prefix=MUL
// MUL: result[0]: i32=40
// RUN: %jitrun inspect %s | %FileCheck %s --check-prefix=ORDER
// ORDER: entry 'add'
// ORDER: entry 'mul'

rt.export @mul ordinal 1
rt.export @add ordinal 0
func.func @mul(%a: i32, %b: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  return %0 : i32
}
func.func @add(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}

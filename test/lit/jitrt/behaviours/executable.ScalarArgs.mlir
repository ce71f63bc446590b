// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars as arguments of an entry.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=i32=20 --input=i32=22 | %FileCheck %s
// CHECK: result[0]: i32=42

func.func @test(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}

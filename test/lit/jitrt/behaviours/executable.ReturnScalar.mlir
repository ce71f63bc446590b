// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry returns a scalar that it computes.
//
// REQUIRES: llvm
// RUN: %ways --native %s | %FileCheck %s
// CHECK: result[0]: i64=42

func.func @test() -> i64 {
  %0 = arith.constant 42 : i64
  return %0 : i64
}

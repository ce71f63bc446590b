// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function returns a scalar that comes later.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=index=7 --input=i32=42 | %FileCheck %s
// CHECK: result[0]: i64=7
// CHECK-NEXT: result[1]: i32=42

async.func @test(%a: index, %b: i32) -> (!async.value<index>, !async.value<i32>) {
  return %a, %b : index, i32
}

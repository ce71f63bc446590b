// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function waits for a token of its caller. That it does wait, and
// what becomes of errors, is shown by unit.jit_async.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=token --input=i32=3 | %FileCheck %s
// CHECK: result[0]: token=available
// CHECK-NEXT: result[1]: i32=3

async.func @test(%t: !async.token, %a: i32) -> (!async.token, !async.value<i32>) {
  async.await %t : !async.token
  return %a : i32
}

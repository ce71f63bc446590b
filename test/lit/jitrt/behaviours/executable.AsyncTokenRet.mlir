// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function returns a token.
//
// REQUIRES: llvm
// RUN: %ways --native %s | %FileCheck %s
// CHECK: result[0]: token=available

async.func @test() -> !async.token {
  return
}

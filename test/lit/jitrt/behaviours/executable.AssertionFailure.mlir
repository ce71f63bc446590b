// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion that fails is an error of the execution.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=i32=42
// RUN: not %ways --native %s --input=i32=20 2>&1 | %FileCheck %s
// CHECK: jitrun: error: {{.*}}AssertionFailure.mlir:[[@LINE+5]]:3: assertion failed: Not the answer

func.func @test(%x: i32) {
  %c42 = arith.constant 42 : i32
  %0 = arith.cmpi eq, %x, %c42 : i32
  cf.assert %0, "Not the answer"
  return
}

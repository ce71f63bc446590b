// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behind a failed assertion there is no result, not even one that was computed.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=i32=42 | %FileCheck %s --check-prefix=GOOD
// GOOD: result[0]: i32=43
// RUN: not %ways --native %s --input=i32=20 2>&1 | %FileCheck %s --check-prefix=BAD --implicit-check-not=result
// BAD: jitrun: error: {{.*}}: assertion failed: Not the answer

func.func @test(%x: i32) -> i32 {
  %c42 = arith.constant 42 : i32
  %c1 = arith.constant 1 : i32
  %1 = arith.addi %x, %c1 : i32
  %0 = arith.cmpi eq, %x, %c42 : i32
  cf.assert %0, "Not the answer"
  return %1 : i32
}

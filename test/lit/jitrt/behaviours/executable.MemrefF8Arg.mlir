// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of a memref of 8-bit floats is known to the program.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=3xf8E4M3FN=0,1,2 | %FileCheck %s
// CHECK: result[0]: i64=3{{$}}

func.func @test(%a: memref<?xf8E4M3FN>) -> index {
  %c0 = arith.constant 0 : index
  %0 = memref.dim %a, %c0 : memref<?xf8E4M3FN>
  return %0 : index
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 8-bit floats, by the number that XLA gives their type.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=4xf8E4M3FN=0.5,1,2,16 | %FileCheck %s
// CHECK: 4xf8E4M3FN=[0.5 1 2 16]
// CHECK-NEXT: dtype 20, rank 1

func.func private @print(memref<4xf8E4M3FN>) attributes {rt.dynamic, rt.custom_call = "jitrun.print"}
func.func private @describe(memref<4xf8E4M3FN>) attributes {rt.dynamic, rt.custom_call = "test.describe"}
rt.export @test ordinal 0
func.func @test(%arg0: memref<4xf8E4M3FN> {jitrun.output}) {
  call @print(%arg0) : (memref<4xf8E4M3FN>) -> ()
  call @describe(%arg0) : (memref<4xf8E4M3FN>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call returns a buffer that comes later; the program reads it and returns it.
//
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/async.so --input=f32=2.5 | %FileCheck %s
// CHECK: result[0]: f32=2.5
// CHECK-NEXT: result[1]: 2x2xf32={{\[\[}}2.5 2.5{{\]\[}}2.5 2.5{{\]\]}}

func.func private @buffer(f32) -> !async.value<memref<2x2xf32>> attributes {rt.dynamic, rt.custom_call = "test.async_buffer"}
rt.export @test ordinal 0
func.func @test(%x: f32) -> (f32, !async.value<memref<2x2xf32>>) {
  %c1 = arith.constant 1 : index
  %0 = call @buffer(%x) : (f32) -> !async.value<memref<2x2xf32>>
  %1 = async.await %0 : !async.value<memref<2x2xf32>>
  %2 = memref.load %1[%c1, %c1] : memref<2x2xf32>
  return %2, %0 : f32, !async.value<memref<2x2xf32>>
}

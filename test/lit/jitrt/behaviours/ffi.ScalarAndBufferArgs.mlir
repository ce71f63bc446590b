// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scalar, a dense and a strided memref in one call.
//
// REQUIRES: llvm
// RUN: %ways %s --input=2x4xf32=1,2,3,4,5,6,7,8 | %FileCheck %s
// CHECK: i32=42
// CHECK-NEXT: 2x4xf32={{\[}}[1 2 3 4][5 6 7 8]]
// CHECK-NEXT: 2x2xf32={{\[}}[2 3][6 7]]

func.func private @custom_call(i32, memref<2x4xf32>, memref<2x2xf32, strided<[4, 1], offset: 1>>)
  attributes {rt.dynamic, rt.custom_call = "jitrun.print"}
rt.export @test ordinal 0
func.func @test(%a: memref<2x4xf32>) {
  %0 = arith.constant 42 : i32
  %1 = memref.subview %a[0, 1] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 1>>
  call @custom_call(%0, %a, %1) : (i32, memref<2x4xf32>, memref<2x2xf32, strided<[4, 1], offset: 1>>) -> ()
  return
}

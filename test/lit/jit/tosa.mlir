// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA, of static and of dynamic sizes.
//
// REQUIRES: llvm
// RUN: %ways --native %s --entry=static --input=2x4xf32=1,2,3,4,5,6,7,8 --input=1x4xf32=10,20,30,40 | %FileCheck %s --check-prefix=STATIC
// STATIC: result[0]: 2x4xf32={{\[}}[11 22 33 44][15 26 37 48]]
// STATIC-NEXT: result[1]: 4xf32=[26 48 70 92]
// RUN: %ways --native %s --entry=dynamic --input=3x2xf32=-1,2,-3,4,-5,6 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: result[0]: 3x2xf32={{\[}}[0 2][0 4][0 5]]
// RUN: %ways --native %s --entry=product --input=1x2x3xf32=1,2,3,4,5,6 --input=1x3x2xf32=1,0,0,1,1,1 | %FileCheck %s --check-prefix=PRODUCT
// PRODUCT: result[0]: 1x2x2xf32={{\[\[}}[4 5][10 11]]]

func.func @static(%a: tensor<2x4xf32>, %b: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  %0 = tosa.add %a, %b : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %1 = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %shape = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %2 = tosa.reshape %1, %shape : (tensor<1x4xf32>, !tosa.shape<1>) -> tensor<4xf32>
  return %0, %2 : tensor<2x4xf32>, tensor<4xf32>
}

func.func @dynamic(%a: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = tosa.clamp %a {min_val = 0.0 : f32, max_val = 5.0 : f32} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @product(%a: tensor<1x2x3xf32>, %b: tensor<1x3x2xf32>) -> tensor<1x2x2xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x2x3xf32>, tensor<1x3x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs over tensors: linalg, tensor and control flow; values get memory,
// arguments are not written to, custom calls take and return tensors.
//
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=layer --input=4x8xf32=0.5 --input=8x3xf32=1 --input=3xf32=1,2,-9 | %FileCheck %s --check-prefix=LAYER
// LAYER: result[0]: 4x3xf32={{\[}}[5 6 0][5 6 0][5 6 0][5 6 0]]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=dynamic --input=2x3xi32=1,2,3,4,5,6 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: result[0]: 3x2xi32={{\[}}[1 4][2 5][3 6]]
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=dynamic --input=0x3xi32 | %FileCheck %s --check-prefix=EMPTY
// EMPTY: result[0]: 3x0xi32={{\[\[\]}}
//
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=insert --input=4xf32=1,2,3,4 --input=f32=9 --input=index=2 | %FileCheck %s --check-prefix=INSERT
// INSERT: result[0]: 4xf32=[1 2 9 4]
// INSERT-NEXT: result[1]: 4xf32=[1 2 3 4]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=loop --input=3xf64=1,2,3 --input=index=4 | %FileCheck %s --check-prefix=LOOP
// LOOP: result[0]: 3xf64=[16 32 48]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=calls --input=2x2xf32=5,6,7,8 | %FileCheck %s --check-prefix=CALLS
// CALLS: 2x2xf32={{\[}}[5 6][7 8]]
// CALLS-NEXT: result[0]: 2x2xf32={{\[}}[6 8][10 12]]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --entry=same --input=2xi8=1,2 | %FileCheck %s --check-prefix=SAME
// SAME: result[0]: 2xi8=[1 2]
//
// RUN: %jitrun inspect %s | %FileCheck %s --check-prefix=INSPECT
// INSPECT: entry 'dynamic'
// INSPECT-NEXT: arg[0]: ?x?xi32
// INSPECT-NEXT: result[0]: ?x?xi32

func.func @layer(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>, %bias: tensor<3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<4x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  %product = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x3xf32>) outs(%fill : tensor<4x3xf32>) -> tensor<4x3xf32>
  %out = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%product, %bias : tensor<4x3xf32>, tensor<3xf32>) outs(%out : tensor<4x3xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

func.func @dynamic(%a: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %a, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %a, %c1 : tensor<?x?xi32>
  %init = tensor.empty(%columns, %rows) : tensor<?x?xi32>
  %r = linalg.transpose ins(%a : tensor<?x?xi32>) outs(%init : tensor<?x?xi32>) permutation = [1, 0]
  return %r : tensor<?x?xi32>
}

// The argument stays as it is.
func.func @insert(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %r, %a : tensor<4xf32>, tensor<4xf32>
}

func.func @loop(%a: tensor<3xf64>, %n: index) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<3xf64> {
    %sum = linalg.add ins(%t, %t : tensor<3xf64>, tensor<3xf64>) outs(%t : tensor<3xf64>) -> tensor<3xf64>
    scf.yield %sum : tensor<3xf64>
  }
  return %r : tensor<3xf64>
}

func.func private @shared() -> tensor<2x2xf32> attributes {rt.custom_call = "test.shared"}
func.func private @print(tensor<2x2xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func @calls(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  call @print(%a) : (tensor<2x2xf32>) -> ()
  %b = call @shared() : () -> tensor<2x2xf32>
  %init = tensor.empty() : tensor<2x2xf32>
  %r = linalg.add ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @same(%a: tensor<2xi8>) -> tensor<2xi8> {
  return %a : tensor<2xi8>
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices that are large enough to become calls, and what looks
// like one and is none.

func.func @matmul(%a: tensor<20x30xf32>, %b: tensor<30x25xf32>, %c: tensor<20x25xf32>) -> tensor<20x25xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<20x30xf32>, tensor<30x25xf32>) outs(%c : tensor<20x25xf32>) -> tensor<20x25xf32>
  return %0 : tensor<20x25xf32>
}

func.func @matmul_f64(%a: tensor<20x30xf64>, %b: tensor<30x25xf64>) -> tensor<20x25xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<20x25xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<20x25xf64>) -> tensor<20x25xf64>
  %0 = linalg.matmul ins(%a, %b : tensor<20x30xf64>, tensor<30x25xf64>) outs(%init : tensor<20x25xf64>) -> tensor<20x25xf64>
  return %0 : tensor<20x25xf64>
}

// Both operands turned, and the result.
func.func @transposed(%a: memref<30x20xf32>, %b: memref<25x30xf32>, %c: memref<20x25xf32>, %d: memref<25x20xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : memref<30x20xf32>, memref<25x30xf32>) outs(%c : memref<20x25xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<30x20xf32>, memref<25x30xf32>) outs(%d : memref<25x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %y, %x : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  }
  return
}

// Views whose place and strides are known only when it runs, in a loop.
func.func @windows(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.subview %a[%i, 1] [%size, %size] [2, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.subview %b[1, %i] [%size, %size] [1, 2] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 2], offset: ?>>
    %z = memref.subview %c[%i, %i] [%size, %size] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.matmul ins(%x, %y : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 2], offset: ?>>) outs(%z : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }
  return
}

// One of a batch, several, and in the middle; an operand that all share.
func.func @batches(%a: tensor<3x20x18xf32>, %b: tensor<3x18x17xf32>, %c: tensor<3x20x17xf32>, %d: tensor<2x20x3x18xf32>, %e: tensor<2x3x17x18xf32>, %f: tensor<18x17xf32>) -> (tensor<3x20x17xf32>, tensor<2x3x20x17xf32>, tensor<3x20x17xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x20x18xf32>, tensor<3x18x17xf32>) outs(%c : tensor<3x20x17xf32>) -> tensor<3x20x17xf32>
  %empty = tensor.empty() : tensor<2x3x20x17xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x20x17xf32>) -> tensor<2x3x20x17xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(p, q, m, n, k) -> (p, m, q, k)>, affine_map<(p, q, m, n, k) -> (p, q, n, k)>, affine_map<(p, q, m, n, k) -> (p, q, m, n)>] ins(%d, %e : tensor<2x20x3x18xf32>, tensor<2x3x17x18xf32>) outs(%init : tensor<2x3x20x17xf32>) -> tensor<2x3x20x17xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(q, m, n, k) -> (q, m, k)>, affine_map<(q, m, n, k) -> (k, n)>, affine_map<(q, m, n, k) -> (q, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %f : tensor<3x20x18xf32>, tensor<18x17xf32>) outs(%c : tensor<3x20x17xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %3 = arith.mulf %x, %y : f32
    %4 = arith.addf %z, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<3x20x17xf32>
  return %0, %1, %2 : tensor<3x20x17xf32>, tensor<2x3x20x17xf32>, tensor<3x20x17xf32>
}

// Other bodies, other numbers, a diagonal, sums over two loops, a batch that
// one operand has in part.
func.func @no_products(%a: tensor<20x20xf32>, %b: tensor<20x20xf32>, %i: tensor<20x20xi32>, %c: tensor<3x20x20xf32>) -> (tensor<20x20xf32>, tensor<20x20xf32>, tensor<20x20xi32>, tensor<20xf32>, tensor<20x20xf32>, tensor<3x3x20x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<20x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<20x20xf32>) -> tensor<20x20xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<20x20xf32>, tensor<20x20xf32>) outs(%init : tensor<20x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %n = arith.negf %x : f32
    %p = arith.mulf %n, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x20xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<20x20xf32>, tensor<20x20xf32>) outs(%init : tensor<20x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.addf %x, %y : f32
    %s = arith.maximumf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x20xf32>
  %2 = linalg.matmul ins(%i, %i : tensor<20x20xi32>, tensor<20x20xi32>) outs(%i : tensor<20x20xi32>) -> tensor<20x20xi32>
  %few = tensor.empty() : tensor<20xf32>
  %column = linalg.fill ins(%zero : f32) outs(%few : tensor<20xf32>) -> tensor<20xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<20x20xf32>, tensor<20x20xf32>) outs(%column : tensor<20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<20xf32>
  %4 = linalg.batch_reduce_matmul ins(%c, %c : tensor<3x20x20xf32>, tensor<3x20x20xf32>) outs(%init : tensor<20x20xf32>) -> tensor<20x20xf32>
  %empty4 = tensor.empty() : tensor<3x3x20x20xf32>
  %init4 = linalg.fill ins(%zero : f32) outs(%empty4 : tensor<3x3x20x20xf32>) -> tensor<3x3x20x20xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(p, q, m, n, k) -> (p, m, k)>, affine_map<(p, q, m, n, k) -> (q, k, n)>, affine_map<(p, q, m, n, k) -> (p, q, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%c, %c : tensor<3x20x20xf32>, tensor<3x20x20xf32>) outs(%init4 : tensor<3x3x20x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x3x20x20xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<20x20xf32>, tensor<20x20xf32>, tensor<20x20xi32>, tensor<20xf32>, tensor<20x20xf32>, tensor<3x3x20x20xf32>
}

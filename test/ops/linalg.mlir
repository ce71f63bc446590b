// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of linalg but convolutions and poolings, on tensors and on
// memrefs.

func.func @unary(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %init = tensor.empty() : tensor<2x3xf32>
  %exp = linalg.exp ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %log = linalg.log ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %abs = linalg.abs ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %ceil = linalg.ceil ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %floor = linalg.floor ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %negf = linalg.negf ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %reciprocal = linalg.reciprocal ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %round = linalg.round ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sqrt = linalg.sqrt ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %rsqrt = linalg.rsqrt ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %square = linalg.square ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %tanh = linalg.tanh ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %erf = linalg.erf ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %exp, %log, %abs, %ceil, %floor, %negf, %reciprocal, %round, %sqrt, %rsqrt, %square, %tanh, %erf : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @binary(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %init = tensor.empty() : tensor<2x3xf32>
  %add = linalg.add ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sub = linalg.sub ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %mul = linalg.mul ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %div = linalg.div ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %max = linalg.max ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %min = linalg.min ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %powf = linalg.powf ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %add, %sub, %mul, %div, %max, %min, %powf : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @integers(%a: tensor<6xi32>, %b: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
  %init = tensor.empty() : tensor<6xi32>
  %add = linalg.add ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  %sub = linalg.sub ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  %mul = linalg.mul ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  %div = linalg.div ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  %div_unsigned = linalg.div_unsigned ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  %max = linalg.max ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  %min = linalg.min ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%init : tensor<6xi32>) -> tensor<6xi32>
  return %add, %sub, %mul, %div, %div_unsigned, %max, %min : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
}

func.func @choose(%c: tensor<2x3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %row: tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>) {
  %init = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.select ins(%c, %a, %b : tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = linalg.copy ins(%a : tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = arith.constant 2.5 : f32
  %2 = linalg.fill ins(%k : f32) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  %turned = tensor.empty() : tensor<3x2xf32>
  %3 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>] ins(%a, %row : tensor<2x3xf32>, tensor<2xf32>) outs(%turned : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>
}

func.func @matmul(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

func.func @matmul_dynamic(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %a, %c0 : tensor<?x?xf64>
  %n = tensor.dim %b, %c1 : tensor<?x?xf64>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%init : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

func.func @matmul_transposed(%a: tensor<5x3xf32>, %b: tensor<4x5xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<5x3xf32>, tensor<4x5xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Wider than its operands; unsigned on request.
func.func @matmul_i8(%a: tensor<3x5xi8>, %b: tensor<5x4xi8>, %c: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3x4xi32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xi8>, tensor<5x4xi8>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  %1 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<3x5xi8>, tensor<5x4xi8>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %0, %1 : tensor<3x4xi32>, tensor<3x4xi32>
}

func.func @matmul_halves(%a: tensor<3x5xf16>, %b: tensor<5x4xf16>, %c: tensor<3x4xf32>, %d: tensor<3x5xbf16>, %e: tensor<5x4xbf16>, %f: tensor<3x4xbf16>) -> (tensor<3x4xf32>, tensor<3x4xbf16>) {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf16>, tensor<5x4xf16>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = linalg.matmul ins(%d, %e : tensor<3x5xbf16>, tensor<5x4xbf16>) outs(%f : tensor<3x4xbf16>) -> tensor<3x4xbf16>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xbf16>
}

func.func @quantized_matmul(%a: tensor<3x5xi8>, %b: tensor<5x4xi8>, %c: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %az = arith.constant 3 : i32
  %bz = arith.constant -2 : i32
  %0 = linalg.quantized_matmul ins(%a, %b, %az, %bz : tensor<3x5xi8>, tensor<5x4xi8>, i32, i32) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

func.func @batches(%a: tensor<2x3x5xf32>, %b: tensor<2x5x4xf32>, %c: tensor<2x3x4xf32>, %d: tensor<3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x4xf32>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%c : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%d : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<3x4xf32>
}

func.func @quantized_batch(%a: tensor<2x3x5xi8>, %b: tensor<2x5x4xi8>, %c: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %az = arith.constant 3 : i32
  %bz = arith.constant -2 : i32
  %0 = linalg.quantized_batch_matmul ins(%a, %b, %az, %bz : tensor<2x3x5xi8>, tensor<2x5x4xi8>, i32, i32) outs(%c : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %0 : tensor<2x3x4xi32>
}

func.func @vectors(%a: tensor<3x5xf32>, %x: tensor<5xf32>, %y: tensor<3xf32>, %s: tensor<f32>) -> (tensor<3xf32>, tensor<5xf32>, tensor<f32>) {
  %0 = linalg.matvec ins(%a, %x : tensor<3x5xf32>, tensor<5xf32>) outs(%y : tensor<3xf32>) -> tensor<3xf32>
  %1 = linalg.vecmat ins(%y, %a : tensor<3xf32>, tensor<3x5xf32>) outs(%x : tensor<5xf32>) -> tensor<5xf32>
  %2 = linalg.dot ins(%x, %x : tensor<5xf32>, tensor<5xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<3xf32>, tensor<5xf32>, tensor<f32>
}

func.func @batch_vectors(%a: tensor<2x3x5xf32>, %x: tensor<2x5xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x5xf32>) {
  %0 = linalg.batch_matvec ins(%a, %x : tensor<2x3x5xf32>, tensor<2x5xf32>) outs(%y : tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = linalg.batch_vecmat ins(%y, %a : tensor<2x3xf32>, tensor<2x3x5xf32>) outs(%x : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x5xf32>
}

// Tiles of 2x4 and 3x4.
func.func @tiles(%a: tensor<2x3x2x4xf32>, %b: tensor<2x3x3x4xf32>, %c: tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32> {
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x2x4xf32>, tensor<2x3x3x4xf32>) outs(%c : tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
  return %0 : tensor<2x2x2x3xf32>
}

func.func @batch_tiles(%a: tensor<2x2x3x2x4xf32>, %b: tensor<2x2x3x3x4xf32>, %c: tensor<2x2x2x2x3xf32>) -> tensor<2x2x2x2x3xf32> {
  %0 = linalg.batch_mmt4d ins(%a, %b : tensor<2x2x3x2x4xf32>, tensor<2x2x3x3x4xf32>) outs(%c : tensor<2x2x2x2x3xf32>) -> tensor<2x2x2x2x3xf32>
  return %0 : tensor<2x2x2x2x3xf32>
}

func.func @contract(%a: tensor<3x5x2xf32>, %b: tensor<2x4x5xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (l, n, k)>, affine_map<(m, n, k, l) -> (n, m)>] ins(%a, %b : tensor<3x5x2xf32>, tensor<2x4x5xf32>) outs(%c : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Sums along rows of the larger of an element and its place.
func.func @generic(%a: tensor<3x?xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<3x?xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = arith.addi %i, %j : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.maximumf %x, %3 : f32
    %5 = arith.addf %sum, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @shapes(%a: tensor<2x3x4xf32>, %b: tensor<3xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2x3x4xf32>) {
  %turned = tensor.empty() : tensor<4x2x3xf32>
  %0 = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%turned : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %wide = tensor.empty() : tensor<2x3x4xf32>
  %1 = linalg.broadcast ins(%b : tensor<3xf32>) outs(%wide : tensor<2x3x4xf32>) dimensions = [0, 2]
  %one = arith.constant 1.0 : f32
  %e2 = tensor.empty() : tensor<2xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e2 : tensor<2xf32>) -> tensor<2xf32>
  %2 = linalg.reduce {arith.addf} ins(%a : tensor<2x3x4xf32>) outs(%ones : tensor<2xf32>) dimensions = [1, 2]
  %3 = linalg.reduce ins(%a : tensor<2x3x4xf32>) outs(%b : tensor<3xf32>) dimensions = [0, 2]
    (%x: f32, %old: f32) {
      %5 = arith.maximumf %x, %old : f32
      linalg.yield %5 : f32
    }
  %4 = linalg.map ins(%a, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%wide : tensor<2x3x4xf32>)
    (%x: f32, %y: f32, %old: f32) {
      %6 = arith.mulf %x, %y : f32
      %7 = arith.addf %6, %x : f32
      linalg.yield %7 : f32
    }
  return %0, %1, %2, %3, %4 : tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2x3x4xf32>
}

func.func @softmax(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %init = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<3x5xf32>) outs(%init : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @softmax_dynamic(%a: tensor<?x?x2xf64>) -> (tensor<?x?x2xf64>, tensor<?x?x2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?x2xf64>
  %n = tensor.dim %a, %c1 : tensor<?x?x2xf64>
  %init = tensor.empty(%m, %n) : tensor<?x?x2xf64>
  %0 = linalg.softmax dimension(0) ins(%a : tensor<?x?x2xf64>) outs(%init : tensor<?x?x2xf64>) -> tensor<?x?x2xf64>
  %1 = linalg.softmax dimension(1) ins(%a : tensor<?x?x2xf64>) outs(%init : tensor<?x?x2xf64>) -> tensor<?x?x2xf64>
  return %0, %1 : tensor<?x?x2xf64>, tensor<?x?x2xf64>
}

func.func @softmax_row(%a: tensor<6xf16>) -> tensor<6xf16> {
  %init = tensor.empty() : tensor<6xf16>
  %0 = linalg.softmax dimension(0) ins(%a : tensor<6xf16>) outs(%init : tensor<6xf16>) -> tensor<6xf16>
  return %0 : tensor<6xf16>
}

func.func @softmax_empty(%a: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %init = tensor.empty() : tensor<0x3xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<0x3xf32>) outs(%init : tensor<0x3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// 5x7 in tiles of 2x3, the rest padded; and back.
func.func @pack(%a: tensor<5x7xf32>) -> (tensor<3x3x2x3xf32>, tensor<5x7xf32>, tensor<3x3x3x2xf32>) {
  %pad = arith.constant -1.0 : f32
  %tiles = tensor.empty() : tensor<3x3x2x3xf32>
  %0 = linalg.pack %a padding_value(%pad : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %tiles : tensor<5x7xf32> -> tensor<3x3x2x3xf32>
  %flat = tensor.empty() : tensor<5x7xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %flat : tensor<3x3x2x3xf32> -> tensor<5x7xf32>
  %turned = tensor.empty() : tensor<3x3x3x2xf32>
  %2 = linalg.pack %a padding_value(%pad : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2] into %turned : tensor<5x7xf32> -> tensor<3x3x3x2xf32>
  return %0, %1, %2 : tensor<3x3x2x3xf32>, tensor<5x7xf32>, tensor<3x3x3x2xf32>
}

// The same numbers from the same seed: the sum of what is filled in twice.
func.func @random() -> tensor<2x2xf64> {
  %low = arith.constant 2.0 : f64
  %high = arith.constant 5.0 : f64
  %seed = arith.constant 7 : i32
  %init = tensor.empty() : tensor<2x2xf64>
  %0 = linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%init : tensor<2x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// A convolution of 3x3 by the short way: all three transforms.
func.func @winograd(%x: tensor<1x6x6x2xf32>, %k: tensor<3x3x3x2xf32>) -> tensor<1x4x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x4x2x3xf32>
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%k : tensor<3x3x3x2xf32>) outs(%e0 : tensor<4x4x2x3xf32>) -> tensor<4x4x2x3xf32>
  %e1 = tensor.empty() : tensor<4x4x2x2x1x2xf32>
  %1 = linalg.winograd_input_transform fmr(F_2_3) ins(%x : tensor<1x6x6x2xf32>) outs(%e1 : tensor<4x4x2x2x1x2xf32>) -> tensor<4x4x2x2x1x2xf32>
  %2 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<4x4x2x3xf32> into tensor<16x2x3xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2, 3, 4], [5]] : tensor<4x4x2x2x1x2xf32> into tensor<16x4x2xf32>
  %e2 = tensor.empty() : tensor<16x4x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x4x3xf32>) -> tensor<16x4x3xf32>
  %4 = linalg.batch_matmul ins(%3, %2 : tensor<16x4x2xf32>, tensor<16x2x3xf32>) outs(%zeros : tensor<16x4x3xf32>) -> tensor<16x4x3xf32>
  %5 = tensor.expand_shape %4 [[0, 1], [2, 3, 4], [5]] output_shape [4, 4, 2, 2, 1, 3] : tensor<16x4x3xf32> into tensor<4x4x2x2x1x3xf32>
  %e3 = tensor.empty() : tensor<1x4x4x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %6 = linalg.winograd_output_transform fmr(F_2_3) ins(%5 : tensor<4x4x2x2x1x3xf32>) outs(%init : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %6 : tensor<1x4x4x3xf32>
}

// The same operations on memory, strided too.
func.func @memory(%a: memref<4x6xf32>, %b: memref<3x4xf32>, %out: memref<2x4xf32>, %turned: memref<4x2xf32>, %sum: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %part = memref.subview %a[0, 0] [2, 3] [2, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[12, 2]>>
  linalg.fill ins(%zero : f32) outs(%out : memref<2x4xf32>)
  linalg.matmul ins(%part, %b : memref<2x3xf32, strided<[12, 2]>>, memref<3x4xf32>) outs(%out : memref<2x4xf32>)
  linalg.transpose ins(%out : memref<2x4xf32>) outs(%turned : memref<4x2xf32>) permutation = [1, 0]
  linalg.reduce {arith.addf} ins(%turned : memref<4x2xf32>) outs(%sum : memref<2xf32>) dimensions = [0]
  linalg.map {arith.addf} ins(%out, %out : memref<2x4xf32>, memref<2x4xf32>) outs(%out : memref<2x4xf32>)
  return
}

func.func @memory_named(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %out: memref<?x?xf32>, %row: memref<?xf32>) {
  linalg.add ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  linalg.exp ins(%out : memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  linalg.broadcast ins(%row : memref<?xf32>) outs(%b : memref<?x?xf32>) dimensions = [0]
  linalg.copy ins(%b : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  return
}

func.func @nothing(%a: tensor<0x3xf32>, %b: tensor<3x0xf32>, %c: tensor<0x0xf32>) -> (tensor<0x0xf32>, tensor<3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x3xf32>) -> tensor<3x3xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<0x3xf32>, tensor<3x0xf32>) outs(%c : tensor<0x0xf32>) -> tensor<0x0xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<3x0xf32>, tensor<0x3xf32>) outs(%zeros : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0, %1 : tensor<0x0xf32>, tensor<3x3xf32>
}

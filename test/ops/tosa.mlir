// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of tosa. Shapes that are constants take part where an
// operation asks for one.

func.func @unary(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %abs = tosa.abs %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %ceil = tosa.ceil %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %cos = tosa.cos %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %erf = tosa.erf %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %exp = tosa.exp %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %floor = tosa.floor %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %log = tosa.log %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %reciprocal = tosa.reciprocal %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %rsqrt = tosa.rsqrt %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sigmoid = tosa.sigmoid %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sin = tosa.sin %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %tanh = tosa.tanh %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %identity = tosa.identity %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %abs, %ceil, %cos, %erf, %exp, %floor, %log, %reciprocal, %rsqrt, %sigmoid, %sin, %tanh, %identity : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @binary(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>) {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %add = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %sub = tosa.sub %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %maximum = tosa.maximum %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %minimum = tosa.minimum %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %pow = tosa.pow %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %mul = tosa.mul %a, %b, %shift : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
  %equal = tosa.equal %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xi1>
  %greater = tosa.greater %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xi1>
  %greater_equal = tosa.greater_equal %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xi1>
  return %add, %sub, %maximum, %minimum, %pow, %mul, %equal, %greater, %greater_equal : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>
}

func.func @integers(%a: tensor<6xi32>, %b: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %add = tosa.add %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %sub = tosa.sub %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %bitwise_and = tosa.bitwise_and %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %bitwise_or = tosa.bitwise_or %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %bitwise_xor = tosa.bitwise_xor %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %intdiv = tosa.intdiv %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %logical_left_shift = tosa.logical_left_shift %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %logical_right_shift = tosa.logical_right_shift %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %maximum = tosa.maximum %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %minimum = tosa.minimum %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %mul = tosa.mul %a, %b, %shift : (tensor<6xi32>, tensor<6xi32>, tensor<1xi8>) -> tensor<6xi32>
  %not = tosa.bitwise_not %a : (tensor<6xi32>) -> tensor<6xi32>
  %clz = tosa.clz %a : (tensor<6xi32>) -> tensor<6xi32>
  %half = tosa.arithmetic_right_shift %a, %b {round = false} : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  return %add, %sub, %bitwise_and, %bitwise_or, %bitwise_xor, %intdiv, %logical_left_shift, %logical_right_shift, %maximum, %minimum, %mul, %not, %clz, %half : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
}

func.func @logical(%a: tensor<4xi1>, %b: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<1xi1>, tensor<1xi1>) {
  %and = tosa.logical_and %a, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %or = tosa.logical_or %a, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %xor = tosa.logical_xor %a, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %not = tosa.logical_not %a : (tensor<4xi1>) -> tensor<4xi1>
  %all = tosa.reduce_all %b {axis = 0 : i32} : (tensor<4xi1>) -> tensor<1xi1>
  %any = tosa.reduce_any %b {axis = 0 : i32} : (tensor<4xi1>) -> tensor<1xi1>
  return %and, %or, %xor, %not, %all, %any : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<1xi1>, tensor<1xi1>
}

func.func @choose(%c: tensor<2x3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>) {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.clamp %a {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = tosa.negate %a, %zero, %zero : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %3 = tosa.argmax %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>
}

func.func @reductions(%a: tensor<2x3x4xf32>) -> (tensor<2x1x4xf32>, tensor<2x3x1xf32>, tensor<1x3x4xf32>, tensor<2x1x4xf32>) {
  %0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %1 = tosa.reduce_max %a {axis = 2 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %2 = tosa.reduce_min %a {axis = 0 : i32} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %3 = tosa.reduce_product %a {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return %0, %1, %2, %3 : tensor<2x1x4xf32>, tensor<2x3x1xf32>, tensor<1x3x4xf32>, tensor<2x1x4xf32>
}

func.func @casts(%a: tensor<6xf32>, %b: tensor<6xi32>, %c: tensor<6xi8>) -> (tensor<6xi32>, tensor<6xf32>, tensor<6xi32>, tensor<6xi1>, tensor<6xf16>) {
  %0 = tosa.cast %a : (tensor<6xf32>) -> tensor<6xi32>
  %1 = tosa.cast %b : (tensor<6xi32>) -> tensor<6xf32>
  %2 = tosa.cast %c : (tensor<6xi8>) -> tensor<6xi32>
  %3 = tosa.cast %b : (tensor<6xi32>) -> tensor<6xi1>
  %4 = tosa.cast %a : (tensor<6xf32>) -> tensor<6xf16>
  return %0, %1, %2, %3, %4 : tensor<6xi32>, tensor<6xf32>, tensor<6xi32>, tensor<6xi1>, tensor<6xf16>
}

func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) -> (tensor<2x4xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<1x2xf32>, tensor<4x6xf32>, tensor<3x2xf32>, tensor<3x6xf32>) {
  %s32 = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %start = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %twice = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %around = tosa.const_shape {values = dense<[0, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %k = "tosa.const"() {values = dense<9.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.concat %a, %b {axis = 1 : i32} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %1 = tosa.reshape %a, %s32 : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  %2 = tosa.reverse %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = tosa.slice %a, %start, %size : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2xf32>
  %4 = tosa.tile %a, %twice : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x6xf32>
  %5 = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %6 = tosa.pad %a, %around, %k : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x4xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<1x2xf32>, tensor<4x6xf32>, tensor<3x2xf32>, tensor<3x6xf32>
}

func.func @gather(%a: tensor<2x4x3xf32>, %i: tensor<2x5xi32>) -> tensor<2x5x3xf32> {
  %0 = tosa.gather %a, %i : (tensor<2x4x3xf32>, tensor<2x5xi32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

func.func @scatter(%a: tensor<2x4x3xf32>, %i: tensor<2x2xi32>, %b: tensor<2x2x3xf32>) -> tensor<2x4x3xf32> {
  %0 = tosa.scatter %a, %i, %b : (tensor<2x4x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

func.func @table(%a: tensor<4xi8>, %t: tensor<256xi8>) -> tensor<4xi8> {
  %0 = tosa.table %a, %t : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

func.func @matmul(%a: tensor<2x3x5xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x3x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<2x3x5xf32>, tensor<2x5x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

func.func @conv2d(%x: tensor<1x5x7x3xf32>, %k: tensor<2x2x3x3xf32>, %bias: tensor<2xf32>) -> tensor<1x6x4x2xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %k, %bias, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 2>, dilation = array<i64: 1, 1>} : (tensor<1x5x7x3xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x4x2xf32>
  return %0 : tensor<1x6x4x2xf32>
}

func.func @conv2d_i8(%x: tensor<1x5x7x3xi8>, %k: tensor<2x2x3x3xi8>, %bias: tensor<2xi32>) -> tensor<1x6x4x2xi32> {
  %xz = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %kz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %k, %bias, %xz, %kz {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 2>, dilation = array<i64: 1, 1>} : (tensor<1x5x7x3xi8>, tensor<2x2x3x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x4x2xi32>
  return %0 : tensor<1x6x4x2xi32>
}

func.func @depthwise(%x: tensor<1x5x7x3xf32>, %k: tensor<2x3x3x2xf32>, %bias: tensor<6xf32>) -> tensor<1x4x5x6xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %k, %bias, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x5x7x3xf32>, tensor<2x3x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x5x6xf32>
  return %0 : tensor<1x4x5x6xf32>
}

func.func @conv3d(%x: tensor<1x3x4x5x2xf32>, %k: tensor<3x2x2x2x2xf32>, %bias: tensor<3xf32>) -> tensor<1x2x3x4x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %k, %bias, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x3x4x5x2xf32>, tensor<3x2x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x4x3xf32>
  return %0 : tensor<1x2x3x4x3xf32>
}

func.func @transpose_conv2d(%x: tensor<1x3x4x2xf32>, %k: tensor<3x2x2x2xf32>, %bias: tensor<3xf32>) -> tensor<1x6x8x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %k, %bias, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x3x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x8x3xf32>
  return %0 : tensor<1x6x8x3xf32>
}

func.func @pools(%x: tensor<1x4x6x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x6x3xf32>) -> tensor<1x2x3x3xf32>
  %1 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x6x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x3xf32>
  return %0, %1 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>
}

// Halves between neighbours, by nearest and by both.
func.func @resize(%x: tensor<1x2x3x1xf32>) -> (tensor<1x4x6x1xf32>, tensor<1x3x5x1xf32>) {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %none = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x2x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x6x1xf32>
  %1 = tosa.resize %x, %scale, %offset, %none {mode = BILINEAR} : (tensor<1x2x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3x5x1xf32>
  return %0, %1 : tensor<1x4x6x1xf32>, tensor<1x3x5x1xf32>
}

// x * 1.5 + 7, rounded: 1.5 is 3 * 2^29 / 2^30.
func.func @rescale(%a: tensor<6xi32>) -> (tensor<6xi8>, tensor<6xi32>) {
  %multiplier = "tosa.const"() {values = dense<1610612736> : tensor<1xi32>} : () -> tensor<1xi32>
  %shift = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %seven = "tosa.const"() {values = dense<7> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %a, %multiplier, %shift, %zero, %seven {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<6xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<6xi8>
  %m = arith.constant dense<1610612736> : tensor<6xi32>
  %s = arith.constant dense<30> : tensor<6xi8>
  %1 = tosa.apply_scale %a, %m, %s {rounding_mode = SINGLE_ROUND} : (tensor<6xi32>, tensor<6xi32>, tensor<6xi8>) -> tensor<6xi32>
  return %0, %1 : tensor<6xi8>, tensor<6xi32>
}

func.func @fft(%re: tensor<1x4x8xf32>, %im: tensor<1x4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x5xf32>, tensor<1x4x5xf32>) {
  %0, %1 = tosa.fft2d %re, %im {inverse = false} : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>)
  %2, %3 = tosa.rfft2d %re : (tensor<1x4x8xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x5xf32>)
  return %0, %1, %2, %3 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x5xf32>, tensor<1x4x5xf32>
}

func.func @cond_if(%c: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<4xf32> {
    %1 = tosa.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  } else {
    %2 = tosa.sub %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Doubles until 100 is passed.
func.func @while_loop(%a: tensor<1xi32>) -> tensor<1xi32> {
  %limit = "tosa.const"() {values = dense<100> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %s = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  %start = tosa.reshape %a, %s : (tensor<1xi32>, !tosa.shape<0>) -> tensor<i32>
  %0 = tosa.while_loop (%v = %start) : (tensor<i32>) -> tensor<i32> {
    %1 = tosa.greater_equal %limit, %v : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%w: tensor<i32>):
    %2 = tosa.add %w, %w : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %2 : tensor<i32>
  }
  %t = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %3 = tosa.reshape %0, %t : (tensor<i32>, !tosa.shape<1>) -> tensor<1xi32>
  return %3 : tensor<1xi32>
}

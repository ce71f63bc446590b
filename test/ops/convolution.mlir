// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The convolutions of linalg, with steps and dilations. Those that end in _q
// subtract 3 from each input and -2 from each weight.

func.func @conv_1d(%x: tensor<7xf32>, %k: tensor<3xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.conv_1d ins(%x, %k : tensor<7xf32>, tensor<3xf32>) outs(%init : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @conv_2d(%x: tensor<5x7xf32>, %k: tensor<2x3xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.conv_2d ins(%x, %k : tensor<5x7xf32>, tensor<2x3xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

func.func @conv_3d(%x: tensor<4x5x7xf32>, %k: tensor<2x2x3xf32>, %init: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %0 = linalg.conv_3d ins(%x, %k : tensor<4x5x7xf32>, tensor<2x2x3xf32>) outs(%init : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}

func.func @conv_1d_nwc_wcf(%x: tensor<2x7x3xf32>, %k: tensor<3x3x2xf32>, %init: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
  %0 = linalg.conv_1d_nwc_wcf {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %k : tensor<2x7x3xf32>, tensor<3x3x2xf32>) outs(%init : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

func.func @conv_1d_ncw_fcw(%x: tensor<2x3x7xf32>, %k: tensor<2x3x3xf32>, %init: tensor<2x2x3xf32>) -> tensor<2x2x3xf32> {
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %k : tensor<2x3x7xf32>, tensor<2x3x3xf32>) outs(%init : tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  return %0 : tensor<2x2x3xf32>
}

func.func @conv_2d_nhwc_hwcf(%x: tensor<2x5x7x3xf32>, %k: tensor<2x3x3x2xf32>, %init: tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x5x7x3xf32>, tensor<2x3x3x2xf32>) outs(%init : tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>
  return %0 : tensor<2x3x3x2xf32>
}

func.func @conv_2d_nhwc_fhwc(%x: tensor<2x5x7x3xf32>, %k: tensor<2x2x3x3xf32>, %init: tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x5x7x3xf32>, tensor<2x2x3x3xf32>) outs(%init : tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>
  return %0 : tensor<2x3x3x2xf32>
}

func.func @conv_2d_nhwc_hwcf_q(%x: tensor<2x5x7x3xi8>, %k: tensor<2x3x3x2xi8>, %init: tensor<2x3x3x2xi32>) -> tensor<2x3x3x2xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x5x7x3xi8>, tensor<2x3x3x2xi8>, i32, i32) outs(%init : tensor<2x3x3x2xi32>) -> tensor<2x3x3x2xi32>
  return %0 : tensor<2x3x3x2xi32>
}

func.func @conv_2d_nhwc_fhwc_q(%x: tensor<2x5x7x3xi8>, %k: tensor<2x2x3x3xi8>, %init: tensor<2x3x3x2xi32>) -> tensor<2x3x3x2xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x5x7x3xi8>, tensor<2x2x3x3xi8>, i32, i32) outs(%init : tensor<2x3x3x2xi32>) -> tensor<2x3x3x2xi32>
  return %0 : tensor<2x3x3x2xi32>
}

func.func @conv_2d_nchw_fchw_q(%x: tensor<2x3x5x7xi8>, %k: tensor<2x3x2x3xi8>, %init: tensor<2x2x3x3xi32>) -> tensor<2x2x3x3xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.conv_2d_nchw_fchw_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x3x5x7xi8>, tensor<2x3x2x3xi8>, i32, i32) outs(%init : tensor<2x2x3x3xi32>) -> tensor<2x2x3x3xi32>
  return %0 : tensor<2x2x3x3xi32>
}

func.func @conv_2d_nchw_fchw(%x: tensor<2x3x5x7xf32>, %k: tensor<2x3x2x3xf32>, %init: tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x3x5x7xf32>, tensor<2x3x2x3xf32>) outs(%init : tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32>
  return %0 : tensor<2x2x3x3xf32>
}

func.func @conv_2d_ngchw_fgchw(%x: tensor<2x2x3x5x7xf32>, %k: tensor<2x2x3x2x3xf32>, %init: tensor<2x2x2x3x3xf32>) -> tensor<2x2x2x3x3xf32> {
  %0 = linalg.conv_2d_ngchw_fgchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x2x3x5x7xf32>, tensor<2x2x3x2x3xf32>) outs(%init : tensor<2x2x2x3x3xf32>) -> tensor<2x2x2x3x3xf32>
  return %0 : tensor<2x2x2x3x3xf32>
}

func.func @conv_2d_ngchw_gfchw(%x: tensor<2x2x3x5x7xf32>, %k: tensor<2x2x3x2x3xf32>, %init: tensor<2x2x2x3x3xf32>) -> tensor<2x2x2x3x3xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x2x3x5x7xf32>, tensor<2x2x3x2x3xf32>) outs(%init : tensor<2x2x2x3x3xf32>) -> tensor<2x2x2x3x3xf32>
  return %0 : tensor<2x2x2x3x3xf32>
}

func.func @conv_2d_nhwgc_gfhwc(%x: tensor<2x5x7x2x3xf32>, %k: tensor<2x2x2x3x3xf32>, %init: tensor<2x3x3x2x2xf32>) -> tensor<2x3x3x2x2xf32> {
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x5x7x2x3xf32>, tensor<2x2x2x3x3xf32>) outs(%init : tensor<2x3x3x2x2xf32>) -> tensor<2x3x3x2x2xf32>
  return %0 : tensor<2x3x3x2x2xf32>
}

func.func @conv_2d_nhwgc_gfhwc_q(%x: tensor<2x5x7x2x3xi8>, %k: tensor<2x2x2x3x3xi8>, %init: tensor<2x3x3x2x2xi32>) -> tensor<2x3x3x2x2xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x5x7x2x3xi8>, tensor<2x2x2x3x3xi8>, i32, i32) outs(%init : tensor<2x3x3x2x2xi32>) -> tensor<2x3x3x2x2xi32>
  return %0 : tensor<2x3x3x2x2xi32>
}

func.func @conv_2d_ngchw_gfchw_q(%x: tensor<2x2x3x5x7xi8>, %k: tensor<2x2x3x2x3xi8>, %init: tensor<2x2x2x3x3xi32>) -> tensor<2x2x2x3x3xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x2x3x5x7xi8>, tensor<2x2x3x2x3xi8>, i32, i32) outs(%init : tensor<2x2x2x3x3xi32>) -> tensor<2x2x2x3x3xi32>
  return %0 : tensor<2x2x2x3x3xi32>
}

func.func @conv_3d_ndhwc_dhwcf(%x: tensor<2x4x5x7x3xf32>, %k: tensor<2x2x3x3x2xf32>, %init: tensor<2x2x3x3x2xf32>) -> tensor<2x2x3x3x2xf32> {
  %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %k : tensor<2x4x5x7x3xf32>, tensor<2x2x3x3x2xf32>) outs(%init : tensor<2x2x3x3x2xf32>) -> tensor<2x2x3x3x2xf32>
  return %0 : tensor<2x2x3x3x2xf32>
}

func.func @conv_3d_ndhwc_dhwcf_q(%x: tensor<2x4x5x7x3xi8>, %k: tensor<2x2x3x3x2xi8>, %init: tensor<2x2x3x3x2xi32>) -> tensor<2x2x3x3x2xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %k, %xz, %kz : tensor<2x4x5x7x3xi8>, tensor<2x2x3x3x2xi8>, i32, i32) outs(%init : tensor<2x2x3x3x2xi32>) -> tensor<2x2x3x3x2xi32>
  return %0 : tensor<2x2x3x3x2xi32>
}

func.func @conv_3d_ncdhw_fcdhw(%x: tensor<2x3x4x5x7xf32>, %k: tensor<2x3x2x2x3xf32>, %init: tensor<2x2x2x3x3xf32>) -> tensor<2x2x2x3x3xf32> {
  %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %k : tensor<2x3x4x5x7xf32>, tensor<2x3x2x2x3xf32>) outs(%init : tensor<2x2x2x3x3xf32>) -> tensor<2x2x2x3x3xf32>
  return %0 : tensor<2x2x2x3x3xf32>
}

func.func @depthwise_conv_1d_nwc_wc(%x: tensor<2x7x3xf32>, %k: tensor<3x3xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %k : tensor<2x7x3xf32>, tensor<3x3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @depthwise_conv_1d_ncw_cw(%x: tensor<2x3x7xf32>, %k: tensor<3x3xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %k : tensor<2x3x7xf32>, tensor<3x3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @depthwise_conv_1d_nwc_wcm(%x: tensor<2x7x3xf32>, %k: tensor<3x3x2xf32>, %init: tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %k : tensor<2x7x3xf32>, tensor<3x3x2xf32>) outs(%init : tensor<2x3x3x2xf32>) -> tensor<2x3x3x2xf32>
  return %0 : tensor<2x3x3x2xf32>
}

func.func @depthwise_conv_2d_nhwc_hwc(%x: tensor<2x5x7x3xf32>, %k: tensor<2x3x3xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x5x7x3xf32>, tensor<2x3x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @depthwise_conv_2d_nchw_chw(%x: tensor<2x3x5x7xf32>, %k: tensor<3x2x3xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x3x5x7xf32>, tensor<3x2x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @depthwise_conv_2d_nhwc_hwc_q(%x: tensor<2x5x7x3xi8>, %k: tensor<2x3x3xi8>, %init: tensor<2x3x3x3xi32>) -> tensor<2x3x3x3xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x5x7x3xi8>, tensor<2x3x3xi8>, i32, i32) outs(%init : tensor<2x3x3x3xi32>) -> tensor<2x3x3x3xi32>
  return %0 : tensor<2x3x3x3xi32>
}

func.func @depthwise_conv_2d_nhwc_hwcm(%x: tensor<2x5x7x3xf32>, %k: tensor<2x3x3x2xf32>, %init: tensor<2x3x3x3x2xf32>) -> tensor<2x3x3x3x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k : tensor<2x5x7x3xf32>, tensor<2x3x3x2xf32>) outs(%init : tensor<2x3x3x3x2xf32>) -> tensor<2x3x3x3x2xf32>
  return %0 : tensor<2x3x3x3x2xf32>
}

func.func @depthwise_conv_2d_nhwc_hwcm_q(%x: tensor<2x5x7x3xi8>, %k: tensor<2x3x3x2xi8>, %init: tensor<2x3x3x3x2xi32>) -> tensor<2x3x3x3x2xi32> {
  %xz = arith.constant 3 : i32
  %kz = arith.constant -2 : i32
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %k, %xz, %kz : tensor<2x5x7x3xi8>, tensor<2x3x3x2xi8>, i32, i32) outs(%init : tensor<2x3x3x3x2xi32>) -> tensor<2x3x3x3x2xi32>
  return %0 : tensor<2x3x3x3x2xi32>
}

func.func @depthwise_conv_3d_ndhwc_dhwc(%x: tensor<2x4x5x7x3xf32>, %k: tensor<2x2x3x3xf32>, %init: tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32> {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %k : tensor<2x4x5x7x3xf32>, tensor<2x2x3x3xf32>) outs(%init : tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32>
  return %0 : tensor<2x2x3x3x3xf32>
}

func.func @depthwise_conv_3d_ncdhw_cdhw(%x: tensor<2x3x4x5x7xf32>, %k: tensor<3x2x2x3xf32>, %init: tensor<2x3x2x3x3xf32>) -> tensor<2x3x2x3x3xf32> {
  %0 = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %k : tensor<2x3x4x5x7xf32>, tensor<3x2x2x3xf32>) outs(%init : tensor<2x3x2x3x3xf32>) -> tensor<2x3x2x3x3xf32>
  return %0 : tensor<2x3x2x3x3xf32>
}

func.func @depthwise_conv_3d_ndhwc_dhwcm(%x: tensor<2x4x5x7x3xf32>, %k: tensor<2x2x3x3x2xf32>, %init: tensor<2x2x3x3x3x2xf32>) -> tensor<2x2x3x3x3x2xf32> {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %k : tensor<2x4x5x7x3xf32>, tensor<2x2x3x3x2xf32>) outs(%init : tensor<2x2x3x3x3x2xf32>) -> tensor<2x2x3x3x3x2xf32>
  return %0 : tensor<2x2x3x3x3x2xf32>
}

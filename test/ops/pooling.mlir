// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The poolings of linalg, with steps and dilations; of the window only the
// shape counts.

func.func @pooling_nhwc_sum(%x: tensor<2x5x7x3xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.pooling_nhwc_sum {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x5x7x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @pooling_nchw_sum(%x: tensor<2x3x5x7xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.pooling_nchw_sum {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x3x5x7xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @pooling_nhwc_max(%x: tensor<2x5x7x3xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.pooling_nhwc_max {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x5x7x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @pooling_nhwc_max_unsigned(%x: tensor<2x5x7x3xi32>, %init: tensor<2x3x3x3xi32>) -> tensor<2x3x3x3xi32> {
  %window = tensor.empty() : tensor<2x3xi32>
  %0 = linalg.pooling_nhwc_max_unsigned {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x5x7x3xi32>, tensor<2x3xi32>) outs(%init : tensor<2x3x3x3xi32>) -> tensor<2x3x3x3xi32>
  return %0 : tensor<2x3x3x3xi32>
}

func.func @pooling_nchw_max(%x: tensor<2x3x5x7xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x3x5x7xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @pooling_nhwc_min(%x: tensor<2x5x7x3xf32>, %init: tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.pooling_nhwc_min {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x5x7x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}

func.func @pooling_nhwc_min_unsigned(%x: tensor<2x5x7x3xi32>, %init: tensor<2x3x3x3xi32>) -> tensor<2x3x3x3xi32> {
  %window = tensor.empty() : tensor<2x3xi32>
  %0 = linalg.pooling_nhwc_min_unsigned {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%x, %window : tensor<2x5x7x3xi32>, tensor<2x3xi32>) outs(%init : tensor<2x3x3x3xi32>) -> tensor<2x3x3x3xi32>
  return %0 : tensor<2x3x3x3xi32>
}

func.func @pooling_nwc_sum(%x: tensor<2x7x3xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %window = tensor.empty() : tensor<3xf32>
  %0 = linalg.pooling_nwc_sum {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x7x3xf32>, tensor<3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @pooling_ncw_sum(%x: tensor<2x3x7xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %window = tensor.empty() : tensor<3xf32>
  %0 = linalg.pooling_ncw_sum {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x3x7xf32>, tensor<3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @pooling_nwc_max(%x: tensor<2x7x3xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %window = tensor.empty() : tensor<3xf32>
  %0 = linalg.pooling_nwc_max {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x7x3xf32>, tensor<3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @pooling_nwc_max_unsigned(%x: tensor<2x7x3xi32>, %init: tensor<2x3x3xi32>) -> tensor<2x3x3xi32> {
  %window = tensor.empty() : tensor<3xi32>
  %0 = linalg.pooling_nwc_max_unsigned {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x7x3xi32>, tensor<3xi32>) outs(%init : tensor<2x3x3xi32>) -> tensor<2x3x3xi32>
  return %0 : tensor<2x3x3xi32>
}

func.func @pooling_ncw_max(%x: tensor<2x3x7xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %window = tensor.empty() : tensor<3xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x3x7xf32>, tensor<3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @pooling_nwc_min(%x: tensor<2x7x3xf32>, %init: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %window = tensor.empty() : tensor<3xf32>
  %0 = linalg.pooling_nwc_min {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x7x3xf32>, tensor<3xf32>) outs(%init : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

func.func @pooling_nwc_min_unsigned(%x: tensor<2x7x3xi32>, %init: tensor<2x3x3xi32>) -> tensor<2x3x3xi32> {
  %window = tensor.empty() : tensor<3xi32>
  %0 = linalg.pooling_nwc_min_unsigned {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%x, %window : tensor<2x7x3xi32>, tensor<3xi32>) outs(%init : tensor<2x3x3xi32>) -> tensor<2x3x3xi32>
  return %0 : tensor<2x3x3xi32>
}

func.func @pooling_ndhwc_sum(%x: tensor<2x4x5x7x3xf32>, %init: tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x2x3xf32>
  %0 = linalg.pooling_ndhwc_sum {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %window : tensor<2x4x5x7x3xf32>, tensor<2x2x3xf32>) outs(%init : tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32>
  return %0 : tensor<2x2x3x3x3xf32>
}

func.func @pooling_ndhwc_max(%x: tensor<2x4x5x7x3xf32>, %init: tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x2x3xf32>
  %0 = linalg.pooling_ndhwc_max {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %window : tensor<2x4x5x7x3xf32>, tensor<2x2x3xf32>) outs(%init : tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32>
  return %0 : tensor<2x2x3x3x3xf32>
}

func.func @pooling_ndhwc_min(%x: tensor<2x4x5x7x3xf32>, %init: tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32> {
  %window = tensor.empty() : tensor<2x2x3xf32>
  %0 = linalg.pooling_ndhwc_min {dilations = dense<[2, 2, 1]> : tensor<3xi64>, strides = dense<[1, 1, 2]> : tensor<3xi64>} ins(%x, %window : tensor<2x4x5x7x3xf32>, tensor<2x2x3xf32>) outs(%init : tensor<2x2x3x3x3xf32>) -> tensor<2x2x3x3x3xf32>
  return %0 : tensor<2x2x3x3x3xf32>
}

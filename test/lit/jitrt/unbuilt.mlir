// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of GPU libraries have their signatures on the host, and say that they
// are not built there; a call that is written wrong is told that instead.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: not %jitrun %t.d/fft.mlir --input=4xf32 --input=3xf32 2>&1 | %FileCheck %s --check-prefix=FFT
// FFT: jitrun: error: {{.*}}fft.mlir:3:3: 'xla.gpu.fft' is not built yet on the host; a plug-in may register a call of this name
// FFT-NEXT: note: while instantiating custom call 'xla.gpu.fft'
// RUN: sed -e 's/fft_type RFFT/fft_type FTT/' %t.d/fft.mlir > %t.wrong.mlir
// RUN: not %jitrun %t.wrong.mlir --input=4xf32 --input=3xf32 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: attribute 'fft_type' of a custom call cannot be encoded: mhlo.fft_type has no case 'FTT'; it has 'FFT', 'IFFT', 'IRFFT', 'RFFT': #mhlo<fft_type FTT>
// RUN: sed -e 's/fft_type = [^>]*>, //' %t.d/fft.mlir > %t.less.mlir
// RUN: not %jitrun %t.less.mlir --input=4xf32 --input=3xf32 2>&1 | %FileCheck %s --check-prefix=LESS
// LESS: custom call 'xla.gpu.fft' does not match its declared signature: missing attribute 'fft_type': expected i32
//
// RUN: not %jitrun %t.d/cholesky.mlir --input=2x2xf32 --input=4xi8 --input=1xi32 2>&1 | %FileCheck %s --check-prefix=CHOLESKY
// CHOLESKY: cholesky.mlir:3:3: 'xla.gpu.cholesky' is not built yet on the host
// RUN: not %jitrun %t.d/conv.mlir --input=1x4x4x1xf32 --input=3x3x1x1xf32 --input=1x4x4x1xf32 --input=1xf32 --input=8xi8 2>&1 | %FileCheck %s --check-prefix=CONV
// CONV: conv.mlir:8:3: 'xla.gpu.conv.forward' is not built yet on the host
// RUN: not %jitrun %t.d/conv.mlir --entry=fused --input=1x4x4x1xf32 --input=3x3x1x1xf32 --input=1x4x4x1xf32 --input=1xf32 --input=8xi8 2>&1 | %FileCheck %s --check-prefix=CONV
//
// RUN: not %jitrun %t.d/matmul.mlir --input=2x2xf32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=MATMUL
// MATMUL: matmul.mlir:4:3: 'xla.gpu.cublas.lt.matmul.bias' is not built yet on the host
// RUN: sed -e 's/epilogue Bias/epilogue Tanh/' %t.d/matmul.mlir > %t.tanh.mlir
// RUN: not %jitrun %t.tanh.mlir --input=2x2xf32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=TANH
// TANH: attribute 'epilogue' of a custom call cannot be encoded: lmhlo_gpu.epilogue has no case 'Tanh'; it has {{.*}}: #lmhlo_gpu<epilogue Tanh>

//--- fft.mlir
func.func private @fft(memref<4xf32>, memref<3xf32>) attributes {rt.custom_call = "xla.gpu.fft"}
func.func @main(%a: memref<4xf32>, %b: memref<3xf32>) {
  call @fft(%a, %b) {fft_type = #mhlo<fft_type RFFT>, fft_length = dense<4> : tensor<1xi64>} : (memref<4xf32>, memref<3xf32>) -> ()
  return
}
//--- cholesky.mlir
func.func private @cholesky(memref<2x2xf32>, memref<2x2xf32>, memref<4xi8>, memref<1xi32>) attributes {rt.custom_call = "xla.gpu.cholesky"}
func.func @main(%a: memref<2x2xf32>, %b: memref<4xi8>, %c: memref<1xi32>) {
  call @cholesky(%a, %a, %b, %c) {batch_size = 1 : i64, is_lower = true, n = 2 : i64} : (memref<2x2xf32>, memref<2x2xf32>, memref<4xi8>, memref<1xi32>) -> ()
  return
}
//--- conv.mlir
func.func private @conv(memref<1x4x4x1xf32>, memref<3x3x1x1xf32>, memref<1x4x4x1xf32>, memref<8xi8>) attributes {rt.custom_call = "xla.gpu.conv.forward",
  conv_dims = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, backend_config = #lmhlo_gpu.convolution_backend_config<algorithm = 0, tensor_ops_enabled = false>,
  window_strides = dense<1> : tensor<2xi64>, padding = dense<1> : tensor<2xi64>, lhs_dilation = dense<1> : tensor<2xi64>, rhs_dilation = dense<1> : tensor<2xi64>, window_reversal = dense<0> : tensor<2xi64>, feature_group_count = 1 : i64, result_scale = 1.0 : f64}
func.func private @fused_conv(memref<1x4x4x1xf32>, memref<3x3x1x1xf32>, memref<1xf32>, memref<1x4x4x1xf32>, memref<8xi8>) attributes {rt.custom_call = "xla.gpu.conv.forward.fused",
  conv_dims = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, backend_config = #lmhlo_gpu.convolution_backend_config<algorithm = 0, tensor_ops_enabled = false>, activation_mode = #lmhlo_gpu<activation Relu>,
  window_strides = dense<1> : tensor<2xi64>, padding = dense<1> : tensor<2xi64>, lhs_dilation = dense<1> : tensor<2xi64>, rhs_dilation = dense<1> : tensor<2xi64>, window_reversal = dense<0> : tensor<2xi64>, feature_group_count = 1 : i64, result_scale = 1.0 : f64}
func.func @main(%a: memref<1x4x4x1xf32>, %b: memref<3x3x1x1xf32>, %c: memref<1x4x4x1xf32>, %d: memref<1xf32>, %e: memref<8xi8>) {
  call @conv(%a, %b, %c, %e) {uid = 3 : i64} : (memref<1x4x4x1xf32>, memref<3x3x1x1xf32>, memref<1x4x4x1xf32>, memref<8xi8>) -> ()
  return
}
func.func @fused(%a: memref<1x4x4x1xf32>, %b: memref<3x3x1x1xf32>, %c: memref<1x4x4x1xf32>, %d: memref<1xf32>, %e: memref<8xi8>) {
  call @fused_conv(%a, %b, %d, %c, %e) : (memref<1x4x4x1xf32>, memref<3x3x1x1xf32>, memref<1xf32>, memref<1x4x4x1xf32>, memref<8xi8>) -> ()
  return
}
//--- matmul.mlir
func.func private @matmul(memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>, memref<2xf32>) attributes {rt.custom_call = "xla.gpu.cublas.lt.matmul.bias",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64, dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, epilogue = #lmhlo_gpu<epilogue Bias>}
func.func @main(%a: memref<2x2xf32>, %b: memref<2xf32>) {
  call @matmul(%a, %a, %a, %a, %b) : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>, memref<2xf32>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of GPU libraries, and of XLA's for the CPU, have their signatures on the
// host, and say that they are not built there; a call that is written wrong is
// told that instead.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: not %jitrun %t.d/conv.mlir --input=1x4x4x1xf32 --input=3x3x1x1xf32 --input=1x4x4x1xf32 --input=1xf32 --input=8xi8 2>&1 | %FileCheck %s --check-prefix=CONV
// CONV: conv.mlir:8:3: 'xla.gpu.conv.forward' is not built yet on the host; a plug-in may register a call of this name
// CONV-NEXT: note: while instantiating custom call 'xla.gpu.conv.forward'
// RUN: not %jitrun %t.d/conv.mlir --entry=fused --input=1x4x4x1xf32 --input=3x3x1x1xf32 --input=1x4x4x1xf32 --input=1xf32 --input=8xi8 2>&1 | %FileCheck %s --check-prefix=CONV
//
// RUN: not %jitrun %t.d/matmul.mlir --input=2x2xf32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=MATMUL
// MATMUL: matmul.mlir:4:3: 'xla.gpu.cublas.lt.matmul.bias' is not built yet on the host
// RUN: sed -e 's/epilogue Bias/epilogue Tanh/' %t.d/matmul.mlir > %t.tanh.mlir
// RUN: not %jitrun %t.tanh.mlir --input=2x2xf32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=TANH
// TANH: attribute 'epilogue' of a custom call cannot be encoded: lmhlo_gpu.epilogue has no case 'Tanh'; it has {{.*}}: #lmhlo_gpu<epilogue Tanh>
//
// One error a run: each call has an entry of its own.
// RUN: sh %t.d/others.sh %jitrun %t.d 2>&1 | %FileCheck %s --check-prefix=OTHERS
// OTHERS: one.mlir:3:3: 'xla.cpu.convolution' is not built yet on the host
// OTHERS-NEXT: custom call '__gpu$TopK' does not match its declared signature: missing argument 2 'indices': expected buffer
// OTHERS-NEXT: custom call 'xla.cpu.rng.philox' does not match its declared signature: missing argument 2 'values': expected buffer
// RUN: not %jitrun %t.d/graph.mlir --entry=main --input=4xf32 2>&1 | %FileCheck %s --check-prefix=GRAPH
// GRAPH: graph.mlir:4:3: 'xla.gpu.cuda.graph.launch' is not built yet on the host
// RUN: sed -e 's/@capture}/"capture"}/' %t.d/graph.mlir > %t.graph.mlir
// RUN: not %jitrun %t.graph.mlir --entry=main --input=4xf32 2>&1 | %FileCheck %s --check-prefix=CAPTURE
// CAPTURE: custom call 'xla.gpu.cuda.graph.launch' does not match its declared signature: attribute 'capture': expected function, found string
// RUN: not %jitrun %t.d/f8.mlir --input=4x4xf8E4M3FN --input=f32 2>&1 | %FileCheck %s --check-prefix=F8
// F8: f8.mlir:3:3: 'xla.gpu.cublas.lt.matmul.f8' is not built yet on the host
// RUN: sed -e 's/matmul.f8/matmul.f8.d_amax/' %t.d/f8.mlir > %t.amax.mlir
// RUN: not %jitrun %t.amax.mlir --input=4x4xf8E4M3FN --input=f32 2>&1 | %FileCheck %s --check-prefix=AMAX
// AMAX: custom call 'xla.gpu.cublas.lt.matmul.f8.d_amax' does not match its declared signature: missing argument 8 'd_amax': expected buffer

//--- others.sh
jitrun=$1
cd "$2" || exit 1
try() {
  name=$1
  shift
  types=$*
  cat >one.mlir <<END
func.func private @other($types) attributes {rt.custom_call = "$name"}
func.func @main(%a: memref<2xi32>) {
  call @other(VALUES) : ($types) -> ()
  return
}
END
  values=$(echo "$types" | sed -e 's/memref<2xi32>/%a/g')
  sed -i -e "s/VALUES/$values/" one.mlir
  "$jitrun" one.mlir --input=2xi32 2>&1 | sed -n -e '1s/^.*\(one.mlir:3:3: .\)/\1/p'
}
m='memref<2xi32>'
try xla.cpu.convolution $m, $m, $m
try '__gpu$TopK' $m, $m
try xla.cpu.rng.philox $m, $m
//--- graph.mlir
func.func private @launch(i64, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.cuda.graph.launch"}
func.func @main(%a: memref<4xf32>) {
  %c = arith.constant 0 : i64
  call @launch(%c, %a) {capture = @capture} : (i64, memref<4xf32>) -> ()
  return
}
func.func @capture(%a: memref<4xf32>) {
  return
}
//--- f8.mlir
func.func private @plain(memref<4x4xf8E4M3FN>, memref<4x4xf8E4M3FN>, memref<4x4xf8E4M3FN>, memref<4x4xf8E4M3FN>, memref<f32>, memref<f32>, memref<f32>, memref<f32>) attributes {rt.custom_call = "xla.gpu.cublas.lt.matmul.f8", algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64, dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, epilogue = #lmhlo_gpu<epilogue Default>}
func.func @main(%a: memref<4x4xf8E4M3FN>, %s: memref<f32>) {
  call @plain(%a, %a, %a, %a, %s, %s, %s, %s) : (memref<4x4xf8E4M3FN>, memref<4x4xf8E4M3FN>, memref<4x4xf8E4M3FN>, memref<4x4xf8E4M3FN>, memref<f32>, memref<f32>, memref<f32>, memref<f32>) -> ()
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

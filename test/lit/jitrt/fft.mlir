// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XLA's Fourier transforms, with its numbers of types.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/fft.mlir --entry=gpu --input="2x2xcomplex<f32>=(1,0),(2,0),(3,0),(4,0)" --input="2x2xcomplex<f32>" --input=2x4xf64=1,2,3,4,5,6,7,8 --input="2x3xcomplex<f64>" | %FileCheck %s
// RUN: %jitrun %t.d/fft.mlir --entry=cpu --input="2x2xcomplex<f32>=(1,0),(2,0),(3,0),(4,0)" --input="2x2xcomplex<f32>" --input=2x4xf64=1,2,3,4,5,6,7,8 --input="2x3xcomplex<f64>" | %FileCheck %s
// RUN: %jitrun compile %t.d/fft.mlir -o %t.so
// RUN: %jitrun %t.so --entry=gpu --input="2x2xcomplex<f32>=(1,0),(2,0),(3,0),(4,0)" --input="2x2xcomplex<f32>" --input=2x4xf64=1,2,3,4,5,6,7,8 --input="2x3xcomplex<f64>" | %FileCheck %s
// There and back, in two dimensions: of complex numbers, then of real ones.
// CHECK: arg[0]: 2x2xcomplex<f32>={{\[\[}}(1,0) (2,0)][(3,0) (4,0)]]
// CHECK-NEXT: arg[1]: 2x2xcomplex<f32>={{\[\[}}(10,0) (-2,0)][(-4,0) (0,0)]]
// CHECK-NEXT: arg[2]: 2x4xf64={{\[\[}}1 2 3 4][5 6 7 8]]
// CHECK-NEXT: arg[3]: 2x3xcomplex<f64>={{\[\[}}(36,0) (-4,4) (-4,0)][(-16,0) (0,0) (0,0)]]
// RUN: not %jitrun %t.d/type.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:3:3: Unsupported FFT type: 9
// RUN: not %jitrun %t.d/kind.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=KIND
// KIND: kind.mlir:3:3: xla.gpu.fft: 'fft_type' is 1, which is not for an input of f32 and an output of complex<f32>
// RUN: not %jitrun %t.d/length.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=LENGTH
// LENGTH: length.mlir:3:3: xla.gpu.fft: dimension 0 of 'input' is 4, 'fft_length' says 6
// RUN: not %jitrun %t.d/cpu.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=CPU
// CPU: cpu.mlir:3:3: Unsupported FFT type: 4
// RUN: sed -e 's/fft_type FFT/fft_type FTT/' %t.d/kind.mlir > %t.wrong.mlir
// RUN: not %jitrun %t.wrong.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: attribute 'fft_type' of a custom call cannot be encoded: mhlo.fft_type has no case 'FTT'; it has 'FFT', 'IFFT', 'IRFFT', 'RFFT': #mhlo<fft_type FTT>
// RUN: sed -e 's/fft_type = [^>]*>, //' %t.d/kind.mlir > %t.less.mlir
// RUN: not %jitrun %t.less.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=LESS
// LESS: custom call 'xla.gpu.fft' does not match its declared signature: missing attribute 'fft_type': expected i32
// RUN: sed -e 's/4 : i32/4 : i64/' %t.d/cpu.mlir > %t.wide.mlir
// RUN: not %jitrun %t.wide.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=WIDE
// WIDE: custom call 'xla.cpu.fft' does not match its declared signature: attribute 'fft_type': expected i32, found i64

//--- fft.mlir
func.func private @gpu_c(memref<2x2xcomplex<f32>>, memref<2x2xcomplex<f32>>) attributes {rt.custom_call = "xla.gpu.fft"}
func.func private @gpu_r(memref<2x4xf64>, memref<2x3xcomplex<f64>>) attributes {rt.custom_call = "xla.gpu.fft"}
func.func private @gpu_h(memref<2x3xcomplex<f64>>, memref<2x4xf64>) attributes {rt.custom_call = "xla.gpu.fft"}
func.func private @cpu_c(memref<2x2xcomplex<f32>>, memref<2x2xcomplex<f32>>) attributes {rt.custom_call = "xla.cpu.fft"}
func.func private @cpu_r(memref<2x4xf64>, memref<2x3xcomplex<f64>>) attributes {rt.custom_call = "xla.cpu.fft"}
func.func private @cpu_h(memref<2x3xcomplex<f64>>, memref<2x4xf64>) attributes {rt.custom_call = "xla.cpu.fft"}
func.func @gpu(%a: memref<2x2xcomplex<f32>>, %b: memref<2x2xcomplex<f32>>, %c: memref<2x4xf64>, %d: memref<2x3xcomplex<f64>>) {
  call @gpu_c(%a, %b) {fft_type = #mhlo<fft_type FFT>, fft_length = dense<[2, 2]> : tensor<2xi64>} : (memref<2x2xcomplex<f32>>, memref<2x2xcomplex<f32>>) -> ()
  call @gpu_c(%b, %a) {fft_type = #mhlo<fft_type IFFT>, fft_length = dense<[2, 2]> : tensor<2xi64>} : (memref<2x2xcomplex<f32>>, memref<2x2xcomplex<f32>>) -> ()
  call @gpu_r(%c, %d) {fft_type = #mhlo<fft_type RFFT>, fft_length = dense<[2, 4]> : tensor<2xi64>} : (memref<2x4xf64>, memref<2x3xcomplex<f64>>) -> ()
  call @gpu_h(%d, %c) {fft_type = #mhlo<fft_type IRFFT>, fft_length = dense<[2, 4]> : tensor<2xi64>} : (memref<2x3xcomplex<f64>>, memref<2x4xf64>) -> ()
  return
}
func.func @cpu(%a: memref<2x2xcomplex<f32>>, %b: memref<2x2xcomplex<f32>>, %c: memref<2x4xf64>, %d: memref<2x3xcomplex<f64>>) {
  call @cpu_c(%a, %b) {fft_type = 0 : i32, fft_length = dense<[2, 2]> : tensor<2xi64>} : (memref<2x2xcomplex<f32>>, memref<2x2xcomplex<f32>>) -> ()
  call @cpu_c(%b, %a) {fft_type = 1 : i32, fft_length = dense<[2, 2]> : tensor<2xi64>} : (memref<2x2xcomplex<f32>>, memref<2x2xcomplex<f32>>) -> ()
  call @cpu_r(%c, %d) {fft_type = 2 : i32, fft_length = dense<[2, 4]> : tensor<2xi64>} : (memref<2x4xf64>, memref<2x3xcomplex<f64>>) -> ()
  call @cpu_h(%d, %c) {fft_type = 3 : i32, fft_length = dense<[2, 4]> : tensor<2xi64>} : (memref<2x3xcomplex<f64>>, memref<2x4xf64>) -> ()
  return
}
//--- type.mlir
func.func private @fft(memref<4xf32>, memref<3xcomplex<f32>>) attributes {rt.custom_call = "xla.gpu.fft", fft_length = dense<4> : tensor<1xi64>}
func.func @main(%a: memref<4xf32>, %b: memref<3xcomplex<f32>>) {
  call @fft(%a, %b) {fft_type = 9 : i32} : (memref<4xf32>, memref<3xcomplex<f32>>) -> ()
  return
}
//--- kind.mlir
func.func private @fft(memref<4xf32>, memref<3xcomplex<f32>>) attributes {rt.custom_call = "xla.gpu.fft", fft_length = dense<4> : tensor<1xi64>}
func.func @main(%a: memref<4xf32>, %b: memref<3xcomplex<f32>>) {
  call @fft(%a, %b) {fft_type = #mhlo<fft_type FFT>, uid = 3 : i64} : (memref<4xf32>, memref<3xcomplex<f32>>) -> ()
  return
}
//--- length.mlir
func.func private @fft(memref<4xf32>, memref<3xcomplex<f32>>) attributes {rt.custom_call = "xla.gpu.fft", fft_length = dense<6> : tensor<1xi64>}
func.func @main(%a: memref<4xf32>, %b: memref<3xcomplex<f32>>) {
  call @fft(%a, %b) {fft_type = #mhlo<fft_type RFFT>} : (memref<4xf32>, memref<3xcomplex<f32>>) -> ()
  return
}
//--- cpu.mlir
func.func private @fft(memref<4xf32>, memref<3xcomplex<f32>>) attributes {rt.custom_call = "xla.cpu.fft", fft_length = dense<4> : tensor<1xi64>}
func.func @main(%a: memref<4xf32>, %b: memref<3xcomplex<f32>>) {
  call @fft(%a, %b) {fft_type = 4 : i32} : (memref<4xf32>, memref<3xcomplex<f32>>) -> ()
  return
}

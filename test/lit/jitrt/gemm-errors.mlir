// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What xla.gpu.gemm refuses, when the program is opened wherever the types
// tell.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: not %jitrun %t.d/imag.mlir --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=IMAG
// IMAG: jitrun: error: {{.*}}imag.mlir:5:3: xla.gpu.gemm: 'alpha_imag' is 1; elements are real, so it must be 0
// RUN: sed -e 's/alpha_imag = 1.0/alpha_imag = 0.0/; s/lhs_contracting_dimensions = .1./lhs_contracting_dimensions = [2]/' %t.d/imag.mlir > %t.range.mlir
// RUN: not %jitrun %t.range.mlir --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=RANGE
// RANGE: xla.gpu.gemm: dimension 2 in 'lhs_contract' of attribute 'dot_dims' is none of the 2 of that operand, or is there twice
// RUN: sed -e 's/alpha_imag = 1.0/alpha_imag = 0.0/; s/dot<lhs/dot<lhs_batching_dimensions = [1], lhs/' %t.d/imag.mlir > %t.twice.mlir
// RUN: not %jitrun %t.twice.mlir --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: xla.gpu.gemm: dimension 1 in 'lhs_contract' of attribute 'dot_dims' is none of the 2 of that operand, or is there twice
// RUN: sed -e 's/alpha_imag = 1.0/alpha_imag = 0.0/; s/#mhlo.dot<.*>/{lhs_contract = [1 : i32], rhs_contract = [0 : i32]}/' %t.d/imag.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: xla.gpu.gemm: 'lhs_contract' of attribute 'dot_dims' must be an array of i64
// RUN: sed -e 's/alpha_imag = 1.0/alpha_imag = 0.0/; s/, rhs_contracting_dimensions = .0.//' %t.d/imag.mlir > %t.count.mlir
// RUN: not %jitrun %t.count.mlir --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=COUNT
// COUNT: xla.gpu.gemm: the shapes do not fit with 'dot_dims': {{.*}}; found 'lhs': 2x2xf32, 'rhs': 2x2xf32, 'out': 2x2xf32
// RUN: sed -e 's/algorithm = 0 : i64, //' %t.d/imag.mlir > %t.less.mlir
// RUN: not %jitrun %t.less.mlir --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=LESS
// LESS: custom call 'xla.gpu.gemm' does not match its declared signature: missing attribute 'algorithm': expected i64; declared: (lhs: buffer f16|f32|f64|bf16 rank 0 to 32, {{.*}}) {algorithm: i64, alpha_imag: f64, alpha_real: f64, beta: f64, dot_dims: dictionary, precision?: any i32, uid?: i64} -> ()
//
// RUN: not %jitrun %t.d/sizes.mlir --input=2x3xf32 --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=SIZES
// SIZES: jitrun: error: {{.*}}sizes.mlir:5:3: xla.gpu.gemm: the shapes do not fit with 'dot_dims'
// SIZES-NEXT: note: while instantiating custom call 'xla.gpu.gemm'
// RUN: not %jitrun %t.d/dynamic.mlir --input=2x3xf32 --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: jitrun: error: {{.*}}dynamic.mlir:5:3: xla.gpu.gemm: the shapes do not fit with 'dot_dims': {{.*}}; found 'lhs': 2x3xf32, 'rhs': 2x3xf32, 'out': 2x2xf32
// DYNAMIC-NEXT: note: in custom call 'xla.gpu.gemm'
// RUN: not %jitrun %t.d/dtypes.mlir --input=2x2xf32 --input=2x2xf64 2>&1 | %FileCheck %s --check-prefix=DTYPES
// DTYPES: xla.gpu.gemm: 'lhs' has elements of f32, 'rhs' of f32, 'out' of f64; all must be of one type, but 'out' may be f32 where the others are f16 or bf16
// RUN: not %jitrun %t.d/apart.mlir --input=2x2x3xf32 --input=3x2xf32 --input=2x2x2xf32 2>&1 | %FileCheck %s --check-prefix=APART
// APART: xla.gpu.gemm: the dimensions of 'lhs' that are its rows are apart in memory; copy it to a dense buffer first

//--- imag.mlir
func.func private @gemm(memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 1.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @main(%a: memref<2x2xf32>) {
  call @gemm(%a, %a, %a) : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
//--- sizes.mlir
func.func private @gemm(memref<2x3xf32>, memref<2x3xf32>, memref<2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @main(%a: memref<2x3xf32>, %c: memref<2x2xf32>) {
  call @gemm(%a, %a, %c) : (memref<2x3xf32>, memref<2x3xf32>, memref<2x2xf32>) -> ()
  return
}
//--- dynamic.mlir
func.func private @gemm(memref<?x?xf32>, memref<?x?xf32>, memref<2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @main(%a: memref<?x?xf32>, %c: memref<2x2xf32>) {
  call @gemm(%a, %a, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<2x2xf32>) -> ()
  return
}
//--- dtypes.mlir
func.func private @gemm(memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf64>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @main(%a: memref<2x2xf32>, %c: memref<2x2xf64>) {
  call @gemm(%a, %a, %c) : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf64>) -> ()
  return
}
//--- apart.mlir
func.func private @gemm(memref<2x2x3xf32, strided<[3, 6, 1]>>, memref<3x2xf32>, memref<2x2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}
func.func @main(%a: memref<2x2x3xf32, strided<[3, 6, 1]>>, %b: memref<3x2xf32>, %c: memref<2x2x2xf32>) {
  call @gemm(%a, %b, %c) : (memref<2x2x3xf32, strided<[3, 6, 1]>>, memref<3x2xf32>, memref<2x2x2xf32>) -> ()
  return
}

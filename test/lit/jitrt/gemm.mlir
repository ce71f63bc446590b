// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.gemm: scales, batches, transposes, several dimensions as one axis,
// strides and element types, with and without uid and precision.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/gemm.mlir --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/gemm.mlir --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/gemm.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o | %FileCheck %s
// RUN: %jitrun compile %t.d/gemm.mlir -o %t.so
// RUN: sh -e %t.d/run.sh "%jitrun" %t.so | %FileCheck %s
//
// 2 * a * b + 0.5 * 10, then alpha 1 and beta 0, which does not read out.
// CHECK: arg[2]: 2x2xf32={{\[\[}}49 61][103 133]]
// CHECK: arg[2]: 2x2xf32={{\[\[}}22 28][49 64]]
// Batch of two, both transposed.
// CHECK: arg[2]: 2x2x2xf64={{\[\[\[}}7 15][10 22]][{{\[}}67 91][78 106]]]
// The batch is the middle dimension of lhs and the last one of rhs.
// CHECK: arg[2]: 2x3xf64={{\[\[}}7 15 23][34 46 58]]
// Two dimensions of lhs are the rows; two are contracted.
// CHECK: arg[2]: 2x2x2xf32={{\[\[\[}}5 11][11 25]][{{\[}}17 39][23 53]]]
// CHECK: arg[2]: 2x1xf32={{\[\[}}10][26]]
// A column-major result, and an operand with gaps.
// CHECK: arg[2]: 2x2xf32={{\[\[}}22 28][49 64]]
// CHECK: arg[2]: 2x2xf32={{\[\[}}2 2][6 6]]
// CHECK: arg[2]: 2x2xf16={{\[\[}}22 28][49 64]]
// CHECK: arg[2]: 2x2xbf16={{\[\[}}22 28][49 64]]
// Sums of f16 are not rounded in between: 2048 + 1 + 1.
// CHECK: arg[2]: 1x1xf16={{\[\[}}2050]]
// CHECK: arg[2]: 1x1xf32={{\[\[}}2049.5]]
// Nothing to sum, and nothing at all.
// CHECK: arg[2]: 2x2xf32={{\[\[}}0 0][0 0]]
// CHECK: arg[2]: 0x2xf32=
// Sizes known only at run time.
// CHECK: arg[2]: 2x2xf32={{\[\[}}22 28][49 64]]

//--- run.sh
jitrun=$1
file=$2
shift 2
run() { "$jitrun" "$file" "$@"; }
run "$@" --entry=scales --input=2x3xf32=1,2,3,4,5,6 --input=3x2xf32=1,2,3,4,5,6 --input=2x2xf32=10
run "$@" --entry=plain --input=2x3xf32=1,2,3,4,5,6 --input=3x2xf32=1,2,3,4,5,6 --input=2x2xf32=nan
run "$@" --entry=batch --input=2x2x2xf64=1,2,3,4,5,6,7,8 --input=2x2x2xf64=1,2,3,4,5,6,7,8 --input=2x2x2xf64
run "$@" --entry=inner_batch --input=2x2xf64=1,2,3,4 --input=3x2x2xf64=1,5,2,6,3,7,4,8,5,9,6,10 --input=2x3xf64
run "$@" --entry=rows --input=2x2x2xf32=1,2,3,4,5,6,7,8 --input=2x2xf32=1,2,3,4 --input=2x2x2xf32
run "$@" --entry=sums --input=2x2x2xf32=1,2,3,4,5,6,7,8 --input=2x2x1xf32=1 --input=2x1xf32
run "$@" --entry=columns --input=2x3xf32=1,2,3,4,5,6 --input=3x2xf32=1,2,3,4,5,6 --input=2x2xf32
run "$@" --entry=gaps --input=2x4xf32=1,2,3,4,5,6,7,8 --input=2x2xf32=1 --input=2x2xf32
run "$@" --entry=f16 --input=2x3xf16=1,2,3,4,5,6 --input=3x2xf16=1,2,3,4,5,6 --input=2x2xf16
run "$@" --entry=bf16 --input=2x3xbf16=1,2,3,4,5,6 --input=3x2xbf16=1,2,3,4,5,6 --input=2x2xbf16
run "$@" --entry=f16_sum --input=1x3xf16=2048,1,1 --input=3x1xf16=1 --input=1x1xf16
run "$@" --entry=f16_f32 --input=1x3xf16=2048,1,0.5 --input=3x1xf16=1 --input=1x1xf32
run "$@" --entry=no_sum --input=2x0xf32 --input=0x2xf32 --input=2x2xf32=3
run "$@" --entry=nothing --input=0x3xf32 --input=3x2xf32 --input=0x2xf32
run "$@" --entry=dynamic --input=2x3xf32=1,2,3,4,5,6 --input=3x2xf32=1,2,3,4,5,6 --input=2x2xf32
//--- gemm.mlir
func.func private @f32(memref<2x3xf32>, memref<3x2xf32>, memref<2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  alpha_imag = 0.0 : f64, dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @scales(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32>) {
  call @f32(%a, %b, %c) {uid = 0 : i64, algorithm = -5 : i64, alpha_real = 2.0 : f64, beta = 0.5 : f64, precision = dense<[0, 2]> : tensor<2xi32>}
    : (memref<2x3xf32>, memref<3x2xf32>, memref<2x2xf32>) -> ()
  return
}
func.func @plain(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32>) {
  call @f32(%a, %b, %c) {algorithm = -1 : i64, alpha_real = 1.0 : f64, beta = 0.0 : f64, precision = []}
    : (memref<2x3xf32>, memref<3x2xf32>, memref<2x2xf32>) -> ()
  return
}
func.func private @batched(memref<2x2x2xf64>, memref<2x2x2xf64>, memref<2x2x2xf64>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>}
func.func @batch(%a: memref<2x2x2xf64>, %b: memref<2x2x2xf64>, %c: memref<2x2x2xf64>) {
  call @batched(%a, %b, %c) : (memref<2x2x2xf64>, memref<2x2x2xf64>, memref<2x2x2xf64>) -> ()
  return
}
func.func private @inner(memref<2x2xf64>, memref<3x2x2xf64>, memref<2x3xf64>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}
func.func @inner_batch(%a: memref<2x2xf64>, %b: memref<3x2x2xf64>, %c: memref<2x3xf64>) {
  call @inner(%a, %b, %c) : (memref<2x2xf64>, memref<3x2x2xf64>, memref<2x3xf64>) -> ()
  return
}
func.func private @rows_gemm(memref<2x2x2xf32>, memref<2x2xf32>, memref<2x2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}
func.func @rows(%a: memref<2x2x2xf32>, %b: memref<2x2xf32>, %c: memref<2x2x2xf32>) {
  call @rows_gemm(%a, %b, %c) : (memref<2x2x2xf32>, memref<2x2xf32>, memref<2x2x2xf32>) -> ()
  return
}
func.func private @sums_gemm(memref<2x2x2xf32>, memref<2x2x1xf32>, memref<2x1xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = {lhs_contract = [1, 2], rhs_contract = dense<[0, 1]> : tensor<2xi64>}}
func.func @sums(%a: memref<2x2x2xf32>, %b: memref<2x2x1xf32>, %c: memref<2x1xf32>) {
  call @sums_gemm(%a, %b, %c) : (memref<2x2x2xf32>, memref<2x2x1xf32>, memref<2x1xf32>) -> ()
  return
}
func.func private @columns_gemm(memref<2x3xf32>, memref<3x2xf32>, memref<2x2xf32, strided<[1, 2]>>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @columns(%a: memref<2x3xf32>, %b: memref<3x2xf32>, %c: memref<2x2xf32, strided<[1, 2]>>) {
  call @columns_gemm(%a, %b, %c) : (memref<2x3xf32>, memref<3x2xf32>, memref<2x2xf32, strided<[1, 2]>>) -> ()
  return
}
func.func private @gaps_gemm(memref<2x2xf32, strided<[4, 2]>>, memref<2x2xf32>, memref<2x2xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 0.5 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @gaps(%a: memref<2x4xf32>, %b: memref<2x2xf32>, %c: memref<2x2xf32>) {
  %v = memref.subview %a[0, 0] [2, 2] [1, 2] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 2]>>
  call @gaps_gemm(%v, %b, %c) : (memref<2x2xf32, strided<[4, 2]>>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
func.func private @f16_gemm(memref<2x3xf16>, memref<3x2xf16>, memref<2x2xf16>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @f16(%a: memref<2x3xf16>, %b: memref<3x2xf16>, %c: memref<2x2xf16>) {
  call @f16_gemm(%a, %b, %c) : (memref<2x3xf16>, memref<3x2xf16>, memref<2x2xf16>) -> ()
  return
}
func.func private @bf16_gemm(memref<2x3xbf16>, memref<3x2xbf16>, memref<2x2xbf16>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @bf16(%a: memref<2x3xbf16>, %b: memref<3x2xbf16>, %c: memref<2x2xbf16>) {
  call @bf16_gemm(%a, %b, %c) : (memref<2x3xbf16>, memref<3x2xbf16>, memref<2x2xbf16>) -> ()
  return
}
func.func private @sum_gemm(memref<1x3xf16>, memref<3x1xf16>, memref<1x1xf16>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @f16_sum(%a: memref<1x3xf16>, %b: memref<3x1xf16>, %c: memref<1x1xf16>) {
  call @sum_gemm(%a, %b, %c) : (memref<1x3xf16>, memref<3x1xf16>, memref<1x1xf16>) -> ()
  return
}
func.func private @wide_gemm(memref<1x3xf16>, memref<3x1xf16>, memref<1x1xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @f16_f32(%a: memref<1x3xf16>, %b: memref<3x1xf16>, %c: memref<1x1xf32>) {
  call @wide_gemm(%a, %b, %c) : (memref<1x3xf16>, memref<3x1xf16>, memref<1x1xf32>) -> ()
  return
}
func.func private @dynamic_gemm(memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) attributes {rt.custom_call = "xla.gpu.gemm",
  algorithm = 0 : i64, alpha_real = 1.0 : f64, alpha_imag = 0.0 : f64, beta = 0.0 : f64,
  dot_dims = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
func.func @no_sum(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  call @dynamic_gemm(%a, %b, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
func.func @nothing(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  call @dynamic_gemm(%a, %b, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  call @dynamic_gemm(%a, %b, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.reduce.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/reduce.mlir "%S/Inputs" --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/reduce.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/reduce.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
// RUN: %jitrun compile %t.d/reduce.mlir -o %t.so
// RUN: sh -e %t.d/run.sh "%jitrun" %t.so "%S/Inputs" | %FileCheck %s
//
// All dimensions by default. Infinities.
// CHECK: arg[1]: f32=7.5
// CHECK-NEXT: arg[1]: f32=0
// CHECK-NEXT: arg[1]: f32=0
// CHECK-NEXT: arg[1]: f32=nan
// CHECK-NEXT: arg[1]: f32=inf
// CHECK-NEXT: arg[1]: f32=-80
// CHECK-NEXT: arg[1]: f32=1
// A NaN is what they are, wherever it is.
// CHECK-NEXT: arg[1]: f32=-4
// CHECK-NEXT: arg[1]: f32=-inf
// CHECK-NEXT: arg[1]: f32=nan
// CHECK-NEXT: arg[1]: f32=nan
// CHECK-NEXT: arg[1]: f32=-8
// CHECK-NEXT: arg[1]: f32=nan
// CHECK-NEXT: arg[1]: f32=1.875
// CHECK-NEXT: arg[1]: f32=nan
// CHECK-NEXT: arg[1]: f64=19.5
// Small types: their ends, and larger results.
// CHECK-NEXT: arg[1]: f16=65500
// CHECK-NEXT: arg[1]: f16=65500
// CHECK-NEXT: arg[1]: f16=6e-08
// CHECK-NEXT: arg[1]: f32=131009
// CHECK-NEXT: arg[1]: bf16=260
// CHECK-NEXT: arg[1]: bf16=256
// CHECK-NEXT: arg[1]: bf16=nan
// CHECK-NEXT: arg[1]: f32=57344.5
// Integers wrap around; larger ones need not.
// CHECK-NEXT: arg[1]: i8=43
// CHECK-NEXT: arg[1]: i64=299
// CHECK-NEXT: arg[1]: i16=-13392
// CHECK-NEXT: arg[1]: i8=-128
// CHECK-NEXT: arg[1]: ui8=255
// CHECK-NEXT: arg[1]: i16=-4
// CHECK-NEXT: arg[1]: ui16=5
// CHECK-NEXT: arg[1]: i32=-2147483648
// CHECK-NEXT: arg[1]: ui32=4294967295
// CHECK-NEXT: arg[1]: i64=9223372036854775807
// CHECK-NEXT: arg[1]: ui64=18446744073709551615
// CHECK-NEXT: arg[1]: ui16=65520
// CHECK-NEXT: arg[1]: ui16=0
// CHECK-NEXT: arg[1]: i32=6
// CHECK-NEXT: arg[1]: i32=-1
// CHECK-NEXT: arg[1]: i64=1099511627779
// Of bools, or and and, or how many are true.
// CHECK-NEXT: arg[1]: i1=1
// CHECK-NEXT: arg[1]: i1=0
// CHECK-NEXT: arg[1]: i1=0
// CHECK-NEXT: arg[1]: i1=1
// CHECK-NEXT: arg[1]: i32=3
// Complex numbers.
// CHECK-NEXT: arg[1]: 2xcomplex<f32>=[(3,4) (5,6)]
// CHECK-NEXT: arg[1]: complex<f64>=(9,0)
// Dimensions, none of them, and sizes of 0.
// CHECK-NEXT: arg[1]: 2xi32=[6 15]
// CHECK-NEXT: arg[1]: 3xi32=[5 7 9]
// CHECK-NEXT: arg[1]: 1x3xi32={{\[\[}}5 7 9]]
// CHECK-NEXT: arg[1]: 1x1xi32={{\[\[}}21]]
// CHECK-NEXT: arg[1]: 2x3xi32={{\[\[}}1 2 3][4 5 6]]
// CHECK-NEXT: arg[1]: 3xf32=[0 0 0]
// CHECK-NEXT: arg[1]: 0xf32=
// CHECK-NEXT: as numpy
// The same bits for any number of threads.
// CHECK-NEXT: arg[1]: f32=1600080000
// CHECK-NEXT: arg[1]: f32=1600080000
//
// Each message.
// RUN: sed -e 's/ATTRS/reduction = "norm"/' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf32/' %t.d/bad.mlir > %t.name.mlir
// RUN: not %jitrun %t.name.mlir --input='2x3xf32' --input='2xf32' 2>&1 | %FileCheck %s --check-prefix=NAME
// NAME: name.mlir:3:3: jitrun.reduce: reduction "norm" is none of sum, product, min, max, and, or, xor and mean
// RUN: sed -e 's/ATTRS/dimensions = array<i64: 2>/' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf32/' %t.d/bad.mlir > %t.range.mlir
// RUN: not %jitrun %t.range.mlir --input='2x3xf32' --input='2xf32' 2>&1 | %FileCheck %s --check-prefix=RANGE
// RANGE: range.mlir:3:3: jitrun.reduce: 'dimensions' has 2; 'data' has 2 dimensions
// RUN: sed -e 's/ATTRS/dimensions = array<i64: 1, -1>/' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf32/' %t.d/bad.mlir > %t.twice.mlir
// RUN: not %jitrun %t.twice.mlir --input='2x3xf32' --input='2xf32' 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: twice.mlir:3:3: jitrun.reduce: 'dimensions' has dimension 1 twice
// RUN: sed -e 's/ATTRS/reduction = "and", dimensions = array<i64: 1>/' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf32/' %t.d/bad.mlir > %t.bits.mlir
// RUN: not %jitrun %t.bits.mlir --input='2x3xf32' --input='2xf32' 2>&1 | %FileCheck %s --check-prefix=BITS
// BITS: bits.mlir:3:3: jitrun.reduce: elements of f32 have no and; integers have all but mean, floats all but and, or and xor, complex numbers sum and mean
// RUN: sed -e 's/ATTRS/reduction = "mean", dimensions = array<i64: 1>/' -e 's/DATA/2x3xi32/' -e 's/RESULT/2xi32/' %t.d/bad.mlir > %t.mean.mlir
// RUN: not %jitrun %t.mean.mlir --input='2x3xi32' --input='2xi32' 2>&1 | %FileCheck %s --check-prefix=MEAN
// MEAN: mean.mlir:3:3: jitrun.reduce: elements of i32 have no mean;
// RUN: sed -e 's/ATTRS/reduction = "max", dimensions = array<i64: 1>/' -e 's/DATA/2x3xcomplex<f32>/' -e 's/RESULT/2xcomplex<f32>/' %t.d/bad.mlir > %t.complex.mlir
// RUN: not %jitrun %t.complex.mlir --input='2x3xcomplex<f32>' --input='2xcomplex<f32>' 2>&1 | %FileCheck %s --check-prefix=COMPLEX
// COMPLEX: complex.mlir:3:3: jitrun.reduce: elements of complex<f32> have no max;
// RUN: sed -e 's/ATTRS/dimensions = array<i64: 1>/' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf64/' %t.d/bad.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --input='2x3xf32' --input='2xf64' 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:3:3: jitrun.reduce: 'data' has elements of f32, 'result' of f64; sums and products of integers may be any integers, and of floats of less than 32 bits f32, all else has the type of 'data'
// RUN: sed -e 's/ATTRS/reduction = "max", dimensions = array<i64: 1>/' -e 's/DATA/2x3xi8/' -e 's/RESULT/2xi16/' %t.d/bad.mlir > %t.grows.mlir
// RUN: not %jitrun %t.grows.mlir --input='2x3xi8' --input='2xi16' 2>&1 | %FileCheck %s --check-prefix=GROWS
// GROWS: grows.mlir:3:3: jitrun.reduce: 'data' has elements of i8, 'result' of i16;
// RUN: sed -e 's/ATTRS//' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf32/' %t.d/bad.mlir > %t.rank.mlir
// RUN: not %jitrun %t.rank.mlir --input='2x3xf32' --input='2xf32' 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:3:3: jitrun.reduce: 'result' has rank 1; it must be 0, without the dimensions of 'data' that are reduced, or 2
// RUN: sed -e 's/ATTRS/dimensions = array<i64: 0>/' -e 's/DATA/2x3xf32/' -e 's/RESULT/2xf32/' %t.d/bad.mlir > %t.dim.mlir
// RUN: not %jitrun %t.dim.mlir --input='2x3xf32' --input='2xf32' 2>&1 | %FileCheck %s --check-prefix=DIM
// DIM: dim.mlir:3:3: jitrun.reduce: dimension 0 of 'result' is 2; it must be 3
// RUN: not %jitrun %t.d/kept.mlir --input=2x3xf32 --input=2x3xf32 2>&1 | %FileCheck %s --check-prefix=KEPT
// KEPT: kept.mlir:3:3: jitrun.reduce: dimension 1 of 'result' is 3; it must be 1
// RUN: not %jitrun %t.d/reduce.mlir --entry=f32_max --input=0xf32 --input=f32 2>&1 | %FileCheck %s --check-prefix=EMPTY
// EMPTY: jitrun.reduce: a dimension of 'data' that is reduced is 0; there must be elements to take the max of

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
run "$@" --entry=f32_sum --input="4xf32=1,2.5,-4,8" --input="f32"
run "$@" --entry=f32_sum --input="3xf32=-0,-0,-0" --input="f32"
run "$@" --entry=f32_sum --input="0xf32" --input="f32"
run "$@" --entry=f32_sum --input="4xf32=1,inf,2,-inf" --input="f32"
run "$@" --entry=f32_sum --input="3xf32=inf,1,2" --input="f32"
run "$@" --entry=f32_product --input="4xf32=1,2.5,-4,8" --input="f32"
run "$@" --entry=f32_product --input="0xf32" --input="f32"
run "$@" --entry=f32_min --input="4xf32=1,2.5,-4,8" --input="f32"
run "$@" --entry=f32_min --input="20xf32=9,8,7,6,5,4,3,2,1,0,9,8,7,6,5,4,3,2,-inf,5" --input="f32"
run "$@" --entry=f32_min --input="5xf32=1,nan,-4,8,2" --input="f32"
run "$@" --entry=f32_min --input="20xf32=nan,8,7,6,5,4,3,2,1,0,9,8,7,6,5,4,3,2,1,5" --input="f32"
run "$@" --entry=f32_max --input="3xf32=-inf,-inf,-8" --input="f32"
run "$@" --entry=f32_max --input="20xf32=9,8,7,6,5,4,3,2,1,0,9,8,7,6,5,4,3,2,nan,5" --input="f32"
run "$@" --entry=f32_mean --input="4xf32=1,2.5,-4,8" --input="f32"
run "$@" --entry=f32_mean --input="0xf32" --input="f32"
run "$@" --entry=f64_sum --input="20xf64=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0.5" --input="f64"
run "$@" --entry=f16_max --input="4xf16=1,65504,6e-8,-inf" --input="f16"
run "$@" --entry=f16_mean --input="4xf16=65504,65504,65504,65504" --input="f16"
run "$@" --entry=f16_mean --input="4xf16=6e-8,6e-8,6e-8,6e-8" --input="f16"
run "$@" --entry=f16_sum --input="4xf16=65504,65504,6e-8,1" --input="f32"
run "$@" --entry=bf16_sum --input="4xbf16=256,1,1,1" --input="bf16"
run "$@" --entry=bf16_sum --input="3xbf16=256,1,0" --input="bf16"
run "$@" --entry=bf16_sum --input="2xbf16=1,nan" --input="bf16"
run "$@" --entry=f8_sum --input="4xf8E5M2=1,1.5,57344,-2" --input="f32"
run "$@" --entry=i8_sum --input="4xi8=100,100,100,-1" --input="i8"
run "$@" --entry=i8_long --input="4xi8=100,100,100,-1" --input="i64"
run "$@" --entry=i64_short --input="3xi64=70000,3,-1" --input="i16"
run "$@" --entry=i8_min --input="20xi8=1,2,3,4,5,6,7,8,9,-128,11,12,13,14,15,16,17,18,19,20" --input="i8"
run "$@" --entry=ui8_max --input="20xui8=1,2,3,4,5,6,7,8,9,128,11,12,13,14,15,16,255,18,19,20" --input="ui8"
run "$@" --entry=i16_max --input="3xi16=-5,-32768,-4" --input="i16"
run "$@" --entry=ui16_min --input="3xui16=5,65535,32768" --input="ui16"
run "$@" --entry=i32_min --input="3xi32=5,-2147483648,2147483647" --input="i32"
run "$@" --entry=ui32_max --input="3xui32=5,4294967295,2147483647" --input="ui32"
run "$@" --entry=i64_max --input="3xi64=5,-9223372036854775808,9223372036854775807" --input="i64"
run "$@" --entry=ui64_max --input="3xui64=5,18446744073709551615,1" --input="ui64"
run "$@" --entry=ui16_xor --input="3xui16=61440,3855,255" --input="ui16"
run "$@" --entry=ui16_xor --input="0xui16" --input="ui16"
run "$@" --entry=i32_and --input="3xi32=-1,7,14" --input="i32"
run "$@" --entry=i32_and --input="0xi32" --input="i32"
run "$@" --entry=i64_or --input="3xi64=1,1099511627776,2" --input="i64"
run "$@" --entry=i1_sum --input="4xi1=0,1,1,0" --input="i1"
run "$@" --entry=i1_sum --input="2xi1=0,0" --input="i1"
run "$@" --entry=i1_product --input="4xi1=0,1,1,0" --input="i1"
run "$@" --entry=i1_product --input="2xi1=1,1" --input="i1"
run "$@" --entry=i1_count --input="5xi1=0,1,1,0,1" --input="i32"
run "$@" --entry=c64_mean --input="2x2xcomplex<f32>=(1,2),(3,4),(5,6),(7,8)" --input="2xcomplex<f32>"
run "$@" --entry=c128_sum --input="3xcomplex<f64>=(1,2),(3,4),(5,-6)" --input="complex<f64>"
run "$@" --entry=rows --input="2x3xi32=1,2,3,4,5,6" --input="2xi32"
run "$@" --entry=columns --input="2x3xi32=1,2,3,4,5,6" --input="3xi32"
run "$@" --entry=kept --input="2x3xi32=1,2,3,4,5,6" --input="1x3xi32"
run "$@" --entry=both --input="2x3xi32=1,2,3,4,5,6" --input="1x1xi32"
run "$@" --entry=none --input="2x3xi32=1,2,3,4,5,6" --input="2x3xi32"
run "$@" --entry=nothing --input="0x3xf32" --input="3xf32"
run "$@" --entry=to_nothing --input="0x3xf32" --input="0xf32"
run "$@" --entry=sum_1 --threads=2 --input=@"$inputs/reduce.npy" --input=6x5xf32 --expect=@"$inputs/reduce-sum-1.npy" >/dev/null
run "$@" --entry=mean_02 --threads=2 --input=@"$inputs/reduce.npy" --input=70xf32 --expect=@"$inputs/reduce-mean-02.npy" >/dev/null
run "$@" --entry=max_2 --threads=2 --input=@"$inputs/reduce.npy" --input=6x70x1xf32 --expect=@"$inputs/reduce-max-2.npy" >/dev/null
run "$@" --entry=min_01 --threads=2 --input=@"$inputs/reduce.npy" --input=5xf32 --expect=@"$inputs/reduce-min-01.npy" >/dev/null
echo as numpy
seq -s, 1 20000 >eight.txt
run "$@" --entry=eight --threads=1 --input=20000xf32="$(cat eight.txt)" --input=f32
run "$@" --entry=eight --threads=3 --input=20000xf32="$(cat eight.txt)" --input=f32
rm eight.txt
//--- bad.mlir
func.func private @reduce(memref<DATA>, memref<RESULT>) attributes {rt.custom_call = "jitrun.reduce"}
func.func @main(%a: memref<DATA>, %b: memref<RESULT>) {
  call @reduce(%a, %b) {ATTRS} : (memref<DATA>, memref<RESULT>) -> ()
  return
}
//--- kept.mlir
func.func private @reduce(memref<2x3xf32>, memref<2x3xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func @main(%a: memref<2x3xf32>, %b: memref<2x3xf32>) {
  call @reduce(%a, %b) {dimensions = array<i64: 1>} : (memref<2x3xf32>, memref<2x3xf32>) -> ()
  return
}
//--- reduce.mlir
func.func private @c_f32_sum(memref<?xf32>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f32_product(memref<?xf32>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f32_min(memref<?xf32>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f32_max(memref<?xf32>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f32_mean(memref<?xf32>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f64_sum(memref<?xf64>, memref<f64>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f16_max(memref<?xf16>, memref<f16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f16_mean(memref<?xf16>, memref<f16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f16_sum(memref<?xf16>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_bf16_sum(memref<?xbf16>, memref<bf16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_f8_sum(memref<?xf8E5M2>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i8_sum(memref<?xi8>, memref<i8>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i8_long(memref<?xi8>, memref<i64>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i64_short(memref<?xi64>, memref<i16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i8_min(memref<?xi8>, memref<i8>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_ui8_max(memref<?xui8>, memref<ui8>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i16_max(memref<?xi16>, memref<i16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_ui16_min(memref<?xui16>, memref<ui16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i32_min(memref<?xi32>, memref<i32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_ui32_max(memref<?xui32>, memref<ui32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i64_max(memref<?xi64>, memref<i64>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_ui64_max(memref<?xui64>, memref<ui64>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_ui16_xor(memref<?xui16>, memref<ui16>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i32_and(memref<?xi32>, memref<i32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i64_or(memref<?xi64>, memref<i64>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i1_sum(memref<?xi1>, memref<i1>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i1_product(memref<?xi1>, memref<i1>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_i1_count(memref<?xi1>, memref<i32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_c64_mean(memref<2x2xcomplex<f32>>, memref<2xcomplex<f32>>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_c128_sum(memref<?xcomplex<f64>>, memref<complex<f64>>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_rows(memref<2x3xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_columns(memref<2x3xi32>, memref<3xi32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_kept(memref<2x3xi32>, memref<1x3xi32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_both(memref<2x3xi32>, memref<1x1xi32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_none(memref<2x3xi32>, memref<2x3xi32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_nothing(memref<0x3xf32>, memref<3xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_to_nothing(memref<0x3xf32>, memref<0xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_sum_1(memref<6x70x5xf32>, memref<6x5xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_mean_02(memref<6x70x5xf32>, memref<70xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_max_2(memref<6x70x5xf32>, memref<6x70x1xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func private @c_min_01(memref<6x70x5xf32>, memref<5xf32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func @f32_sum(%a: memref<?xf32>, %b: memref<f32> {jitrun.output}) {
  call @c_f32_sum(%a, %b) : (memref<?xf32>, memref<f32>) -> ()
  return
}
func.func @f32_product(%a: memref<?xf32>, %b: memref<f32> {jitrun.output}) {
  call @c_f32_product(%a, %b) {reduction = "product"} : (memref<?xf32>, memref<f32>) -> ()
  return
}
func.func @f32_min(%a: memref<?xf32>, %b: memref<f32> {jitrun.output}) {
  call @c_f32_min(%a, %b) {reduction = "min"} : (memref<?xf32>, memref<f32>) -> ()
  return
}
func.func @f32_max(%a: memref<?xf32>, %b: memref<f32> {jitrun.output}) {
  call @c_f32_max(%a, %b) {reduction = "max"} : (memref<?xf32>, memref<f32>) -> ()
  return
}
func.func @f32_mean(%a: memref<?xf32>, %b: memref<f32> {jitrun.output}) {
  call @c_f32_mean(%a, %b) {reduction = "mean"} : (memref<?xf32>, memref<f32>) -> ()
  return
}
func.func @f64_sum(%a: memref<?xf64>, %b: memref<f64> {jitrun.output}) {
  call @c_f64_sum(%a, %b) : (memref<?xf64>, memref<f64>) -> ()
  return
}
func.func @f16_max(%a: memref<?xf16>, %b: memref<f16> {jitrun.output}) {
  call @c_f16_max(%a, %b) {reduction = "max"} : (memref<?xf16>, memref<f16>) -> ()
  return
}
func.func @f16_mean(%a: memref<?xf16>, %b: memref<f16> {jitrun.output}) {
  call @c_f16_mean(%a, %b) {reduction = "mean"} : (memref<?xf16>, memref<f16>) -> ()
  return
}
func.func @f16_sum(%a: memref<?xf16>, %b: memref<f32> {jitrun.output}) {
  call @c_f16_sum(%a, %b) : (memref<?xf16>, memref<f32>) -> ()
  return
}
func.func @bf16_sum(%a: memref<?xbf16>, %b: memref<bf16> {jitrun.output}) {
  call @c_bf16_sum(%a, %b) : (memref<?xbf16>, memref<bf16>) -> ()
  return
}
func.func @f8_sum(%a: memref<?xf8E5M2>, %b: memref<f32> {jitrun.output}) {
  call @c_f8_sum(%a, %b) : (memref<?xf8E5M2>, memref<f32>) -> ()
  return
}
func.func @i8_sum(%a: memref<?xi8>, %b: memref<i8> {jitrun.output}) {
  call @c_i8_sum(%a, %b) : (memref<?xi8>, memref<i8>) -> ()
  return
}
func.func @i8_long(%a: memref<?xi8>, %b: memref<i64> {jitrun.output}) {
  call @c_i8_long(%a, %b) : (memref<?xi8>, memref<i64>) -> ()
  return
}
func.func @i64_short(%a: memref<?xi64>, %b: memref<i16> {jitrun.output}) {
  call @c_i64_short(%a, %b) {reduction = "product"} : (memref<?xi64>, memref<i16>) -> ()
  return
}
func.func @i8_min(%a: memref<?xi8>, %b: memref<i8> {jitrun.output}) {
  call @c_i8_min(%a, %b) {reduction = "min"} : (memref<?xi8>, memref<i8>) -> ()
  return
}
func.func @ui8_max(%a: memref<?xui8>, %b: memref<ui8> {jitrun.output}) {
  call @c_ui8_max(%a, %b) {reduction = "max"} : (memref<?xui8>, memref<ui8>) -> ()
  return
}
func.func @i16_max(%a: memref<?xi16>, %b: memref<i16> {jitrun.output}) {
  call @c_i16_max(%a, %b) {reduction = "max"} : (memref<?xi16>, memref<i16>) -> ()
  return
}
func.func @ui16_min(%a: memref<?xui16>, %b: memref<ui16> {jitrun.output}) {
  call @c_ui16_min(%a, %b) {reduction = "min"} : (memref<?xui16>, memref<ui16>) -> ()
  return
}
func.func @i32_min(%a: memref<?xi32>, %b: memref<i32> {jitrun.output}) {
  call @c_i32_min(%a, %b) {reduction = "min"} : (memref<?xi32>, memref<i32>) -> ()
  return
}
func.func @ui32_max(%a: memref<?xui32>, %b: memref<ui32> {jitrun.output}) {
  call @c_ui32_max(%a, %b) {reduction = "max"} : (memref<?xui32>, memref<ui32>) -> ()
  return
}
func.func @i64_max(%a: memref<?xi64>, %b: memref<i64> {jitrun.output}) {
  call @c_i64_max(%a, %b) {reduction = "max"} : (memref<?xi64>, memref<i64>) -> ()
  return
}
func.func @ui64_max(%a: memref<?xui64>, %b: memref<ui64> {jitrun.output}) {
  call @c_ui64_max(%a, %b) {reduction = "max"} : (memref<?xui64>, memref<ui64>) -> ()
  return
}
func.func @ui16_xor(%a: memref<?xui16>, %b: memref<ui16> {jitrun.output}) {
  call @c_ui16_xor(%a, %b) {reduction = "xor"} : (memref<?xui16>, memref<ui16>) -> ()
  return
}
func.func @i32_and(%a: memref<?xi32>, %b: memref<i32> {jitrun.output}) {
  call @c_i32_and(%a, %b) {reduction = "and"} : (memref<?xi32>, memref<i32>) -> ()
  return
}
func.func @i64_or(%a: memref<?xi64>, %b: memref<i64> {jitrun.output}) {
  call @c_i64_or(%a, %b) {reduction = "or"} : (memref<?xi64>, memref<i64>) -> ()
  return
}
func.func @i1_sum(%a: memref<?xi1>, %b: memref<i1> {jitrun.output}) {
  call @c_i1_sum(%a, %b) : (memref<?xi1>, memref<i1>) -> ()
  return
}
func.func @i1_product(%a: memref<?xi1>, %b: memref<i1> {jitrun.output}) {
  call @c_i1_product(%a, %b) {reduction = "product"} : (memref<?xi1>, memref<i1>) -> ()
  return
}
func.func @i1_count(%a: memref<?xi1>, %b: memref<i32> {jitrun.output}) {
  call @c_i1_count(%a, %b) : (memref<?xi1>, memref<i32>) -> ()
  return
}
func.func @c64_mean(%a: memref<2x2xcomplex<f32>>, %b: memref<2xcomplex<f32>> {jitrun.output}) {
  call @c_c64_mean(%a, %b) {reduction = "mean", dimensions = array<i64: 0>} : (memref<2x2xcomplex<f32>>, memref<2xcomplex<f32>>) -> ()
  return
}
func.func @c128_sum(%a: memref<?xcomplex<f64>>, %b: memref<complex<f64>> {jitrun.output}) {
  call @c_c128_sum(%a, %b) : (memref<?xcomplex<f64>>, memref<complex<f64>>) -> ()
  return
}
func.func @rows(%a: memref<2x3xi32>, %b: memref<2xi32> {jitrun.output}) {
  call @c_rows(%a, %b) {dimensions = array<i64: -1>} : (memref<2x3xi32>, memref<2xi32>) -> ()
  return
}
func.func @columns(%a: memref<2x3xi32>, %b: memref<3xi32> {jitrun.output}) {
  call @c_columns(%a, %b) {dimensions = array<i64: 0>} : (memref<2x3xi32>, memref<3xi32>) -> ()
  return
}
func.func @kept(%a: memref<2x3xi32>, %b: memref<1x3xi32> {jitrun.output}) {
  call @c_kept(%a, %b) {dimensions = array<i64: 0>} : (memref<2x3xi32>, memref<1x3xi32>) -> ()
  return
}
func.func @both(%a: memref<2x3xi32>, %b: memref<1x1xi32> {jitrun.output}) {
  call @c_both(%a, %b) {dimensions = array<i64: 1, -2>} : (memref<2x3xi32>, memref<1x1xi32>) -> ()
  return
}
func.func @none(%a: memref<2x3xi32>, %b: memref<2x3xi32> {jitrun.output}) {
  call @c_none(%a, %b) {dimensions = array<i64>} : (memref<2x3xi32>, memref<2x3xi32>) -> ()
  return
}
func.func @nothing(%a: memref<0x3xf32>, %b: memref<3xf32> {jitrun.output}) {
  call @c_nothing(%a, %b) {dimensions = array<i64: 0>} : (memref<0x3xf32>, memref<3xf32>) -> ()
  return
}
func.func @to_nothing(%a: memref<0x3xf32>, %b: memref<0xf32> {jitrun.output}) {
  call @c_to_nothing(%a, %b) {dimensions = array<i64: 1>, reduction = "max"} : (memref<0x3xf32>, memref<0xf32>) -> ()
  return
}
func.func @sum_1(%a: memref<6x70x5xf32>, %b: memref<6x5xf32> {jitrun.output}) {
  call @c_sum_1(%a, %b) {reduction = "sum", dimensions = array<i64: 1>} : (memref<6x70x5xf32>, memref<6x5xf32>) -> ()
  return
}
func.func @mean_02(%a: memref<6x70x5xf32>, %b: memref<70xf32> {jitrun.output}) {
  call @c_mean_02(%a, %b) {reduction = "mean", dimensions = array<i64: 0, 2>} : (memref<6x70x5xf32>, memref<70xf32>) -> ()
  return
}
func.func @max_2(%a: memref<6x70x5xf32>, %b: memref<6x70x1xf32> {jitrun.output}) {
  call @c_max_2(%a, %b) {reduction = "max", dimensions = array<i64: 2>} : (memref<6x70x5xf32>, memref<6x70x1xf32>) -> ()
  return
}
func.func @min_01(%a: memref<6x70x5xf32>, %b: memref<5xf32> {jitrun.output}) {
  call @c_min_01(%a, %b) {reduction = "min", dimensions = array<i64: 0, 1>} : (memref<6x70x5xf32>, memref<5xf32>) -> ()
  return
}
func.func private @c_eight(memref<8x20000xf32, strided<[0, 1]>>, memref<f32>) attributes {rt.custom_call = "jitrun.reduce"}
func.func @eight(%a: memref<20000xf32>, %b: memref<f32> {jitrun.output}) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [8, 20000], strides: [0, 1] : memref<20000xf32> to memref<8x20000xf32, strided<[0, 1]>>
  call @c_eight(%v, %b) : (memref<8x20000xf32, strided<[0, 1]>>, memref<f32>) -> ()
  return
}

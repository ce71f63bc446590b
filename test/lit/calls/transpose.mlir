// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.transpose.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/transpose.mlir "%S/Inputs" --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/transpose.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/transpose.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
// RUN: %jitrun compile %t.d/transpose.mlir -o %t.so
// RUN: sh -e %t.d/run.sh "%jitrun" %t.so "%S/Inputs" | %FileCheck %s
//
// CHECK: arg[1]: 3x2xf32={{\[\[}}0 3][1 4][2 5]]
// CHECK-NEXT: arg[1]: 2x3xi8={{\[\[}}0 2 4][1 3 5]]
// CHECK-NEXT: arg[1]: 2x3x2xf16={{\[\[}}[0 3][1 4][2 5]]{{\[\[}}6 9][7 10][8 11]]]
// CHECK-NEXT: arg[1]: 3x2x2xi64={{\[\[}}[0 3][6 9]]{{\[\[}}1 4][7 10]]{{\[\[}}2 5][8 11]]]
// CHECK-NEXT: arg[1]: 2x2xi32={{\[\[}}0 1][2 3]]
// CHECK-NEXT: arg[1]: f32=0
// CHECK-NEXT: arg[1]: 2x0xf32=
// CHECK-NEXT: arg[1]: 3x2x2xui16={{\[\[}}[0 1][6 7]]{{\[\[}}2 3][8 9]]{{\[\[}}4 5][10 11]]]
// Larger than a tile, from a view, and back.
// CHECK-NEXT: as before
//
// RUN: sed -e 's/1, 0/1, 1/' %t.d/bad.mlir > %t.twice.mlir
// RUN: not %jitrun %t.twice.mlir --input=2x3xf32 --input=3x2xf32 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: twice.mlir:3:3: jitrun.transpose: 'permutation' must have each of the 2 dimensions of 'data' once, counted from 0
// RUN: sed -e 's/1, 0/0/' %t.d/bad.mlir > %t.few.mlir
// RUN: not %jitrun %t.few.mlir --input=2x3xf32 --input=3x2xf32 2>&1 | %FileCheck %s --check-prefix=FEW
// FEW: few.mlir:3:3: jitrun.transpose: 'permutation' must have each of the 2 dimensions of 'data' once, counted from 0
// RUN: sed -e 's/1, 0/0, 1/' %t.d/bad.mlir > %t.dims.mlir
// RUN: not %jitrun %t.dims.mlir --input=2x3xf32 --input=3x2xf32 2>&1 | %FileCheck %s --check-prefix=DIMS
// DIMS: dims.mlir:3:3: jitrun.transpose: dimension 0 of 'result' is 3; dimension 0 of 'data', which it stands for, is 2
// RUN: sed -e 's/3x2xf32/3x2xf64/g' %t.d/bad.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --input=2x3xf32 --input=3x2xf64 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:3:3: jitrun.transpose: 'data' has elements of f32, 'result' of f64; both must be of one type
// RUN: sed -e 's/3x2xf32/6xf32/g' %t.d/bad.mlir > %t.rank.mlir
// RUN: not %jitrun %t.rank.mlir --input=2x3xf32 --input=6xf32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:3:3: jitrun.transpose: 'data' has rank 2, 'result' has rank 1; both must have as many dimensions

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
run "$@" --entry=f32 --input='2x3xf32=0,1,2,3,4,5' --input='3x2xf32'
run "$@" --entry=i8 --input='3x2xi8=0,1,2,3,4,5' --input='2x3xi8'
run "$@" --entry=f16 --input='2x2x3xf16=0,1,2,3,4,5,6,7,8,9,10,11' --input='2x3x2xf16'
run "$@" --entry=i64 --input='2x2x3xi64=0,1,2,3,4,5,6,7,8,9,10,11' --input='3x2x2xi64'
run "$@" --entry=same --input='2x2xi32=0,1,2,3' --input='2x2xi32'
run "$@" --entry=scalar --input='f32=0' --input='f32'
run "$@" --entry=empty --input='0x2xf32' --input='2x0xf32'
run "$@" --entry=swapped --input='2x3x2xui16=0,1,2,3,4,5,6,7,8,9,10,11' --input='3x2x2xui16'
run "$@" --entry=big --threads=2 --input=@"$inputs/reduce.npy" --input=6x70x5xf32 --expect=@"$inputs/reduce.npy" >/dev/null
echo as before
//--- bad.mlir
func.func private @transpose(memref<2x3xf32>, memref<3x2xf32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func @main(%a: memref<2x3xf32>, %b: memref<3x2xf32>) {
  call @transpose(%a, %b) {permutation = array<i64: 1, 0>} : (memref<2x3xf32>, memref<3x2xf32>) -> ()
  return
}
//--- transpose.mlir
func.func private @c_f32(memref<2x3xf32>, memref<3x2xf32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_i8(memref<3x2xi8>, memref<2x3xi8>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_f16(memref<2x2x3xf16>, memref<2x3x2xf16>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_i64(memref<2x2x3xi64>, memref<3x2x2xi64>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_same(memref<2x2xi32>, memref<2x2xi32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_scalar(memref<f32>, memref<f32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_empty(memref<0x2xf32>, memref<2x0xf32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @c_swapped(memref<2x3x2xui16>, memref<3x2x2xui16>) attributes {rt.custom_call = "jitrun.transpose"}
func.func @f32(%a: memref<2x3xf32>, %b: memref<3x2xf32> {jitrun.output}) {
  call @c_f32(%a, %b) : (memref<2x3xf32>, memref<3x2xf32>) -> ()
  return
}
func.func @i8(%a: memref<3x2xi8>, %b: memref<2x3xi8> {jitrun.output}) {
  call @c_i8(%a, %b) {permutation = array<i64: 1, 0>} : (memref<3x2xi8>, memref<2x3xi8>) -> ()
  return
}
func.func @f16(%a: memref<2x2x3xf16>, %b: memref<2x3x2xf16> {jitrun.output}) {
  call @c_f16(%a, %b) {permutation = array<i64: 0, 2, 1>} : (memref<2x2x3xf16>, memref<2x3x2xf16>) -> ()
  return
}
func.func @i64(%a: memref<2x2x3xi64>, %b: memref<3x2x2xi64> {jitrun.output}) {
  call @c_i64(%a, %b) {permutation = array<i64: 2, 0, 1>} : (memref<2x2x3xi64>, memref<3x2x2xi64>) -> ()
  return
}
func.func @same(%a: memref<2x2xi32>, %b: memref<2x2xi32> {jitrun.output}) {
  call @c_same(%a, %b) {permutation = array<i64: 0, 1>} : (memref<2x2xi32>, memref<2x2xi32>) -> ()
  return
}
func.func @scalar(%a: memref<f32>, %b: memref<f32> {jitrun.output}) {
  call @c_scalar(%a, %b) {permutation = array<i64>} : (memref<f32>, memref<f32>) -> ()
  return
}
func.func @empty(%a: memref<0x2xf32>, %b: memref<2x0xf32> {jitrun.output}) {
  call @c_empty(%a, %b) : (memref<0x2xf32>, memref<2x0xf32>) -> ()
  return
}
func.func @swapped(%a: memref<2x3x2xui16>, %b: memref<3x2x2xui16> {jitrun.output}) {
  call @c_swapped(%a, %b) {permutation = array<i64: 1, 0, 2>} : (memref<2x3x2xui16>, memref<3x2x2xui16>) -> ()
  return
}
func.func private @there(memref<6x70x5xf32>, memref<5x6x70xf32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @back(memref<5x6x70xf32, strided<[1, 350, 5]>>, memref<5x6x70xf32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func private @again(memref<5x6x70xf32>, memref<6x70x5xf32>) attributes {rt.custom_call = "jitrun.transpose"}
func.func @big(%a: memref<6x70x5xf32>, %b: memref<6x70x5xf32> {jitrun.output}) {
  %t = memref.alloc() : memref<5x6x70xf32>
  %u = memref.alloc() : memref<5x6x70xf32>
  call @there(%a, %t) {permutation = array<i64: 2, 0, 1>} : (memref<6x70x5xf32>, memref<5x6x70xf32>) -> ()
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [5, 6, 70], strides: [1, 350, 5] : memref<6x70x5xf32> to memref<5x6x70xf32, strided<[1, 350, 5]>>
  call @back(%v, %u) {permutation = array<i64: 0, 1, 2>} : (memref<5x6x70xf32, strided<[1, 350, 5]>>, memref<5x6x70xf32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %t[%c1, %c1, %c0] : memref<5x6x70xf32>
  memref.store %x, %u[%c1, %c1, %c0] : memref<5x6x70xf32>
  call @again(%u, %b) {permutation = array<i64: 1, 2, 0>} : (memref<5x6x70xf32>, memref<6x70x5xf32>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.softmax and jitrun.log_softmax.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/softmax.mlir "%S/Inputs" --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/softmax.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/softmax.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
// RUN: %jitrun compile %t.d/softmax.mlir -o %t.so
// RUN: sh -e %t.d/run.sh "%jitrun" %t.so "%S/Inputs" | %FileCheck %s
//
// Large numbers, infinities, NaN, small types, one element.
// CHECK: arg[1]: 4xf32=[0.25 0.25 0.25 0.25]
// CHECK-NEXT: arg[1]: 3xf32=[0 1 0]
// CHECK-NEXT: arg[1]: 2xf32=[nan nan]
// CHECK-NEXT: arg[1]: 3xf32=[nan nan nan]
// CHECK-NEXT: arg[1]: 1xf32=[1]
// CHECK-NEXT: arg[1]: 0xf32=[]
// CHECK-NEXT: arg[1]: 4xf16=[0.25 0.25 0.25 0.25]
// CHECK-NEXT: arg[1]: 2xbf16=[0.5 0.5]
// CHECK-NEXT: arg[1]: 2xf64=[-0.6931471805599453 -0.6931471805599453]
// CHECK-NEXT: arg[1]: 2xf64=[-1000 0]
// In place, and along each dimension.
// CHECK-NEXT: arg[0]: 2x2xf32={{\[\[}}0.5 0.5][0.5 0.5]]
// CHECK-NEXT: as numpy
//
// RUN: not %jitrun %t.d/bad.mlir --input=2x3xf32 --input=2x4xf32 2>&1 | %FileCheck %s --check-prefix=DIMS
// DIMS: bad.mlir:3:3: jitrun.softmax: dimension 1 of 'data' is 3, that of 'result' 4; they must be equal
// RUN: sed -e 's/2x4xf32/2x3xf16/g' %t.d/bad.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --input=2x3xf32 --input=2x3xf16 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:3:3: jitrun.softmax: 'data' has elements of f32, 'result' of f16; both must be of one type
// RUN: sed -e 's/2x4xf32/2xf32/g' %t.d/bad.mlir > %t.rank.mlir
// RUN: not %jitrun %t.rank.mlir --input=2x3xf32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:3:3: jitrun.softmax: 'data' has rank 2, 'result' has rank 1; both must have as many dimensions
// RUN: sed -e 's/2x4xf32/2x3xf32/g' -e 's/= 1/= 2/' %t.d/bad.mlir > %t.dimension.mlir
// RUN: not %jitrun %t.dimension.mlir --input=2x3xf32 --input=2x3xf32 2>&1 | %FileCheck %s --check-prefix=DIMENSION
// DIMENSION: dimension.mlir:3:3: jitrun.softmax: 'dimension' is 2, and the buffer has dimensions 0 to 1

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
run "$@" --entry=f32 --input=4xf32=1e30,1e30,1e30,1e30 --input=4xf32
run "$@" --entry=f32 --input=3xf32=-inf,3e38,-3e38 --input=3xf32
run "$@" --entry=f32 --input=2xf32=-inf,-inf --input=2xf32
run "$@" --entry=f32 --input=3xf32=1,nan,inf --input=3xf32
run "$@" --entry=f32 --input=1xf32=7 --input=1xf32
run "$@" --entry=f32 --input=0xf32 --input=0xf32
run "$@" --entry=f16 --input=4xf16=65504,65504,65504,65504 --input=4xf16
run "$@" --entry=bf16 --input=2xbf16=3,3 --input=2xbf16
run "$@" --entry=log_f64 --input=2xf64=5,5 --input=2xf64
run "$@" --entry=log_f64 --input=2xf64=-1000,0 --input=2xf64
run "$@" --entry=same --input=2x2xf32=1,2,1,2
for entry in softmax-1 softmax-2 log-softmax-0; do
  run "$@" --entry="$(echo $entry | tr - _)" --threads=2 --input=@"$inputs/softmax.npy" --input=6x70x5xf32 \
    --expect=@"$inputs/$entry.npy" >/dev/null
done
echo as numpy
//--- bad.mlir
func.func private @softmax(memref<2x3xf32>, memref<2x4xf32>) attributes {rt.custom_call = "jitrun.softmax"}
func.func @main(%a: memref<2x3xf32>, %b: memref<2x4xf32>) {
  call @softmax(%a, %b) {dimension = 1 : i64} : (memref<2x3xf32>, memref<2x4xf32>) -> ()
  return
}
//--- softmax.mlir
func.func private @c_f32(memref<?xf32>, memref<?xf32>) attributes {rt.custom_call = "jitrun.softmax"}
func.func private @c_f16(memref<?xf16>, memref<?xf16>) attributes {rt.custom_call = "jitrun.softmax"}
func.func private @c_bf16(memref<?xbf16>, memref<?xbf16>) attributes {rt.custom_call = "jitrun.softmax"}
func.func private @c_log_f64(memref<?xf64>, memref<?xf64>) attributes {rt.custom_call = "jitrun.log_softmax"}
func.func private @c_softmax_1(memref<6x70x5xf32>, memref<6x70x5xf32>) attributes {rt.custom_call = "jitrun.softmax"}
func.func private @c_softmax_2(memref<6x70x5xf32>, memref<6x70x5xf32>) attributes {rt.custom_call = "jitrun.softmax"}
func.func private @c_log_softmax_0(memref<6x70x5xf32>, memref<6x70x5xf32>) attributes {rt.custom_call = "jitrun.log_softmax"}
func.func private @c_same(memref<2x2xf32>, memref<2x2xf32>) attributes {rt.custom_call = "jitrun.softmax"}
func.func @f32(%a: memref<?xf32>, %b: memref<?xf32> {jitrun.output}) {
  call @c_f32(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
func.func @f16(%a: memref<?xf16>, %b: memref<?xf16> {jitrun.output}) {
  call @c_f16(%a, %b) : (memref<?xf16>, memref<?xf16>) -> ()
  return
}
func.func @bf16(%a: memref<?xbf16>, %b: memref<?xbf16> {jitrun.output}) {
  call @c_bf16(%a, %b) : (memref<?xbf16>, memref<?xbf16>) -> ()
  return
}
func.func @log_f64(%a: memref<?xf64>, %b: memref<?xf64> {jitrun.output}) {
  call @c_log_f64(%a, %b) : (memref<?xf64>, memref<?xf64>) -> ()
  return
}
func.func @softmax_1(%a: memref<6x70x5xf32>, %b: memref<6x70x5xf32> {jitrun.output}) {
  call @c_softmax_1(%a, %b) {dimension = 1 : i64} : (memref<6x70x5xf32>, memref<6x70x5xf32>) -> ()
  return
}
func.func @softmax_2(%a: memref<6x70x5xf32>, %b: memref<6x70x5xf32> {jitrun.output}) {
  call @c_softmax_2(%a, %b) {dimension = -1 : i64} : (memref<6x70x5xf32>, memref<6x70x5xf32>) -> ()
  return
}
func.func @log_softmax_0(%a: memref<6x70x5xf32>, %b: memref<6x70x5xf32> {jitrun.output}) {
  call @c_log_softmax_0(%a, %b) {dimension = 0 : i64} : (memref<6x70x5xf32>, memref<6x70x5xf32>) -> ()
  return
}
func.func @same(%a: memref<2x2xf32> {jitrun.output}) {
  call @c_same(%a, %a) {dimension = 0 : i64} : (memref<2x2xf32>, memref<2x2xf32>) -> ()
  return
}

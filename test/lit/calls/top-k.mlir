// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.top_k, and XLA's name for it.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/top.mlir "%S/Inputs" --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/top.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/top.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
//
// Equal elements in their order; NaNs are above all, 0 above -0.
// CHECK: arg[1]: 2x3xf32={{\[\[}}nan 3 3][0 -0 -1]]
// CHECK-NEXT: arg[2]: 2x3xi32={{\[\[}}4 1 3][2 3 1]]
// CHECK-NEXT: arg[1]: 2x2xi64={{\[\[}}-5 2][1 2]]
// CHECK-NEXT: arg[2]: 2x2xi64={{\[\[}}2 0][0 2]]
// CHECK-NEXT: arg[1]: 0xi32=
// CHECK-NEXT: arg[2]: 0xi32=
// CHECK-NEXT: arg[1]: 2x2xi8={{\[\[}}9 9][7 5]]
// CHECK-NEXT: arg[2]: 2x2xi32={{\[\[}}1 3][2 0]]
// CHECK-NEXT: as numpy
//
// Of many elements, in rising order and in falling order.
// CHECK: arg[1]: 4xi32=[19999 19998 19997 19996]
// CHECK-NEXT: arg[2]: 4xi32=[19999 19998 19997 19996]
// CHECK-NEXT: arg[1]: 4xi32=[0 1 2 3]
// CHECK-NEXT: arg[2]: 4xi32=[0 1 2 3]
//
// RUN: not %jitrun %t.d/many.mlir --input=3xi32 --input=4xi32 --input=4xi32 2>&1 | %FileCheck %s --check-prefix=MANY
// MANY: many.mlir:3:3: jitrun.top_k: 'values' takes 4 elements of each line of 'data', which has 3
// RUN: sed -e 's/4xi32/?xi32/g' %t.d/many.mlir > %t.dynamic.mlir
// RUN: not %jitrun %t.dynamic.mlir --input=3xi32 --input=4xi32 --input=4xi32 2>&1 | %FileCheck %s --check-prefix=MANY2
// MANY2: dynamic.mlir:{{[0-9]+}}:3: jitrun.top_k: 'values' takes 4 elements of each line of 'data', which has 3
// RUN: not %jitrun %t.d/type.mlir --input=3xi32 --input=2xf32 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:3:3: jitrun.top_k: 'data' has elements of i32, 'values' of f32; both must be of one type
// RUN: sed -e 's/2xf32/2xi32/g' -e 's/2xi32>) -> ()/3xi32>) -> ()/' -e 's/memref<2xi32>) attr/memref<3xi32>) attr/' -e 's/: memref<2xi32>) {/: memref<3xi32>) {/' %t.d/type.mlir > %t.dims.mlir
// RUN: not %jitrun %t.dims.mlir --input=3xi32 --input=2xi32 --input=3xi32 2>&1 | %FileCheck %s --check-prefix=DIMS
// DIMS: jitrun.top_k: dimension 0 of 'values' is 2, that of 'indices' 3; they must be equal
// RUN: not %jitrun %t.d/rank.mlir --input=1x1x3xi32 --input=1x1x2xi32 --input=1x1x2xi32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:3:3: Invalid input shape: 'data' has rank 3; it must be 1 or 2
// RUN: sed -e 's/1x1x//g' -e 's/2xi32>) -> ()/2xi64>) -> ()/' -e 's/memref<2xi32>) attr/memref<2xi64>) attr/' -e 's/: memref<2xi32>) {/: memref<2xi64>) {/' %t.d/rank.mlir > %t.indices.mlir
// RUN: not %jitrun %t.indices.mlir --input=3xi32 --input=2xi32 --input=2xi64 2>&1 | %FileCheck %s --check-prefix=INDICES
// INDICES: Indices should be S32, not i64

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
run "$@" --entry=largest --input=2x5xf32=1,3,-inf,3,nan,-7,-1,0,-0,-8 --input=2x3xf32 --input=2x3xi32 | tail -2
run "$@" --entry=smallest --input=3x2xi64=1,2,7,3,-5,2 --input=2x2xi64 --input=2x2xi64 | tail -2
run "$@" --entry=none --input=3xi32 --input=0xi32 --input=0xi32 | tail -2
run "$@" --entry=xla --input=2x4xi8=1,9,2,9,5,0,7,-1 --input=2x2xi8 --input=2x2xi32 | tail -2
run "$@" --entry=numpy --threads=2 --input=@"$inputs/top.npy" --input=3x5x4xf32 --input=3x5x4xi32 \
  --expect=@"$inputs/top.npy" --expect=@"$inputs/top-values.npy" --expect=@"$inputs/top-indices.npy" >/dev/null
echo as numpy
seq -s, 0 19999 >numbers.txt
for entry in none low; do
  run "$@" --entry=$entry --input=20000xi32="$(cat numbers.txt)" --input=4xi32 --input=4xi32 | tail -2
done
rm numbers.txt
//--- top.mlir
func.func private @f32(memref<2x5xf32>, memref<2x3xf32>, memref<2x3xi32>) attributes {rt.custom_call = "jitrun.top_k"}
func.func private @i64(memref<3x2xi64>, memref<2x2xi64>, memref<2x2xi64>) attributes {rt.custom_call = "jitrun.top_k"}
func.func private @i32(memref<?xi32>, memref<?xi32>, memref<?xi32>) attributes {rt.custom_call = "jitrun.top_k"}
func.func private @middle(memref<3x100x4xf32>, memref<3x5x4xf32>, memref<3x5x4xi32>) attributes {rt.custom_call = "jitrun.top_k"}
func.func private @gpu(memref<2x4xi8>, memref<2x2xi8>, memref<2x2xi32>) attributes {rt.custom_call = "__gpu$TopK"}
func.func @largest(%d: memref<2x5xf32>, %v: memref<2x3xf32>, %i: memref<2x3xi32>) {
  call @f32(%d, %v, %i) : (memref<2x5xf32>, memref<2x3xf32>, memref<2x3xi32>) -> ()
  return
}
func.func @smallest(%d: memref<3x2xi64>, %v: memref<2x2xi64>, %i: memref<2x2xi64>) {
  call @i64(%d, %v, %i) {dimension = 0 : i64, smallest} : (memref<3x2xi64>, memref<2x2xi64>, memref<2x2xi64>) -> ()
  return
}
func.func @none(%d: memref<?xi32>, %v: memref<?xi32>, %i: memref<?xi32>) {
  call @i32(%d, %v, %i) : (memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  return
}
func.func @low(%d: memref<?xi32>, %v: memref<?xi32>, %i: memref<?xi32>) {
  call @i32(%d, %v, %i) {smallest = true} : (memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  return
}
func.func @numpy(%d: memref<3x100x4xf32>, %v: memref<3x5x4xf32>, %i: memref<3x5x4xi32>) {
  call @middle(%d, %v, %i) {dimension = 1 : i64} : (memref<3x100x4xf32>, memref<3x5x4xf32>, memref<3x5x4xi32>) -> ()
  return
}
func.func @xla(%d: memref<2x4xi8>, %v: memref<2x2xi8>, %i: memref<2x2xi32>) {
  call @gpu(%d, %v, %i) : (memref<2x4xi8>, memref<2x2xi8>, memref<2x2xi32>) -> ()
  return
}
//--- many.mlir
func.func private @top(memref<3xi32>, memref<4xi32>, memref<4xi32>) attributes {rt.custom_call = "jitrun.top_k"}
func.func @main(%d: memref<3xi32>, %v: memref<4xi32>, %i: memref<4xi32>) {
  call @top(%d, %v, %i) : (memref<3xi32>, memref<4xi32>, memref<4xi32>) -> ()
  return
}
//--- type.mlir
func.func private @top(memref<3xi32>, memref<2xf32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.top_k"}
func.func @main(%d: memref<3xi32>, %v: memref<2xf32>, %i: memref<2xi32>) {
  call @top(%d, %v, %i) : (memref<3xi32>, memref<2xf32>, memref<2xi32>) -> ()
  return
}
//--- rank.mlir
func.func private @top(memref<1x1x3xi32>, memref<1x1x2xi32>, memref<1x1x2xi32>) attributes {rt.custom_call = "__gpu$TopK"}
func.func @main(%d: memref<1x1x3xi32>, %v: memref<1x1x2xi32>, %i: memref<1x1x2xi32>) {
  call @top(%d, %v, %i) : (memref<1x1x3xi32>, memref<1x1x2xi32>, memref<1x1x2xi32>) -> ()
  return
}

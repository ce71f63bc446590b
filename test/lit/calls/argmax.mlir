// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.argmax and jitrun.argmin.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/arg.mlir "%S/Inputs" --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/arg.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/arg.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
//
// Ties, NaNs of both signs, zeros of both signs, infinities.
// CHECK: max i32=1
// CHECK-NEXT: min i32=0
// CHECK-NEXT: max i32=2
// CHECK-NEXT: min i32=2
// CHECK-NEXT: max i32=0
// CHECK-NEXT: min i32=0
// CHECK-NEXT: max i32=1
// CHECK-NEXT: min i32=3
// Each type: its ends, and those of its sign.
// CHECK-NEXT: i1: max i32=1
// CHECK-NEXT: i1: min i32=0
// CHECK-NEXT: i8: max i32=2
// CHECK-NEXT: i8: min i32=1
// CHECK-NEXT: ui8: max i32=1
// CHECK-NEXT: ui8: min i32=0
// CHECK-NEXT: i64: max i32=2
// CHECK-NEXT: i64: min i32=1
// CHECK-NEXT: ui64: max i32=1
// CHECK-NEXT: ui64: min i32=0
// CHECK-NEXT: f16: max i32=2
// CHECK-NEXT: f16: min i32=3
// CHECK-NEXT: bf16: max i32=2
// CHECK-NEXT: bf16: min i32=3
// CHECK-NEXT: f64: max i32=2
// CHECK-NEXT: f64: min i32=3
// More than a block, the last element of a block and the first of the next.
// CHECK-NEXT: i32: max i32=511
// CHECK-NEXT: i32: max i32=512
// CHECK-NEXT: f32: max i32=511
// CHECK-NEXT: f32: min i32=0
// CHECK-NEXT: f32: max i32=530
// CHECK-NEXT: f32: min i32=530
// CHECK-NEXT: f64: max i32=512
// CHECK-NEXT: f64: min i32=0
// CHECK-NEXT: f64: max i32=17
// CHECK-NEXT: f64: min i32=17
// CHECK-NEXT: as numpy
//
// RUN: not %jitrun %t.d/empty.mlir --input=0xf32 --input=i32 2>&1 | %FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.mlir:3:3: jitrun.argmax: dimension 0 of 'data' is 0; there must be an element to find
// RUN: sed -e 's/0xf32/?xf32/g' %t.d/empty.mlir > %t.dynamic.mlir
// RUN: not %jitrun %t.dynamic.mlir --input=0xf32 --input=i32 2>&1 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: jitrun.argmax: dimension 0 of 'data' is 0; there must be an element to find
// RUN: not %jitrun %t.d/dims.mlir --input=2x3xf32 --input=3xi32 2>&1 | %FileCheck %s --check-prefix=DIMS
// DIMS: dims.mlir:3:3: jitrun.argmin: dimension 0 of 'indices' is 3; it must be 2
// RUN: sed -e 's/3xi32/1x2x1xi32/g' %t.d/dims.mlir > %t.rank.mlir
// RUN: not %jitrun %t.rank.mlir --input=2x3xf32 --input=1x2x1xi32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: jitrun.argmin: 'indices' has rank 3; it must be 1, without the dimension of 'data' that is gone through, or 2
// RUN: sed -e 's/<3xi32/<2x3xi32/g' %t.d/dims.mlir > %t.kept.mlir
// RUN: not %jitrun %t.kept.mlir --input=2x3xf32 --input=2x3xi32 2>&1 | %FileCheck %s --check-prefix=KEPT
// KEPT: jitrun.argmin: dimension 1 of 'indices' is 3; it must be 1
// RUN: sed -e 's/%b) :/%b) {dimension = -3 : i64} :/' %t.d/dims.mlir > %t.dimension.mlir
// RUN: not %jitrun %t.dimension.mlir --input=2x3xf32 --input=3xi32 2>&1 | %FileCheck %s --check-prefix=DIMENSION
// DIMENSION: jitrun.argmin: 'dimension' is -3, and the buffer has dimensions 0 to 1

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
both() {
  run "$@" --input=i32 | sed -n 's/^arg.1.: /max /p'
  shown=$1
  shift
  run "${shown%max}min" "$@" --input=i32 | sed -n 's/^arg.1.: /min /p'
}
each() {
  name=$1
  shift
  run --entry=${name}_max "$@" --input=i32 | sed -n "s/^arg.1.: /$name: max /p"
  run --entry=${name}_min "$@" --input=i32 | sed -n "s/^arg.1.: /$name: min /p"
}
both --entry=f32_max "$@" --input=4xf32=1,3,3,1
both --entry=f32_max "$@" --input=4xf32=1,inf,-nan,nan
both --entry=f32_max "$@" --input=4xf32=-0,0,-0,0
both --entry=f32_max "$@" --input=4xf32=0,inf,-1,-inf
each i1 "$@" --input=4xi1=0,1,0,1
each i8 "$@" --input=4xi8=0,-128,127,1
each ui8 "$@" --input=4xui8=0,255,127,128
each i64 "$@" --input=4xi64=0,-9223372036854775808,9223372036854775807,1
each ui64 "$@" --input=4xui64=0,18446744073709551615,9223372036854775807,1
for type in f16 bf16 f64; do
  each $type "$@" --input=4x$type=0,-1,inf,-inf
done
seq -s, -511 0 >up.txt
run "$@" --entry=i32_max --input=600xi32="$(cat up.txt),$(seq -s, -88 -1)" --input=i32 | sed -n "s/^arg.1.: /i32: max /p"
run "$@" --entry=i32_max --input=600xi32="$(cat up.txt),$(seq -s, 88 -1 1)" --input=i32 | sed -n "s/^arg.1.: /i32: max /p"
each f32 "$@" --input=600xf32="$(cat up.txt),$(seq -s, -88 -1)"
each f32 "$@" --input=620xf32="$(cat up.txt),$(seq -s, 1 18),nan,1,nan,$(seq -s, -87 -1)"
each f64 "$@" --input=600xf64="$(cat up.txt),$(seq -s, 88 -1 1)"
each f64 "$@" --input=600xf64="$(seq -s, 1 17),nan,$(seq -s, 1 69),nan,$(cat up.txt)"
rm up.txt
for name in max min; do
  run "$@" --entry=middle_$name --input=@"$inputs/top.npy" --input=3x4xi32 \
    --expect=@"$inputs/top.npy" --expect=@"$inputs/arg$name-1.npy" >/dev/null
  run "$@" --entry=last_$name --threads=2 --input=@"$inputs/argmax.npy" --input=3x100x1xi64 \
    --expect=@"$inputs/argmax.npy" --expect=@"$inputs/arg$name-2.npy" >/dev/null
done
echo as numpy
//--- empty.mlir
func.func private @find(memref<0xf32>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func @main(%a: memref<0xf32>, %b: memref<i32>) {
  call @find(%a, %b) : (memref<0xf32>, memref<i32>) -> ()
  return
}
//--- dims.mlir
func.func private @find(memref<2x3xf32>, memref<3xi32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func @main(%a: memref<2x3xf32>, %b: memref<3xi32>) {
  call @find(%a, %b) : (memref<2x3xf32>, memref<3xi32>) -> ()
  return
}
//--- arg.mlir
func.func private @c_f32_max(memref<?xf32>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_f32_min(memref<?xf32>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_i1_max(memref<?xi1>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_i1_min(memref<?xi1>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_i8_max(memref<?xi8>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_i8_min(memref<?xi8>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_ui8_max(memref<?xui8>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_ui8_min(memref<?xui8>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_i64_max(memref<?xi64>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_i64_min(memref<?xi64>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_ui64_max(memref<?xui64>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_ui64_min(memref<?xui64>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_f16_max(memref<?xf16>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_f16_min(memref<?xf16>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_bf16_max(memref<?xbf16>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_bf16_min(memref<?xbf16>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_f64_max(memref<?xf64>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_f64_min(memref<?xf64>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_i32_max(memref<?xi32>, memref<i32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_i32_min(memref<?xi32>, memref<i32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_middle_max(memref<3x100x4xf32>, memref<3x4xi32>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_middle_min(memref<3x100x4xf32>, memref<3x4xi32>) attributes {rt.custom_call = "jitrun.argmin"}
func.func private @c_last_max(memref<3x100x4xf32>, memref<3x100x1xi64>) attributes {rt.custom_call = "jitrun.argmax"}
func.func private @c_last_min(memref<3x100x4xf32>, memref<3x100x1xi64>) attributes {rt.custom_call = "jitrun.argmin"}
func.func @f32_max(%a: memref<?xf32>, %b: memref<i32>) {
  call @c_f32_max(%a, %b) : (memref<?xf32>, memref<i32>) -> ()
  return
}
func.func @f32_min(%a: memref<?xf32>, %b: memref<i32>) {
  call @c_f32_min(%a, %b) : (memref<?xf32>, memref<i32>) -> ()
  return
}
func.func @i1_max(%a: memref<?xi1>, %b: memref<i32>) {
  call @c_i1_max(%a, %b) : (memref<?xi1>, memref<i32>) -> ()
  return
}
func.func @i1_min(%a: memref<?xi1>, %b: memref<i32>) {
  call @c_i1_min(%a, %b) : (memref<?xi1>, memref<i32>) -> ()
  return
}
func.func @i8_max(%a: memref<?xi8>, %b: memref<i32>) {
  call @c_i8_max(%a, %b) : (memref<?xi8>, memref<i32>) -> ()
  return
}
func.func @i8_min(%a: memref<?xi8>, %b: memref<i32>) {
  call @c_i8_min(%a, %b) : (memref<?xi8>, memref<i32>) -> ()
  return
}
func.func @ui8_max(%a: memref<?xui8>, %b: memref<i32>) {
  call @c_ui8_max(%a, %b) : (memref<?xui8>, memref<i32>) -> ()
  return
}
func.func @ui8_min(%a: memref<?xui8>, %b: memref<i32>) {
  call @c_ui8_min(%a, %b) : (memref<?xui8>, memref<i32>) -> ()
  return
}
func.func @i64_max(%a: memref<?xi64>, %b: memref<i32>) {
  call @c_i64_max(%a, %b) : (memref<?xi64>, memref<i32>) -> ()
  return
}
func.func @i64_min(%a: memref<?xi64>, %b: memref<i32>) {
  call @c_i64_min(%a, %b) : (memref<?xi64>, memref<i32>) -> ()
  return
}
func.func @ui64_max(%a: memref<?xui64>, %b: memref<i32>) {
  call @c_ui64_max(%a, %b) : (memref<?xui64>, memref<i32>) -> ()
  return
}
func.func @ui64_min(%a: memref<?xui64>, %b: memref<i32>) {
  call @c_ui64_min(%a, %b) : (memref<?xui64>, memref<i32>) -> ()
  return
}
func.func @f16_max(%a: memref<?xf16>, %b: memref<i32>) {
  call @c_f16_max(%a, %b) : (memref<?xf16>, memref<i32>) -> ()
  return
}
func.func @f16_min(%a: memref<?xf16>, %b: memref<i32>) {
  call @c_f16_min(%a, %b) : (memref<?xf16>, memref<i32>) -> ()
  return
}
func.func @bf16_max(%a: memref<?xbf16>, %b: memref<i32>) {
  call @c_bf16_max(%a, %b) : (memref<?xbf16>, memref<i32>) -> ()
  return
}
func.func @bf16_min(%a: memref<?xbf16>, %b: memref<i32>) {
  call @c_bf16_min(%a, %b) : (memref<?xbf16>, memref<i32>) -> ()
  return
}
func.func @f64_max(%a: memref<?xf64>, %b: memref<i32>) {
  call @c_f64_max(%a, %b) : (memref<?xf64>, memref<i32>) -> ()
  return
}
func.func @f64_min(%a: memref<?xf64>, %b: memref<i32>) {
  call @c_f64_min(%a, %b) : (memref<?xf64>, memref<i32>) -> ()
  return
}
func.func @i32_max(%a: memref<?xi32>, %b: memref<i32>) {
  call @c_i32_max(%a, %b) : (memref<?xi32>, memref<i32>) -> ()
  return
}
func.func @i32_min(%a: memref<?xi32>, %b: memref<i32>) {
  call @c_i32_min(%a, %b) : (memref<?xi32>, memref<i32>) -> ()
  return
}
func.func @middle_max(%a: memref<3x100x4xf32>, %b: memref<3x4xi32>) {
  call @c_middle_max(%a, %b) {dimension = 1 : i64} : (memref<3x100x4xf32>, memref<3x4xi32>) -> ()
  return
}
func.func @middle_min(%a: memref<3x100x4xf32>, %b: memref<3x4xi32>) {
  call @c_middle_min(%a, %b) {dimension = 1 : i64} : (memref<3x100x4xf32>, memref<3x4xi32>) -> ()
  return
}
func.func @last_max(%a: memref<3x100x4xf32>, %b: memref<3x100x1xi64>) {
  call @c_last_max(%a, %b) : (memref<3x100x4xf32>, memref<3x100x1xi64>) -> ()
  return
}
func.func @last_min(%a: memref<3x100x4xf32>, %b: memref<3x100x1xi64>) {
  call @c_last_min(%a, %b) : (memref<3x100x4xf32>, memref<3x100x1xi64>) -> ()
  return
}

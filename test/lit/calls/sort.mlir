// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.sort: keys alone and with other buffers, along any dimension.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/sort.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/sort.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
//
// Keys alone: -0 is before 0, NaNs are last; descending is the reverse.
// CHECK: arg[0]: 8xf32=[-inf -1.5 -0 0 1 inf nan nan]
// CHECK-NEXT: arg[0]: 8xf32=[nan nan inf 1 0 -0 -1.5 -inf]
// CHECK-NEXT: arg[0]: 4xi1=[0 0 1 1]
// CHECK-NEXT: arg[0]: 4xi8=[-128 -1 0 127]
// CHECK-NEXT: arg[0]: 4xui8=[0 1 128 255]
// CHECK-NEXT: arg[0]: 4xi16=[-300 -1 0 300]
// CHECK-NEXT: arg[0]: 4xui16=[0 1 300 65535]
// CHECK-NEXT: arg[0]: 4xi32=[-2147483648 -1 0 7]
// CHECK-NEXT: arg[0]: 4xui32=[0 1 7 4294967295]
// CHECK-NEXT: arg[0]: 4xi64=[-9223372036854775808 -1 0 7]
// CHECK-NEXT: arg[0]: 4xui64=[0 1 7 18446744073709551615]
// CHECK-NEXT: arg[0]: 6xf16=[-inf -2 -0 0.5 inf nan]
// CHECK-NEXT: arg[0]: 6xbf16=[-inf -2 -0 0.5 inf nan]
// CHECK-NEXT: arg[0]: 6xf64=[-inf -2 -0 0.5 inf nan]
//
// With others, equal keys keep their order: 0 is -0, NaNs are equal.
// CHECK: arg[0]: 4xi64=[3 2 2 -1]
// CHECK-NEXT: arg[1]: 4xcomplex<f64>=[(4,0) (1,0) (3,0) (2,5)]
// CHECK: arg[0]: 6xf32=[0 -0 0 1 nan nan]
// CHECK-NEXT: arg[1]: 6xi8=[2 3 6 4 1 5]
// CHECK-NEXT: arg[2]: 6xf64=[0.2 0.3 0.6 0.4 0.1 0.5]
//
// CHECK: arg[0]: 3x2xi32={{\[\[}}1 2][3 4][5 6]]
// CHECK-NEXT: arg[0]: 3x2xi32={{\[\[}}4 5][1 6][2 3]]
// CHECK: arg[0]: 6xi32=[9 1 8 2 7 3]
// CHECK-NEXT: arg[1]: 3xi32=[30 10 20]
// CHECK: arg[0]: 0xi32=
// CHECK-NEXT: arg[0]: 1xf32=[nan]
//
// As numpy.argsort(kind="stable") has them; more elements than one thread
// sorts: the numbers of keys and of places that are wrong.
// CHECK: expected 1
// CHECK-NEXT: expected 2
// CHECK-NEXT: result[0]: i64=0
// CHECK-NEXT: result[1]: i64=200002
// CHECK-NEXT: result[0]: i64=0
// CHECK-NEXT: result[1]: i64=200002
// CHECK-NEXT: result[0]: i64=0
// CHECK-NEXT: result[1]: i64=0
// CHECK-NEXT: result[0]: i64=0
// CHECK-NEXT: result[1]: i64=0
//
// RUN: not %jitrun %t.d/shape.mlir --input=3xi32 --input=4xi32 2>&1 | %FileCheck %s --check-prefix=SHAPE
// SHAPE: shape.mlir:3:3: jitrun.sort: dimension 0 of 'keys' is 3, that of 'argument 1' 4; they must be equal
// RUN: not %jitrun %t.d/rank.mlir --input=3xi32 --input=3x1xi32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:3:3: jitrun.sort: 'keys' has rank 1, 'argument 1' has rank 2; both must have as many dimensions
// RUN: not %jitrun %t.d/dynamic.mlir --input=3xi32 --input=4xi32 2>&1 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: dynamic.mlir:3:3: jitrun.sort: dimension 0 of 'keys' is 3, that of 'argument 1' 4; they must be equal
// RUN: not %jitrun %t.d/scalar.mlir --input=3xi32 --input=i32 2>&1 | %FileCheck %s --check-prefix=SCALAR
// SCALAR: scalar.mlir:3:3: jitrun.sort: argument 1 is no buffer; all that is sorted with the keys must be
// RUN: not %jitrun %t.d/dimension.mlir --input=3xi32 2>&1 | %FileCheck %s --check-prefix=DIMENSION
// DIMENSION: dimension.mlir:3:3: jitrun.sort: 'dimension' is 1, and the buffer has dimensions 0 to 0
// RUN: not %jitrun %t.d/complex.mlir --input='3xcomplex<f32>' 2>&1 | %FileCheck %s --check-prefix=COMPLEX
// COMPLEX: argument 0 'keys': expected buffer {{.*}}, found buffer 3xcomplex<f32>

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
run "$@" --entry=keys --input=8xf32=nan,1,-0,0,inf,-1.5,-nan,-inf | sed -e 's/-nan/nan/g'
run "$@" --entry=down --input=8xf32=nan,1,-0,0,inf,-1.5,-nan,-inf | sed -e 's/-nan/nan/g'
run "$@" --entry=i1 --input=4xi1=1,0,1,0
run "$@" --entry=i8 --input=4xi8=127,-128,0,-1
run "$@" --entry=ui8 --input=4xui8=255,128,0,1
run "$@" --entry=i16 --input=4xi16=300,-300,0,-1
run "$@" --entry=ui16 --input=4xui16=65535,300,0,1
run "$@" --entry=i32 --input=4xi32=7,-2147483648,0,-1
run "$@" --entry=ui32 --input=4xui32=4294967295,7,0,1
run "$@" --entry=i64 --input=4xi64=7,-9223372036854775808,0,-1
run "$@" --entry=ui64 --input=4xui64=18446744073709551615,7,0,1
for type in f16 bf16 f64; do
  run "$@" --entry=$type --input=6x$type=nan,0.5,-2,inf,-0,-inf
done
run "$@" --entry=down64 --input=4xi64=2,-1,2,3 --input="4xcomplex<f64>=(1,0),(2,5),(3,0),(4,0)"
run "$@" --entry=pairs --input=6xf32=nan,0,-0,1,-nan,0 --input=6xi8=1,2,3,4,5,6 --input=6xf64=0.1,0.2,0.3,0.4,0.5,0.6 | sed -e 's/-nan/nan/g'
run "$@" --entry=columns --input=3x2xi32=5,4,1,6,3,2
run "$@" --entry=rows --input=3x2xi32=5,4,1,6,3,2
run "$@" --entry=gaps --input=6xi32=9,3,8,1,7,2 --input=3xi32=10,20,30
run "$@" --entry=i32 --input=0xi32
run "$@" --entry=keys --input=1xf32=nan
for axis in 1 2; do
  entry=middle
  test $axis = 1 || entry=last
  run "$@" --entry=$entry --threads=3 --input=@"$inputs/sort.npy" --input=@"$inputs/sort-$axis-start.npy" \
    --expect=@"$inputs/sort-$axis.npy" --expect=@"$inputs/sort-$axis-places.npy" >/dev/null
  echo "expected $axis"
done
for entry in keys_32 keys_64 pairs_32 pairs_64; do
  run "$@" --entry=big_$entry --threads=3
done
//--- sort.mlir
func.func private @c_keys(memref<?xf32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_down(memref<?xf32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_i1(memref<?xi1>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_i8(memref<?xi8>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_ui8(memref<?xui8>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_i16(memref<?xi16>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_ui16(memref<?xui16>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_i32(memref<?xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_ui32(memref<?xui32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_i64(memref<?xi64>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_ui64(memref<?xui64>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_f16(memref<?xf16>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_bf16(memref<?xbf16>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_f64(memref<?xf64>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_down64(memref<?xi64>, memref<?xcomplex<f64>>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_pairs(memref<?xf32>, memref<?xi8>, memref<?xf64>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_columns(memref<?x?xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_rows(memref<?x?xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_middle(memref<3x100x4xf32>, memref<3x100x4xi16>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_last(memref<3x100x4xf32>, memref<3x100x4xi16>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @big32(memref<200003xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @bigpairs32(memref<200003xi32>, memref<200003xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @big64(memref<200003xi64>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @bigpairs64(memref<200003xi64>, memref<200003xi64>) attributes {rt.custom_call = "jitrun.sort"}
func.func private @c_gaps(memref<3xi32, strided<[2], offset: 1>>, memref<3xi32, strided<[-1], offset: 2>>) attributes {rt.custom_call = "jitrun.sort"}
func.func @keys(%a0: memref<?xf32>) {
  call @c_keys(%a0) : (memref<?xf32>) -> ()
  return
}
func.func @down(%a0: memref<?xf32>) {
  call @c_down(%a0) {descending} : (memref<?xf32>) -> ()
  return
}
func.func @i1(%a0: memref<?xi1>) {
  call @c_i1(%a0) : (memref<?xi1>) -> ()
  return
}
func.func @i8(%a0: memref<?xi8>) {
  call @c_i8(%a0) : (memref<?xi8>) -> ()
  return
}
func.func @ui8(%a0: memref<?xui8>) {
  call @c_ui8(%a0) : (memref<?xui8>) -> ()
  return
}
func.func @i16(%a0: memref<?xi16>) {
  call @c_i16(%a0) : (memref<?xi16>) -> ()
  return
}
func.func @ui16(%a0: memref<?xui16>) {
  call @c_ui16(%a0) : (memref<?xui16>) -> ()
  return
}
func.func @i32(%a0: memref<?xi32>) {
  call @c_i32(%a0) : (memref<?xi32>) -> ()
  return
}
func.func @ui32(%a0: memref<?xui32>) {
  call @c_ui32(%a0) : (memref<?xui32>) -> ()
  return
}
func.func @i64(%a0: memref<?xi64>) {
  call @c_i64(%a0) : (memref<?xi64>) -> ()
  return
}
func.func @ui64(%a0: memref<?xui64>) {
  call @c_ui64(%a0) : (memref<?xui64>) -> ()
  return
}
func.func @f16(%a0: memref<?xf16>) {
  call @c_f16(%a0) : (memref<?xf16>) -> ()
  return
}
func.func @bf16(%a0: memref<?xbf16>) {
  call @c_bf16(%a0) : (memref<?xbf16>) -> ()
  return
}
func.func @f64(%a0: memref<?xf64>) {
  call @c_f64(%a0) : (memref<?xf64>) -> ()
  return
}
func.func @down64(%a0: memref<?xi64>, %a1: memref<?xcomplex<f64>>) {
  call @c_down64(%a0, %a1) {descending = true} : (memref<?xi64>, memref<?xcomplex<f64>>) -> ()
  return
}
func.func @pairs(%a0: memref<?xf32>, %a1: memref<?xi8>, %a2: memref<?xf64>) {
  call @c_pairs(%a0, %a1, %a2) : (memref<?xf32>, memref<?xi8>, memref<?xf64>) -> ()
  return
}
func.func @columns(%a0: memref<?x?xi32>) {
  call @c_columns(%a0) {dimension = 0 : i64} : (memref<?x?xi32>) -> ()
  return
}
func.func @rows(%a0: memref<?x?xi32>) {
  call @c_rows(%a0) {dimension = -1 : i64} : (memref<?x?xi32>) -> ()
  return
}
func.func @middle(%a0: memref<3x100x4xf32>, %a1: memref<3x100x4xi16>) {
  call @c_middle(%a0, %a1) {dimension = 1 : i64} : (memref<3x100x4xf32>, memref<3x100x4xi16>) -> ()
  return
}
func.func @last(%a0: memref<3x100x4xf32>, %a1: memref<3x100x4xi16>) {
  call @c_last(%a0, %a1) : (memref<3x100x4xf32>, memref<3x100x4xi16>) -> ()
  return
}
func.func @big_keys_32() -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %factor = arith.constant 48271 : i64
  %prime = arith.constant 200003 : i64
  %half = arith.constant 100001 : i64
  %count = arith.constant 200003 : index
  %keys = memref.alloc() : memref<200003xi32>
  %places = memref.alloc() : memref<200003xi32>
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.index_cast %i : index to i64
    %product = arith.muli %n, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %key = arith.subi %rest, %half : i64
    %k = arith.trunci %key : i64 to i32
    %p = arith.trunci %n : i64 to i32
    memref.store %k, %keys[%i] : memref<200003xi32>
    memref.store %p, %places[%i] : memref<200003xi32>
  }
  call @big32(%keys) : (memref<200003xi32>) -> ()
  %wrong:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero, %b = %zero) -> (i64, i64) {
    %n = arith.index_cast %i : index to i64
    %want = arith.subi %n, %half : i64
    %k = memref.load %keys[%i] : memref<200003xi32>
    %p = memref.load %places[%i] : memref<200003xi32>
    %key = arith.extsi %k : i32 to i64
    %place = arith.extsi %p : i32 to i64
    %is_key = arith.cmpi ne, %key, %want : i64
    %add_a = arith.extui %is_key : i1 to i64
    %x = arith.addi %a, %add_a : i64
    %product = arith.muli %place, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %is_place = arith.cmpi ne, %rest, %n : i64
    %add_b = arith.extui %is_place : i1 to i64
    %y = arith.addi %b, %add_b : i64
    scf.yield %x, %y : i64, i64
  }
  memref.dealloc %keys : memref<200003xi32>
  memref.dealloc %places : memref<200003xi32>
  return %wrong#0, %wrong#1 : i64, i64
}
func.func @big_pairs_32() -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %factor = arith.constant 48271 : i64
  %prime = arith.constant 200003 : i64
  %half = arith.constant 100001 : i64
  %count = arith.constant 200003 : index
  %keys = memref.alloc() : memref<200003xi32>
  %places = memref.alloc() : memref<200003xi32>
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.index_cast %i : index to i64
    %product = arith.muli %n, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %key = arith.subi %rest, %half : i64
    %k = arith.trunci %key : i64 to i32
    %p = arith.trunci %n : i64 to i32
    memref.store %k, %keys[%i] : memref<200003xi32>
    memref.store %p, %places[%i] : memref<200003xi32>
  }
  call @bigpairs32(%keys, %places) : (memref<200003xi32>, memref<200003xi32>) -> ()
  %wrong:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero, %b = %zero) -> (i64, i64) {
    %n = arith.index_cast %i : index to i64
    %want = arith.subi %n, %half : i64
    %k = memref.load %keys[%i] : memref<200003xi32>
    %p = memref.load %places[%i] : memref<200003xi32>
    %key = arith.extsi %k : i32 to i64
    %place = arith.extsi %p : i32 to i64
    %is_key = arith.cmpi ne, %key, %want : i64
    %add_a = arith.extui %is_key : i1 to i64
    %x = arith.addi %a, %add_a : i64
    %product = arith.muli %place, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %is_place = arith.cmpi ne, %rest, %n : i64
    %add_b = arith.extui %is_place : i1 to i64
    %y = arith.addi %b, %add_b : i64
    scf.yield %x, %y : i64, i64
  }
  memref.dealloc %keys : memref<200003xi32>
  memref.dealloc %places : memref<200003xi32>
  return %wrong#0, %wrong#1 : i64, i64
}
func.func @big_keys_64() -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %factor = arith.constant 48271 : i64
  %prime = arith.constant 200003 : i64
  %half = arith.constant 100001 : i64
  %count = arith.constant 200003 : index
  %keys = memref.alloc() : memref<200003xi64>
  %places = memref.alloc() : memref<200003xi64>
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.index_cast %i : index to i64
    %product = arith.muli %n, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %key = arith.subi %rest, %half : i64
    %k = arith.addi %key, %zero : i64
    %p = arith.addi %n, %zero : i64
    memref.store %k, %keys[%i] : memref<200003xi64>
    memref.store %p, %places[%i] : memref<200003xi64>
  }
  call @big64(%keys) : (memref<200003xi64>) -> ()
  %wrong:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero, %b = %zero) -> (i64, i64) {
    %n = arith.index_cast %i : index to i64
    %want = arith.subi %n, %half : i64
    %k = memref.load %keys[%i] : memref<200003xi64>
    %p = memref.load %places[%i] : memref<200003xi64>
    %key = arith.addi %k, %zero : i64
    %place = arith.addi %p, %zero : i64
    %is_key = arith.cmpi ne, %key, %want : i64
    %add_a = arith.extui %is_key : i1 to i64
    %x = arith.addi %a, %add_a : i64
    %product = arith.muli %place, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %is_place = arith.cmpi ne, %rest, %n : i64
    %add_b = arith.extui %is_place : i1 to i64
    %y = arith.addi %b, %add_b : i64
    scf.yield %x, %y : i64, i64
  }
  memref.dealloc %keys : memref<200003xi64>
  memref.dealloc %places : memref<200003xi64>
  return %wrong#0, %wrong#1 : i64, i64
}
func.func @big_pairs_64() -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %factor = arith.constant 48271 : i64
  %prime = arith.constant 200003 : i64
  %half = arith.constant 100001 : i64
  %count = arith.constant 200003 : index
  %keys = memref.alloc() : memref<200003xi64>
  %places = memref.alloc() : memref<200003xi64>
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.index_cast %i : index to i64
    %product = arith.muli %n, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %key = arith.subi %rest, %half : i64
    %k = arith.addi %key, %zero : i64
    %p = arith.addi %n, %zero : i64
    memref.store %k, %keys[%i] : memref<200003xi64>
    memref.store %p, %places[%i] : memref<200003xi64>
  }
  call @bigpairs64(%keys, %places) : (memref<200003xi64>, memref<200003xi64>) -> ()
  %wrong:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero, %b = %zero) -> (i64, i64) {
    %n = arith.index_cast %i : index to i64
    %want = arith.subi %n, %half : i64
    %k = memref.load %keys[%i] : memref<200003xi64>
    %p = memref.load %places[%i] : memref<200003xi64>
    %key = arith.addi %k, %zero : i64
    %place = arith.addi %p, %zero : i64
    %is_key = arith.cmpi ne, %key, %want : i64
    %add_a = arith.extui %is_key : i1 to i64
    %x = arith.addi %a, %add_a : i64
    %product = arith.muli %place, %factor : i64
    %rest = arith.remsi %product, %prime : i64
    %is_place = arith.cmpi ne, %rest, %n : i64
    %add_b = arith.extui %is_place : i1 to i64
    %y = arith.addi %b, %add_b : i64
    scf.yield %x, %y : i64, i64
  }
  memref.dealloc %keys : memref<200003xi64>
  memref.dealloc %places : memref<200003xi64>
  return %wrong#0, %wrong#1 : i64, i64
}
func.func @gaps(%a: memref<6xi32>, %b: memref<3xi32>) {
  %x = memref.reinterpret_cast %a to offset: [1], sizes: [3], strides: [2] : memref<6xi32> to memref<3xi32, strided<[2], offset: 1>>
  %y = memref.reinterpret_cast %b to offset: [2], sizes: [3], strides: [-1] : memref<3xi32> to memref<3xi32, strided<[-1], offset: 2>>
  call @c_gaps(%x, %y) : (memref<3xi32, strided<[2], offset: 1>>, memref<3xi32, strided<[-1], offset: 2>>) -> ()
  return
}
//--- shape.mlir
func.func private @sort(memref<3xi32>, memref<4xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func @main(%a: memref<3xi32>, %b: memref<4xi32>) {
  call @sort(%a, %b) : (memref<3xi32>, memref<4xi32>) -> ()
  return
}
//--- rank.mlir
func.func private @sort(memref<3xi32>, memref<3x1xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func @main(%a: memref<3xi32>, %b: memref<3x1xi32>) {
  call @sort(%a, %b) : (memref<3xi32>, memref<3x1xi32>) -> ()
  return
}
//--- dynamic.mlir
func.func private @sort(memref<?xi32>, memref<?xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func @main(%a: memref<?xi32>, %b: memref<?xi32>) {
  call @sort(%a, %b) : (memref<?xi32>, memref<?xi32>) -> ()
  return
}
//--- scalar.mlir
func.func private @sort(memref<3xi32>, i32) attributes {rt.custom_call = "jitrun.sort"}
func.func @main(%a: memref<3xi32>, %b: i32) {
  call @sort(%a, %b) : (memref<3xi32>, i32) -> ()
  return
}
//--- dimension.mlir
func.func private @sort(memref<3xi32>) attributes {rt.custom_call = "jitrun.sort"}
func.func @main(%a: memref<3xi32>) {
  call @sort(%a) {dimension = 1 : i64} : (memref<3xi32>) -> ()
  return
}
//--- complex.mlir
func.func private @sort(memref<3xcomplex<f32>>) attributes {rt.custom_call = "jitrun.sort"}
func.func @main(%a: memref<3xcomplex<f32>>) {
  call @sort(%a) : (memref<3xcomplex<f32>>) -> ()
  return
}

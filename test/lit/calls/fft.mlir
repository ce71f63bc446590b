// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.fft: what it refuses, both executors, and threads. Numbers are in
// test/ops/fft.mlir.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/fft.mlir --executor=thunks --input="4xcomplex<f32>=(1,0),(2,0),(3,0),(4,0)" | %FileCheck %s
// RUN: %jitrun %t.d/fft.mlir --executor=jit --input="4xcomplex<f32>=(1,0),(2,0),(3,0),(4,0)" | %FileCheck %s
// RUN: %jitrun compile %t.d/fft.mlir -o %t.o
// RUN: %jitrun %t.o --input="4xcomplex<f32>=(1,0),(2,0),(3,0),(4,0)" | %FileCheck %s
// CHECK: arg[0]: 4xcomplex<f32>=[(10,0) (-2,2) (-2,0) (-2,-2)]
// RUN: %jitrun %t.d/zero.mlir --input="3x0xcomplex<f64>" --input="3x0xcomplex<f64>" | %FileCheck %s --check-prefix=ZERO
// ZERO: arg[1]: 3x0xcomplex<f64>=
//
// Pieces depend on the sizes alone: the same bits by any number of threads.
// RUN: %jitrun %t.d/big.mlir --threads=1 > %t.one
// RUN: %jitrun %t.d/big.mlir --threads=2 > %t.two
// RUN: %jitrun %t.d/big.mlir --threads=5 > %t.five
// RUN: cmp %t.one %t.two
// RUN: cmp %t.one %t.five
// RUN: %FileCheck %s --check-prefix=BIG < %t.one
// BIG: result[0]: i32={{-?[0-9]+}}
// BIG-NEXT: result[1]: i32={{-?[0-9]+}}
//
// RUN: not %jitrun %t.d/types.mlir --input="4xcomplex<f32>" --input="4xcomplex<f64>" 2>&1 | %FileCheck %s --check-prefix=TYPES
// TYPES: types.mlir:3:3: jitrun.fft: 'input' has elements of complex<f32>, 'output' of complex<f64>; both must be complex of one type, or one real and the other complex of that
// RUN: not %jitrun %t.d/real.mlir --input=4xf32 --input=4xf32 2>&1 | %FileCheck %s --check-prefix=REAL
// REAL: real.mlir:3:3: jitrun.fft: 'input' has elements of f32, 'output' of f32; both must be complex
// RUN: not %jitrun %t.d/inverse.mlir --input=4xf32 --input="3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=INVERSE
// INVERSE: inverse.mlir:3:3: jitrun.fft: 'inverse' is set, and 'input' is real; the inverse takes complex numbers
// RUN: not %jitrun %t.d/half.mlir --input=4xf32 --input="4xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=HALF
// HALF: half.mlir:3:3: jitrun.fft: dimension 0 of 'output' is 4; 4 real numbers in 'input' have 3 complex ones
// RUN: not %jitrun %t.d/half.mlir --input=0xf32 --input="1xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: half.mlir:3:3: jitrun.fft: dimension 0 of 'output' is 1; 0 real numbers in 'input' have 0 complex ones
// RUN: not %jitrun %t.d/to_real.mlir --input="2x3xcomplex<f32>" --input=2x6xf32 2>&1 | %FileCheck %s --check-prefix=TOREAL
// TOREAL: to_real.mlir:3:3: jitrun.fft: dimension 1 of 'input' is 3; 6 real numbers in 'output' have 4 complex ones
// RUN: not %jitrun %t.d/sizes.mlir --input="2x3xcomplex<f32>" --input="2x4xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=SIZES
// SIZES: sizes.mlir:3:3: jitrun.fft: dimension 1 of 'input' is 3, that of 'output' 4; they must be equal
// RUN: not %jitrun %t.d/rank.mlir --input="2x3xcomplex<f32>" --input="6xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: rank.mlir:3:3: jitrun.fft: 'input' has rank 2, 'output' has rank 1; both must have as many dimensions
// RUN: not %jitrun %t.d/dimensions.mlir --input="2x3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=DIMENSIONS
// DIMENSIONS: dimensions.mlir:3:3: jitrun.fft: 3 dimensions are to be transformed, of 2; there must be 1 to 3
// RUN: sed -e 's/dimensions = 3/dimensions = -1/' %t.d/dimensions.mlir > %t.negative.mlir
// RUN: not %jitrun %t.negative.mlir --input="2x3xcomplex<f32>" 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: jitrun.fft: 0 dimensions are to be transformed, of 2; there must be 1 to 3
// RUN: not %jitrun %t.d/scalar.mlir --input="complex<f32>" 2>&1 | %FileCheck %s --check-prefix=SCALAR
// SCALAR: argument 0 'input': expected buffer {{.*}}, found buffer complex<f32>

//--- fft.mlir
func.func private @fft(memref<4xcomplex<f32>>, memref<4xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<4xcomplex<f32>>) {
  call @fft(%a, %a) : (memref<4xcomplex<f32>>, memref<4xcomplex<f32>>) -> ()
  return
}
//--- zero.mlir
func.func private @fft(memref<?x?xcomplex<f64>>, memref<?x?xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<?x?xcomplex<f64>>, %b: memref<?x?xcomplex<f64>>) {
  call @fft(%a, %b) : (memref<?x?xcomplex<f64>>, memref<?x?xcomplex<f64>>) -> ()
  return
}
//--- big.mlir
func.func private @line(memref<65536xcomplex<f32>>, memref<65536xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func private @plane(memref<256x256xcomplex<f32>>, memref<256x256xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft", dimensions = 2 : i64, inverse}
// All bits of the result in one number.
func.func private @fold(%a: memref<65536xcomplex<f32>>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.constant 65536 : index
  %seed = arith.constant 0 : i32
  %prime = arith.constant 16777619 : i32
  %hash = scf.for %i = %zero to %count step %one iter_args(%h = %seed) -> i32 {
    %z = memref.load %a[%i] : memref<65536xcomplex<f32>>
    %re = complex.re %z : complex<f32>
    %im = complex.im %z : complex<f32>
    %p = arith.bitcast %re : f32 to i32
    %q = arith.bitcast %im : f32 to i32
    %h1 = arith.muli %h, %prime : i32
    %h2 = arith.xori %h1, %p : i32
    %h3 = arith.muli %h2, %prime : i32
    %h4 = arith.xori %h3, %q : i32
    scf.yield %h4 : i32
  }
  return %hash : i32
}
func.func @main() -> (i32, i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.constant 65536 : index
  %a = memref.alloc() : memref<65536xcomplex<f32>>
  %b = memref.alloc() : memref<65536xcomplex<f32>>
  scf.for %i = %zero to %count step %one {
    %n = arith.index_cast %i : index to i32
    %prime = arith.constant 40503 : i32
    %m = arith.muli %n, %prime : i32
    %mask = arith.constant 1023 : i32
    %k = arith.andi %m, %mask : i32
    %l = arith.andi %n, %mask : i32
    %re = arith.sitofp %k : i32 to f32
    %im = arith.sitofp %l : i32 to f32
    %z = complex.create %re, %im : complex<f32>
    memref.store %z, %a[%i] : memref<65536xcomplex<f32>>
  }
  call @line(%a, %b) : (memref<65536xcomplex<f32>>, memref<65536xcomplex<f32>>) -> ()
  %first = call @fold(%b) : (memref<65536xcomplex<f32>>) -> i32
  %c = memref.expand_shape %a [[0, 1]] output_shape [256, 256] : memref<65536xcomplex<f32>> into memref<256x256xcomplex<f32>>
  call @plane(%c, %c) : (memref<256x256xcomplex<f32>>, memref<256x256xcomplex<f32>>) -> ()
  %second = call @fold(%a) : (memref<65536xcomplex<f32>>) -> i32
  return %first, %second : i32, i32
}
//--- types.mlir
func.func private @fft(memref<4xcomplex<f32>>, memref<4xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<4xcomplex<f32>>, %b: memref<4xcomplex<f64>>) {
  call @fft(%a, %b) : (memref<4xcomplex<f32>>, memref<4xcomplex<f64>>) -> ()
  return
}
//--- real.mlir
func.func private @fft(memref<4xf32>, memref<4xf32>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @fft(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
//--- inverse.mlir
func.func private @fft(memref<4xf32>, memref<3xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft", inverse}
func.func @main(%a: memref<4xf32>, %b: memref<3xcomplex<f32>>) {
  call @fft(%a, %b) : (memref<4xf32>, memref<3xcomplex<f32>>) -> ()
  return
}
//--- half.mlir
func.func private @fft(memref<?xf32>, memref<?xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<?xf32>, %b: memref<?xcomplex<f32>>) {
  call @fft(%a, %b) : (memref<?xf32>, memref<?xcomplex<f32>>) -> ()
  return
}
//--- to_real.mlir
func.func private @fft(memref<2x3xcomplex<f32>>, memref<2x6xf32>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<2x3xcomplex<f32>>, %b: memref<2x6xf32>) {
  call @fft(%a, %b) : (memref<2x3xcomplex<f32>>, memref<2x6xf32>) -> ()
  return
}
//--- sizes.mlir
func.func private @fft(memref<2x3xcomplex<f32>>, memref<2x4xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<2x3xcomplex<f32>>, %b: memref<2x4xcomplex<f32>>) {
  call @fft(%a, %b) : (memref<2x3xcomplex<f32>>, memref<2x4xcomplex<f32>>) -> ()
  return
}
//--- rank.mlir
func.func private @fft(memref<2x3xcomplex<f32>>, memref<6xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<2x3xcomplex<f32>>, %b: memref<6xcomplex<f32>>) {
  call @fft(%a, %b) : (memref<2x3xcomplex<f32>>, memref<6xcomplex<f32>>) -> ()
  return
}
//--- dimensions.mlir
func.func private @fft(memref<2x3xcomplex<f32>>, memref<2x3xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft", dimensions = 3 : i64}
func.func @main(%a: memref<2x3xcomplex<f32>>) {
  call @fft(%a, %a) : (memref<2x3xcomplex<f32>>, memref<2x3xcomplex<f32>>) -> ()
  return
}
//--- scalar.mlir
func.func private @fft(memref<complex<f32>>, memref<complex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @main(%a: memref<complex<f32>>) {
  call @fft(%a, %a) : (memref<complex<f32>>, memref<complex<f32>>) -> ()
  return
}

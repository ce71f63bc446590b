// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.cholesky and xla.gpu.cholesky: what they refuse, both executors,
// matrices that are not positive definite. Numbers are in
// test/ops/cholesky.mlir.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/own.mlir --executor=thunks --input=2x2xf32=4,9,2,5 | %FileCheck %s
// RUN: %jitrun %t.d/own.mlir --executor=jit --input=2x2xf32=4,9,2,5 | %FileCheck %s
// RUN: %jitrun compile %t.d/own.mlir -o %t.o
// RUN: %jitrun %t.o --input=2x2xf32=4,9,2,5 | %FileCheck %s
// CHECK: arg[0]: 2x2xf32={{\[\[}}2 0][1 2]]
// RUN: %jitrun %t.d/own.mlir --input=2x2xf32=4,9,4,4 | sed -e 's/-nan/nan/g' | %FileCheck %s --check-prefix=NAN
// NAN: arg[0]: 2x2xf32={{\[\[}}nan nan][nan nan]]
// RUN: %jitrun %t.d/own.mlir --input=0x0xf32 | %FileCheck %s --check-prefix=ZERO
// ZERO: arg[0]: 0x0xf32=
//
// XLA's leaves the other triangle, and says in info which row has failed.
// RUN: %jitrun %t.d/xla.mlir --input=2x2x2xf64=4,9,2,5,4,9,4,4 --input=2x2x2xf64 --input=8xi8 --input=2xi32=7,7 | %FileCheck %s --check-prefix=XLA
// XLA: arg[1]: 2x2x2xf64={{\[\[\[}}2 9][1 2]]
// XLA: arg[3]: 2xi32=[0 2]
//
// RUN: not %jitrun %t.d/own.mlir --input=2x3xf32 2>&1 | %FileCheck %s --check-prefix=SQUARE
// SQUARE: own.mlir:3:3: jitrun.cholesky: the matrices of 'input' are 2x3; they must be square
// RUN: not %jitrun %t.d/types.mlir --input=2x2xf32 --input=2x2xf64 2>&1 | %FileCheck %s --check-prefix=TYPES
// TYPES: types.mlir:3:3: jitrun.cholesky: 'input' has elements of f32, 'output' of f64; both must be of one type
// RUN: sed -e 's/2x2xf64/3x3xf32/g' %t.d/types.mlir > %t.dims.mlir
// RUN: not %jitrun %t.dims.mlir --input=2x2xf32 --input=3x3xf32 2>&1 | %FileCheck %s --check-prefix=DIMS
// DIMS: jitrun.cholesky: dimension 0 of 'input' is 2, that of 'output' 3; they must be equal
// RUN: sed -e 's/n = 2/n = 3/' %t.d/xla.mlir > %t.n.mlir
// RUN: not %jitrun %t.n.mlir --input=2x2x2xf64 --input=2x2x2xf64 --input=8xi8 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=ORDER
// ORDER: xla.gpu.cholesky: 'n' is 3 and 'batch_size' 2; 'operand' has 2 matrices of order 2, 'info' has 2 elements

//--- own.mlir
func.func private @cholesky(memref<?x?xf32>, memref<?x?xf32>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @main(%a: memref<?x?xf32>) {
  call @cholesky(%a, %a) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
//--- types.mlir
func.func private @cholesky(memref<2x2xf32>, memref<2x2xf64>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @main(%a: memref<2x2xf32>, %b: memref<2x2xf64>) {
  call @cholesky(%a, %b) : (memref<2x2xf32>, memref<2x2xf64>) -> ()
  return
}
//--- xla.mlir
func.func private @cholesky(memref<2x2x2xf64>, memref<2x2x2xf64>, memref<8xi8>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.cholesky"}
func.func @main(%a: memref<2x2x2xf64>, %b: memref<2x2x2xf64>, %c: memref<8xi8>, %d: memref<2xi32>) {
  call @cholesky(%a, %b, %c, %d) {batch_size = 2 : i64, is_lower = true, n = 2 : i64} : (memref<2x2x2xf64>, memref<2x2x2xf64>, memref<8xi8>, memref<2xi32>) -> ()
  return
}

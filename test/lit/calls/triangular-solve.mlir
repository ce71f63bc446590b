// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.triangular_solve: what it refuses, both executors. Numbers are in
// test/ops/triangular.mlir.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/solve.mlir --executor=thunks --input=2x2xf32=2,9,1,4 --input=2x1xf32=6,11 | %FileCheck %s
// RUN: %jitrun %t.d/solve.mlir --executor=jit --input=2x2xf32=2,9,1,4 --input=2x1xf32=6,11 | %FileCheck %s
// RUN: %jitrun compile %t.d/solve.mlir -o %t.o
// RUN: %jitrun %t.o --input=2x2xf32=2,9,1,4 --input=2x1xf32=6,11 | %FileCheck %s
// CHECK: arg[1]: 2x1xf32={{\[\[}}3][2]]
// RUN: %jitrun %t.d/solve.mlir --input=0x0xf32 --input=0x3xf32 | %FileCheck %s --check-prefix=ZERO
// ZERO: arg[1]: 0x3xf32=
// RUN: not %jitrun %t.d/solve.mlir --input=2x3xf32 --input=2x1xf32 2>&1 | %FileCheck %s --check-prefix=SQUARE
// SQUARE: solve.mlir:3:3: jitrun.triangular_solve: the matrices of 'a' are 2x3; they must be square
// RUN: not %jitrun %t.d/solve.mlir --input=2x2xf32 --input=3x1xf32 2>&1 | %FileCheck %s --check-prefix=ROWS
// ROWS: solve.mlir:3:3: jitrun.triangular_solve: 'b' must have the batch of 'a', and as many rows as 'a' has rows
// RUN: sed -e 's/triangular_solve"/triangular_solve", left_side = false/' %t.d/solve.mlir > %t.right.mlir
// RUN: not %jitrun %t.right.mlir --input=2x2xf32 --input=2x1xf32 2>&1 | %FileCheck %s --check-prefix=COLUMNS
// COLUMNS: 'b' must have the batch of 'a', and as many columns as 'a' has rows
// RUN: sed -e 's/triangular_solve"/triangular_solve", transpose_a = "both"/' %t.d/solve.mlir > %t.both.mlir
// RUN: not %jitrun %t.both.mlir --input=2x2xf32 --input=2x1xf32 2>&1 | %FileCheck %s --check-prefix=BOTH
// BOTH: jitrun.triangular_solve: 'transpose_a' is 'both'; it must be 'none', 'transpose' or 'adjoint'
// RUN: not %jitrun %t.d/types.mlir --input=2x2xf64 --input=2x1xf32 2>&1 | %FileCheck %s --check-prefix=TYPES
// TYPES: types.mlir:3:3: jitrun.triangular_solve: 'a' has elements of f64, 'b' of f32; both must be of one type

//--- solve.mlir
func.func private @solve(memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) attributes {rt.custom_call = "jitrun.triangular_solve"}
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  call @solve(%a, %b, %b) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
//--- types.mlir
func.func private @solve(memref<2x2xf64>, memref<2x1xf32>, memref<2x1xf32>) attributes {rt.custom_call = "jitrun.triangular_solve"}
func.func @main(%a: memref<2x2xf64>, %b: memref<2x1xf32>) {
  call @solve(%a, %b, %b) : (memref<2x2xf64>, memref<2x1xf32>, memref<2x1xf32>) -> ()
  return
}

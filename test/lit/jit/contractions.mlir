// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices become calls of jitrun.gemm, which takes views of the
// operands: what is turned, or has its batch elsewhere, is not copied. What is
// small, or no such product, becomes code.
//
// REQUIRES: llvm
// RUN: %jitrun inspect %s | %FileCheck %s
// CHECK: calls: 4
// CHECK-NEXT: call 0: 'jitrun.gemm' at {{.*}}contractions.mlir:[[#@LINE+13]]:3 (32x16xf32, 16x24xf32, strides [1, 16], 32x24xf32) -> () {beta = 1 : f64}
// CHECK-NEXT: call 1: 'jitrun.gemm' at {{.*}}:[[#@LINE+13]]:3 (2x32x16xf64, strides [16, 32, 1], 2x16x24xf64, 2x32x24xf64) -> () {beta = 1 : f64}
// CHECK-NEXT: call 2: 'jitrun.gemm' at {{.*}}:[[#@LINE+13]]:3 (2x32x16xf64, strides [16, 32, 1], 16x24xf64, 2x32x24xf64) -> () {beta = 1 : f64}
// CHECK-NEXT: call 3: 'jitrun.gemm' at {{.*}}:[[#@LINE+22]]:3 (?x?xf32, ?x?xf32, ?x?xf32) -> () {beta = 1 : f64}
//
// The table runs them.
// RUN: %jitrun %s --entry=main --executor=thunks --input=32x16xf32=1 --input=24x16xf32=2 --input=32x24xf32=3 --input=32x2x16xf64=1 --input=2x16x24xf64=1 --input=2x32x24xf64=0 --input=16x24xf64=2 | %FileCheck %s --check-prefix=TABLE
// RUN: sh -c "%jitrun %s --entry=unknown --input=3x4xf32=1 --input=5x2xf32=1 --input=3x2xf32=0; echo status $?" 2>&1 | %FileCheck %s --check-prefix=MISFIT
// TABLE-DAG: arg[2]: 32x24xf32={{\[\[}}35 35
// TABLE-DAG: arg[5]: 2x32x24xf64={{\[\[\[}}48 48
// MISFIT: jitrun: error: {{.*}}contractions.mlir:[[#@LINE+15]]:3: jitrun.gemm: the shapes do not fit: needed are MxK, KxN and MxN, the last with or without a batch before it, which 'a' and 'b' have as well or not; found 'a': 3x4xf32, 'b': 5x2xf32, 'c': 3x2xf32
// MISFIT: status 1
func.func @main(%a: memref<32x16xf32>, %b: memref<24x16xf32>, %c: memref<32x24xf32>, %d: memref<32x2x16xf64>, %e: memref<2x16x24xf64>, %f: memref<2x32x24xf64>, %g: memref<16x24xf64>) attributes {rt.exported = 0 : i32} {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : memref<32x16xf32>, memref<24x16xf32>) outs(%c : memref<32x24xf32>)
  linalg.contract indexing_maps = [affine_map<(p, m, n, k) -> (m, p, k)>, affine_map<(p, m, n, k) -> (p, k, n)>, affine_map<(p, m, n, k) -> (p, m, n)>] ins(%d, %e : memref<32x2x16xf64>, memref<2x16x24xf64>) outs(%f : memref<2x32x24xf64>)
  linalg.generic {indexing_maps = [affine_map<(p, m, n, k) -> (m, p, k)>, affine_map<(p, m, n, k) -> (k, n)>, affine_map<(p, m, n, k) -> (p, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%d, %g : memref<32x2x16xf64>, memref<16x24xf64>) outs(%f : memref<2x32x24xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.mulf %x, %y : f64
    %1 = arith.addf %z, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

func.func @unknown(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {rt.exported = 1 : i32} {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

func.func @small(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) attributes {rt.exported = 2 : i32} {
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

func.func @integers(%a: memref<32x32xi32>) attributes {rt.exported = 3 : i32} {
  linalg.matmul ins(%a, %a : memref<32x32xi32>, memref<32x32xi32>) outs(%a : memref<32x32xi32>)
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on complex numbers, in memrefs and in tensors.
//
// REQUIRES: llvm
// RUN: %ways --native %s --entry=product '--input=2xcomplex<f32>=(1,2),(3,-1)' '--input=2xcomplex<f32>=(0,1),(2,2)' | %FileCheck %s --check-prefix=PRODUCT
// PRODUCT: result[0]: 2xcomplex<f32>=[(-2,1) (8,4)]
// RUN: %ways --native %s --entry=size '--input=complex<f64>=(3,4)' | %FileCheck %s --check-prefix=SIZE
// SIZE: result[0]: f64=5
// RUN: %ways --native %s --entry=quotient '--input=complex<f64>=(1,2)' '--input=complex<f64>=(3,4)' | %FileCheck %s --check-prefix=QUOTIENT
// QUOTIENT: result[0]: complex<f64>=(0.44,0.08)
// RUN: %ways --native %s --entry=exp '--input=1xcomplex<f32>=(0,0)' | %FileCheck %s --check-prefix=EXP
// EXP: result[0]: 1xcomplex<f32>=[(1,0)]

func.func @product(%a: memref<2xcomplex<f32>>, %b: memref<2xcomplex<f32>>) -> memref<2xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = memref.alloc() : memref<2xcomplex<f32>>
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.load %a[%i] : memref<2xcomplex<f32>>
    %y = memref.load %b[%i] : memref<2xcomplex<f32>>
    %z = complex.mul %x, %y : complex<f32>
    memref.store %z, %r[%i] : memref<2xcomplex<f32>>
  }
  return %r : memref<2xcomplex<f32>>
}

func.func @size(%a: memref<complex<f64>>) -> f64 {
  %x = memref.load %a[] : memref<complex<f64>>
  %r = complex.abs %x : complex<f64>
  return %r : f64
}

func.func @quotient(%a: memref<complex<f64>>, %b: memref<complex<f64>>) -> memref<complex<f64>> {
  %x = memref.load %a[] : memref<complex<f64>>
  %y = memref.load %b[] : memref<complex<f64>>
  %z = complex.div %x, %y : complex<f64>
  %r = memref.alloc() : memref<complex<f64>>
  memref.store %z, %r[] : memref<complex<f64>>
  return %r : memref<complex<f64>>
}

func.func @exp(%a: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %init = tensor.empty() : tensor<1xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<1xcomplex<f32>>) outs(%init : tensor<1xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %y = complex.exp %x : complex<f32>
    linalg.yield %y : complex<f32>
  } -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}

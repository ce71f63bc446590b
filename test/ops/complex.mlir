// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of complex.

func.func @unary_f32(%a: memref<6xcomplex<f32>>, %out: memref<13x6xcomplex<f32>>, %parts: memref<4x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %x = memref.load %a[%i] : memref<6xcomplex<f32>>
    %conj = complex.conj %x : complex<f32>
    memref.store %conj, %out[%c0, %i] : memref<13x6xcomplex<f32>>
    %cos = complex.cos %x : complex<f32>
    memref.store %cos, %out[%c1, %i] : memref<13x6xcomplex<f32>>
    %exp = complex.exp %x : complex<f32>
    memref.store %exp, %out[%c2, %i] : memref<13x6xcomplex<f32>>
    %expm1 = complex.expm1 %x : complex<f32>
    memref.store %expm1, %out[%c3, %i] : memref<13x6xcomplex<f32>>
    %log = complex.log %x : complex<f32>
    memref.store %log, %out[%c4, %i] : memref<13x6xcomplex<f32>>
    %log1p = complex.log1p %x : complex<f32>
    memref.store %log1p, %out[%c5, %i] : memref<13x6xcomplex<f32>>
    %neg = complex.neg %x : complex<f32>
    memref.store %neg, %out[%c6, %i] : memref<13x6xcomplex<f32>>
    %rsqrt = complex.rsqrt %x : complex<f32>
    memref.store %rsqrt, %out[%c7, %i] : memref<13x6xcomplex<f32>>
    %sign = complex.sign %x : complex<f32>
    memref.store %sign, %out[%c8, %i] : memref<13x6xcomplex<f32>>
    %sin = complex.sin %x : complex<f32>
    memref.store %sin, %out[%c9, %i] : memref<13x6xcomplex<f32>>
    %sqrt = complex.sqrt %x : complex<f32>
    memref.store %sqrt, %out[%c10, %i] : memref<13x6xcomplex<f32>>
    %tan = complex.tan %x : complex<f32>
    memref.store %tan, %out[%c11, %i] : memref<13x6xcomplex<f32>>
    %tanh = complex.tanh %x : complex<f32>
    memref.store %tanh, %out[%c12, %i] : memref<13x6xcomplex<f32>>
    %abs = complex.abs %x : complex<f32>
    memref.store %abs, %parts[%c0, %i] : memref<4x6xf32>
    %angle = complex.angle %x : complex<f32>
    memref.store %angle, %parts[%c1, %i] : memref<4x6xf32>
    %re = complex.re %x : complex<f32>
    memref.store %re, %parts[%c2, %i] : memref<4x6xf32>
    %im = complex.im %x : complex<f32>
    memref.store %im, %parts[%c3, %i] : memref<4x6xf32>
  }
  return
}

func.func @binary_f32(%a: memref<6xcomplex<f32>>, %b: memref<6xcomplex<f32>>, %out: memref<6x6xcomplex<f32>>, %equal: memref<2x6xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %x = memref.load %a[%i] : memref<6xcomplex<f32>>
    %y = memref.load %b[%i] : memref<6xcomplex<f32>>
    %add = complex.add %x, %y : complex<f32>
    memref.store %add, %out[%c0, %i] : memref<6x6xcomplex<f32>>
    %sub = complex.sub %x, %y : complex<f32>
    memref.store %sub, %out[%c1, %i] : memref<6x6xcomplex<f32>>
    %mul = complex.mul %x, %y : complex<f32>
    memref.store %mul, %out[%c2, %i] : memref<6x6xcomplex<f32>>
    %div = complex.div %x, %y : complex<f32>
    memref.store %div, %out[%c3, %i] : memref<6x6xcomplex<f32>>
    %pow = complex.pow %x, %y : complex<f32>
    memref.store %pow, %out[%c4, %i] : memref<6x6xcomplex<f32>>
    %atan2 = complex.atan2 %x, %y : complex<f32>
    memref.store %atan2, %out[%c5, %i] : memref<6x6xcomplex<f32>>
    %eq = complex.eq %x, %y : complex<f32>
    memref.store %eq, %equal[%c0, %i] : memref<2x6xi1>
    %neq = complex.neq %x, %y : complex<f32>
    memref.store %neq, %equal[%c1, %i] : memref<2x6xi1>
  }
  return
}

func.func @unary_f64(%a: memref<6xcomplex<f64>>, %out: memref<13x6xcomplex<f64>>, %parts: memref<4x6xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %x = memref.load %a[%i] : memref<6xcomplex<f64>>
    %conj = complex.conj %x : complex<f64>
    memref.store %conj, %out[%c0, %i] : memref<13x6xcomplex<f64>>
    %cos = complex.cos %x : complex<f64>
    memref.store %cos, %out[%c1, %i] : memref<13x6xcomplex<f64>>
    %exp = complex.exp %x : complex<f64>
    memref.store %exp, %out[%c2, %i] : memref<13x6xcomplex<f64>>
    %expm1 = complex.expm1 %x : complex<f64>
    memref.store %expm1, %out[%c3, %i] : memref<13x6xcomplex<f64>>
    %log = complex.log %x : complex<f64>
    memref.store %log, %out[%c4, %i] : memref<13x6xcomplex<f64>>
    %log1p = complex.log1p %x : complex<f64>
    memref.store %log1p, %out[%c5, %i] : memref<13x6xcomplex<f64>>
    %neg = complex.neg %x : complex<f64>
    memref.store %neg, %out[%c6, %i] : memref<13x6xcomplex<f64>>
    %rsqrt = complex.rsqrt %x : complex<f64>
    memref.store %rsqrt, %out[%c7, %i] : memref<13x6xcomplex<f64>>
    %sign = complex.sign %x : complex<f64>
    memref.store %sign, %out[%c8, %i] : memref<13x6xcomplex<f64>>
    %sin = complex.sin %x : complex<f64>
    memref.store %sin, %out[%c9, %i] : memref<13x6xcomplex<f64>>
    %sqrt = complex.sqrt %x : complex<f64>
    memref.store %sqrt, %out[%c10, %i] : memref<13x6xcomplex<f64>>
    %tan = complex.tan %x : complex<f64>
    memref.store %tan, %out[%c11, %i] : memref<13x6xcomplex<f64>>
    %tanh = complex.tanh %x : complex<f64>
    memref.store %tanh, %out[%c12, %i] : memref<13x6xcomplex<f64>>
    %abs = complex.abs %x : complex<f64>
    memref.store %abs, %parts[%c0, %i] : memref<4x6xf64>
    %angle = complex.angle %x : complex<f64>
    memref.store %angle, %parts[%c1, %i] : memref<4x6xf64>
    %re = complex.re %x : complex<f64>
    memref.store %re, %parts[%c2, %i] : memref<4x6xf64>
    %im = complex.im %x : complex<f64>
    memref.store %im, %parts[%c3, %i] : memref<4x6xf64>
  }
  return
}

func.func @binary_f64(%a: memref<6xcomplex<f64>>, %b: memref<6xcomplex<f64>>, %out: memref<6x6xcomplex<f64>>, %equal: memref<2x6xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %x = memref.load %a[%i] : memref<6xcomplex<f64>>
    %y = memref.load %b[%i] : memref<6xcomplex<f64>>
    %add = complex.add %x, %y : complex<f64>
    memref.store %add, %out[%c0, %i] : memref<6x6xcomplex<f64>>
    %sub = complex.sub %x, %y : complex<f64>
    memref.store %sub, %out[%c1, %i] : memref<6x6xcomplex<f64>>
    %mul = complex.mul %x, %y : complex<f64>
    memref.store %mul, %out[%c2, %i] : memref<6x6xcomplex<f64>>
    %div = complex.div %x, %y : complex<f64>
    memref.store %div, %out[%c3, %i] : memref<6x6xcomplex<f64>>
    %pow = complex.pow %x, %y : complex<f64>
    memref.store %pow, %out[%c4, %i] : memref<6x6xcomplex<f64>>
    %atan2 = complex.atan2 %x, %y : complex<f64>
    memref.store %atan2, %out[%c5, %i] : memref<6x6xcomplex<f64>>
    %eq = complex.eq %x, %y : complex<f64>
    memref.store %eq, %equal[%c0, %i] : memref<2x6xi1>
    %neq = complex.neq %x, %y : complex<f64>
    memref.store %neq, %equal[%c1, %i] : memref<2x6xi1>
  }
  return
}

func.func @powi(%a: memref<4xcomplex<f64>>, %b: memref<4xi32>, %out: memref<4xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xcomplex<f64>>
    %y = memref.load %b[%i] : memref<4xi32>
    %0 = complex.powi %x, %y : complex<f64>, i32
    memref.store %0, %out[%i] : memref<4xcomplex<f64>>
  }
  return
}

func.func @make(%re: memref<3xf32>, %im: memref<3xf32>, %out: memref<3xcomplex<f32>>, %bits: memref<3xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %re[%i] : memref<3xf32>
    %y = memref.load %im[%i] : memref<3xf32>
    %0 = complex.create %x, %y : complex<f32>
    %1 = complex.bitcast %0 : complex<f32> to i64
    memref.store %1, %bits[%i] : memref<3xi64>
    %2 = complex.bitcast %1 : i64 to complex<f32>
    %3 = complex.add %2, %k : complex<f32>
    memref.store %3, %out[%i] : memref<3xcomplex<f32>>
  }
  return
}

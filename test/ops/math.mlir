// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of math, on scalars of each width and on vectors.

// Arguments are between -1 and 1.
func.func @unary_f64(%a: memref<6xf64>, %out: memref<24x6xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
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
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c18 = arith.constant 18 : index
  %c19 = arith.constant 19 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c22 = arith.constant 22 : index
  %c23 = arith.constant 23 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf64>
    %absf = math.absf %x : f64
    memref.store %absf, %out[%c0, %i] : memref<24x6xf64>
    %acos = math.acos %x : f64
    memref.store %acos, %out[%c1, %i] : memref<24x6xf64>
    %asin = math.asin %x : f64
    memref.store %asin, %out[%c2, %i] : memref<24x6xf64>
    %atan = math.atan %x : f64
    memref.store %atan, %out[%c3, %i] : memref<24x6xf64>
    %cbrt = math.cbrt %x : f64
    memref.store %cbrt, %out[%c4, %i] : memref<24x6xf64>
    %ceil = math.ceil %x : f64
    memref.store %ceil, %out[%c5, %i] : memref<24x6xf64>
    %cos = math.cos %x : f64
    memref.store %cos, %out[%c6, %i] : memref<24x6xf64>
    %erf = math.erf %x : f64
    memref.store %erf, %out[%c7, %i] : memref<24x6xf64>
    %erfc = math.erfc %x : f64
    memref.store %erfc, %out[%c8, %i] : memref<24x6xf64>
    %exp = math.exp %x : f64
    memref.store %exp, %out[%c9, %i] : memref<24x6xf64>
    %exp2 = math.exp2 %x : f64
    memref.store %exp2, %out[%c10, %i] : memref<24x6xf64>
    %expm1 = math.expm1 %x : f64
    memref.store %expm1, %out[%c11, %i] : memref<24x6xf64>
    %floor = math.floor %x : f64
    memref.store %floor, %out[%c12, %i] : memref<24x6xf64>
    %log1p = math.log1p %x : f64
    memref.store %log1p, %out[%c13, %i] : memref<24x6xf64>
    %round = math.round %x : f64
    memref.store %round, %out[%c14, %i] : memref<24x6xf64>
    %roundeven = math.roundeven %x : f64
    memref.store %roundeven, %out[%c15, %i] : memref<24x6xf64>
    %sin = math.sin %x : f64
    memref.store %sin, %out[%c16, %i] : memref<24x6xf64>
    %sinh = math.sinh %x : f64
    memref.store %sinh, %out[%c17, %i] : memref<24x6xf64>
    %cosh = math.cosh %x : f64
    memref.store %cosh, %out[%c18, %i] : memref<24x6xf64>
    %asinh = math.asinh %x : f64
    memref.store %asinh, %out[%c19, %i] : memref<24x6xf64>
    %atanh = math.atanh %x : f64
    memref.store %atanh, %out[%c20, %i] : memref<24x6xf64>
    %tan = math.tan %x : f64
    memref.store %tan, %out[%c21, %i] : memref<24x6xf64>
    %tanh = math.tanh %x : f64
    memref.store %tanh, %out[%c22, %i] : memref<24x6xf64>
    %trunc = math.trunc %x : f64
    memref.store %trunc, %out[%c23, %i] : memref<24x6xf64>
  }
  return
}

// Arguments are at least 1.
func.func @positive_f64(%a: memref<4xf64>, %out: memref<6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<4xf64>
    %acosh = math.acosh %x : f64
    memref.store %acosh, %out[%c0, %i] : memref<6x4xf64>
    %log = math.log %x : f64
    memref.store %log, %out[%c1, %i] : memref<6x4xf64>
    %log10 = math.log10 %x : f64
    memref.store %log10, %out[%c2, %i] : memref<6x4xf64>
    %log2 = math.log2 %x : f64
    memref.store %log2, %out[%c3, %i] : memref<6x4xf64>
    %rsqrt = math.rsqrt %x : f64
    memref.store %rsqrt, %out[%c4, %i] : memref<6x4xf64>
    %sqrt = math.sqrt %x : f64
    memref.store %sqrt, %out[%c5, %i] : memref<6x4xf64>
  }
  return
}

// Arguments are between -1 and 1.
func.func @unary_f32(%a: memref<6xf32>, %out: memref<24x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
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
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c18 = arith.constant 18 : index
  %c19 = arith.constant 19 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c22 = arith.constant 22 : index
  %c23 = arith.constant 23 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf32>
    %absf = math.absf %x : f32
    memref.store %absf, %out[%c0, %i] : memref<24x6xf32>
    %acos = math.acos %x : f32
    memref.store %acos, %out[%c1, %i] : memref<24x6xf32>
    %asin = math.asin %x : f32
    memref.store %asin, %out[%c2, %i] : memref<24x6xf32>
    %atan = math.atan %x : f32
    memref.store %atan, %out[%c3, %i] : memref<24x6xf32>
    %cbrt = math.cbrt %x : f32
    memref.store %cbrt, %out[%c4, %i] : memref<24x6xf32>
    %ceil = math.ceil %x : f32
    memref.store %ceil, %out[%c5, %i] : memref<24x6xf32>
    %cos = math.cos %x : f32
    memref.store %cos, %out[%c6, %i] : memref<24x6xf32>
    %erf = math.erf %x : f32
    memref.store %erf, %out[%c7, %i] : memref<24x6xf32>
    %erfc = math.erfc %x : f32
    memref.store %erfc, %out[%c8, %i] : memref<24x6xf32>
    %exp = math.exp %x : f32
    memref.store %exp, %out[%c9, %i] : memref<24x6xf32>
    %exp2 = math.exp2 %x : f32
    memref.store %exp2, %out[%c10, %i] : memref<24x6xf32>
    %expm1 = math.expm1 %x : f32
    memref.store %expm1, %out[%c11, %i] : memref<24x6xf32>
    %floor = math.floor %x : f32
    memref.store %floor, %out[%c12, %i] : memref<24x6xf32>
    %log1p = math.log1p %x : f32
    memref.store %log1p, %out[%c13, %i] : memref<24x6xf32>
    %round = math.round %x : f32
    memref.store %round, %out[%c14, %i] : memref<24x6xf32>
    %roundeven = math.roundeven %x : f32
    memref.store %roundeven, %out[%c15, %i] : memref<24x6xf32>
    %sin = math.sin %x : f32
    memref.store %sin, %out[%c16, %i] : memref<24x6xf32>
    %sinh = math.sinh %x : f32
    memref.store %sinh, %out[%c17, %i] : memref<24x6xf32>
    %cosh = math.cosh %x : f32
    memref.store %cosh, %out[%c18, %i] : memref<24x6xf32>
    %asinh = math.asinh %x : f32
    memref.store %asinh, %out[%c19, %i] : memref<24x6xf32>
    %atanh = math.atanh %x : f32
    memref.store %atanh, %out[%c20, %i] : memref<24x6xf32>
    %tan = math.tan %x : f32
    memref.store %tan, %out[%c21, %i] : memref<24x6xf32>
    %tanh = math.tanh %x : f32
    memref.store %tanh, %out[%c22, %i] : memref<24x6xf32>
    %trunc = math.trunc %x : f32
    memref.store %trunc, %out[%c23, %i] : memref<24x6xf32>
  }
  return
}

// Arguments are at least 1.
func.func @positive_f32(%a: memref<4xf32>, %out: memref<6x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    %acosh = math.acosh %x : f32
    memref.store %acosh, %out[%c0, %i] : memref<6x4xf32>
    %log = math.log %x : f32
    memref.store %log, %out[%c1, %i] : memref<6x4xf32>
    %log10 = math.log10 %x : f32
    memref.store %log10, %out[%c2, %i] : memref<6x4xf32>
    %log2 = math.log2 %x : f32
    memref.store %log2, %out[%c3, %i] : memref<6x4xf32>
    %rsqrt = math.rsqrt %x : f32
    memref.store %rsqrt, %out[%c4, %i] : memref<6x4xf32>
    %sqrt = math.sqrt %x : f32
    memref.store %sqrt, %out[%c5, %i] : memref<6x4xf32>
  }
  return
}

// Arguments are between -1 and 1.
func.func @unary_f16(%a: memref<6xf16>, %out: memref<24x6xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
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
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c18 = arith.constant 18 : index
  %c19 = arith.constant 19 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c22 = arith.constant 22 : index
  %c23 = arith.constant 23 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf16>
    %absf = math.absf %x : f16
    memref.store %absf, %out[%c0, %i] : memref<24x6xf16>
    %acos = math.acos %x : f16
    memref.store %acos, %out[%c1, %i] : memref<24x6xf16>
    %asin = math.asin %x : f16
    memref.store %asin, %out[%c2, %i] : memref<24x6xf16>
    %atan = math.atan %x : f16
    memref.store %atan, %out[%c3, %i] : memref<24x6xf16>
    %cbrt = math.cbrt %x : f16
    memref.store %cbrt, %out[%c4, %i] : memref<24x6xf16>
    %ceil = math.ceil %x : f16
    memref.store %ceil, %out[%c5, %i] : memref<24x6xf16>
    %cos = math.cos %x : f16
    memref.store %cos, %out[%c6, %i] : memref<24x6xf16>
    %erf = math.erf %x : f16
    memref.store %erf, %out[%c7, %i] : memref<24x6xf16>
    %erfc = math.erfc %x : f16
    memref.store %erfc, %out[%c8, %i] : memref<24x6xf16>
    %exp = math.exp %x : f16
    memref.store %exp, %out[%c9, %i] : memref<24x6xf16>
    %exp2 = math.exp2 %x : f16
    memref.store %exp2, %out[%c10, %i] : memref<24x6xf16>
    %expm1 = math.expm1 %x : f16
    memref.store %expm1, %out[%c11, %i] : memref<24x6xf16>
    %floor = math.floor %x : f16
    memref.store %floor, %out[%c12, %i] : memref<24x6xf16>
    %log1p = math.log1p %x : f16
    memref.store %log1p, %out[%c13, %i] : memref<24x6xf16>
    %round = math.round %x : f16
    memref.store %round, %out[%c14, %i] : memref<24x6xf16>
    %roundeven = math.roundeven %x : f16
    memref.store %roundeven, %out[%c15, %i] : memref<24x6xf16>
    %sin = math.sin %x : f16
    memref.store %sin, %out[%c16, %i] : memref<24x6xf16>
    %sinh = math.sinh %x : f16
    memref.store %sinh, %out[%c17, %i] : memref<24x6xf16>
    %cosh = math.cosh %x : f16
    memref.store %cosh, %out[%c18, %i] : memref<24x6xf16>
    %asinh = math.asinh %x : f16
    memref.store %asinh, %out[%c19, %i] : memref<24x6xf16>
    %atanh = math.atanh %x : f16
    memref.store %atanh, %out[%c20, %i] : memref<24x6xf16>
    %tan = math.tan %x : f16
    memref.store %tan, %out[%c21, %i] : memref<24x6xf16>
    %tanh = math.tanh %x : f16
    memref.store %tanh, %out[%c22, %i] : memref<24x6xf16>
    %trunc = math.trunc %x : f16
    memref.store %trunc, %out[%c23, %i] : memref<24x6xf16>
  }
  return
}

// Arguments are at least 1.
func.func @positive_f16(%a: memref<4xf16>, %out: memref<6x4xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<4xf16>
    %acosh = math.acosh %x : f16
    memref.store %acosh, %out[%c0, %i] : memref<6x4xf16>
    %log = math.log %x : f16
    memref.store %log, %out[%c1, %i] : memref<6x4xf16>
    %log10 = math.log10 %x : f16
    memref.store %log10, %out[%c2, %i] : memref<6x4xf16>
    %log2 = math.log2 %x : f16
    memref.store %log2, %out[%c3, %i] : memref<6x4xf16>
    %rsqrt = math.rsqrt %x : f16
    memref.store %rsqrt, %out[%c4, %i] : memref<6x4xf16>
    %sqrt = math.sqrt %x : f16
    memref.store %sqrt, %out[%c5, %i] : memref<6x4xf16>
  }
  return
}

// Arguments are between -1 and 1.
func.func @unary_bf16(%a: memref<6xbf16>, %out: memref<24x6xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
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
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c18 = arith.constant 18 : index
  %c19 = arith.constant 19 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c22 = arith.constant 22 : index
  %c23 = arith.constant 23 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xbf16>
    %absf = math.absf %x : bf16
    memref.store %absf, %out[%c0, %i] : memref<24x6xbf16>
    %acos = math.acos %x : bf16
    memref.store %acos, %out[%c1, %i] : memref<24x6xbf16>
    %asin = math.asin %x : bf16
    memref.store %asin, %out[%c2, %i] : memref<24x6xbf16>
    %atan = math.atan %x : bf16
    memref.store %atan, %out[%c3, %i] : memref<24x6xbf16>
    %cbrt = math.cbrt %x : bf16
    memref.store %cbrt, %out[%c4, %i] : memref<24x6xbf16>
    %ceil = math.ceil %x : bf16
    memref.store %ceil, %out[%c5, %i] : memref<24x6xbf16>
    %cos = math.cos %x : bf16
    memref.store %cos, %out[%c6, %i] : memref<24x6xbf16>
    %erf = math.erf %x : bf16
    memref.store %erf, %out[%c7, %i] : memref<24x6xbf16>
    %erfc = math.erfc %x : bf16
    memref.store %erfc, %out[%c8, %i] : memref<24x6xbf16>
    %exp = math.exp %x : bf16
    memref.store %exp, %out[%c9, %i] : memref<24x6xbf16>
    %exp2 = math.exp2 %x : bf16
    memref.store %exp2, %out[%c10, %i] : memref<24x6xbf16>
    %expm1 = math.expm1 %x : bf16
    memref.store %expm1, %out[%c11, %i] : memref<24x6xbf16>
    %floor = math.floor %x : bf16
    memref.store %floor, %out[%c12, %i] : memref<24x6xbf16>
    %log1p = math.log1p %x : bf16
    memref.store %log1p, %out[%c13, %i] : memref<24x6xbf16>
    %round = math.round %x : bf16
    memref.store %round, %out[%c14, %i] : memref<24x6xbf16>
    %roundeven = math.roundeven %x : bf16
    memref.store %roundeven, %out[%c15, %i] : memref<24x6xbf16>
    %sin = math.sin %x : bf16
    memref.store %sin, %out[%c16, %i] : memref<24x6xbf16>
    %sinh = math.sinh %x : bf16
    memref.store %sinh, %out[%c17, %i] : memref<24x6xbf16>
    %cosh = math.cosh %x : bf16
    memref.store %cosh, %out[%c18, %i] : memref<24x6xbf16>
    %asinh = math.asinh %x : bf16
    memref.store %asinh, %out[%c19, %i] : memref<24x6xbf16>
    %atanh = math.atanh %x : bf16
    memref.store %atanh, %out[%c20, %i] : memref<24x6xbf16>
    %tan = math.tan %x : bf16
    memref.store %tan, %out[%c21, %i] : memref<24x6xbf16>
    %tanh = math.tanh %x : bf16
    memref.store %tanh, %out[%c22, %i] : memref<24x6xbf16>
    %trunc = math.trunc %x : bf16
    memref.store %trunc, %out[%c23, %i] : memref<24x6xbf16>
  }
  return
}

// Arguments are at least 1.
func.func @positive_bf16(%a: memref<4xbf16>, %out: memref<6x4xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<4xbf16>
    %acosh = math.acosh %x : bf16
    memref.store %acosh, %out[%c0, %i] : memref<6x4xbf16>
    %log = math.log %x : bf16
    memref.store %log, %out[%c1, %i] : memref<6x4xbf16>
    %log10 = math.log10 %x : bf16
    memref.store %log10, %out[%c2, %i] : memref<6x4xbf16>
    %log2 = math.log2 %x : bf16
    memref.store %log2, %out[%c3, %i] : memref<6x4xbf16>
    %rsqrt = math.rsqrt %x : bf16
    memref.store %rsqrt, %out[%c4, %i] : memref<6x4xbf16>
    %sqrt = math.sqrt %x : bf16
    memref.store %sqrt, %out[%c5, %i] : memref<6x4xbf16>
  }
  return
}

// Halves, large values, infinities and NaN.
func.func @round_f64(%a: memref<14xf64>, %out: memref<6x14xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 14 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<14xf64>
    %ceil = math.ceil %x : f64
    memref.store %ceil, %out[%c0, %i] : memref<6x14xf64>
    %floor = math.floor %x : f64
    memref.store %floor, %out[%c1, %i] : memref<6x14xf64>
    %round = math.round %x : f64
    memref.store %round, %out[%c2, %i] : memref<6x14xf64>
    %roundeven = math.roundeven %x : f64
    memref.store %roundeven, %out[%c3, %i] : memref<6x14xf64>
    %trunc = math.trunc %x : f64
    memref.store %trunc, %out[%c4, %i] : memref<6x14xf64>
    %absf = math.absf %x : f64
    memref.store %absf, %out[%c5, %i] : memref<6x14xf64>
  }
  return
}

// Halves, large values, infinities and NaN.
func.func @round_f32(%a: memref<14xf32>, %out: memref<6x14xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 14 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<14xf32>
    %ceil = math.ceil %x : f32
    memref.store %ceil, %out[%c0, %i] : memref<6x14xf32>
    %floor = math.floor %x : f32
    memref.store %floor, %out[%c1, %i] : memref<6x14xf32>
    %round = math.round %x : f32
    memref.store %round, %out[%c2, %i] : memref<6x14xf32>
    %roundeven = math.roundeven %x : f32
    memref.store %roundeven, %out[%c3, %i] : memref<6x14xf32>
    %trunc = math.trunc %x : f32
    memref.store %trunc, %out[%c4, %i] : memref<6x14xf32>
    %absf = math.absf %x : f32
    memref.store %absf, %out[%c5, %i] : memref<6x14xf32>
  }
  return
}

func.func @bits_i8(%a: memref<8xi8>, %out: memref<4x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xi8>
    %absi = math.absi %x : i8
    memref.store %absi, %out[%c0, %i] : memref<4x8xi8>
    %ctlz = math.ctlz %x : i8
    memref.store %ctlz, %out[%c1, %i] : memref<4x8xi8>
    %ctpop = math.ctpop %x : i8
    memref.store %ctpop, %out[%c2, %i] : memref<4x8xi8>
    %cttz = math.cttz %x : i8
    memref.store %cttz, %out[%c3, %i] : memref<4x8xi8>
  }
  return
}

func.func @bits_i32(%a: memref<8xi32>, %out: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %absi = math.absi %x : i32
    memref.store %absi, %out[%c0, %i] : memref<4x8xi32>
    %ctlz = math.ctlz %x : i32
    memref.store %ctlz, %out[%c1, %i] : memref<4x8xi32>
    %ctpop = math.ctpop %x : i32
    memref.store %ctpop, %out[%c2, %i] : memref<4x8xi32>
    %cttz = math.cttz %x : i32
    memref.store %cttz, %out[%c3, %i] : memref<4x8xi32>
  }
  return
}

func.func @bits_i64(%a: memref<8xi64>, %out: memref<4x8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xi64>
    %absi = math.absi %x : i64
    memref.store %absi, %out[%c0, %i] : memref<4x8xi64>
    %ctlz = math.ctlz %x : i64
    memref.store %ctlz, %out[%c1, %i] : memref<4x8xi64>
    %ctpop = math.ctpop %x : i64
    memref.store %ctpop, %out[%c2, %i] : memref<4x8xi64>
    %cttz = math.cttz %x : i64
    memref.store %cttz, %out[%c3, %i] : memref<4x8xi64>
  }
  return
}

func.func @binary_f64(%a: memref<6xf64>, %b: memref<6xf64>, %out: memref<4x6xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf64>
    %y = memref.load %b[%i] : memref<6xf64>
    %atan2 = math.atan2 %x, %y : f64
    memref.store %atan2, %out[%c0, %i] : memref<4x6xf64>
    %copysign = math.copysign %x, %y : f64
    memref.store %copysign, %out[%c1, %i] : memref<4x6xf64>
    %powf = math.powf %x, %y : f64
    memref.store %powf, %out[%c2, %i] : memref<4x6xf64>
    %fma = math.fma %x, %y, %x : f64
    memref.store %fma, %out[%c3, %i] : memref<4x6xf64>
  }
  return
}

func.func @binary_f32(%a: memref<6xf32>, %b: memref<6xf32>, %out: memref<4x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf32>
    %y = memref.load %b[%i] : memref<6xf32>
    %atan2 = math.atan2 %x, %y : f32
    memref.store %atan2, %out[%c0, %i] : memref<4x6xf32>
    %copysign = math.copysign %x, %y : f32
    memref.store %copysign, %out[%c1, %i] : memref<4x6xf32>
    %powf = math.powf %x, %y : f32
    memref.store %powf, %out[%c2, %i] : memref<4x6xf32>
    %fma = math.fma %x, %y, %x : f32
    memref.store %fma, %out[%c3, %i] : memref<4x6xf32>
  }
  return
}

func.func @binary_f16(%a: memref<6xf16>, %b: memref<6xf16>, %out: memref<4x6xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf16>
    %y = memref.load %b[%i] : memref<6xf16>
    %atan2 = math.atan2 %x, %y : f16
    memref.store %atan2, %out[%c0, %i] : memref<4x6xf16>
    %copysign = math.copysign %x, %y : f16
    memref.store %copysign, %out[%c1, %i] : memref<4x6xf16>
    %powf = math.powf %x, %y : f16
    memref.store %powf, %out[%c2, %i] : memref<4x6xf16>
    %fma = math.fma %x, %y, %x : f16
    memref.store %fma, %out[%c3, %i] : memref<4x6xf16>
  }
  return
}

func.func @clamp(%a: memref<6xf32>, %out: memref<6xf32>) {
  %low = arith.constant -1.0 : f32
  %high = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf32>
    %0 = math.clampf %x to [%low, %high] : f32
    memref.store %0, %out[%i] : memref<6xf32>
  }
  return
}

func.func @powers(%a: memref<8xf64>, %b: memref<8xi32>, %c: memref<8xi64>, %float: memref<8xf64>, %small: memref<8xf32>, %whole: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xf64>
    %y = memref.load %b[%i] : memref<8xi32>
    %z = memref.load %c[%i] : memref<8xi64>
    %0 = math.fpowi %x, %y : f64, i32
    memref.store %0, %float[%i] : memref<8xf64>
    %xs = arith.truncf %x : f64 to f32
    %ys = arith.trunci %y : i32 to i8
    %1 = math.fpowi %xs, %ys : f32, i8
    memref.store %1, %small[%i] : memref<8xf32>
    %yw = arith.extsi %y : i32 to i64
    %2 = math.ipowi %z, %yw : i64
    memref.store %2, %whole[%i] : memref<8xi64>
  }
  return
}

func.func @sincos(%a: memref<6xf32>, %sin: memref<6xf32>, %cos: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<6xf32>
    %0, %1 = math.sincos %x : f32
    memref.store %0, %sin[%i] : memref<6xf32>
    memref.store %1, %cos[%i] : memref<6xf32>
  }
  return
}

func.func @classes(%a: memref<8xf32>, %out: memref<4x8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    %0 = math.isfinite %x : f32
    memref.store %0, %out[%c0, %i] : memref<4x8xi1>
    %1 = math.isinf %x : f32
    memref.store %1, %out[%c1, %i] : memref<4x8xi1>
    %2 = math.isnan %x : f32
    memref.store %2, %out[%c2, %i] : memref<4x8xi1>
    %3 = math.isnormal %x : f32
    memref.store %3, %out[%c3, %i] : memref<4x8xi1>
  }
  return
}

func.func @vectors(%a: memref<4xf32>, %out: memref<24x4xf32>) {
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
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c18 = arith.constant 18 : index
  %c19 = arith.constant 19 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c22 = arith.constant 22 : index
  %c23 = arith.constant 23 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %absf = math.absf %x : vector<4xf32>
  vector.store %absf, %out[%c0, %c0] : memref<24x4xf32>, vector<4xf32>
  %acos = math.acos %x : vector<4xf32>
  vector.store %acos, %out[%c1, %c0] : memref<24x4xf32>, vector<4xf32>
  %asin = math.asin %x : vector<4xf32>
  vector.store %asin, %out[%c2, %c0] : memref<24x4xf32>, vector<4xf32>
  %atan = math.atan %x : vector<4xf32>
  vector.store %atan, %out[%c3, %c0] : memref<24x4xf32>, vector<4xf32>
  %cbrt = math.cbrt %x : vector<4xf32>
  vector.store %cbrt, %out[%c4, %c0] : memref<24x4xf32>, vector<4xf32>
  %ceil = math.ceil %x : vector<4xf32>
  vector.store %ceil, %out[%c5, %c0] : memref<24x4xf32>, vector<4xf32>
  %cos = math.cos %x : vector<4xf32>
  vector.store %cos, %out[%c6, %c0] : memref<24x4xf32>, vector<4xf32>
  %erf = math.erf %x : vector<4xf32>
  vector.store %erf, %out[%c7, %c0] : memref<24x4xf32>, vector<4xf32>
  %erfc = math.erfc %x : vector<4xf32>
  vector.store %erfc, %out[%c8, %c0] : memref<24x4xf32>, vector<4xf32>
  %exp = math.exp %x : vector<4xf32>
  vector.store %exp, %out[%c9, %c0] : memref<24x4xf32>, vector<4xf32>
  %exp2 = math.exp2 %x : vector<4xf32>
  vector.store %exp2, %out[%c10, %c0] : memref<24x4xf32>, vector<4xf32>
  %expm1 = math.expm1 %x : vector<4xf32>
  vector.store %expm1, %out[%c11, %c0] : memref<24x4xf32>, vector<4xf32>
  %floor = math.floor %x : vector<4xf32>
  vector.store %floor, %out[%c12, %c0] : memref<24x4xf32>, vector<4xf32>
  %log1p = math.log1p %x : vector<4xf32>
  vector.store %log1p, %out[%c13, %c0] : memref<24x4xf32>, vector<4xf32>
  %round = math.round %x : vector<4xf32>
  vector.store %round, %out[%c14, %c0] : memref<24x4xf32>, vector<4xf32>
  %roundeven = math.roundeven %x : vector<4xf32>
  vector.store %roundeven, %out[%c15, %c0] : memref<24x4xf32>, vector<4xf32>
  %sin = math.sin %x : vector<4xf32>
  vector.store %sin, %out[%c16, %c0] : memref<24x4xf32>, vector<4xf32>
  %sinh = math.sinh %x : vector<4xf32>
  vector.store %sinh, %out[%c17, %c0] : memref<24x4xf32>, vector<4xf32>
  %cosh = math.cosh %x : vector<4xf32>
  vector.store %cosh, %out[%c18, %c0] : memref<24x4xf32>, vector<4xf32>
  %asinh = math.asinh %x : vector<4xf32>
  vector.store %asinh, %out[%c19, %c0] : memref<24x4xf32>, vector<4xf32>
  %atanh = math.atanh %x : vector<4xf32>
  vector.store %atanh, %out[%c20, %c0] : memref<24x4xf32>, vector<4xf32>
  %tan = math.tan %x : vector<4xf32>
  vector.store %tan, %out[%c21, %c0] : memref<24x4xf32>, vector<4xf32>
  %tanh = math.tanh %x : vector<4xf32>
  vector.store %tanh, %out[%c22, %c0] : memref<24x4xf32>, vector<4xf32>
  %trunc = math.trunc %x : vector<4xf32>
  vector.store %trunc, %out[%c23, %c0] : memref<24x4xf32>, vector<4xf32>
  return
}

func.func @more_vectors(%a: memref<2x4xf64>, %b: memref<2x4xf64>, %out: memref<4x2x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x4xf64>, vector<2x4xf64>
  %y = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x4xf64>, vector<2x4xf64>
  %0 = math.powf %x, %y : vector<2x4xf64>
  vector.transfer_write %0, %out[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<2x4xf64>, memref<4x2x4xf64>
  %1 = math.log %x : vector<2x4xf64>
  vector.transfer_write %1, %out[%c1, %c0, %c0] {in_bounds = [true, true]} : vector<2x4xf64>, memref<4x2x4xf64>
  %2 = math.rsqrt %x : vector<2x4xf64>
  vector.transfer_write %2, %out[%c2, %c0, %c0] {in_bounds = [true, true]} : vector<2x4xf64>, memref<4x2x4xf64>
  %3 = math.fma %x, %y, %x : vector<2x4xf64>
  vector.transfer_write %3, %out[%c3, %c0, %c0] {in_bounds = [true, true]} : vector<2x4xf64>, memref<4x2x4xf64>
  return
}

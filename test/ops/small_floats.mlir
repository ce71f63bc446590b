// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floats of 16 and of 8 bits, and arithmetic with the latter.

func.func @float_casts(%a: memref<12xf64>, %f32: memref<12xf32>, %f16: memref<12xf16>, %bf16: memref<12xbf16>, %f8E4M3FN: memref<12xf8E4M3FN>, %f8E5M2: memref<12xf8E5M2>, %back_f32: memref<12xf64>, %back_f16: memref<12xf64>, %back_bf16: memref<12xf64>, %back_f8E4M3FN: memref<12xf64>, %back_f8E5M2: memref<12xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 12 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<12xf64>
    %0 = arith.truncf %x : f64 to f32
    memref.store %0, %f32[%i] : memref<12xf32>
    %e0 = arith.extf %0 : f32 to f64
    memref.store %e0, %back_f32[%i] : memref<12xf64>
    %1 = arith.truncf %x : f64 to f16
    memref.store %1, %f16[%i] : memref<12xf16>
    %e1 = arith.extf %1 : f16 to f64
    memref.store %e1, %back_f16[%i] : memref<12xf64>
    %2 = arith.truncf %x : f64 to bf16
    memref.store %2, %bf16[%i] : memref<12xbf16>
    %e2 = arith.extf %2 : bf16 to f64
    memref.store %e2, %back_bf16[%i] : memref<12xf64>
    %3 = arith.truncf %x : f64 to f8E4M3FN
    memref.store %3, %f8E4M3FN[%i] : memref<12xf8E4M3FN>
    %e3 = arith.extf %3 : f8E4M3FN to f64
    memref.store %e3, %back_f8E4M3FN[%i] : memref<12xf64>
    %4 = arith.truncf %x : f64 to f8E5M2
    memref.store %4, %f8E5M2[%i] : memref<12xf8E5M2>
    %e4 = arith.extf %4 : f8E5M2 to f64
    memref.store %e4, %back_f8E5M2[%i] : memref<12xf64>
  }
  return
}

// Scales are powers of two, kept as exponents: 127 is 1.
func.func @scaling(%a: memref<6xf32>, %scale: memref<6xi8>, %small: memref<6xf8E4M3FN>, %back: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  scf.for %i = %c0 to %n step %c1 {
    %bits = memref.load %scale[%i] : memref<6xi8>
    %s = arith.bitcast %bits : i8 to f8E8M0FNU
    %x = memref.load %a[%i] : memref<6xf32>
    %0 = arith.scaling_truncf %x, %s : f32, f8E8M0FNU to f8E4M3FN
    %1 = arith.scaling_extf %0, %s : f8E4M3FN, f8E8M0FNU to f32
    memref.store %0, %small[%i] : memref<6xf8E4M3FN>
    memref.store %1, %back[%i] : memref<6xf32>
  }
  return
}

// In f32, and each result rounded.
func.func @arithmetic(%a: memref<8xf8E4M3FN>, %b: memref<8xf8E4M3FN>, %out: memref<5x8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 8 : index
  %k = arith.constant 1.5 : f8E4M3FN
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xf8E4M3FN>
    %y = memref.load %b[%i] : memref<8xf8E4M3FN>
    %0 = arith.addf %x, %y : f8E4M3FN
    memref.store %0, %out[%c0, %i] : memref<5x8xf8E4M3FN>
    %1 = arith.mulf %x, %k : f8E4M3FN
    memref.store %1, %out[%c1, %i] : memref<5x8xf8E4M3FN>
    %2 = arith.maximumf %x, %y : f8E4M3FN
    memref.store %2, %out[%c2, %i] : memref<5x8xf8E4M3FN>
    %3 = math.sqrt %y : f8E4M3FN
    memref.store %3, %out[%c3, %i] : memref<5x8xf8E4M3FN>
    %less = arith.cmpf olt, %x, %y : f8E4M3FN
    %4 = arith.select %less, %x, %y : f8E4M3FN
    memref.store %4, %out[%c4, %i] : memref<5x8xf8E4M3FN>
  }
  return
}

func.func @vectors(%a: memref<2x4xf32>, %out: memref<2x4xf8E5M2>, %back: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x4xf32>, vector<2x4xf32>
  %0 = arith.truncf %x : vector<2x4xf32> to vector<2x4xf8E5M2>
  vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf8E5M2>, memref<2x4xf8E5M2>
  %1 = arith.extf %0 : vector<2x4xf8E5M2> to vector<2x4xf32>
  vector.transfer_write %1, %back[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, memref<2x4xf32>
  return
}

// Every pattern of bits, widened and narrowed again.
func.func @all_bits(%a: memref<256xi8>, %fn: memref<256xf32>, %ieee: memref<256xf32>, %same_fn: memref<256xf8E4M3FN>, %same_ieee: memref<256xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<256xi8>
    %0 = arith.bitcast %x : i8 to f8E4M3FN
    %1 = arith.extf %0 : f8E4M3FN to f32
    memref.store %1, %fn[%i] : memref<256xf32>
    %2 = arith.truncf %1 : f32 to f8E4M3FN
    memref.store %2, %same_fn[%i] : memref<256xf8E4M3FN>
    %4 = arith.bitcast %x : i8 to f8E5M2
    %5 = arith.extf %4 : f8E5M2 to f32
    memref.store %5, %ieee[%i] : memref<256xf32>
    %6 = arith.truncf %5 : f32 to f8E5M2
    memref.store %6, %same_ieee[%i] : memref<256xf8E5M2>
  }
  return
}

// Close to the middle between two numbers, and on it.
func.func @rounding(%a: memref<?xf64>, %fn: memref<?xf8E4M3FN>, %ieee: memref<?xf8E5M2>, %fnuz: memref<?xf8E4M3B11FNUZ>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %0 = arith.truncf %x : f64 to f8E4M3FN
    memref.store %0, %fn[%i] : memref<?xf8E4M3FN>
    %1 = arith.truncf %x : f64 to f8E5M2
    memref.store %1, %ieee[%i] : memref<?xf8E5M2>
    %2 = arith.truncf %x : f64 to f8E4M3B11FNUZ
    memref.store %2, %fnuz[%i] : memref<?xf8E4M3B11FNUZ>
  }
  return
}

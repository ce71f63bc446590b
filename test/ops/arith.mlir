// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of arith, on each width of integers and floats. Integer
// entries have values of both signs and the ends of the range; shifts stay
// below the width, divisors are never 0, the quotient always fits.

func.func @int_i8(%a: memref<?xi8>, %b: memref<?xi8>, %out: memref<17x?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi8>
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
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi8>
    %y = memref.load %b[%i] : memref<?xi8>
    %addi = arith.addi %x, %y : i8
    memref.store %addi, %out[%c0, %i] : memref<17x?xi8>
    %subi = arith.subi %x, %y : i8
    memref.store %subi, %out[%c1, %i] : memref<17x?xi8>
    %muli = arith.muli %x, %y : i8
    memref.store %muli, %out[%c2, %i] : memref<17x?xi8>
    %divsi = arith.divsi %x, %y : i8
    memref.store %divsi, %out[%c3, %i] : memref<17x?xi8>
    %divui = arith.divui %x, %y : i8
    memref.store %divui, %out[%c4, %i] : memref<17x?xi8>
    %ceildivsi = arith.ceildivsi %x, %y : i8
    memref.store %ceildivsi, %out[%c5, %i] : memref<17x?xi8>
    %ceildivui = arith.ceildivui %x, %y : i8
    memref.store %ceildivui, %out[%c6, %i] : memref<17x?xi8>
    %floordivsi = arith.floordivsi %x, %y : i8
    memref.store %floordivsi, %out[%c7, %i] : memref<17x?xi8>
    %remsi = arith.remsi %x, %y : i8
    memref.store %remsi, %out[%c8, %i] : memref<17x?xi8>
    %remui = arith.remui %x, %y : i8
    memref.store %remui, %out[%c9, %i] : memref<17x?xi8>
    %andi = arith.andi %x, %y : i8
    memref.store %andi, %out[%c10, %i] : memref<17x?xi8>
    %ori = arith.ori %x, %y : i8
    memref.store %ori, %out[%c11, %i] : memref<17x?xi8>
    %xori = arith.xori %x, %y : i8
    memref.store %xori, %out[%c12, %i] : memref<17x?xi8>
    %maxsi = arith.maxsi %x, %y : i8
    memref.store %maxsi, %out[%c13, %i] : memref<17x?xi8>
    %maxui = arith.maxui %x, %y : i8
    memref.store %maxui, %out[%c14, %i] : memref<17x?xi8>
    %minsi = arith.minsi %x, %y : i8
    memref.store %minsi, %out[%c15, %i] : memref<17x?xi8>
    %minui = arith.minui %x, %y : i8
    memref.store %minui, %out[%c16, %i] : memref<17x?xi8>
  }
  return
}

func.func @int_i16(%a: memref<?xi16>, %b: memref<?xi16>, %out: memref<17x?xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi16>
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
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi16>
    %y = memref.load %b[%i] : memref<?xi16>
    %addi = arith.addi %x, %y : i16
    memref.store %addi, %out[%c0, %i] : memref<17x?xi16>
    %subi = arith.subi %x, %y : i16
    memref.store %subi, %out[%c1, %i] : memref<17x?xi16>
    %muli = arith.muli %x, %y : i16
    memref.store %muli, %out[%c2, %i] : memref<17x?xi16>
    %divsi = arith.divsi %x, %y : i16
    memref.store %divsi, %out[%c3, %i] : memref<17x?xi16>
    %divui = arith.divui %x, %y : i16
    memref.store %divui, %out[%c4, %i] : memref<17x?xi16>
    %ceildivsi = arith.ceildivsi %x, %y : i16
    memref.store %ceildivsi, %out[%c5, %i] : memref<17x?xi16>
    %ceildivui = arith.ceildivui %x, %y : i16
    memref.store %ceildivui, %out[%c6, %i] : memref<17x?xi16>
    %floordivsi = arith.floordivsi %x, %y : i16
    memref.store %floordivsi, %out[%c7, %i] : memref<17x?xi16>
    %remsi = arith.remsi %x, %y : i16
    memref.store %remsi, %out[%c8, %i] : memref<17x?xi16>
    %remui = arith.remui %x, %y : i16
    memref.store %remui, %out[%c9, %i] : memref<17x?xi16>
    %andi = arith.andi %x, %y : i16
    memref.store %andi, %out[%c10, %i] : memref<17x?xi16>
    %ori = arith.ori %x, %y : i16
    memref.store %ori, %out[%c11, %i] : memref<17x?xi16>
    %xori = arith.xori %x, %y : i16
    memref.store %xori, %out[%c12, %i] : memref<17x?xi16>
    %maxsi = arith.maxsi %x, %y : i16
    memref.store %maxsi, %out[%c13, %i] : memref<17x?xi16>
    %maxui = arith.maxui %x, %y : i16
    memref.store %maxui, %out[%c14, %i] : memref<17x?xi16>
    %minsi = arith.minsi %x, %y : i16
    memref.store %minsi, %out[%c15, %i] : memref<17x?xi16>
    %minui = arith.minui %x, %y : i16
    memref.store %minui, %out[%c16, %i] : memref<17x?xi16>
  }
  return
}

func.func @int_i32(%a: memref<?xi32>, %b: memref<?xi32>, %out: memref<17x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
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
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = memref.load %b[%i] : memref<?xi32>
    %addi = arith.addi %x, %y : i32
    memref.store %addi, %out[%c0, %i] : memref<17x?xi32>
    %subi = arith.subi %x, %y : i32
    memref.store %subi, %out[%c1, %i] : memref<17x?xi32>
    %muli = arith.muli %x, %y : i32
    memref.store %muli, %out[%c2, %i] : memref<17x?xi32>
    %divsi = arith.divsi %x, %y : i32
    memref.store %divsi, %out[%c3, %i] : memref<17x?xi32>
    %divui = arith.divui %x, %y : i32
    memref.store %divui, %out[%c4, %i] : memref<17x?xi32>
    %ceildivsi = arith.ceildivsi %x, %y : i32
    memref.store %ceildivsi, %out[%c5, %i] : memref<17x?xi32>
    %ceildivui = arith.ceildivui %x, %y : i32
    memref.store %ceildivui, %out[%c6, %i] : memref<17x?xi32>
    %floordivsi = arith.floordivsi %x, %y : i32
    memref.store %floordivsi, %out[%c7, %i] : memref<17x?xi32>
    %remsi = arith.remsi %x, %y : i32
    memref.store %remsi, %out[%c8, %i] : memref<17x?xi32>
    %remui = arith.remui %x, %y : i32
    memref.store %remui, %out[%c9, %i] : memref<17x?xi32>
    %andi = arith.andi %x, %y : i32
    memref.store %andi, %out[%c10, %i] : memref<17x?xi32>
    %ori = arith.ori %x, %y : i32
    memref.store %ori, %out[%c11, %i] : memref<17x?xi32>
    %xori = arith.xori %x, %y : i32
    memref.store %xori, %out[%c12, %i] : memref<17x?xi32>
    %maxsi = arith.maxsi %x, %y : i32
    memref.store %maxsi, %out[%c13, %i] : memref<17x?xi32>
    %maxui = arith.maxui %x, %y : i32
    memref.store %maxui, %out[%c14, %i] : memref<17x?xi32>
    %minsi = arith.minsi %x, %y : i32
    memref.store %minsi, %out[%c15, %i] : memref<17x?xi32>
    %minui = arith.minui %x, %y : i32
    memref.store %minui, %out[%c16, %i] : memref<17x?xi32>
  }
  return
}

func.func @int_i64(%a: memref<?xi64>, %b: memref<?xi64>, %out: memref<17x?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
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
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    %y = memref.load %b[%i] : memref<?xi64>
    %addi = arith.addi %x, %y : i64
    memref.store %addi, %out[%c0, %i] : memref<17x?xi64>
    %subi = arith.subi %x, %y : i64
    memref.store %subi, %out[%c1, %i] : memref<17x?xi64>
    %muli = arith.muli %x, %y : i64
    memref.store %muli, %out[%c2, %i] : memref<17x?xi64>
    %divsi = arith.divsi %x, %y : i64
    memref.store %divsi, %out[%c3, %i] : memref<17x?xi64>
    %divui = arith.divui %x, %y : i64
    memref.store %divui, %out[%c4, %i] : memref<17x?xi64>
    %ceildivsi = arith.ceildivsi %x, %y : i64
    memref.store %ceildivsi, %out[%c5, %i] : memref<17x?xi64>
    %ceildivui = arith.ceildivui %x, %y : i64
    memref.store %ceildivui, %out[%c6, %i] : memref<17x?xi64>
    %floordivsi = arith.floordivsi %x, %y : i64
    memref.store %floordivsi, %out[%c7, %i] : memref<17x?xi64>
    %remsi = arith.remsi %x, %y : i64
    memref.store %remsi, %out[%c8, %i] : memref<17x?xi64>
    %remui = arith.remui %x, %y : i64
    memref.store %remui, %out[%c9, %i] : memref<17x?xi64>
    %andi = arith.andi %x, %y : i64
    memref.store %andi, %out[%c10, %i] : memref<17x?xi64>
    %ori = arith.ori %x, %y : i64
    memref.store %ori, %out[%c11, %i] : memref<17x?xi64>
    %xori = arith.xori %x, %y : i64
    memref.store %xori, %out[%c12, %i] : memref<17x?xi64>
    %maxsi = arith.maxsi %x, %y : i64
    memref.store %maxsi, %out[%c13, %i] : memref<17x?xi64>
    %maxui = arith.maxui %x, %y : i64
    memref.store %maxui, %out[%c14, %i] : memref<17x?xi64>
    %minsi = arith.minsi %x, %y : i64
    memref.store %minsi, %out[%c15, %i] : memref<17x?xi64>
    %minui = arith.minui %x, %y : i64
    memref.store %minui, %out[%c16, %i] : memref<17x?xi64>
  }
  return
}

func.func @shift_i8(%a: memref<8xi8>, %b: memref<8xi8>, %out: memref<3x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi8>
    %y = memref.load %b[%i] : memref<8xi8>
    %shli = arith.shli %x, %y : i8
    memref.store %shli, %out[%c0, %i] : memref<3x8xi8>
    %shrsi = arith.shrsi %x, %y : i8
    memref.store %shrsi, %out[%c1, %i] : memref<3x8xi8>
    %shrui = arith.shrui %x, %y : i8
    memref.store %shrui, %out[%c2, %i] : memref<3x8xi8>
  }
  return
}

func.func @shift_i32(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<3x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %shli = arith.shli %x, %y : i32
    memref.store %shli, %out[%c0, %i] : memref<3x8xi32>
    %shrsi = arith.shrsi %x, %y : i32
    memref.store %shrsi, %out[%c1, %i] : memref<3x8xi32>
    %shrui = arith.shrui %x, %y : i32
    memref.store %shrui, %out[%c2, %i] : memref<3x8xi32>
  }
  return
}

func.func @shift_i64(%a: memref<8xi64>, %b: memref<8xi64>, %out: memref<3x8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi64>
    %y = memref.load %b[%i] : memref<8xi64>
    %shli = arith.shli %x, %y : i64
    memref.store %shli, %out[%c0, %i] : memref<3x8xi64>
    %shrsi = arith.shrsi %x, %y : i64
    memref.store %shrsi, %out[%c1, %i] : memref<3x8xi64>
    %shrui = arith.shrui %x, %y : i64
    memref.store %shrui, %out[%c2, %i] : memref<3x8xi64>
  }
  return
}

// Low and high halves; the carry of addui_extended is an i1.
func.func @extended(%a: memref<8xi32>, %b: memref<8xi32>, %low: memref<3x8xi32>, %high: memref<2x8xi32>, %carry: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %0, %1 = arith.addui_extended %x, %y : i32, i1
    memref.store %0, %low[%c0, %i] : memref<3x8xi32>
    memref.store %1, %carry[%i] : memref<8xi1>
    %2, %3 = arith.mulsi_extended %x, %y : i32
    memref.store %2, %low[%c1, %i] : memref<3x8xi32>
    memref.store %3, %high[%c0, %i] : memref<2x8xi32>
    %4, %5 = arith.mului_extended %x, %y : i32
    memref.store %4, %low[%c2, %i] : memref<3x8xi32>
    memref.store %5, %high[%c1, %i] : memref<2x8xi32>
  }
  return
}

func.func @float_f64(%a: memref<?xf64>, %b: memref<?xf64>, %out: memref<11x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%i] : memref<?xf64>
    %addf = arith.addf %x, %y : f64
    memref.store %addf, %out[%c0, %i] : memref<11x?xf64>
    %subf = arith.subf %x, %y : f64
    memref.store %subf, %out[%c1, %i] : memref<11x?xf64>
    %mulf = arith.mulf %x, %y : f64
    memref.store %mulf, %out[%c2, %i] : memref<11x?xf64>
    %divf = arith.divf %x, %y : f64
    memref.store %divf, %out[%c3, %i] : memref<11x?xf64>
    %remf = arith.remf %x, %y : f64
    memref.store %remf, %out[%c4, %i] : memref<11x?xf64>
    %maximumf = arith.maximumf %x, %y : f64
    memref.store %maximumf, %out[%c5, %i] : memref<11x?xf64>
    %minimumf = arith.minimumf %x, %y : f64
    memref.store %minimumf, %out[%c6, %i] : memref<11x?xf64>
    %maxnumf = arith.maxnumf %x, %y : f64
    memref.store %maxnumf, %out[%c7, %i] : memref<11x?xf64>
    %minnumf = arith.minnumf %x, %y : f64
    memref.store %minnumf, %out[%c8, %i] : memref<11x?xf64>
    %negf = arith.negf %x : f64
    memref.store %negf, %out[%c9, %i] : memref<11x?xf64>
    %less = arith.cmpf olt, %x, %y : f64
    %select = arith.select %less, %x, %y : f64
    memref.store %select, %out[%c10, %i] : memref<11x?xf64>
  }
  return
}

func.func @float_f32(%a: memref<?xf32>, %b: memref<?xf32>, %out: memref<11x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %addf = arith.addf %x, %y : f32
    memref.store %addf, %out[%c0, %i] : memref<11x?xf32>
    %subf = arith.subf %x, %y : f32
    memref.store %subf, %out[%c1, %i] : memref<11x?xf32>
    %mulf = arith.mulf %x, %y : f32
    memref.store %mulf, %out[%c2, %i] : memref<11x?xf32>
    %divf = arith.divf %x, %y : f32
    memref.store %divf, %out[%c3, %i] : memref<11x?xf32>
    %remf = arith.remf %x, %y : f32
    memref.store %remf, %out[%c4, %i] : memref<11x?xf32>
    %maximumf = arith.maximumf %x, %y : f32
    memref.store %maximumf, %out[%c5, %i] : memref<11x?xf32>
    %minimumf = arith.minimumf %x, %y : f32
    memref.store %minimumf, %out[%c6, %i] : memref<11x?xf32>
    %maxnumf = arith.maxnumf %x, %y : f32
    memref.store %maxnumf, %out[%c7, %i] : memref<11x?xf32>
    %minnumf = arith.minnumf %x, %y : f32
    memref.store %minnumf, %out[%c8, %i] : memref<11x?xf32>
    %negf = arith.negf %x : f32
    memref.store %negf, %out[%c9, %i] : memref<11x?xf32>
    %less = arith.cmpf olt, %x, %y : f32
    %select = arith.select %less, %x, %y : f32
    memref.store %select, %out[%c10, %i] : memref<11x?xf32>
  }
  return
}

func.func @float_f16(%a: memref<?xf16>, %b: memref<?xf16>, %out: memref<11x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf16>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf16>
    %y = memref.load %b[%i] : memref<?xf16>
    %addf = arith.addf %x, %y : f16
    memref.store %addf, %out[%c0, %i] : memref<11x?xf16>
    %subf = arith.subf %x, %y : f16
    memref.store %subf, %out[%c1, %i] : memref<11x?xf16>
    %mulf = arith.mulf %x, %y : f16
    memref.store %mulf, %out[%c2, %i] : memref<11x?xf16>
    %divf = arith.divf %x, %y : f16
    memref.store %divf, %out[%c3, %i] : memref<11x?xf16>
    %remf = arith.remf %x, %y : f16
    memref.store %remf, %out[%c4, %i] : memref<11x?xf16>
    %maximumf = arith.maximumf %x, %y : f16
    memref.store %maximumf, %out[%c5, %i] : memref<11x?xf16>
    %minimumf = arith.minimumf %x, %y : f16
    memref.store %minimumf, %out[%c6, %i] : memref<11x?xf16>
    %maxnumf = arith.maxnumf %x, %y : f16
    memref.store %maxnumf, %out[%c7, %i] : memref<11x?xf16>
    %minnumf = arith.minnumf %x, %y : f16
    memref.store %minnumf, %out[%c8, %i] : memref<11x?xf16>
    %negf = arith.negf %x : f16
    memref.store %negf, %out[%c9, %i] : memref<11x?xf16>
    %less = arith.cmpf olt, %x, %y : f16
    %select = arith.select %less, %x, %y : f16
    memref.store %select, %out[%c10, %i] : memref<11x?xf16>
  }
  return
}

func.func @float_bf16(%a: memref<?xbf16>, %b: memref<?xbf16>, %out: memref<11x?xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xbf16>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xbf16>
    %y = memref.load %b[%i] : memref<?xbf16>
    %addf = arith.addf %x, %y : bf16
    memref.store %addf, %out[%c0, %i] : memref<11x?xbf16>
    %subf = arith.subf %x, %y : bf16
    memref.store %subf, %out[%c1, %i] : memref<11x?xbf16>
    %mulf = arith.mulf %x, %y : bf16
    memref.store %mulf, %out[%c2, %i] : memref<11x?xbf16>
    %divf = arith.divf %x, %y : bf16
    memref.store %divf, %out[%c3, %i] : memref<11x?xbf16>
    %remf = arith.remf %x, %y : bf16
    memref.store %remf, %out[%c4, %i] : memref<11x?xbf16>
    %maximumf = arith.maximumf %x, %y : bf16
    memref.store %maximumf, %out[%c5, %i] : memref<11x?xbf16>
    %minimumf = arith.minimumf %x, %y : bf16
    memref.store %minimumf, %out[%c6, %i] : memref<11x?xbf16>
    %maxnumf = arith.maxnumf %x, %y : bf16
    memref.store %maxnumf, %out[%c7, %i] : memref<11x?xbf16>
    %minnumf = arith.minnumf %x, %y : bf16
    memref.store %minnumf, %out[%c8, %i] : memref<11x?xbf16>
    %negf = arith.negf %x : bf16
    memref.store %negf, %out[%c9, %i] : memref<11x?xbf16>
    %less = arith.cmpf olt, %x, %y : bf16
    %select = arith.select %less, %x, %y : bf16
    memref.store %select, %out[%c10, %i] : memref<11x?xbf16>
  }
  return
}

func.func @cmpi(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<10x8xi1>) {
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
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %eq = arith.cmpi eq, %x, %y : i32
    memref.store %eq, %out[%c0, %i] : memref<10x8xi1>
    %ne = arith.cmpi ne, %x, %y : i32
    memref.store %ne, %out[%c1, %i] : memref<10x8xi1>
    %slt = arith.cmpi slt, %x, %y : i32
    memref.store %slt, %out[%c2, %i] : memref<10x8xi1>
    %sle = arith.cmpi sle, %x, %y : i32
    memref.store %sle, %out[%c3, %i] : memref<10x8xi1>
    %sgt = arith.cmpi sgt, %x, %y : i32
    memref.store %sgt, %out[%c4, %i] : memref<10x8xi1>
    %sge = arith.cmpi sge, %x, %y : i32
    memref.store %sge, %out[%c5, %i] : memref<10x8xi1>
    %ult = arith.cmpi ult, %x, %y : i32
    memref.store %ult, %out[%c6, %i] : memref<10x8xi1>
    %ule = arith.cmpi ule, %x, %y : i32
    memref.store %ule, %out[%c7, %i] : memref<10x8xi1>
    %ugt = arith.cmpi ugt, %x, %y : i32
    memref.store %ugt, %out[%c8, %i] : memref<10x8xi1>
    %uge = arith.cmpi uge, %x, %y : i32
    memref.store %uge, %out[%c9, %i] : memref<10x8xi1>
  }
  return
}

func.func @cmpf(%a: memref<8xf32>, %b: memref<8xf32>, %out: memref<16x8xi1>) {
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
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    %y = memref.load %b[%i] : memref<8xf32>
    %false = arith.cmpf false, %x, %y : f32
    memref.store %false, %out[%c0, %i] : memref<16x8xi1>
    %oeq = arith.cmpf oeq, %x, %y : f32
    memref.store %oeq, %out[%c1, %i] : memref<16x8xi1>
    %ogt = arith.cmpf ogt, %x, %y : f32
    memref.store %ogt, %out[%c2, %i] : memref<16x8xi1>
    %oge = arith.cmpf oge, %x, %y : f32
    memref.store %oge, %out[%c3, %i] : memref<16x8xi1>
    %olt = arith.cmpf olt, %x, %y : f32
    memref.store %olt, %out[%c4, %i] : memref<16x8xi1>
    %ole = arith.cmpf ole, %x, %y : f32
    memref.store %ole, %out[%c5, %i] : memref<16x8xi1>
    %one = arith.cmpf one, %x, %y : f32
    memref.store %one, %out[%c6, %i] : memref<16x8xi1>
    %ord = arith.cmpf ord, %x, %y : f32
    memref.store %ord, %out[%c7, %i] : memref<16x8xi1>
    %ueq = arith.cmpf ueq, %x, %y : f32
    memref.store %ueq, %out[%c8, %i] : memref<16x8xi1>
    %ugt = arith.cmpf ugt, %x, %y : f32
    memref.store %ugt, %out[%c9, %i] : memref<16x8xi1>
    %uge = arith.cmpf uge, %x, %y : f32
    memref.store %uge, %out[%c10, %i] : memref<16x8xi1>
    %ult = arith.cmpf ult, %x, %y : f32
    memref.store %ult, %out[%c11, %i] : memref<16x8xi1>
    %ule = arith.cmpf ule, %x, %y : f32
    memref.store %ule, %out[%c12, %i] : memref<16x8xi1>
    %une = arith.cmpf une, %x, %y : f32
    memref.store %une, %out[%c13, %i] : memref<16x8xi1>
    %uno = arith.cmpf uno, %x, %y : f32
    memref.store %uno, %out[%c14, %i] : memref<16x8xi1>
    %true = arith.cmpf true, %x, %y : f32
    memref.store %true, %out[%c15, %i] : memref<16x8xi1>
  }
  return
}

func.func @int_casts(%a: memref<8xi8>, %extsi: memref<8xi32>, %extui: memref<8xi32>, %trunci: memref<8xi16>, %odd: memref<8xi1>, %index_cast: memref<8xindex>, %index_castui: memref<8xindex>, %back: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xi8>
    %0 = arith.extsi %x : i8 to i32
    memref.store %0, %extsi[%i] : memref<8xi32>
    %1 = arith.extui %x : i8 to i32
    memref.store %1, %extui[%i] : memref<8xi32>
    %2 = arith.extsi %x : i8 to i64
    %3 = arith.trunci %0 : i32 to i16
    memref.store %3, %trunci[%i] : memref<8xi16>
    %4 = arith.trunci %2 : i64 to i1
    memref.store %4, %odd[%i] : memref<8xi1>
    %5 = arith.index_cast %x : i8 to index
    memref.store %5, %index_cast[%i] : memref<8xindex>
    %6 = arith.index_castui %x : i8 to index
    memref.store %6, %index_castui[%i] : memref<8xindex>
    %7 = arith.index_cast %6 : index to i16
    %8 = arith.trunci %7 : i16 to i8
    memref.store %8, %back[%i] : memref<8xi8>
  }
  return
}

func.func @int_float(%a: memref<8xi32>, %sitofp: memref<8xf32>, %uitofp: memref<8xf64>, %fptosi: memref<8xi64>, %fptoui: memref<8xi64>, %half: memref<8xbf16>, %bits: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %0 = arith.sitofp %x : i32 to f32
    memref.store %0, %sitofp[%i] : memref<8xf32>
    %1 = arith.uitofp %x : i32 to f64
    memref.store %1, %uitofp[%i] : memref<8xf64>
    %2 = arith.fptosi %0 : f32 to i64
    memref.store %2, %fptosi[%i] : memref<8xi64>
    %3 = arith.fptoui %1 : f64 to i64
    memref.store %3, %fptoui[%i] : memref<8xi64>
    %4 = arith.sitofp %x : i32 to bf16
    memref.store %4, %half[%i] : memref<8xbf16>
    %5 = arith.bitcast %x : i32 to f32
    %6 = arith.bitcast %5 : f32 to i32
    memref.store %6, %bits[%i] : memref<8xi32>
  }
  return
}

func.func @int_i4(%a: memref<16xi4>, %b: memref<16xi4>, %sum: memref<16xi4>, %product: memref<16xi4>, %signed: memref<16xi32>, %unsigned: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<16xi4>
    %y = memref.load %b[%i] : memref<16xi4>
    %0 = arith.addi %x, %y : i4
    memref.store %0, %sum[%i] : memref<16xi4>
    %1 = arith.muli %x, %y : i4
    memref.store %1, %product[%i] : memref<16xi4>
    %2 = arith.extsi %1 : i4 to i32
    memref.store %2, %signed[%i] : memref<16xi32>
    %3 = arith.extui %1 : i4 to i32
    memref.store %3, %unsigned[%i] : memref<16xi32>
  }
  return
}

func.func @int_i1(%a: memref<4xi1>, %b: memref<4xi1>, %addi: memref<4xi1>, %muli: memref<4xi1>, %xori: memref<4xi1>, %ori: memref<4xi1>, %andi: memref<4xi1>, %maxsi: memref<4xi1>, %minui: memref<4xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<4xi1>
    %y = memref.load %b[%i] : memref<4xi1>
    %0 = arith.addi %x, %y : i1
    memref.store %0, %addi[%i] : memref<4xi1>
    %1 = arith.muli %x, %y : i1
    memref.store %1, %muli[%i] : memref<4xi1>
    %2 = arith.xori %x, %y : i1
    memref.store %2, %xori[%i] : memref<4xi1>
    %3 = arith.ori %x, %y : i1
    memref.store %3, %ori[%i] : memref<4xi1>
    %4 = arith.andi %x, %y : i1
    memref.store %4, %andi[%i] : memref<4xi1>
    %5 = arith.maxsi %x, %y : i1
    memref.store %5, %maxsi[%i] : memref<4xi1>
    %6 = arith.minui %x, %y : i1
    memref.store %6, %minui[%i] : memref<4xi1>
  }
  return
}

func.func @vectors(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<8xi32>, vector<8xi32>
  %y = vector.load %b[%c0] : memref<8xi32>, vector<8xi32>
  %q = arith.floordivsi %x, %y : vector<8xi32>
  %r = arith.remsi %x, %y : vector<8xi32>
  %less = arith.cmpi slt, %q, %r : vector<8xi32>
  %0 = arith.select %less, %q, %r : vector<8xi1>, vector<8xi32>
  %seven = arith.constant dense<7> : vector<8xi32>
  %1 = arith.addi %0, %seven : vector<8xi32>
  vector.store %1, %out[%c0] : memref<8xi32>, vector<8xi32>
  return
}

func.func @scalars(%a: i64, %b: f32, %c: i1) -> (i64, f32, i1, index) {
  %0 = arith.muli %a, %a : i64
  %1 = arith.negf %b : f32
  %true = arith.constant true
  %2 = arith.xori %c, %true : i1
  %3 = arith.index_cast %a : i64 to index
  return %0, %1, %2, %3 : i64, f32, i1, index
}

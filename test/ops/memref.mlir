// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of memref but those of DMA.

memref.global "private" constant @table : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
memref.global "private" @counter : memref<i64> = dense<0>

func.func @globals(%i: index, %j: index) -> (i32, i64) {
  %0 = memref.get_global @table : memref<2x3xi32>
  %1 = memref.load %0[%i, %j] : memref<2x3xi32>
  %2 = memref.get_global @counter : memref<i64>
  %c1 = arith.constant 7 : i64
  memref.store %c1, %2[] : memref<i64>
  %3 = memref.load %2[] : memref<i64>
  return %1, %3 : i32, i64
}

func.func @alloc(%n: index, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc(%n) {alignment = 128} : memref<?x2xindex>
  %1 = memref.alloca(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %2 = arith.muli %i, %i : index
    memref.store %2, %0[%i, %c1] : memref<?x2xindex>
    memref.store %i, %1[%i] : memref<?xindex>
  }
  scf.for %i = %c0 to %n step %c1 {
    %3 = memref.load %0[%i, %c1] : memref<?x2xindex>
    %4 = memref.load %1[%i] : memref<?xindex>
    %5 = arith.addi %3, %4 : index
    memref.store %5, %out[%i] : memref<?xindex>
  }
  memref.dealloc %0 : memref<?x2xindex>
  return
}

func.func @alloca_scope(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> index {
    %1 = memref.alloca_scope -> i64 {
      %2 = memref.alloca() : memref<64xindex>
      memref.store %i, %2[%c1] : memref<64xindex>
      %3 = memref.load %2[%c1] : memref<64xindex>
      %5 = arith.index_cast %3 : index to i64
      memref.alloca_scope.return %5 : i64
    }
    %6 = arith.index_cast %1 : i64 to index
    %4 = arith.addi %sum, %6 : index
    scf.yield %4 : index
  }
  return %0 : index
}

func.func @assume(%a: memref<8xf32>, %b: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = memref.assume_alignment %a, 16 : memref<8xf32>
  %1, %2 = memref.distinct_objects %0, %b : memref<8xf32>, memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.prefetch %1[%i], read, locality<1>, data : memref<8xf32>
    %x = memref.load %1[%i] : memref<8xf32>
    %y = memref.load %2[%i] : memref<8xf32>
    %3 = arith.mulf %x, %y : f32
    memref.store %3, %out[%i] : memref<8xf32>
  }
  return
}

func.func @atomic(%a: memref<6xi32>, %f: memref<6xf32>, %sums: memref<9xi32>, %floats: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %x = memref.load %a[%i] : memref<6xi32>
    %0 = memref.atomic_rmw addi %x, %sums[%c0] : (i32, memref<9xi32>) -> i32
    %1 = memref.atomic_rmw andi %x, %sums[%c1] : (i32, memref<9xi32>) -> i32
    %2 = memref.atomic_rmw maxs %x, %sums[%c2] : (i32, memref<9xi32>) -> i32
    %3 = memref.atomic_rmw maxu %x, %sums[%c3] : (i32, memref<9xi32>) -> i32
    %4 = memref.atomic_rmw mins %x, %sums[%c4] : (i32, memref<9xi32>) -> i32
    %5 = memref.atomic_rmw minu %x, %sums[%c5] : (i32, memref<9xi32>) -> i32
    %6 = memref.atomic_rmw ori %x, %sums[%c6] : (i32, memref<9xi32>) -> i32
    %7 = memref.atomic_rmw assign %x, %sums[%c7] : (i32, memref<9xi32>) -> i32
    %8 = memref.atomic_rmw xori %x, %sums[%c8] : (i32, memref<9xi32>) -> i32
    %y = memref.load %f[%i] : memref<6xf32>
    %9 = memref.atomic_rmw addf %y, %floats[%c0] : (f32, memref<6xf32>) -> f32
    %10 = memref.atomic_rmw maximumf %y, %floats[%c1] : (f32, memref<6xf32>) -> f32
    %11 = memref.atomic_rmw minimumf %y, %floats[%c2] : (f32, memref<6xf32>) -> f32
    %12 = memref.atomic_rmw maxnumf %y, %floats[%c3] : (f32, memref<6xf32>) -> f32
    %13 = memref.atomic_rmw minnumf %y, %floats[%c4] : (f32, memref<6xf32>) -> f32
    %14 = memref.atomic_rmw assign %y, %floats[%c5] : (f32, memref<6xf32>) -> f32
  }
  return
}

func.func @generic_atomic(%a: memref<6xi32>, %out: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %x = memref.load %a[%i] : memref<6xi32>
    %0 = memref.generic_atomic_rmw %out[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %1 = arith.muli %old, %old : i32
      %2 = arith.addi %1, %x : i32
      memref.atomic_yield %2 : i32
    }
  }
  return
}

func.func @casts(%a: memref<?x?xf32>, %out: memref<4x6xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.cast %a : memref<?x?xf32> to memref<4x6xf32>
  %1 = memref.cast %0 : memref<4x6xf32> to memref<4x6xf32, strided<[?, ?], offset: ?>>
  memref.copy %1, %out : memref<4x6xf32, strided<[?, ?], offset: ?>> to memref<4x6xf32>
  %2 = memref.cast %a : memref<?x?xf32> to memref<*xf32>
  %rank = memref.rank %2 : memref<*xf32>
  %3 = memref.dim %2, %c1 : memref<*xf32>
  %4 = memref.cast %2 : memref<*xf32> to memref<?x?xf32>
  %5 = memref.dim %4, %c0 : memref<?x?xf32>
  return %rank, %3, %5 : index, index, index
}

// From here on: other views of the same elements.
func.func @reshapes(%a: memref<2x3x4xf32>, %b: memref<?x4xf32>, %n: index, %flat: memref<24xf32>, %deep: memref<2x3x2x2xf32>, %more: memref<2x6x4xf32>) {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<6x4xf32> into memref<24xf32>
  memref.copy %1, %flat : memref<24xf32> to memref<24xf32>
  %2 = memref.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 3, 2, 2] : memref<2x3x4xf32> into memref<2x3x2x2xf32>
  memref.copy %2, %deep : memref<2x3x2x2xf32> to memref<2x3x2x2xf32>
  %3 = memref.expand_shape %b [[0, 1], [2]] output_shape [2, %n, 4] : memref<?x4xf32> into memref<2x?x4xf32>
  %4 = memref.cast %3 : memref<2x?x4xf32> to memref<2x6x4xf32>
  memref.copy %4, %more : memref<2x6x4xf32> to memref<2x6x4xf32>
  return
}

func.func @reshape_shape(%a: memref<?x?xf32>, %shape: memref<3xindex>, %out: memref<2x3x4xf32>) {
  %0 = memref.reshape %a(%shape) : (memref<?x?xf32>, memref<3xindex>) -> memref<?x?x?xf32>
  %1 = memref.cast %0 : memref<?x?x?xf32> to memref<2x3x4xf32>
  memref.copy %1, %out : memref<2x3x4xf32> to memref<2x3x4xf32>
  return
}

func.func @subviews(%a: memref<6x8xf32>, %i: index, %part: memref<2x3xf32>, %row: memref<4xf32>, %moved: memref<2x2xf32>) {
  %0 = memref.subview %a[1, 2] [2, 3] [2, 2] : memref<6x8xf32> to memref<2x3xf32, strided<[16, 2], offset: 10>>
  memref.copy %0, %part : memref<2x3xf32, strided<[16, 2], offset: 10>> to memref<2x3xf32>
  %1 = memref.subview %a[%i, 0] [1, 4] [1, 2] : memref<6x8xf32> to memref<4xf32, strided<[2], offset: ?>>
  memref.copy %1, %row : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32>
  %2 = memref.subview %a[%i, %i] [2, 2] [%i, 1] : memref<6x8xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  memref.copy %2, %moved : memref<2x2xf32, strided<[?, 1], offset: ?>> to memref<2x2xf32>
  return
}

// Element [i, j] is that at 7 + 3 * (1 - i) - j.
func.func @reinterpret(%a: memref<16xf32>, %out: memref<2x3xf32>, %more: memref<2x2xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [10], sizes: [2, 3], strides: [-3, -1] : memref<16xf32> to memref<2x3xf32, strided<[-3, -1], offset: 10>>
  memref.copy %0, %out : memref<2x3xf32, strided<[-3, -1], offset: 10>> to memref<2x3xf32>
  %1 = memref.reinterpret_cast %a to offset: [%n], sizes: [2, 2], strides: [%n, 1] : memref<16xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  memref.copy %1, %more : memref<2x2xf32, strided<[?, 1], offset: ?>> to memref<2x2xf32>
  return
}

func.func @transpose(%a: memref<3x5xf32>, %out: memref<5x3xf32>) {
  %0 = memref.transpose %a (i, j) -> (j, i) : memref<3x5xf32> to memref<5x3xf32, strided<[1, 5]>>
  memref.copy %0, %out : memref<5x3xf32, strided<[1, 5]>> to memref<5x3xf32>
  return
}

func.func @view(%a: memref<64xi8>, %shift: index, %out: memref<2x3xf32>) {
  %0 = memref.view %a[%shift][] : memref<64xi8> to memref<2x3xf32>
  memref.copy %0, %out : memref<2x3xf32> to memref<2x3xf32>
  return
}

func.func @metadata(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> (index, index, index, index, f32) {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  %0 = memref.reinterpret_cast %base to offset: [%offset], sizes: [], strides: [] : memref<f32> to memref<f32, strided<[], offset: ?>>
  %1 = memref.load %0[] : memref<f32, strided<[], offset: ?>>
  return %sizes#0, %sizes#1, %strides#0, %strides#1, %1 : index, index, index, index, f32
}

func.func @address(%a: memref<4xf32>) -> index {
  %c4 = arith.constant 4 : index
  %0 = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %1 = arith.remui %0, %c4 : index
  return %1 : index
}

func.func @realloc(%n: index, %m: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 42 : i32
  %0 = memref.alloc(%n) : memref<?xi32>
  memref.store %k, %0[%c1] : memref<?xi32>
  %1 = memref.realloc %0(%m) : memref<?xi32> to memref<?xi32>
  %2 = memref.load %1[%c1] : memref<?xi32>
  memref.dealloc %1 : memref<?xi32>
  return %2 : i32
}

func.func @memory_space(%a: memref<4xf32>, %out: memref<4xf32>) {
  %0 = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, 1>
  %1 = memref.memory_space_cast %0 : memref<4xf32, 1> to memref<4xf32>
  memref.copy %1, %out : memref<4xf32> to memref<4xf32>
  return
}

// Nothing, one thing, and many bits at once.
func.func @sizes(%none: memref<0x3xf32>, %one: memref<f64>, %bits: memref<3xi1>, %small: memref<3xi4>) -> (memref<0x3xf32>, memref<f64>, memref<3xi1>, memref<3xi4>) {
  return %none, %one, %bits, %small : memref<0x3xf32>, memref<f64>, memref<3xi1>, memref<3xi4>
}

func.func @returned(%n: index) -> (memref<?x2xi32>, memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = memref.alloc(%n) : memref<?x2xi32>
  %1 = memref.alloc() : memref<3xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %0[%i, %c0] : memref<?x2xi32>
    memref.store %x, %0[%i, %c1] : memref<?x2xi32>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %1[%i] : memref<3xi32>
  }
  return %0, %1 : memref<?x2xi32>, memref<3xi32>
}

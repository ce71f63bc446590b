// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of affine but those of DMA.

#tile = affine_map<(d0)[s0] -> (d0 * 4 + s0)>
#ends = affine_map<(d0) -> (d0 + 4, 10)>

func.func @matmul(%a: memref<5x7xf32>, %b: memref<7x3xf32>, %c: memref<5x3xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 3 {
      %zero = arith.constant 0.0 : f32
      %sum = affine.for %k = 0 to 7 iter_args(%s = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<5x7xf32>
        %y = affine.load %b[%k, %j] : memref<7x3xf32>
        %0 = arith.mulf %x, %y : f32
        %1 = arith.addf %s, %0 : f32
        affine.yield %1 : f32
      }
      affine.store %sum, %c[%i, %j] : memref<5x3xf32>
    }
  }
  return
}

func.func @bounds(%n: index, %out: memref<10xindex>) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 * 4)>(%i) to min #ends(%i) step 2 {
      affine.store %j, %out[%j] : memref<10xindex>
    }
  }
  return
}

func.func @apply(%i: index, %n: index) -> (index, index, index, index) {
  %0 = affine.apply #tile(%i)[%n]
  %1 = affine.min affine_map<(d0)[s0] -> (d0, s0 - d0, 100)>(%i)[%n]
  %2 = affine.max affine_map<(d0)[s0] -> (d0 mod 3, s0 floordiv 2, d0 ceildiv 5)>(%i)[%n]
  %3 = affine.apply affine_map<(d0)[s0] -> ((d0 - s0) floordiv 4 + (d0 - s0) mod 4 * 10 + (d0 - s0) ceildiv 4 * 100)>(%i)[%n]
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @if(%a: memref<4x4xf32>, %out: memref<4x4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      %0 = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0, d0 + d1 - 2 >= 0)>(%i, %j) -> f32 {
        affine.yield %x : f32
      } else {
        %1 = arith.negf %x : f32
        affine.yield %1 : f32
      }
      affine.store %0, %out[%i, %j] : memref<4x4xf32>
    }
  }
  return
}

func.func @parallel(%a: memref<6x8xf32>, %out: memref<6x8xf32>) -> (f32, f32) {
  affine.parallel (%i, %j) = (0, 0) to (6, 8) step (1, 2) {
    %x = affine.load %a[%i, %j] : memref<6x8xf32>
    affine.store %x, %out[%i, %j + 1] : memref<6x8xf32>
  }
  %sum, %most = affine.parallel (%i, %j) = (0, 0) to (6, 8) reduce ("addf", "maximumf") -> (f32, f32) {
    %x = affine.load %a[%i, %j] : memref<6x8xf32>
    affine.yield %x, %x : f32, f32
  }
  return %sum, %most : f32, f32
}

func.func @linear(%i: index, %n: index) -> (index, index, index, index, index) {
  %0:3 = affine.delinearize_index %i into (4, 5, 6) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %0#2] by (4, 5, 6) : index
  %2 = affine.linearize_index disjoint [%0#1, %0#2] by (5, %n) : index
  return %0#0, %0#1, %0#2, %1, %2 : index, index, index, index, index
}

func.func @vectors(%a: memref<4x8xf32>, %out: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.prefetch %a[%i, 0], read, locality<3>, data : memref<4x8xf32>
    affine.for %j = 0 to 8 step 4 {
      %x = affine.vector_load %a[%i, %j] : memref<4x8xf32>, vector<4xf32>
      %0 = arith.addf %x, %x : vector<4xf32>
      affine.vector_store %0, %out[-%i + 3, %j] : memref<4x8xf32>, vector<4xf32>
    }
  }
  return
}

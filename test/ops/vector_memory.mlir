// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors in memory and positions in them, where upstream's lowering is not
// enough: elements of less than a byte, several dimensions, masks with
// permutations, positions that are values.

// A memref has a byte for each i1, a vector a bit.
func.func @bits(%a: memref<3x5xi1>, %out: memref<5x3xi1>, %some: memref<8xi1>, %packed: memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %v = vector.transfer_read %a[%c0, %c0], %false {in_bounds = [true, true]} : memref<3x5xi1>, vector<3x5xi1>
  %n = arith.constant dense<true> : vector<3x5xi1>
  %x = arith.xori %v, %n : vector<3x5xi1>
  vector.transfer_write %x, %out[%c0, %c0] {permutation_map = affine_map<(i, j) -> (j, i)>} : vector<3x5xi1>, memref<5x3xi1>
  %row = vector.load %a[%c1, %c1] : memref<3x5xi1>, vector<4xi1>
  vector.store %row, %some[%c1] : memref<8xi1>, vector<4xi1>
  %m = vector.load %a[%c0, %c0] : memref<3x5xi1>, vector<5xi1>
  %pass = arith.constant dense<[true, false, true, false, true]> : vector<5xi1>
  %l = vector.maskedload %a[%c1, %c0], %m, %pass : memref<3x5xi1>, vector<5xi1>, vector<5xi1> into vector<5xi1>
  vector.compressstore %packed[%c0], %m, %l : memref<8xi1>, vector<5xi1>, vector<5xi1>
  return
}

func.func @nibbles(%a: memref<2x4xi8>, %out: memref<2x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloca() : memref<2x4xi4>
  %v = vector.load %a[%c0, %c0] : memref<2x4xi8>, vector<2x4xi8>
  %t = arith.trunci %v : vector<2x4xi8> to vector<2x4xi4>
  vector.store %t, %m[%c0, %c0] : memref<2x4xi4>, vector<2x4xi4>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %m[%i, %j] : memref<2x4xi4>
      %e = arith.extsi %x : i4 to i8
      memref.store %e, %out[%i, %j] : memref<2x4xi8>
    }
  }
  return
}

func.func @masks(%a: memref<8xi1>, %x: memref<2x4xf32>, %out: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = vector.load %a[%c0] : memref<8xi1>, vector<8xi1>
  %i = vector.shape_cast %m : vector<8xi1> to vector<2x4xi1>
  %pass = arith.constant dense<-1.0> : vector<2x4xf32>
  %v = vector.maskedload %x[%c0, %c0], %i, %pass : memref<2x4xf32>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
  %w = arith.addf %v, %v : vector<2x4xf32>
  %n = arith.constant dense<[[true, true, false, true], [false, true, true, false]]> : vector<2x4xi1>
  vector.maskedstore %out[%c0, %c0], %n, %w : memref<2x4xf32>, vector<2x4xi1>, vector<2x4xf32>
  return
}

// The map leaves out the dimension in the middle.
func.func @skip(%a: memref<3x2xf32>, %m: memref<2x3xi1>, %out: memref<2x2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %a[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %mask = vector.load %m[%c0, %c0] : memref<2x3xi1>, vector<2x3xi1>
  vector.transfer_write %v, %out[%c0, %c1, %c0], %mask {permutation_map = affine_map<(i, j, k) -> (k, i)>} : vector<3x2xf32>, memref<2x2x3xf32>
  return
}

func.func @positions(%a: memref<3x2x4xf32>, %i: index, %j: index, %k: index, %scalar: memref<1xf32>, %row: memref<4xf32>, %plane: memref<2x4xf32>, %out: memref<3x2x4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0, %c0, %c0] : memref<3x2x4xf32>, vector<3x2x4xf32>
  %x = vector.extract %v[%i, %j, %k] : f32 from vector<3x2x4xf32>
  memref.store %x, %scalar[%c0] : memref<1xf32>
  %r = vector.extract %v[%i, 1] : vector<4xf32> from vector<3x2x4xf32>
  vector.store %r, %row[%c0] : memref<4xf32>, vector<4xf32>
  %p = vector.extract %v[%j] : vector<2x4xf32> from vector<3x2x4xf32>
  vector.store %p, %plane[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %s = vector.insert %x, %v[0, %j, %k] : f32 into vector<3x2x4xf32>
  %t = vector.insert %r, %s[%j, 0] : vector<4xf32> into vector<3x2x4xf32>
  %u = vector.insert %p, %t[%i] : vector<2x4xf32> into vector<3x2x4xf32>
  vector.store %u, %out[%c0, %c0, %c0] : memref<3x2x4xf32>, vector<3x2x4xf32>
  return
}

// Affine loops over vectors become scf behind the conversion of affine.
func.func @affine(%a: memref<4x8xf32>, %out: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 step 4 {
      %v = affine.vector_load %a[%i, %j] : memref<4x8xf32>, vector<4xf32>
      %w = arith.addf %v, %v : vector<4xf32>
      affine.vector_store %w, %out[%i, %j] : memref<4x8xf32>, vector<4xf32>
    }
  }
  return
}

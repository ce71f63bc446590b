// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of vector. Vectors live in functions: entries take and give
// memory.

func.func @memory(%a: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = vector.load %a[%c0, %c0] : memref<4x8xf32>, vector<8xf32>
  vector.store %x, %out[%c1, %c0] : memref<4x8xf32>, vector<8xf32>
  %mask = vector.create_mask %c3 : vector<8xi1>
  %pass = arith.constant dense<9.0> : vector<8xf32>
  %0 = vector.maskedload %a[%c1, %c0], %mask, %pass : memref<4x8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %0, %out[%c0, %c0] : memref<4x8xf32>, vector<8xf32>
  vector.maskedstore %out[%c2, %c2], %mask, %x : memref<4x8xf32>, vector<8xi1>, vector<8xf32>
  %some = arith.constant dense<[true, false, true, false, false, true, true, false]> : vector<8xi1>
  %1 = vector.expandload %a[%c2, %c0], %some, %pass : memref<4x8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.compressstore %out[%c3, %c1], %some, %1 : memref<4x8xf32>, vector<8xi1>, vector<8xf32>
  return
}

func.func @gather(%a: memref<16xf32>, %index: memref<8xi32>, %out: memref<2x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = vector.load %index[%c0] : memref<8xi32>, vector<8xi32>
  %mask = vector.constant_mask [6] : vector<8xi1>
  %pass = arith.constant dense<-1.0> : vector<8xf32>
  %0 = vector.gather %a[%c0] [%i], %mask, %pass : memref<16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %0, %out[%c0, %c0] : memref<2x16xf32>, vector<8xf32>
  vector.scatter %out[%c1, %c0] [%i], %mask, %0 : memref<2x16xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

func.func @gather_2d(%a: memref<16xf32>, %index: memref<2x4xindex>, %out: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %i = vector.transfer_read %index[%c0, %c0], %c0 : memref<2x4xindex>, vector<2x4xindex>
  %mask = vector.constant_mask [2, 3] : vector<2x4xi1>
  %pass = arith.constant dense<-1.0> : vector<2x4xf32>
  %0 = vector.gather %a[%c0] [%i], %mask, %pass : memref<16xf32>, vector<2x4xindex>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
  vector.transfer_write %0, %out[%c0, %c0] : vector<2x4xf32>, memref<2x4xf32>
  return
}

// Reads and writes that end behind the last element are padded and cut.
func.func @transfers(%a: memref<?x?xf32>, %out: memref<4x6xf32>, %turned: memref<6x4xf32>, %row: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 7.0 : f32
  %0 = vector.transfer_read %a[%c1, %c3], %pad : memref<?x?xf32>, vector<4x6xf32>
  vector.transfer_write %0, %out[%c0, %c0] : vector<4x6xf32>, memref<4x6xf32>
  vector.transfer_write %0, %turned[%c1, %c0] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x6xf32>, memref<6x4xf32>
  %1 = vector.transfer_read %a[%c1, %c0], %pad {permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<?x?xf32>, vector<4x4xf32>
  %mask = vector.create_mask %c3, %c3 : vector<4x4xi1>
  vector.transfer_write %1, %row[%c0, %c0], %mask {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
  return
}

func.func @shapes(%a: memref<4xf32>, %b: memref<2x4xf32>, %out: memref<8x4xf32>, %deep: memref<2x2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %y = vector.transfer_read %b[%c0, %c0], %zero : memref<2x4xf32>, vector<2x4xf32>
  %0 = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
  vector.transfer_write %0, %out[%c0, %c0] : vector<2x4xf32>, memref<8x4xf32>
  %1 = vector.shape_cast %y : vector<2x4xf32> to vector<8xf32>
  %2 = vector.shape_cast %1 : vector<8xf32> to vector<4x2xf32>
  %3 = vector.transpose %2, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  vector.transfer_write %3, %out[%c2, %c0] : vector<2x4xf32>, memref<8x4xf32>
  %4 = vector.extract %y[1] : vector<4xf32> from vector<2x4xf32>
  %5 = vector.insert %x, %y [0] : vector<4xf32> into vector<2x4xf32>
  vector.transfer_write %5, %out[%c4, %c0] : vector<2x4xf32>, memref<8x4xf32>
  %6 = vector.extract %y[1, %c2] : f32 from vector<2x4xf32>
  %7 = vector.insert %6, %x [%c1] : f32 into vector<4xf32>
  vector.transfer_write %7, %out[%c6, %c0] : vector<4xf32>, memref<8x4xf32>
  %8 = vector.shuffle %x, %4 [0, 4, 7, 2] : vector<4xf32>, vector<4xf32>
  %c7 = arith.constant 7 : index
  vector.transfer_write %8, %out[%c7, %c0] : vector<4xf32>, memref<8x4xf32>
  %9 = vector.broadcast %6 : f32 to vector<2x2x4xf32>
  %10 = vector.extract_strided_slice %y {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x4xf32> to vector<2x2xf32>
  %11 = vector.shape_cast %10 : vector<2x2xf32> to vector<1x4xf32>
  %12 = vector.insert_strided_slice %11, %9 {offsets = [1, 1, 0], strides = [1, 1]} : vector<1x4xf32> into vector<2x2x4xf32>
  vector.transfer_write %12, %deep[%c0, %c0, %c0] : vector<2x2x4xf32>, memref<2x2x4xf32>
  return
}

func.func @elements(%a: f32, %b: f32, %out: memref<4x4xf32>, %steps: memref<4xindex>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = vector.from_elements %a, %b, %b, %a : vector<4xf32>
  vector.store %0, %out[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %1:4 = vector.to_elements %0 : vector<4xf32>
  %2 = arith.addf %1#0, %1#1 : f32
  %3 = vector.from_elements %a, %b : vector<2xf32>
  %4 = vector.from_elements %b, %2 : vector<2xf32>
  %5 = vector.interleave %3, %4 : vector<2xf32> -> vector<4xf32>
  vector.store %5, %out[%c1, %c0] : memref<4x4xf32>, vector<4xf32>
  %6, %7 = vector.deinterleave %5 : vector<4xf32> -> vector<2xf32>
  vector.store %7, %out[%c2, %c0] : memref<4x4xf32>, vector<2xf32>
  vector.store %6, %out[%c2, %c2] : memref<4x4xf32>, vector<2xf32>
  %8 = vector.bitcast %0 : vector<4xf32> to vector<2xi64>
  %9 = vector.bitcast %8 : vector<2xi64> to vector<4xf32>
  vector.store %9, %out[%c3, %c0] : memref<4x4xf32>, vector<4xf32>
  %10 = vector.step : vector<4xindex>
  vector.store %10, %steps[%c0] : memref<4xindex>, vector<4xindex>
  %11 = vector.extract %0[1] : f32 from vector<4xf32>
  return %2, %11 : f32, f32
}

func.func @reduction(%a: memref<8xf32>, %k: memref<8xi32>) -> (f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %start = arith.constant 100.0 : f32
  %x = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %y = vector.load %k[%c0] : memref<8xi32>, vector<8xi32>
  %0 = vector.reduction <add>, %x : vector<8xf32> into f32
  %1 = vector.reduction <mul>, %x : vector<8xf32> into f32
  %2 = vector.reduction <maximumf>, %x : vector<8xf32> into f32
  %3 = vector.reduction <minimumf>, %x : vector<8xf32> into f32
  %4 = vector.reduction <maxnumf>, %x : vector<8xf32> into f32
  %5 = vector.reduction <minnumf>, %x : vector<8xf32> into f32
  %6 = vector.reduction <add>, %x, %start : vector<8xf32> into f32
  %7 = vector.reduction <add>, %y : vector<8xi32> into i32
  %8 = vector.reduction <mul>, %y : vector<8xi32> into i32
  %9 = vector.reduction <minsi>, %y : vector<8xi32> into i32
  %10 = vector.reduction <minui>, %y : vector<8xi32> into i32
  %11 = vector.reduction <maxsi>, %y : vector<8xi32> into i32
  %12 = vector.reduction <maxui>, %y : vector<8xi32> into i32
  %13 = vector.reduction <and>, %y : vector<8xi32> into i32
  %14 = vector.reduction <or>, %y : vector<8xi32> into i32
  %15 = vector.reduction <xor>, %y : vector<8xi32> into i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}

func.func @multi_reduction(%a: memref<3x4xf32>, %rows: memref<3xf32>, %columns: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero : memref<3x4xf32>, vector<3x4xf32>
  %r = vector.load %rows[%c0] : memref<3xf32>, vector<3xf32>
  %c = vector.load %columns[%c0] : memref<4xf32>, vector<4xf32>
  %0 = vector.multi_reduction <add>, %x, %r [1] : vector<3x4xf32> to vector<3xf32>
  vector.store %0, %rows[%c0] : memref<3xf32>, vector<3xf32>
  %1 = vector.multi_reduction <maximumf>, %x, %c [0] : vector<3x4xf32> to vector<4xf32>
  vector.store %1, %columns[%c0] : memref<4xf32>, vector<4xf32>
  %2 = vector.multi_reduction <add>, %x, %zero [0, 1] : vector<3x4xf32> to f32
  return %2 : f32
}

func.func @scan(%a: memref<3x4xi32>, %out: memref<3x4xi32>, %last: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %x = vector.transfer_read %a[%c0, %c0], %k0 : memref<3x4xi32>, vector<3x4xi32>
  %init = arith.constant dense<10> : vector<4xi32>
  %0, %1 = vector.scan <add>, %x, %init {inclusive = false, reduction_dim = 0 : i64} : vector<3x4xi32>, vector<4xi32>
  vector.transfer_write %0, %out[%c0, %c0] : vector<3x4xi32>, memref<3x4xi32>
  vector.store %1, %last[%c0] : memref<4xi32>, vector<4xi32>
  return
}

func.func @contract(%a: memref<3x5xf32>, %b: memref<5x4xf32>, %c: memref<3x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero : memref<3x5xf32>, vector<3x5xf32>
  %y = vector.transfer_read %b[%c0, %c0], %zero : memref<5x4xf32>, vector<5x4xf32>
  %z = vector.transfer_read %c[%c0, %c0], %zero : memref<3x4xf32>, vector<3x4xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<3x5xf32>, vector<5x4xf32> into vector<3x4xf32>
  vector.transfer_write %0, %c[%c0, %c0] : vector<3x4xf32>, memref<3x4xf32>
  %1 = vector.extract %x[0] : vector<5xf32> from vector<3x5xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %1, %1, %zero : vector<5xf32>, vector<5xf32> into f32
  return %2 : f32
}

func.func @outerproduct(%a: memref<3xf32>, %b: memref<4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.load %a[%c0] : memref<3xf32>, vector<3xf32>
  %y = vector.load %b[%c0] : memref<4xf32>, vector<4xf32>
  %z = vector.transfer_read %c[%c0, %c0], %zero : memref<3x4xf32>, vector<3x4xf32>
  %0 = vector.outerproduct %x, %y, %z : vector<3xf32>, vector<4xf32>
  %1 = vector.outerproduct %x, %y, %0 {kind = #vector.kind<maxnumf>} : vector<3xf32>, vector<4xf32>
  %2 = vector.fma %z, %0, %1 : vector<3x4xf32>
  vector.transfer_write %0, %c[%c0, %c0] : vector<3x4xf32>, memref<3x4xf32>
  vector.transfer_write %2, %d[%c0, %c0] : vector<3x4xf32>, memref<3x4xf32>
  return
}

func.func @masks(%a: memref<8xf32>, %n: index, %out: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %mask = vector.create_mask %n : vector<8xi1>
  %0 = vector.mask %mask {
    %sum = vector.reduction <add>, %x : vector<8xf32> into f32
    vector.yield %sum : f32
  } : vector<8xi1> -> f32
  vector.mask %mask { vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32> } : vector<8xi1>
  %1 = vector.mask %mask { vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %2 = vector.reduction <maximumf>, %1 : vector<8xf32> into f32
  %3 = arith.addf %0, %2 : f32
  return %3 : f32
}

func.func @type_cast(%a: memref<2x4xf32>, %out: memref<2x4xf32>) {
  %0 = vector.type_cast %a : memref<2x4xf32> to memref<vector<2x4xf32>>
  %1 = memref.load %0[] : memref<vector<2x4xf32>>
  %2 = arith.addf %1, %1 : vector<2x4xf32>
  %3 = vector.type_cast %out : memref<2x4xf32> to memref<vector<2x4xf32>>
  memref.store %2, %3[] : memref<vector<2x4xf32>>
  return
}

func.func @main(%m: memref<8x8xf32>, %i: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i, %i], %z : memref<8x8xf32>, vector<4xf32>
  %s = vector.reduction <add>, %v : vector<4xf32> into f32
  %b = vector.broadcast %s : f32 to vector<4xf32>
  vector.transfer_write %b, %m[%i, %i] : vector<4xf32>, memref<8x8xf32>
  %sub = memref.subview %m[%i, 0] [2, 4] [1, 2] : memref<8x8xf32> to memref<2x4xf32, strided<[8, 2], offset: ?>>
  affine.for %k = 0 to 4 {
    %x = affine.load %sub[0, %k] : memref<2x4xf32, strided<[8, 2], offset: ?>>
    affine.store %x, %sub[1, %k] : memref<2x4xf32, strided<[8, 2], offset: ?>>
  }
  return %s : f32
}

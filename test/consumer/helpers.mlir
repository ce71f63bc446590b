// Needs functions that no C library has: a strided copy and bf16.
func.func @main(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = memref.alloc() : memref<8xf32>
  %odd = memref.subview %y[1] [4] [2]
      : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  memref.copy %x, %odd
      : memref<4xf32> to memref<4xf32, strided<[2], offset: 1>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %odd[%i] : memref<4xf32, strided<[2], offset: 1>>
    %b = arith.truncf %a : f32 to bf16
    %c = arith.addf %b, %b : bf16
    %d = arith.extf %c : bf16 to f32
    memref.store %d, %x[%i] : memref<4xf32>
  }
  return
}

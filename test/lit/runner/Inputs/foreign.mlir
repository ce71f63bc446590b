// Functions for mlir-opt, mlir-translate and llc; see signature.test.
memref.global "private" constant @k : memref<2xf32> = dense<[7.0, 8.0]>

func.func @main(%x: memref<2x3xf32>, %n: i32) -> memref<?xf32>
    attributes {llvm.emit_c_interface} {
  %i = arith.index_cast %n : i32 to index
  %r = memref.alloc(%i) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1, %c0] : memref<2x3xf32>
  scf.for %j = %c0 to %i step %c1 {
    memref.store %v, %r[%j] : memref<?xf32>
  }
  return %r : memref<?xf32>
}

func.func @same(%x: memref<2x3xf32>) -> memref<2x3xf32>
    attributes {llvm.emit_c_interface} {
  return %x : memref<2x3xf32>
}

func.func @constant() -> memref<2xf32> attributes {llvm.emit_c_interface} {
  %k = memref.get_global @k : memref<2xf32>
  return %k : memref<2xf32>
}

func.func @many(%x: memref<2x3xf32>, %f: f64, %h: f16, %b: i1)
    -> (f64, memref<2x3xf32>, i1, memref<1xf32>, memref<1xf32>)
    attributes {llvm.emit_c_interface} {
  %r = memref.alloc() : memref<1xf32>
  %s = arith.addf %f, %f : f64
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %e = arith.extf %h : f16 to f32
  memref.store %e, %r[%c0] : memref<1xf32>
  memref.store %e, %x[%c0, %c2] : memref<2x3xf32>
  return %s, %x, %b, %r, %r
      : f64, memref<2x3xf32>, i1, memref<1xf32>, memref<1xf32>
}

func.func @strided(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>)
    -> memref<?xf32, strided<[?], offset: ?>>
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %r = memref.subview %x[0, 1] [%rows, 1] [1, 1]
      : memref<?x?xf32, strided<[?, ?], offset: ?>>
      to memref<?xf32, strided<[?], offset: ?>>
  return %r : memref<?xf32, strided<[?], offset: ?>>
}

func.func private @printI64(i64)
func.func @says(%x: i64) attributes {llvm.emit_c_interface} {
  call @printI64(%x) : (i64) -> ()
  return
}

func.func @plain(%x: i64) {
  return
}

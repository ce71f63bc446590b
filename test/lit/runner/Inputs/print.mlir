// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of MLIR's runner libraries print, without these libraries.
module {
  func.func private @printMemrefF32(memref<*xf32>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefI8(memref<*xi8>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefF64(memref<*xf64>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefI16(memref<*xi16>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefI32(memref<*xi32>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefBF16(memref<*xbf16>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefF16(memref<*xf16>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefC32(memref<*xcomplex<f32>>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefInd(memref<*xindex>) attributes { llvm.emit_c_interface }
  func.func private @printMemrefShapeF32(memref<*xf32>) attributes { llvm.emit_c_interface }
  func.func private @printMemref1dF32(memref<?xf32>) attributes { llvm.emit_c_interface }
  func.func private @printMemref2dF32(memref<?x?xf32>) attributes { llvm.emit_c_interface }
  func.func private @printMemref0dF32(memref<f32>) attributes { llvm.emit_c_interface }
  memref.global "private" constant @i8 : memref<3xi8> = dense<[1,-2,65]>
  memref.global "private" constant @f64 : memref<4xf64> = dense<[1.0,-2.5e-300,1.0e10,0.1]>
  memref.global "private" constant @i16 : memref<2x2xi16> = dense<[[1,-2],[3,4]]>
  memref.global "private" constant @i32 : memref<2x2x2xi32> = dense<[[[1,-2],[3,4]],[[5,6],[7,8]]]>
  memref.global "private" constant @i32b : memref<1x2x1x3xi32> = dense<7>
  memref.global "private" constant @c : memref<2xcomplex<f32>> = dense<[(1.0,2.0),(0.5,-1.0)]>
  memref.global "private" constant @bf : memref<2xbf16> = dense<[1.5,-3.141]>
  memref.global "private" constant @hf : memref<2xf16> = dense<[1.5,-3.141]>
  func.func @main() {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<4x3xf32>
    %v = arith.constant 1.25 : f32
    linalg.fill ins(%v : f32) outs(%m : memref<4x3xf32>)
    %u = memref.cast %m : memref<4x3xf32> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    call @printMemrefShapeF32(%u) : (memref<*xf32>) -> ()
    %e = memref.alloc() : memref<f32>
    memref.store %v, %e[] : memref<f32>
    %ue = memref.cast %e : memref<f32> to memref<*xf32>
    call @printMemrefF32(%ue) : (memref<*xf32>) -> ()
    call @printMemref0dF32(%e) : (memref<f32>) -> ()
    %sv = memref.subview %m[1,1][2,2][2,1] : memref<4x3xf32> to memref<2x2xf32, strided<[6,1],offset:4>>
    %us = memref.cast %sv : memref<2x2xf32, strided<[6,1],offset:4>> to memref<*xf32>
    call @printMemrefF32(%us) : (memref<*xf32>) -> ()
    %g = memref.get_global @i8 : memref<3xi8>
    %ug = memref.cast %g : memref<3xi8> to memref<*xi8>
    call @printMemrefI8(%ug) : (memref<*xi8>) -> ()
    %g2 = memref.get_global @f64 : memref<4xf64>
    %ug2 = memref.cast %g2 : memref<4xf64> to memref<*xf64>
    call @printMemrefF64(%ug2) : (memref<*xf64>) -> ()
    %g3 = memref.get_global @i16 : memref<2x2xi16>
    %ug3 = memref.cast %g3 : memref<2x2xi16> to memref<*xi16>
    call @printMemrefI16(%ug3) : (memref<*xi16>) -> ()
    %g4 = memref.get_global @i32 : memref<2x2x2xi32>
    %ug4 = memref.cast %g4 : memref<2x2x2xi32> to memref<*xi32>
    call @printMemrefI32(%ug4) : (memref<*xi32>) -> ()
    %g4b = memref.get_global @i32b : memref<1x2x1x3xi32>
    %ug4b = memref.cast %g4b : memref<1x2x1x3xi32> to memref<*xi32>
    call @printMemrefI32(%ug4b) : (memref<*xi32>) -> ()
    %g5 = memref.get_global @c : memref<2xcomplex<f32>>
    %ug5 = memref.cast %g5 : memref<2xcomplex<f32>> to memref<*xcomplex<f32>>
    call @printMemrefC32(%ug5) : (memref<*xcomplex<f32>>) -> ()
    %g6 = memref.get_global @bf : memref<2xbf16>
    %ug6 = memref.cast %g6 : memref<2xbf16> to memref<*xbf16>
    call @printMemrefBF16(%ug6) : (memref<*xbf16>) -> ()
    %g7 = memref.get_global @hf : memref<2xf16>
    %ug7 = memref.cast %g7 : memref<2xf16> to memref<*xf16>
    call @printMemrefF16(%ug7) : (memref<*xf16>) -> ()
    %d = memref.cast %m : memref<4x3xf32> to memref<?x?xf32>
    call @printMemref2dF32(%d) : (memref<?x?xf32>) -> ()
    %v2 = arith.constant 2.5 : f32
    memref.store %v2, %m[%c0, %c0] : memref<4x3xf32>
    %vv = arith.constant dense<[1.5, 2.0, -3.0]> : vector<3xf32>
    vector.print %vv : vector<3xf32>
    vector.print str "hello\n"
    return
  }
}

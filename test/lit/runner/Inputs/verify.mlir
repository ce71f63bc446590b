// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two buffers with a function of MLIR's runner library.
memref.global "private" constant @a : memref<3xi32> = dense<[1, 2, 3]>
memref.global "private" constant @b : memref<3xi32> = dense<[1, 5, 3]>
func.func private @verifyMemRefI32(memref<*xi32>, memref<*xi32>) -> i64 attributes {llvm.emit_c_interface}
func.func @main() -> i64 {
  %a = memref.get_global @a : memref<3xi32>
  %b = memref.get_global @b : memref<3xi32>
  %ua = memref.cast %a : memref<3xi32> to memref<*xi32>
  %ub = memref.cast %b : memref<3xi32> to memref<*xi32>
  %n = call @verifyMemRefI32(%ua, %ub) : (memref<*xi32>, memref<*xi32>) -> i64
  return %n : i64
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and punctuation, one call each.
module {
  func.func private @printI64(i64)
  func.func private @printU64(i64)
  func.func private @printF32(f32)
  func.func private @printF64(f64)
  func.func private @printComma()
  func.func private @printOpen()
  func.func private @printClose()
  func.func private @printNewline()
  func.func private @printString(!llvm.ptr)
  llvm.mlir.global internal constant @text("text\00")
  func.func @main() {
    %i = arith.constant -7 : i64
    %u64 = arith.constant -1 : i64
    %f = arith.constant 0.1 : f32
    %d64 = arith.constant 1.0e+100 : f64
    call @printI64(%i) : (i64) -> ()
    call @printComma() : () -> ()
    call @printU64(%u64) : (i64) -> ()
    call @printOpen() : () -> ()
    call @printF32(%f) : (f32) -> ()
    call @printClose() : () -> ()
    call @printF64(%d64) : (f64) -> ()
    call @printNewline() : () -> ()
    %p = llvm.mlir.addressof @text : !llvm.ptr
    call @printString(%p) : (!llvm.ptr) -> ()
    call @printNewline() : () -> ()
    return
  }
}

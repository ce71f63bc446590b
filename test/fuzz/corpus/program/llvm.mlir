llvm.mlir.global internal @count(0 : i64) : i64
llvm.func @printI64(i64)
llvm.func @main(%n: i64) -> i64 {
  %p = llvm.mlir.addressof @count : !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i64
  %s = llvm.add %v, %n : i64
  llvm.store %s, %p : i64, !llvm.ptr
  llvm.call @printI64(%s) : (i64) -> ()
  llvm.return %s : i64
}

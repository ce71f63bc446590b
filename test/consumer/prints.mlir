// Prints a number by a function of MLIR's runner.
func.func private @printI64(i64)

func.func @main(%x: memref<4xf32>) {
  %n = arith.constant 7 : i64
  call @printI64(%n) : (i64) -> ()
  return
}

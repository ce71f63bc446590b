// Doubles its argument in native code, then has a built-in call copy it.
func.func private @copy(memref<4xf32>, memref<4xf32>)
    attributes {rt.custom_call = "jitrun.memcpy"}

func.func @main(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %x[%i] : memref<4xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %y[%i] : memref<4xf32>
  }
  call @copy(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

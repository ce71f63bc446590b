// A custom call alone, with the arguments of axpy.mlir.
func.func private @copy(memref<?xf32>, memref<?xf32>)
    attributes {rt.custom_call = "jitrun.memcpy"}

func.func @main(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  call @copy(%y, %x) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

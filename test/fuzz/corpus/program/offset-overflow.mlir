func.func private @show(memref<2x0x3xf32>) attributes {rt.custom_call = "jitrun.print"}

func.func private @show_back(memref<2xf32, strided<[-2], offset: 9223372036854775807>>) attributes {rt.custom_call = "jitrun.print"}
func.func @backwards(%a: memref<4xf32>) {
  %v = memref.reinterpret_cast %a to offset: [9223372036854775807], sizes: [2], strides: [-2] : memref<4xf32> to memref<2xf32, strided<[-2], offset: 9223372036854775807>>
  call @show_back(%v) : (memref<2xf32, strided<[-2], offset: 9223372036854775807>>) -> ()
  return
}

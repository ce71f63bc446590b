memref.global "private" constant @numbers : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @first(memref<2xf32>) attributes {rt.custom_call = "vendor.first"}
func.func private @second(memref<2xf32>) attributes {rt.custom_call = "vendor.second"}
func.func private @show(memref<2xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func @main() {
  %a = memref.get_global @numbers : memref<2xf32>
  call @show(%a) : (memref<2xf32>) -> ()
  call @first(%a) : (memref<2xf32>) -> () // vendor
  call @second(%a) : (memref<2xf32>) -> () // vendor
  return
}

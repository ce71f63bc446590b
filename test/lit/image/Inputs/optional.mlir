memref.global "private" constant @numbers : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @extra(memref<2xf32>) attributes {rt.custom_call = "vendor.extra", jitrun.optional}
func.func private @show(memref<2xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func @main() {
  %a = memref.get_global @numbers : memref<2xf32>
  call @show(%a) : (memref<2xf32>) -> ()
  %c0 = arith.constant 0 : index
  %first = memref.load %a[%c0] : memref<2xf32>
  %other = arith.constant OTHER : f32
  %run = arith.cmpf oeq, %first, %other : f32
  scf.if %run {
    func.call @extra(%a) : (memref<2xf32>) -> ()
    // AGAIN func.call @extra(%a) {jitrun.optional} : (memref<2xf32>) -> ()
  }
  return
}

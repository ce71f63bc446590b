// A gibibyte of constants.
memref.global "private" constant @a : memref<134217728xi32> = dense<7>
memref.global "private" constant @b : memref<134217728xi32> = dense<9>
func.func private @show(memref<4xi32, strided<[1], offset: 100000000>>) attributes {rt.custom_call = "jitrun.print"}
func.func @main() {
  %a = memref.get_global @a : memref<134217728xi32>
  %b = memref.get_global @b : memref<134217728xi32>
  %v = memref.subview %a[100000000][4][1] : memref<134217728xi32> to memref<4xi32, strided<[1], offset: 100000000>>
  %w = memref.subview %b[100000000][4][1] : memref<134217728xi32> to memref<4xi32, strided<[1], offset: 100000000>>
  call @show(%v) : (memref<4xi32, strided<[1], offset: 100000000>>) -> ()
  call @show(%w) : (memref<4xi32, strided<[1], offset: 100000000>>) -> ()
  return
}

// Prints a number that grows each time, and a constant.
memref.global "private" @counter : memref<1xi32> = dense<FIRST>
memref.global "private" constant @table : memref<8xi32> = dense<[FIRST, 1, 2, 3, 4, 5, 6, 7]>
func.func private @show(memref<1xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @show8(memref<8xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %counter = memref.get_global @counter : memref<1xi32>
  %x = memref.load %counter[%c0] : memref<1xi32>
  %y = arith.addi %x, %c1 : i32
  memref.store %y, %counter[%c0] : memref<1xi32>
  call @show(%counter) : (memref<1xi32>) -> ()
  %table = memref.get_global @table : memref<8xi32>
  call @show8(%table) : (memref<8xi32>) -> ()
  return
}

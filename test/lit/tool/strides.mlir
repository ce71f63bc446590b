// Memory is laid out by the strides of the type; printed values are those of
// the elements.
//
// REQUIRES: llvm
// RUN: %jitrun %s --input=2x3xi32=1,2,3,4,5,6 | %FileCheck %s
// CHECK: result[0]: i32=5
// CHECK: arg[0]: 2x3xi32=[{{\[}}1 2 3][4 5 6]]
func.func @main(%a: memref<2x3xi32, strided<[1, 8]>> {jitrun.output}) -> i32 {
  %c1 = arith.constant 1 : index
  %v = memref.load %a[%c1, %c1] : memref<2x3xi32, strided<[1, 8]>>
  return %v : i32
}

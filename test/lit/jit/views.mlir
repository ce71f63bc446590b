// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views that only the program knows, as operands of calls and as results:
// address, sizes and strides are those that the types and operands say.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=main --input=4x6xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 --input=index=1 --input=index=2 --input=32xi8=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31 | FileCheck %s
// RUN: %jitrun %s --entry=main -O0 --input=4x6xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 --input=index=1 --input=index=2 --input=32xi8=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31 | FileCheck %s

!full = memref<4x6xi32>
!open = memref<?x?xi32, strided<[?, ?], offset: ?>>
!row = memref<?xi32, strided<[?], offset: ?>>
func.func private @print2(!open) attributes {rt.custom_call = "jitrun.print"}
func.func private @print1(!row) attributes {rt.custom_call = "jitrun.print"}
func.func private @print(memref<2xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @flat(memref<12xi32, strided<[1], offset: ?>>)
    attributes {rt.custom_call = "jitrun.print"}
func.func private @turned(memref<3x2xi32, strided<[1, 6], offset: ?>>)
    attributes {rt.custom_call = "jitrun.print"}

// A view that a function hands on is no operation of the caller.
func.func private @inner(%v: !open, %i: index) {
  %one = arith.constant 1 : index
  %part = memref.subview %v[%one, %i] [%one, %i] [1, 1] : !open to !open
  call @print2(%part) : (!open) -> ()
  return
}

func.func @main(%a: !full, %i: index, %j: index, %bytes: memref<32xi8>) -> !open {
  // CHECK: 2x2xi32={{\[\[}}7 9][19 21]]
  %w = memref.subview %a[%i, %i] [%j, %j] [%j, %j] : !full to !open
  call @print2(%w) : (!open) -> ()
  // Of that, with strides that are values times values.
  // CHECK: 1x2xi32={{\[\[}}19 21]]
  %x = memref.subview %w[%i, 0] [%i, %j] [%j, 1] : !open to !open
  call @print2(%x) : (!open) -> ()
  // A dimension dropped, its place known to the operation alone.
  // CHECK: 2xi32=[9 21]
  %y = memref.subview %w[0, %i] [%j, 1] [1, 1] : !open to !row
  call @print1(%y) : (!row) -> ()
  // CHECK: 2xi32=[117835012 185207048]
  %c4 = arith.constant 4 : index
  %at = arith.muli %i, %c4 : index
  %z = memref.view %bytes[%at][] : memref<32xi8> to memref<2xi32>
  call @print(%z) : (memref<2xi32>) -> ()
  // CHECK: 12xi32=[6 7 8 9 10 11 12 13 14 15 16 17]
  %rows = memref.subview %a[%i, 0] [2, 6] [1, 1] : !full to memref<2x6xi32, strided<[6, 1], offset: ?>>
  %line = memref.collapse_shape %rows [[0, 1]] : memref<2x6xi32, strided<[6, 1], offset: ?>> into memref<12xi32, strided<[1], offset: ?>>
  call @flat(%line) : (memref<12xi32, strided<[1], offset: ?>>) -> ()
  // CHECK: 3x2xi32={{\[\[}}8 14][9 15][10 16]]
  %block = memref.subview %a[%i, %j] [2, 3] [1, 1] : !full to memref<2x3xi32, strided<[6, 1], offset: ?>>
  %turned = memref.transpose %block (d0, d1) -> (d1, d0) : memref<2x3xi32, strided<[6, 1], offset: ?>> to memref<3x2xi32, strided<[1, 6], offset: ?>>
  call @turned(%turned) : (memref<3x2xi32, strided<[1, 6], offset: ?>>) -> ()
  // In another function, of an argument.
  // CHECK: 1x1xi32={{\[\[}}21]]
  call @inner(%w, %i) : (!open, index) -> ()
  // CHECK: 4x6xi32={{\[\[}}0 1 2 3 4 5][6 7 8 9 10 11][12 13 14 15 16 17][18 19 20 21 22 23]]
  %cast = memref.cast %a : !full to !open
  call @print2(%cast) : (!open) -> ()
  %again = memref.reinterpret_cast %a to offset: [%j], sizes: [%i, %j], strides: [%j, %i] : !full to !open
  // CHECK: 1x2xi32={{\[\[}}2 3]]
  call @print2(%again) : (!open) -> ()
  // CHECK: 1x1xi32={{\[\[}}3]]
  %of = memref.subview %again[0, %i] [1, %i] [1, 1] : !open to memref<1x?xi32, strided<[?, ?], offset: ?>>
  %as = memref.cast %of : memref<1x?xi32, strided<[?, ?], offset: ?>> to !open
  call @print2(%as) : (!open) -> ()
  // CHECK: result[0]: 1x2xi32={{\[\[}}19 21]]
  return %x : !open
}

// Blocks that nothing reaches are left out.
func.func @unreached(%a: !full, %i: index) {
  %v = memref.subview %a[%i, 0] [1, 2] [1, 1] : !full to memref<2xi32, strided<[1], offset: ?>>
  return
^bb1(%n: index):
  cf.br ^bb2(%i : index)
^bb2(%m: index):
  cf.br ^bb1(%m : index)
}
// RUN: %jitrun %s --entry=unreached --input=4x6xi32 --input=index=1

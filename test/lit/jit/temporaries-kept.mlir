// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary that can still be reached keeps its memory to itself: by memory
// that has it as an element, and by a number that a function made of it.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=stored | %FileCheck %s
// RUN: %jitrun %s --entry=stored -O0 | %FileCheck %s
// RUN: %jitrun %s --entry=stashed | %FileCheck %s
// RUN: %jitrun %s --entry=addressed | %FileCheck %s --check-prefix=ADDRESS
// CHECK: 2xi32=[2 2]
// CHECK-NEXT: 2xi32=[1 1]
// ADDRESS: 2xi32=[2 2]
// ADDRESS-NEXT: result[0]: i32=1

func.func private @print(memref<2xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @fill(%m: memref<2xi32>, %value: i32) {
  linalg.fill ins(%value : i32) outs(%m : memref<2xi32>)
  return
}
func.func private @stash(%m: memref<2xi32>, %into: memref<1xmemref<2xi32>>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %into[%c0] : memref<1xmemref<2xi32>>
  return
}
func.func private @address(%m: memref<2xi32>) -> index {
  %i = memref.extract_aligned_pointer_as_index %m : memref<2xi32> -> index
  return %i : index
}

func.func @stored() attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %holder = memref.alloca() : memref<1xmemref<2xi32>>
  %t = memref.alloca() : memref<2xi32>
  linalg.fill ins(%c1 : i32) outs(%t : memref<2xi32>)
  memref.store %t, %holder[%c0] : memref<1xmemref<2xi32>>
  %u = memref.alloca() : memref<2xi32>
  linalg.fill ins(%c2 : i32) outs(%u : memref<2xi32>)
  call @print(%u) : (memref<2xi32>) -> ()
  %x = memref.load %holder[%c0] : memref<1xmemref<2xi32>>
  call @print(%x) : (memref<2xi32>) -> ()
  return
}

func.func @stashed() attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %holder = memref.alloca() : memref<1xmemref<2xi32>>
  %t = memref.alloca() : memref<2xi32>
  call @fill(%t, %c1) : (memref<2xi32>, i32) -> ()
  call @stash(%t, %holder) : (memref<2xi32>, memref<1xmemref<2xi32>>) -> ()
  %u = memref.alloca() : memref<2xi32>
  call @fill(%u, %c2) : (memref<2xi32>, i32) -> ()
  call @print(%u) : (memref<2xi32>) -> ()
  %x = memref.load %holder[%c0] : memref<1xmemref<2xi32>>
  call @print(%x) : (memref<2xi32>) -> ()
  return
}

func.func @addressed() -> i32 attributes {rt.exported} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %t = memref.alloca() : memref<2xi32>
  call @fill(%t, %c1) : (memref<2xi32>, i32) -> ()
  %i = call @address(%t) : (memref<2xi32>) -> index
  %u = memref.alloca() : memref<2xi32>
  call @fill(%u, %c2) : (memref<2xi32>, i32) -> ()
  call @print(%u) : (memref<2xi32>) -> ()
  %n = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> i32
  return %x : i32
}

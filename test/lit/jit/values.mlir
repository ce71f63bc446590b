// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What native code computes, and hands to custom calls and back.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=loop --input=6xf32=1,2,3,4,5,6 --input=index=3 | FileCheck %s --check-prefix=LOOP
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=results --input=i32=40 | FileCheck %s --check-prefix=RESULTS
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=recursive --input=6xf32=1,1,1,1,1,1 --input=index=4 | FileCheck %s --check-prefix=RECURSIVE
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=returned --input=2xf32=1,2 | FileCheck %s --check-prefix=RETURNED
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=scalars --input=i1=1 --input=i8=-3 --input=i64=7 --input=f32=1.5 --input=f64=-2.25 --input=index=9 | FileCheck %s --check-prefix=SCALARS
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=strided --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=index=1 | FileCheck %s --check-prefix=STRIDED
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=called --input=index=5 | FileCheck %s --check-prefix=CALLED
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=blocks --input=i1=0 --input=2xf32=3,4 | FileCheck %s --check-prefix=BLOCKS
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=loop --input=6xf32=1,2,3,4,5,6 --input=index=3 -O0 | FileCheck %s --check-prefix=LOOP
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=strided --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=index=1 -O0 | FileCheck %s --check-prefix=STRIDED

func.func private @scale(memref<?xf32, strided<[1], offset: ?>>, f64) attributes {rt.custom_call = "test.scale"}
func.func private @add1(i32) -> i32 attributes {rt.custom_call = "test.add1"}
func.func private @show(memref<?x?xf32, strided<[?, ?], offset: ?>>) attributes {rt.custom_call = "jitrun.print"}
func.func private @show1(memref<2xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @show_all(i1, i8, i64, f32, f64, index) attributes {rt.custom_call = "jitrun.print"}

// Each iteration scales the elements from i on by i + 1.
// LOOP: arg[0]: 6xf32=[1 4 18 24 30 36]
func.func @loop(%a: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %n step %c1 {
    %size = arith.subi %c6, %i : index
    %v = memref.subview %a[%i] [%size] [1] : memref<6xf32> to memref<?xf32, strided<[1], offset: ?>>
    %k = arith.addi %i, %c1 : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f64
    func.call @scale(%v, %f) : (memref<?xf32, strided<[1], offset: ?>>, f64) -> ()
  }
  return
}

// RESULTS: result[0]: i32=42
// RESULTS-NEXT: result[1]: i64=41
func.func @results(%a: i32) -> (i32, index) {
  %b = call @add1(%a) : (i32) -> i32
  %c = call @add1(%b) : (i32) -> i32
  %d = arith.index_cast %b : i32 to index
  return %c, %d : i32, index
}

// RECURSIVE: arg[0]: 6xf32=[2 4 8 16 1 1]
func.func private @descend(%a: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2.0 : f64
  %c4 = arith.constant 4 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  scf.if %more {
    %at = arith.subi %c4, %n : index
    %v = memref.subview %a[%at] [%n] [1] : memref<6xf32> to memref<?xf32, strided<[1], offset: ?>>
    func.call @scale(%v, %c2) : (memref<?xf32, strided<[1], offset: ?>>, f64) -> ()
    %less = arith.subi %n, %c1 : index
    func.call @descend(%a, %less) : (memref<6xf32>, index) -> ()
  }
  return
}
func.func @recursive(%a: memref<6xf32>, %n: index) {
  call @descend(%a, %n) : (memref<6xf32>, index) -> ()
  return
}

// A new buffer, an argument, a constant, and one value twice.
memref.global "private" constant @pi : memref<2xf32> = dense<[3.25, -1.0]>
// RETURNED: 2xf32=[1 2]
// RETURNED: result[0]: 2xf32=[2 4]
// RETURNED-NEXT: result[1]: 2xf32=[1 2]
// RETURNED-NEXT: result[2]: 2xf32=[3.25 -1]
// RETURNED-NEXT: result[3]: 2xf32=[2 4]
func.func @returned(%a: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %r = memref.alloc() : memref<2xf32>
  %pi = memref.get_global @pi : memref<2xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.load %a[%i] : memref<2xf32>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %r[%i] : memref<2xf32>
  }
  call @show1(%a) : (memref<2xf32>) -> ()
  return %r, %a, %pi, %r : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>
}

// SCALARS: i1=1
// SCALARS: i8=-3
// SCALARS: i64=7
// SCALARS: f32=1.5
// SCALARS: f64=-2.25
// SCALARS: i64=9
// SCALARS: i1=0
// SCALARS: i8=-2
func.func @scalars(%a: i1, %b: i8, %c: i64, %d: f32, %e: f64, %f: index) {
  %true = arith.constant true
  %one = arith.constant 1 : i8
  call @show_all(%a, %b, %c, %d, %e, %f) : (i1, i8, i64, f32, f64, index) -> ()
  %g = arith.xori %a, %true : i1
  %h = arith.addi %b, %one : i8
  call @show_all(%g, %h, %c, %d, %e, %f) : (i1, i8, i64, f32, f64, index) -> ()
  return
}

// Rows 1 and 2, every other column from the given one on.
// STRIDED: 2x2xf32={{\[\[}}6 8][10 12]]
func.func @strided(%a: memref<3x4xf32>, %at: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.subview %a[%c1, %at] [%c2, %c2] [%c1, %c2] : memref<3x4xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  call @show(%v) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}

// An exported function that the program calls as well.
// CALLED: result[0]: i64=120
func.func @called(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %stop = arith.cmpi sle, %n, %c1 : index
  %r = scf.if %stop -> index {
    scf.yield %c1 : index
  } else {
    %less = arith.subi %n, %c1 : index
    %rest = func.call @called(%less) : (index) -> index
    %product = arith.muli %n, %rest : index
    scf.yield %product : index
  }
  return %r : index
}

// Several returns.
// BLOCKS: arg[1]: 2xf32=[3 4]
// BLOCKS-NOT: 2xf32
func.func @blocks(%c: i1, %a: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  call @show1(%a) : (memref<2xf32>) -> ()
  return
^bb2:
  return
}

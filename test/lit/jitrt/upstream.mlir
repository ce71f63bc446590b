// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of other dialects that MLIR has changed since JitRt: the terminator of
// scf.parallel, its reductions, LLVM's null pointer, and the size of lifetime
// markers.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=plain --input=3xf32=1,2,3 | FileCheck %s --check-prefix=PLAIN
// RUN: %jitrun %s --entry=reduced --input=3xf32=1,2,3 | FileCheck %s --check-prefix=REDUCED
// RUN: %jitrun %s --entry=twice --input=3xf32=1,2,3 | FileCheck %s --check-prefix=TWICE
// RUN: %jitrun %s --entry=null | FileCheck %s --check-prefix=NULL
// RUN: %jitrun %s --entry=lifetime --input=i64=7 | FileCheck %s --check-prefix=LIFETIME

// PLAIN: arg[0]: 3xf32=[2 4 3]
func.func @plain(%m: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %v = memref.load %m[%i] : memref<3xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %m[%i] : memref<3xf32>
    scf.yield
  }
  return
}

// REDUCED: result[0]: f32=6
func.func @reduced(%m: memref<3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%zero) -> f32 {
    %v = memref.load %m[%i] : memref<3xf32>
    scf.reduce(%v) : f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
    scf.yield
  }
  return %sum : f32
}

// Several reductions are one; their order is that of the results.
// TWICE: result[0]: f32=6
// TWICE-NEXT: result[1]: f32=3
// TWICE-NEXT: result[2]: i32=3
func.func @twice(%m: memref<3xf32>) -> (f32, f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %all:3 = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%zero, %zero, %none) -> (f32, f32, i32) {
    %v = memref.load %m[%i] : memref<3xf32>
    %one = arith.constant 1 : i32
    scf.reduce(%v) : f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    } // then the largest
    scf.reduce(%v)  : f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      scf.reduce.return %c : f32
    }
    scf.reduce(%one) : i32 {
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      scf.reduce.return %c : i32
    }
    scf.yield
  }
  return %all#0, %all#1, %all#2 : f32, f32, i32
}

// NULL: result[0]: i64=0
func.func @null() -> i64 {
  %p = llvm.mlir.null : !llvm.ptr
  %i = llvm.ptrtoint %p : !llvm.ptr to i64
  return %i : i64
}

// Old and new, side by side.
// LIFETIME: result[0]: i64=7
func.func @lifetime(%x: i64) -> i64 {
  %one = arith.constant 1 : i64
  %p = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  llvm.intr.lifetime.start -1, %p : !llvm.ptr
  llvm.store %x, %p : i64, !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> i64
  llvm.intr.lifetime.end 8, %p : !llvm.ptr
  llvm.intr.lifetime.start %p : !llvm.ptr
  llvm.intr.lifetime.end %p : !llvm.ptr
  return %y : i64
}

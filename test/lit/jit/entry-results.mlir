// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memrefs that entries return, wherever they come from: allocated of a size
// that only the execution knows, chosen, strided, cast, from several returns.
//
// REQUIRES: llvm
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %s --entry=made --input=index=3 --input=index=2 | %FileCheck %s --check-prefix=MADE
// RUN: %jitrun %s --entry=made --input=index=3 --input=index=2 -O0 | %FileCheck %s --check-prefix=MADE
// RUN: %jitrun %t.o --entry=made --input=index=3 --input=index=2 | %FileCheck %s --check-prefix=MADE
// RUN: %jitrun %t.so --entry=made --input=index=3 --input=index=2 --repeat=3 | %FileCheck %s --check-prefix=MADE
// MADE: result[0]: 3x2xi64={{\[}}[0 1][10 11][20 21]]
// RUN: %jitrun %s --entry=made --input=index=0 --input=index=2 | %FileCheck %s --check-prefix=NONE
// NONE: result[0]: 0x2xi64=[]
//
// RUN: %jitrun %s --entry=chosen --input=i1=1 --input=3xf32=1,2,3 --input=3xf32=4,5,6 | %FileCheck %s --check-prefix=CHOSEN
// RUN: %jitrun %t.o --entry=chosen --input=i1=1 --input=3xf32=1,2,3 --input=3xf32=4,5,6 | %FileCheck %s --check-prefix=CHOSEN
// CHOSEN: result[0]: 3xf32=[1 2 3]
//
// RUN: %jitrun %s --entry=early --input=i1=1 --input=2xi32=5,6 | %FileCheck %s --check-prefix=EARLY
// RUN: %jitrun %t.so --entry=early --input=i1=1 --input=2xi32=5,6 | %FileCheck %s --check-prefix=EARLY
// EARLY: result[0]: 2xi32=[5 6]
// RUN: %jitrun %s --entry=early --input=i1=0 --input=2xi32=5,6 | %FileCheck %s --check-prefix=LATE
// LATE: result[0]: 2xi32=[6 5]
//
// RUN: %jitrun %s --entry=column --input=2x3xi32=1,2,3,4,5,6 --input=index=1 | %FileCheck %s --check-prefix=COLUMN
// RUN: %jitrun %t.o --entry=column --input=2x3xi32=1,2,3,4,5,6 --input=index=1 | %FileCheck %s --check-prefix=COLUMN
// COLUMN: result[0]: 2xi32=[2 5]
//
// RUN: %jitrun %s --entry=fixed --input=4xf32=1,2,3,4 | %FileCheck %s --check-prefix=FIXED
// FIXED: result[0]: 4xf32=[1 2 3 4]
//
// RUN: not %jitrun %s --entry=made --input=index=-1 --input=index=2 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: jitrun: error: an allocation of the program has a negative size
//
// RUN: not %jitrun %s --entry=fixed --input=4xf32 --executor=thunks 2>&1 | %FileCheck %s --check-prefix=THUNKS
// THUNKS: jitrun: error: {{.*}}: thunks cannot run entry 'fixed': 'func.return' at {{.*}} returns a memref known only at run time

func.func @made(%rows: index, %columns: index) -> memref<?x?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc(%rows, %columns) : memref<?x?xi64>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      %t = arith.muli %i, %c10 : index
      %u = arith.addi %t, %j : index
      %v = arith.index_cast %u : index to i64
      memref.store %v, %a[%i, %j] : memref<?x?xi64>
    }
  }
  return %a : memref<?x?xi64>
}

func.func @chosen(%c: i1, %a: memref<3xf32>, %b: memref<3xf32>) -> memref<3xf32> {
  %x = arith.select %c, %a, %b : memref<3xf32>
  return %x : memref<3xf32>
}

func.func @early(%c: i1, %a: memref<2xi32>) -> memref<2xi32> {
  %b = memref.alloc() : memref<2xi32>
  cf.cond_br %c, ^first, ^second
^first:
  return %a : memref<2xi32>
^second:
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<2xi32>
  %y = memref.load %a[%c1] : memref<2xi32>
  memref.store %y, %b[%c0] : memref<2xi32>
  memref.store %x, %b[%c1] : memref<2xi32>
  return %b : memref<2xi32>
}

func.func @column(%a: memref<2x3xi32>, %i: index) -> memref<2xi32, strided<[3], offset: ?>> {
  %v = memref.subview %a[0, %i] [2, 1] [1, 1] : memref<2x3xi32> to memref<2xi32, strided<[3], offset: ?>>
  return %v : memref<2xi32, strided<[3], offset: ?>>
}

func.func @fixed(%a: memref<?xf32>) -> memref<4xf32> {
  %c = memref.cast %a : memref<?xf32> to memref<4xf32>
  return %c : memref<4xf32>
}

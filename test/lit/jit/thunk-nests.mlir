// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured control flow runs by thunks with the same result as by code: loops
// with a number of rounds, loops with a condition, branches, functions that hold
// calls, copies, loads, stores and integer arithmetic.
//
// REQUIRES: llvm
// RUN: %ways %s --entry=loop --input=index=3 --input=4xf32=0 | %FileCheck %s --check-prefix=LOOP
// LOOP: i64=0
// LOOP-NEXT: 4xf32=[2.5 0 0 0]
// LOOP-NEXT: i32=2
// LOOP-NEXT: i32=1
// LOOP-NEXT: i64=1
// LOOP-NEXT: 4xf32=[2.5 2.5 0 0]
// LOOP-NEXT: i32=4
// LOOP-NEXT: i32=100
// LOOP-NEXT: i64=2
// LOOP-NEXT: 4xf32=[2.5 2.5 2.5 0]
// LOOP-NEXT: i32=8
// LOOP-NEXT: i32=4
// LOOP-NEXT: result[0]: i32=8
// RUN: %ways %s --entry=loop --input=index=-5 --input=4xf32=0 | %FileCheck %s --check-prefix=NONE
// NONE-NOT: i64=0
// NONE: result[0]: i32=1
//
// RUN: %ways %s --entry=until --input=3xi1=1,1,0 | %FileCheck %s --check-prefix=UNTIL
// UNTIL: i64=0
// UNTIL-NEXT: i64=1
// UNTIL-NEXT: result[0]: i64=2
//
// RUN: %ways %s --entry=choose --input=index=7 | %FileCheck %s --check-prefix=SEVEN
// SEVEN: i32=70
// SEVEN-NEXT: result[0]: i32=71
// RUN: %ways %s --entry=choose --input=index=-2 | %FileCheck %s --check-prefix=MINUS
// MINUS: i32=-20
// MINUS-NEXT: result[0]: i32=-19
// RUN: %ways %s --entry=choose --input=index=3 | %FileCheck %s --check-prefix=OTHER
// OTHER: result[0]: i32=0
//
// RUN: %ways %s --entry=swap --input=2xi32=1,2 --input=2xi32=3,4 --input=index=3 | %FileCheck %s --check-prefix=SWAP
// SWAP: 2xi32=[1 2]
// SWAP-NEXT: 2xi32=[3 4]
// SWAP-NEXT: 2xi32=[1 2]
// SWAP-NEXT: 2xi32=[3 4]
//
// RUN: %ways %s --entry=rows --input=3x2xi32=1,2,3,4,5,6 | %FileCheck %s --check-prefix=ROWS
// ROWS: 2xi32=[1 2]
// ROWS-NEXT: 2xi32=[3 4]
// ROWS-NEXT: 2xi32=[5 6]
// ROWS-NEXT: 3x2xi32={{\[}}[9 2][9 4][9 6]]
//
// RUN: %ways %s --entry=fill --input=i16=-3 --input=2x3xi16=0 --input=2x3xi16=1,2,3,4,5,6 | %FileCheck %s --check-prefix=FILL
// FILL: 2x3xi16={{\[}}[-3 -3 -3][-3 -3 -3]]
// FILL-NEXT: 2x3xi16={{\[}}[1 -3 -3][4 -3 -3]]
// RUN: %jitrun inspect --json %s | %FileCheck %s --check-prefix=KINDS
// KINDS: "kind": "fill"
// KINDS: "kind": "copy"
//
// RUN: %ways %s --entry=positive --input=i32=5 | %FileCheck %s --check-prefix=POSITIVE
// POSITIVE: result[0]: i32=10
// RUN: not %ways %s --entry=positive --input=i32=-5 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: {{.*}}thunk-nests.mlir:{{[0-9]+}}:3: assertion failed: it is positive
//
// An image for another machine runs the same.
// RUN: %if all-targets %{ %jitrun compile %s -o %t.arm.o --target=aarch64-linux-gnu %}
// RUN: %if all-targets %{ %jitrun %t.arm.o --entry=loop --input=index=3 --input=4xf32=0 | %FileCheck %s --check-prefix=LOOP %}
// RUN: %if all-targets %{ %jitrun %t.arm.o --entry=until --input=3xi1=1,1,0 | %FileCheck %s --check-prefix=UNTIL %}
//
// RUN: not %jitrun %s --executor=thunks --entry=outside --input=4xi32=0 --input=index=4 2>&1 | %FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: the program uses 4 bytes at byte 16 of memory of 16
// RUN: not %jitrun %s --executor=thunks --entry=divide --input=i32=1 --input=i32=0 2>&1 | %FileCheck %s --check-prefix=DIVIDE
// DIVIDE: error: the program divides by 0
// RUN: not %jitrun %s --executor=thunks --entry=constant 2>&1 | %FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error: the program writes to a constant of its own
// RUN: not %jitrun %s --executor=thunks --entry=recursive --input=index=4 2>&1 | %FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: thunks cannot run entry 'recursive': 'func.call' at {{.*}}thunk-nests.mlir:{{[0-9]+}}:{{[0-9]+}} calls a function that it is in itself
// RUN: not %jitrun %s --executor=thunks --entry=endless --timeout=0.5 2>&1 | %FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: deadline of 0.5 s passed

func.func private @print_index(index) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_i32(i32) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_4(memref<4xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_2(memref<2xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_row(memref<2xi32, strided<[1], offset: ?>>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_all(memref<3x2xi32>) attributes {rt.custom_call = "jitrun.print"}
memref.global "private" constant @ones : memref<2xi32> = dense<1>

func.func private @double(%a: memref<4xf32>, %n: i32) -> i32 {
  call @print_4(%a) : (memref<4xf32>) -> ()
  %c2 = arith.constant 2 : i32
  %r = arith.muli %n, %c2 : i32
  return %r : i32
}

func.func @loop(%n: index, %a: memref<4xf32>) -> i32 attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %f = arith.constant 2.5 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (i32) {
    memref.store %f, %a[%i] : memref<4xf32>
    func.call @print_index(%i) : (index) -> ()
    %y = func.call @double(%a, %x) : (memref<4xf32>, i32) -> i32
    %p = arith.cmpi sgt, %y, %one : i32
    scf.if %p {
      func.call @print_i32(%y) : (i32) -> ()
    }
    scf.index_switch %i
    case 1 {
      func.call @print_i32(%hundred) : (i32) -> ()
      scf.yield
    }
    default {
      func.call @print_i32(%x) : (i32) -> ()
    }
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @until(%flags: memref<3xi1>) -> index attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %go = memref.load %flags[%i] : memref<3xi1>
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    func.call @print_index(%i) : (index) -> ()
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return %r : index
}

func.func @choose(%i: index) -> i32 attributes {rt.exported} {
  %ten = arith.constant 10 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %n = arith.index_cast %i : index to i32
  %r = scf.index_switch %i -> i32
  case 7 {
    %x = arith.muli %n, %ten : i32
    func.call @print_i32(%x) : (i32) -> ()
    %y = arith.addi %x, %one : i32
    scf.yield %y : i32
  }
  case -2 {
    %x = arith.muli %ten, %n : i32
    func.call @print_i32(%x) : (i32) -> ()
    %y = arith.addi %one, %x : i32
    scf.yield %y : i32
  }
  default {
    scf.yield %zero : i32
  }
  return %r : i32
}

func.func @swap(%a: memref<2xi32>, %b: memref<2xi32>, %n: index) attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<2xi32>, memref<2xi32>) {
    func.call @print_2(%x) : (memref<2xi32>) -> ()
    scf.yield %y, %x : memref<2xi32>, memref<2xi32>
  }
  call @print_2(%r#0) : (memref<2xi32>) -> ()
  return
}

func.func @rows(%a: memref<3x2xi32>) attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %nine = arith.constant 9 : i32
  scf.for %i = %c0 to %c3 step %c1 {
    %row = memref.subview %a[%i, 0] [1, 2] [1, 1] : memref<3x2xi32> to memref<2xi32, strided<[1], offset: ?>>
    func.call @print_row(%row) : (memref<2xi32, strided<[1], offset: ?>>) -> ()
    memref.store %nine, %row[%c0] : memref<2xi32, strided<[1], offset: ?>>
  }
  call @print_all(%a) : (memref<3x2xi32>) -> ()
  return
}

func.func @outside(%a: memref<4xi32>, %i: index) attributes {rt.exported} {
  %one = arith.constant 1 : i32
  memref.store %one, %a[%i] : memref<4xi32>
  return
}

func.func @divide(%a: i32, %b: i32) -> i32 attributes {rt.exported} {
  %r = arith.divsi %a, %b : i32
  return %r : i32
}

func.func @constant() attributes {rt.exported} {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %a = memref.get_global @ones : memref<2xi32>
  memref.store %one, %a[%c0] : memref<2xi32>
  return
}

func.func private @again(%n: index) {
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c1 : index
  scf.if %more {
    %less = arith.subi %n, %c1 : index
    func.call @again(%less) : (index) -> ()
  }
  return
}

func.func @recursive(%n: index) attributes {rt.exported} {
  call @again(%n) : (index) -> ()
  return
}

func.func @endless() attributes {rt.exported} {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}

func.func private @print_2x3(memref<2x3xi16>) attributes {rt.custom_call = "jitrun.print"}

func.func @fill(%v: i16, %a: memref<2x3xi16>, %b: memref<2x3xi16>) attributes {rt.exported} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      memref.store %v, %a[%i, %j] : memref<2x3xi16>
    }
  }
  call @print_2x3(%a) : (memref<2x3xi16>) -> ()
  %from = memref.subview %a[0, 0] [2, 2] [1, 1] : memref<2x3xi16> to memref<2x2xi16, strided<[3, 1]>>
  %to = memref.subview %b[0, 1] [2, 2] [1, 1] : memref<2x3xi16> to memref<2x2xi16, strided<[3, 1], offset: 1>>
  memref.copy %from, %to : memref<2x2xi16, strided<[3, 1]>> to memref<2x2xi16, strided<[3, 1], offset: 1>>
  call @print_2x3(%b) : (memref<2x3xi16>) -> ()
  return
}

func.func @positive(%n: i32) -> i32 attributes {rt.exported} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %ok = arith.cmpi sgt, %n, %c0 : i32
  cf.assert %ok, "it is positive"
  %r = arith.muli %n, %c2 : i32
  return %r : i32
}

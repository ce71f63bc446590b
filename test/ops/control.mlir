// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of func, cf, scf and ub.

func.func private @square(%x: i64) -> i64 {
  %0 = arith.muli %x, %x : i64
  func.return %0 : i64
}

func.func private @fibonacci(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %small = arith.cmpi slt, %n, %c2 : i64
  %0 = scf.if %small -> i64 {
    scf.yield %n : i64
  } else {
    %1 = arith.subi %n, %c1 : i64
    %2 = arith.subi %n, %c2 : i64
    %3 = func.call @fibonacci(%1) : (i64) -> i64
    %4 = func.call @fibonacci(%2) : (i64) -> i64
    %5 = arith.addi %3, %4 : i64
    scf.yield %5 : i64
  }
  return %0 : i64
}

func.func @calls(%n: i64) -> (i64, i64) {
  %0 = func.call @fibonacci(%n) : (i64) -> i64
  %1 = call @square(%n) : (i64) -> i64
  return %0, %1 : i64, i64
}

// The greatest common divisor, by branches.
func.func @branches(%a: i64, %b: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  cf.br ^loop(%a, %b : i64, i64)
^loop(%x: i64, %y: i64):
  %done = arith.cmpi eq, %y, %c0 : i64
  cf.cond_br %done, ^end(%x : i64), ^next
^next:
  %rest = arith.remsi %x, %y : i64
  cf.br ^loop(%y, %rest : i64, i64)
^end(%result: i64):
  return %result : i64
}

func.func @switches(%a: memref<5xi32>, %out: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %x = memref.load %a[%i] : memref<5xi32>
    %0 = func.call @pick(%x) : (i32) -> i32
    memref.store %0, %out[%i] : memref<5xi32>
  }
  return
}

func.func private @pick(%x: i32) -> i32 {
  %k = arith.constant 100 : i32
  cf.switch %x : i32, [
    default: ^other(%x : i32),
    3: ^same(%k : i32),
    -7: ^other(%k : i32)
  ]
^same(%y: i32):
  return %y : i32
^other(%z: i32):
  %0 = arith.muli %z, %z : i32
  return %0 : i32
}

func.func @asserts(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %good = arith.cmpi sgt, %x, %c0 : i32
  cf.assert %good, "x must be positive"
  return %x : i32
}

// The path that cannot be taken has no end.
func.func @unreachable(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %good = arith.cmpi sge, %x, %c0 : i32
  cf.cond_br %good, ^yes, ^no
^yes:
  return %x : i32
^no:
  ub.unreachable
}

// A poison that is never looked at.
func.func @poison(%x: i32, %c: i1) -> i32 {
  %p = ub.poison : i32
  %0 = arith.select %c, %x, %p : i32
  %1 = scf.if %c -> i32 {
    scf.yield %0 : i32
  } else {
    scf.yield %x : i32
  }
  return %1 : i32
}

func.func @for(%n: index, %step: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %step iter_args(%sum = %c0, %count = %c0) -> (index, index) {
    %1 = arith.addi %sum, %i : index
    %2 = arith.addi %count, %c1 : index
    scf.yield %1, %2 : index, index
  }
  return %0#0, %0#1 : index, index
}

func.func @for_i32(%low: i32, %high: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %0 = scf.for %i = %low to %high step %c2 iter_args(%sum = %c0) -> i32 : i32 {
    %1 = arith.addi %sum, %i : i32
    scf.yield %1 : i32
  }
  return %0 : i32
}

// The length of Collatz's sequence.
func.func @while(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %0:2 = scf.while (%x = %n, %steps = %c0) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %c1 : i64
    scf.condition(%more) %x, %steps : i64, i64
  } do {
  ^bb0(%x: i64, %steps: i64):
    %rest = arith.remsi %x, %c2 : i64
    %odd = arith.cmpi eq, %rest, %c1 : i64
    %half = arith.divsi %x, %c2 : i64
    %triple = arith.muli %x, %c3 : i64
    %up = arith.addi %triple, %c1 : i64
    %next = arith.select %odd, %up, %half : i64
    %count = arith.addi %steps, %c1 : i64
    scf.yield %next, %count : i64, i64
  }
  return %0#1 : i64
}

func.func @execute_region(%x: i64) -> i64 {
  %0 = scf.execute_region -> i64 {
    %c0 = arith.constant 0 : i64
    %negative = arith.cmpi slt, %x, %c0 : i64
    cf.cond_br %negative, ^turn, ^keep
  ^turn:
    %1 = arith.subi %c0, %x : i64
    scf.yield %1 : i64
  ^keep:
    scf.yield %x : i64
  }
  return %0 : i64
}

func.func @index_switch(%a: memref<4xindex>, %out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xindex>
    %0 = scf.index_switch %x -> i32
    case 2 {
      %1 = arith.constant 20 : i32
      scf.yield %1 : i32
    }
    case 5 {
      %2 = arith.constant 50 : i32
      scf.yield %2 : i32
    }
    default {
      %3 = arith.constant -1 : i32
      scf.yield %3 : i32
    }
    memref.store %0, %out[%i] : memref<4xi32>
  }
  return
}

func.func @parallel(%a: memref<4x6xf32>, %out: memref<4x6xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c6) step (%c1, %c2) {
    %x = memref.load %a[%i, %j] : memref<4x6xf32>
    %0 = arith.addf %x, %x : f32
    memref.store %0, %out[%i, %j] : memref<4x6xf32>
    scf.reduce
  }
  %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {
    %x = memref.load %a[%i, %c1] : memref<4x6xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %1 = arith.addf %l, %r : f32
      scf.reduce.return %1 : f32
    }
  }
  return %sum : f32
}

func.func @forall(%a: memref<4x6xf32>, %out: memref<4x6xf32>) {
  scf.forall (%i, %j) in (4, 6) {
    %x = memref.load %a[%i, %j] : memref<4x6xf32>
    %0 = arith.negf %x : f32
    memref.store %0, %out[%i, %j] : memref<4x6xf32>
  }
  scf.forall (%i) = (1) to (4) step (2) {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%i, %c0] : memref<4x6xf32>
    memref.store %x, %out[%i, %c0] : memref<4x6xf32>
  }
  return
}

func.func @forall_tensor(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %empty = tensor.empty() : tensor<4x6xf32>
  %0 = scf.forall (%i) in (4) shared_outs(%o = %empty) -> tensor<4x6xf32> {
    %row = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
    %init = tensor.empty() : tensor<1x6xf32>
    %twice = linalg.add ins(%row, %row : tensor<1x6xf32>, tensor<1x6xf32>) outs(%init : tensor<1x6xf32>) -> tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %twice into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
    }
  }
  return %0 : tensor<4x6xf32>
}

// Tensors that are carried through loops and chosen by conditions.
func.func @loop_tensor(%a: tensor<?xf32>, %n: index, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %init = tensor.empty(%size) : tensor<?xf32>
    %1 = linalg.add ins(%x, %a : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  %2 = scf.if %c -> tensor<?xf32> {
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %2 : tensor<?xf32>
}

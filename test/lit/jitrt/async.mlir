// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The async dialect: tasks, tokens, values and groups inside of a program, run
// by both levels of optimisation, and as an object and a shared library.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=execute_and_await --input=4xf32 --input=f32=1.5 --input=f32=2 | FileCheck %s --check-prefix=EXECUTE
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=waiting --input=i32=5 | FileCheck %s --check-prefix=WAITING
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=custom_call --input=i32=20 | FileCheck %s --check-prefix=CUSTOM
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=in_execute --input=2xf64=3,4 --input=f64=2 | FileCheck %s --check-prefix=IN
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=memory --input=f32=3 | FileCheck %s --check-prefix=MEMORY
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=group --input=index=100 | FileCheck %s --check-prefix=GROUP
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=nested --input=index=5 | FileCheck %s --check-prefix=NESTED
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=chain --input=i32=20000 | FileCheck %s --check-prefix=CHAIN
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=recursive --input=i32=11 | FileCheck %s --check-prefix=RECURSIVE
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=not_awaited --input=8xi32 | FileCheck %s --check-prefix=LATE

// The same at -O0, in the object and in the shared library.
// RUN: %jitrun %s -O0 --plugin=%plugins/testcalls.so --entry=execute_and_await --input=4xf32 --input=f32=1.5 --input=f32=2 | FileCheck %s --check-prefix=EXECUTE
// RUN: %jitrun %s -O0 --plugin=%plugins/testcalls.so --entry=waiting --input=i32=5 | FileCheck %s --check-prefix=WAITING
// RUN: %jitrun %s -O0 --plugin=%plugins/testcalls.so --entry=in_execute --input=2xf64=3,4 --input=f64=2 | FileCheck %s --check-prefix=IN
// RUN: %jitrun %s -O0 --plugin=%plugins/testcalls.so --entry=memory --input=f32=3 | FileCheck %s --check-prefix=MEMORY
// RUN: %jitrun %s -O0 --plugin=%plugins/testcalls.so --entry=group --input=index=100 | FileCheck %s --check-prefix=GROUP
// RUN: %jitrun %s -O0 --plugin=%plugins/testcalls.so --entry=nested --input=index=5 | FileCheck %s --check-prefix=NESTED
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun compile %s -O0 -o %t.0.o
// RUN: %jitrun %t.o --plugin=%plugins/testcalls.so --entry=execute_and_await --input=4xf32 --input=f32=1.5 --input=f32=2 | FileCheck %s --check-prefix=EXECUTE
// RUN: %jitrun %t.o --plugin=%plugins/testcalls.so --entry=in_execute --input=2xf64=3,4 --input=f64=2 | FileCheck %s --check-prefix=IN
// RUN: %jitrun %t.o --plugin=%plugins/testcalls.so --entry=group --input=index=100 | FileCheck %s --check-prefix=GROUP
// RUN: %jitrun %t.so --plugin=%plugins/testcalls.so --entry=in_execute --input=2xf64=3,4 --input=f64=2 | FileCheck %s --check-prefix=IN
// RUN: %jitrun %t.so --plugin=%plugins/testcalls.so --entry=group --input=index=100 | FileCheck %s --check-prefix=GROUP
// RUN: %jitrun %t.0.o --plugin=%plugins/testcalls.so --entry=group --input=index=100 | FileCheck %s --check-prefix=GROUP
// RUN: %jitrun %t.0.o --plugin=%plugins/testcalls.so --entry=nested --input=index=5 --repeat=20 | FileCheck %s --check-prefix=NESTED

// With checks, those in loops of plain functions too.
// RUN: %jitrun %s --check --plugin=%plugins/testcalls.so --entry=execute_and_await --input=4xf32 --input=f32=1.5 --input=f32=2 | FileCheck %s --check-prefix=EXECUTE
// RUN: %jitrun %s --check --plugin=%plugins/testcalls.so --entry=memory --input=f32=3 | FileCheck %s --check-prefix=MEMORY
// RUN: %jitrun %s --check --plugin=%plugins/testcalls.so --entry=group --input=index=100 | FileCheck %s --check-prefix=GROUP
// RUN: %jitrun %s --check --plugin=%plugins/testcalls.so --entry=nested --input=index=5 | FileCheck %s --check-prefix=NESTED

// Without code there are no coroutines.
// RUN: not %jitrun %s --plugin=%plugins/testcalls.so --entry=waiting --executor=thunks --input=i32=5 2>&1 | FileCheck %s --check-prefix=THUNKS
// THUNKS: thunks cannot run entry 'waiting': 'async.runtime.create' at {{.*}}async.mlir:{{[0-9]+}}:{{[0-9]+}} needs native code

func.func private @scale(memref<2xf64>, f64) attributes {rt.custom_call = "test.scale"}
func.func private @sum(memref<2xf64>) -> f64 attributes {rt.custom_call = "test.sum"}
func.func private @add1(i32) -> i32 attributes {rt.custom_call = "test.add1"}

// EXECUTE: arg[0]: 4xf32=[1.5 1.5 2 2]
func.func @execute_and_await(%m: memref<4xf32>, %a: f32, %b: f32) attributes {rt.exported = 0 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t0 = async.execute {
    scf.for %i = %c0 to %c2 step %c1 {
      memref.store %a, %m[%i] : memref<4xf32>
    }
    async.yield
  }
  %t1 = async.execute {
    scf.for %i = %c2 to %c4 step %c1 {
      memref.store %b, %m[%i] : memref<4xf32>
    }
    async.yield
  }
  async.await %t0 : !async.token
  async.await %t1 : !async.token
  return
}

// WAITING: result[0]: i32=40
async.func @double(%x: i32) -> !async.value<i32> {
  %t, %v = async.execute -> !async.value<i32> {
    %y = arith.addi %x, %x : i32
    async.yield %y : i32
  }
  %w = async.await %v : !async.value<i32>
  return %w : i32
}
async.func @eightfold(%x: i32) -> !async.value<i32> {
  %0 = async.call @double(%x) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  %2 = async.call @double(%1) : (i32) -> !async.value<i32>
  %3 = async.await %2 : !async.value<i32>
  %4 = async.call @double(%3) : (i32) -> !async.value<i32>
  %5 = async.await %4 : !async.value<i32>
  return %5 : i32
}
func.func @waiting(%x: i32) -> i32 attributes {rt.exported = 1 : i32} {
  %0 = async.call @eightfold(%x) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1 : i32
}

// A call in an async function, which may run many times at once.
// CUSTOM: result[0]: i32=22
async.func @add2(%x: i32) -> !async.value<i32> {
  %0 = func.call @add1(%x) : (i32) -> i32
  %1 = func.call @add1(%0) : (i32) -> i32
  return %1 : i32
}
func.func @custom_call(%x: i32) -> i32 attributes {rt.exported = 2 : i32} {
  %0 = async.call @add2(%x) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1 : i32
}

// IN: result[0]: f64=14
// IN: arg[0]: 2xf64=[6 8]
func.func @in_execute(%m: memref<2xf64> {jitrun.output}, %factor: f64) -> f64 attributes {rt.exported = 3 : i32} {
  %t = async.execute {
    func.call @scale(%m, %factor) : (memref<2xf64>, f64) -> ()
    async.yield
  }
  %t1, %v = async.execute [%t] -> !async.value<f64> {
    %s = func.call @sum(%m) : (memref<2xf64>) -> f64
    async.yield %s : f64
  }
  %s = async.await %v : !async.value<f64>
  return %s : f64
}

// A memref in a value: memory that a task allocates.
// MEMORY: result[0]: f32=9
func.func @memory(%x: f32) -> f32 attributes {rt.exported = 4 : i32} {
  %c1 = arith.constant 1 : index
  %t, %v = async.execute -> !async.value<memref<3xf32>> {
    %m = memref.alloc() : memref<3xf32>
    memref.store %x, %m[%c1] : memref<3xf32>
    async.yield %m : memref<3xf32>
  }
  %t1, %v1 = async.execute (%v as %m : !async.value<memref<3xf32>>) -> !async.value<f32> {
    %y = memref.load %m[%c1] : memref<3xf32>
    %z = arith.mulf %y, %y : f32
    async.yield %z : f32
  }
  %r = async.await %v1 : !async.value<f32>
  return %r : f32
}

// As many tasks as the caller wants, in one group.
// GROUP: result[0]: i32=5050
func.func @group(%n: index) -> i32 attributes {rt.exported = 5 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.alloc(%n) : memref<?xi32>
  %group = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t = async.execute {
      %x = arith.index_cast %i : index to i32
      %y = func.call @add1(%x) : (i32) -> i32
      memref.store %y, %m[%i] : memref<?xi32>
      async.yield
    }
    %rank = async.add_to_group %t, %group : !async.token
  }
  async.await_all %group
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> i32 {
    %x = memref.load %m[%i] : memref<?xi32>
    %b = arith.addi %a, %x : i32
    scf.yield %b : i32
  }
  return %sum : i32
}

// Tasks that start tasks and await them in a loop, and a group in a task.
// NESTED: result[0]: i32=25
func.func @nested(%n: index) -> i32 attributes {rt.exported = 6 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %t, %v = async.execute -> !async.value<i32> {
    %m = memref.alloc(%n) : memref<?xi32>
    %group = async.create_group %n : !async.group
    scf.for %i = %c0 to %n step %c1 {
      %t2 = async.execute {
        %c0_0 = arith.constant 0 : i32
        %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c0_0) -> i32 {
          %t3, %v3 = async.execute -> !async.value<i32> {
            %b = func.call @add1(%a) : (i32) -> i32
            async.yield %b : i32
          }
          %b = async.await %v3 : !async.value<i32>
          scf.yield %b : i32
        }
        memref.store %r, %m[%i] : memref<?xi32>
        async.yield
      }
      %rank = async.add_to_group %t2, %group : !async.token
    }
    async.await_all %group
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> i32 {
      %x = memref.load %m[%i] : memref<?xi32>
      %b = arith.addi %a, %x : i32
      scf.yield %b : i32
    }
    async.yield %sum : i32
  }
  %r = async.await %v : !async.value<i32>
  return %r : i32
}

// Each task waits for the one before: none is resumed inside of another.
// CHAIN: result[0]: i32=20000
func.func @chain(%n: i32) -> i32 attributes {rt.exported = 7 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<i32>
  memref.store %zero, %m[] : memref<i32>
  %t = async.execute {
    async.yield
  }
  %last = scf.for %i = %zero to %n step %one iter_args(%before = %t) -> !async.token : i32 {
    %after = async.execute [%before] {
      %x = memref.load %m[] : memref<i32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %m[] : memref<i32>
      async.yield
    }
    scf.yield %after : !async.token
  }
  async.await %last : !async.token
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

// Plain functions that wait inside of tasks: their threads help meanwhile.
// RECURSIVE: result[0]: i32=89
func.func private @fibonacci(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %small = arith.cmpi slt, %n, %two : i32
  %r = scf.if %small -> i32 {
    scf.yield %n : i32
  } else {
    %a = arith.subi %n, %one : i32
    %b = arith.subi %n, %two : i32
    %t, %v = async.execute -> !async.value<i32> {
      %x = func.call @fibonacci(%a) : (i32) -> i32
      async.yield %x : i32
    }
    %y = func.call @fibonacci(%b) : (i32) -> i32
    %x = async.await %v : !async.value<i32>
    %z = arith.addi %x, %y : i32
    scf.yield %z : i32
  }
  return %r : i32
}
func.func @recursive(%n: i32) -> i32 attributes {rt.exported = 8 : i32} {
  %r = func.call @fibonacci(%n) : (i32) -> i32
  return %r : i32
}

// An execution is done when its async work is.
// LATE: arg[0]: 8xi32=[1 2 3 4 5 6 7 8]
func.func private @sleep() attributes {rt.custom_call = "jitrun.sleep"}
func.func @not_awaited(%m: memref<8xi32>) attributes {rt.exported = 9 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %t = async.execute {
      func.call @sleep() {ms = 20 : i32} : () -> ()
      %x = arith.index_cast %i : index to i32
      %y = func.call @add1(%x) : (i32) -> i32
      memref.store %y, %m[%i] : memref<8xi32>
      async.yield
    }
  }
  return
}

// Programs that go wrong by themselves, on the main thread, on that of a device
// and in a task: one sentence says how, and what finds out more.
// REQUIRES: llvm, no-sanitizer

// RUN: sh -c "%jitrun %s --entry=wild --input=4xi32=1 --input=index=1000000000000; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F1
// F1: jitrun: error: running 'wild' of '{{.*}}faults.mlir' crashed: segmentation fault{{$}}
// F1-NEXT: jitrun: note: if it is the program's own code that does this, --check finds out where
// F1-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=wild --input=4xi32=1 --input=index=1000000000000 --replicas=2; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F2
// F2: jitrun: error: running 'wild' of '{{.*}}faults.mlir' crashed: segmentation fault{{$}}
// F2-NEXT: jitrun: note: if it is the program's own code that does this, --check finds out where
// F2-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=async_wild --input=4xi32=1 --input=index=1000000000000; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F3
// F3: jitrun: error: running 'async_wild' of '{{.*}}faults.mlir' crashed: segmentation fault{{$}}
// F3-NEXT: jitrun: note: if it is the program's own code that does this, --check finds out where
// F3-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=wild --check --input=4xi32=1 --input=index=1000000000000; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F4
// F4: jitrun: error: {{.*}}faults.mlir:{{[0-9]+}}:3: memref.store: index 1000000000000 is out of bounds: dimension 0 of memref<?xi32> has size 4
// F4-NEXT: jitrun: note: while running entry 'wild'
// F4-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=div --input=i32=1 --input=i32=0; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F5
// F5: jitrun: error: running 'div' of '{{.*}}faults.mlir' crashed: arithmetic fault, such as a division by zero{{$}}
// F5-NEXT: jitrun: note: if it is the program's own code that does this, --check finds out where
// F5-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=recurse --input=1xi32; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F6
// F6: jitrun: error: running 'recurse' of '{{.*}}faults.mlir' crashed: stack overflow{{$}}
// F6-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=recurse --input=1xi32 --replicas=2; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F7
// F7: jitrun: error: running 'recurse' of '{{.*}}faults.mlir' crashed: stack overflow{{$}}
// F7-NEXT: status 1
// RUN: sh -c "%jitrun %s --entry=async_down --input=1xi32; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F8
// F8: jitrun: error: running 'async_down' of '{{.*}}faults.mlir' crashed: stack overflow{{$}}
// F8-NEXT: status 1
// RUN: %jitrun compile %s -o %t.o
// RUN: sh -c "%jitrun %t.o --entry=endless --input=1xi32 --timeout=5; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F9
// F9: jitrun: error: deadline of 5 s passed while running 'endless' of '{{.*}}.o'{{$}}
// F9-NEXT: status 4
// RUN: sh -c "%jitrun %t.o --entry=endless --input=1xi32 --timeout=5 --replicas=2; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F10
// F10: jitrun: error: deadline of 5 s passed while running 'endless' of '{{.*}}.o'{{$}}
// F10-NEXT: status 4
// RUN: sh -c "%jitrun %t.o --entry=async_endless --input=1xi32 --timeout=5; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F11
// F11: jitrun: error: deadline of 5 s passed while running 'async_endless' of '{{.*}}.o'{{$}}
// F11-NEXT: status 4
// RUN: sh -c "%jitrun %s --entry=eat --input=index=9000000000 --memory-limit=2G; echo status \$?" 2>&1 | %FileCheck %s --check-prefix=F12
// F12: jitrun: error: no memory for an allocation of 9000000000 bytes
// F12-NEXT: jitrun: note: while running entry 'eat'
// F12-NEXT: jitrun: note: --memory-limit allows 2048 MiB
// F12-NEXT: status 1

func.func @wild(%m: memref<?xi32>, %i: index) {
  %c = arith.constant 7 : i32
  memref.store %c, %m[%i] : memref<?xi32>
  return
}
func.func @div(%a: i32, %b: i32) -> i32 {
  %v = arith.divsi %a, %b : i32
  return %v : i32
}
func.func @endless(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  cf.br ^bb1
^bb1:
  %x = memref.load %m[%c0] : memref<1xi32>
  %y = arith.addi %x, %one : i32
  memref.store %y, %m[%c0] : memref<1xi32>
  cf.br ^bb1
}
func.func private @down(%n: i32, %m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %k = arith.addi %n, %one : i32
  memref.store %k, %m[%c0] : memref<?xi32>
  %r = func.call @down(%k, %m) : (i32, memref<?xi32>) -> i32
  %s = arith.muli %r, %k : i32
  memref.store %s, %m[%c0] : memref<?xi32>
  return %s : i32
}
func.func @recurse(%m: memref<?xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %r = call @down(%z, %m) : (i32, memref<?xi32>) -> i32
  return %r : i32
}
func.func @eat(%n: index) -> i8 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xi8>
  %x = memref.load %m[%c0] : memref<?xi8>
  return %x : i8
}
func.func @async_down(%m: memref<?xi32>) {
  %t = async.execute {
    %z = arith.constant 0 : i32
    %r = func.call @down(%z, %m) : (i32, memref<?xi32>) -> i32
    async.yield
  }
  async.await %t : !async.token
  return
}
func.func @async_wild(%m: memref<?xi32>, %i: index) {
  %c = arith.constant 7 : i32
  %t = async.execute {
    memref.store %c, %m[%i] : memref<?xi32>
    async.yield
  }
  async.await %t : !async.token
  return
}
func.func @async_endless(%m: memref<1xi32>) {
  %t = async.execute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant 9223372036854775807 : index
    scf.for %i = %c0 to %end step %c1 {
      %x = memref.load %m[%c0] : memref<1xi32>
      %y = arith.addi %x, %x : i32
      %z = memref.atomic_rmw addi %y, %m[%c0] : (i32, memref<1xi32>) -> i32
    }
    async.yield
  }
  async.await %t : !async.token
  return
}

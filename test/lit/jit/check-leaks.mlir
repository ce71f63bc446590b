// --check: memory that is neither freed nor returned, and async work.
// REQUIRES: llvm

// RUN: %ways --native %s --check --entry=leak --input=index=3 2>&1 | %FileCheck %s --check-prefix=LEAK0
// LEAK0: jitrun: note: 'leak' did not free 2 of its allocations, 40 bytes; the first is at {{.*}}.mlir:{{[0-9]+}}:8
// RUN: %ways --native %s --check --entry=ret --input=index=1 2>&1 | %FileCheck %s --check-prefix=RET1
// RET1-NOT: did not free
// RET1: result[1]: 2xf32=[2 2]
// RUN: %jitrun %s --check --entry=asy --input=8xf32=1 --input=index=7 2>&1 | %FileCheck %s --check-prefix=ASY2
// ASY2: arg[0]: 8xf32=[1 1 1 1 1 1 1 2]
// RUN: not %jitrun %s --check --entry=asy --input=8xf32=1 --input=index=8 2>&1 | %FileCheck %s --check-prefix=ASY3
// ASY3: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}memref.store: index ? is out of bounds: dimension 0 of memref<?xf32> has size ?

// On several devices each tells.
// RUN: %jitrun %s --check --entry=leak --input=index=2 --replicas=2 2>&1 | %FileCheck %s --check-prefix=DEVICES
// DEVICES-DAG: jitrun: note: replica 0: 'leak' did not free 2 of its allocations
// DEVICES-DAG: jitrun: note: replica 1: 'leak' did not free 2 of its allocations

// Without --check nothing is said.
// RUN: %jitrun %s --entry=leak --input=index=2 2>&1 | count 0

// bench checks as well; an image is as it was compiled, and says so.
// RUN: %jitrun bench %s --check --entry=leak --input=index=2 | %FileCheck %s --check-prefix=BENCH
// BENCH: run min
// RUN: %jitrun compile %s -o %t.o
// RUN: not %jitrun %t.o --check --entry=leak --input=index=2 2>&1 | %FileCheck %s --check-prefix=IMAGE
// IMAGE: jitrun: error: the image was compiled without checks; compile it with 'jitrun compile --check'

func.func @leak(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  %k = memref.alloc() : memref<7xf32>
  %l = memref.alloc() : memref<7xf32>
  %c = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %m[%c] : memref<?xf32>
  memref.store %z, %l[%c] : memref<7xf32>
  memref.dealloc %k : memref<7xf32>
  return
}
func.func @ret(%n: index) -> (memref<?xf32>, memref<2xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  %l = memref.alloc() : memref<2xf32>
  %c = arith.constant 0 : index
  %z = arith.constant 2.0 : f32
  memref.store %z, %m[%c] : memref<?xf32>
  %one = arith.constant 1 : index
  memref.store %z, %l[%c] : memref<2xf32>
  memref.store %z, %l[%one] : memref<2xf32>
  return %m, %l : memref<?xf32>, memref<2xf32>
}
func.func @asy(%m: memref<?xf32>, %i: index) {
  %z = arith.constant 2.0 : f32
  %t = async.execute {
    memref.store %z, %m[%i] : memref<?xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

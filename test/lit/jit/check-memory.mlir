// --check: accesses, views, casts and promises, each where it holds and where it
// does not. All kinds of native code say the same.
// REQUIRES: llvm

// RUN: %ways --native %s --check --entry=load --input=2x4xf32=1 --input=index=1 | %FileCheck %s --check-prefix=LOAD0
// LOAD0: result[0]: f32=1
// RUN: not %ways --native %s --check --entry=load --input=2x4xf32=1 --input=index=2 2>&1 | %FileCheck %s --check-prefix=LOAD1
// LOAD1: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.load: index 2 is out of bounds: dimension 0 of memref<?x4xf32> has size 2
// RUN: not %jitrun %s --check --entry=load --input=2x4xf32=1 --input=index=-1 2>&1 | %FileCheck %s --check-prefix=LOAD2
// LOAD2: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.load: index -1 is out of bounds: dimension 0 of memref<?x4xf32> has size 2
// RUN: %jitrun %s --check --entry=subview --input=3x4xf32=1 --input=index=1 | %FileCheck %s --check-prefix=SUBVIEW3
// SUBVIEW3: result[0]: f32=1
// RUN: not %jitrun %s --check --entry=subview --input=3x4xf32=1 --input=index=2 2>&1 | %FileCheck %s --check-prefix=SUBVIEW4
// SUBVIEW4: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.subview: offset 2, size 2 and step 1 leave dimension 0 of memref<?x4xf32>, which has size 3
// RUN: %jitrun %s --check --entry=cast --input=3x4xf32=1 | %FileCheck %s --check-prefix=CAST5
// CAST5: result[0]: f32=1
// RUN: not %jitrun %s --check --entry=cast --input=2x4xf32=1 2>&1 | %FileCheck %s --check-prefix=CAST6
// CAST6: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.cast: memref<?x4xf32> is no memref<3x4xf32>: dimension 0 has size 2
// RUN: %jitrun %s --check --entry=copy --input=8xf32=1 --input=8xf32=2 | %FileCheck %s --check-prefix=COPY7
// COPY7: arg[1]: 8xf32=[1 1 1 1 1 1 1 1]
// RUN: not %jitrun %s --check --entry=copy --input=8xf32=1 --input=7xf32=1 2>&1 | %FileCheck %s --check-prefix=COPY8
// COPY8: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.copy: dimension 0 has size 8 in the source, 7 in the target
// RUN: not %jitrun %s --check --entry=dim --input=8xf32=1 --input=index=1 2>&1 | %FileCheck %s --check-prefix=DIM9
// DIM9: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.dim: there is no dimension 1 in memref<?xf32>
// RUN: not %jitrun %s --check --entry=alloca --input=index=-1 2>&1 | %FileCheck %s --check-prefix=ALLOCA10
// ALLOCA10: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.alloca: the size of dimension 0 is negative: -1
// RUN: %jitrun %s --check --entry=alloca --input=index=1 | %FileCheck %s --check-prefix=ALLOCA11
// ALLOCA11: result[0]: f32=2
// RUN: %jitrun %s --check --entry=align --input=8xf32=1 --input=index=4 | %FileCheck %s --check-prefix=ALIGN12
// ALIGN12: result[0]: f32=1
// RUN: not %jitrun %s --check --entry=align --input=8xf32=1 --input=index=1 2>&1 | %FileCheck %s --check-prefix=ALIGN13
// ALIGN13: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.assume_alignment: the memory is not aligned to 16 bytes: 4 over
// RUN: %jitrun %s --check --entry=view --input=index=8 --input=index=32 | %FileCheck %s --check-prefix=VIEW14
// VIEW14: result[0]: f32=2
// RUN: not %jitrun %s --check --entry=view --input=index=8 --input=index=33 2>&1 | %FileCheck %s --check-prefix=VIEW15
// VIEW15: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.view: 32 bytes from byte 33 on are more than the 64 that there are
// RUN: not %jitrun %s --check --entry=view --input=index=-8 --input=index=0 2>&1 | %FileCheck %s --check-prefix=VIEW16
// VIEW16: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.view: a size is negative: -8
// RUN: %jitrun %s --check --entry=expand --input=8xf32=1 --input=index=2 | %FileCheck %s --check-prefix=EXPAND17
// EXPAND17: result[0]: f32=1
// RUN: not %jitrun %s --check --entry=expand --input=8xf32=1 --input=index=3 2>&1 | %FileCheck %s --check-prefix=EXPAND18
// EXPAND18: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.expand_shape: dimension 0 has size 8, which is not the 12 of those that it is expanded to
// RUN: %jitrun %s --check --entry=parallel --input=4xf32=1 --input=index=4 | %FileCheck %s --check-prefix=PARALLEL19
// PARALLEL19: arg[0]: 4xf32=[2 2 2 2]
// RUN: not %jitrun %s --check --entry=parallel --input=4xf32=1 --input=index=5 2>&1 | %FileCheck %s --check-prefix=PARALLEL20
// PARALLEL20: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.store: index 4 is out of bounds: dimension 0 of memref<?xf32> has size 4
// RUN: %jitrun %s --check --entry=affine --input=4xf32=1 --input=index=3 | %FileCheck %s --check-prefix=AFFINE21
// AFFINE21: arg[0]: 4xf32=[1 2 2 2]
// RUN: not %jitrun %s --check --entry=affine --input=4xf32=1 --input=index=4 2>&1 | %FileCheck %s --check-prefix=AFFINE22
// AFFINE22: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.store: index 4 is out of bounds: dimension 0 of memref<?xf32> has size 4
// RUN: %jitrun %s --check --entry=atomic --input=4xi32=1 --input=index=3 | %FileCheck %s --check-prefix=ATOMIC23
// ATOMIC23: arg[0]: 4xi32=[1 1 1 6]
// RUN: not %jitrun %s --check --entry=atomic --input=4xi32=1 --input=index=4 2>&1 | %FileCheck %s --check-prefix=ATOMIC24
// ATOMIC24: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.atomic_rmw: index 4 is out of bounds: dimension 0 of memref<?xi32> has size 4
// RUN: not %jitrun %s --check --entry=inner --input=4xf32=1 --input=index=4 2>&1 | %FileCheck %s --check-prefix=INNER25
// INNER25: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.load: index 4 is out of bounds: dimension 0 of memref<?xf32> has size 4
// RUN: not %jitrun %s --check --entry=known 2>&1 | %FileCheck %s --check-prefix=KNOWN26
// KNOWN26: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.view: 16 bytes from byte 52 on are more than the 64 that there are

func.func @load(%m: memref<?x4xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %v = memref.load %m[%i, %c1] : memref<?x4xf32>
  return %v : f32
}
func.func @subview(%m: memref<?x4xf32>, %i: index) -> f32 {
  %s = memref.subview %m[%i, 0] [2, 2] [1, 1] : memref<?x4xf32> to memref<2x2xf32, strided<[4,1], offset: ?>>
  %c1 = arith.constant 1 : index
  %v = memref.load %s[%c1, %c1] : memref<2x2xf32, strided<[4,1], offset: ?>>
  return %v : f32
}
func.func @cast(%m: memref<?x4xf32>) -> f32 {
  %c = memref.cast %m : memref<?x4xf32> to memref<3x4xf32>
  %c1 = arith.constant 2 : index
  %v = memref.load %c[%c1, %c1] : memref<3x4xf32>
  return %v : f32
}
func.func @parallel(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 2.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %m[%i] : memref<?xf32>
    scf.reduce
  }
  return
}
func.func @affine(%m: memref<?xf32>, %n: index) {
  %z = arith.constant 2.0 : f32
  affine.for %i = 0 to %n {
    affine.store %z, %m[%i + 1] : memref<?xf32>
  }
  return
}
func.func @align(%m: memref<8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  %a = memref.assume_alignment %s, 16 : memref<2xf32, strided<[1], offset: ?>>
  %v = memref.load %a[%c0] : memref<2xf32, strided<[1], offset: ?>>
  return %v : f32
}
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
func.func @view(%n: index, %s: index) -> f32 {
  %m = memref.alloc() : memref<64xi8>
  %v = memref.view %m[%s][%n] : memref<64xi8> to memref<?xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 2.0 : f32
  memref.store %z, %v[%c0] : memref<?xf32>
  %x = memref.load %v[%c0] : memref<?xf32>
  memref.dealloc %m : memref<64xi8>
  return %x : f32
}
func.func @expand(%a: memref<?xf32>, %n: index) -> f32 {
  %e = memref.expand_shape %a [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  %c0 = arith.constant 0 : index
  %x = memref.load %e[%c0, %c0] : memref<?x4xf32>
  return %x : f32
}
func.func @dim(%m: memref<?xf32>, %i: index) -> index {
  %d = memref.dim %m, %i : memref<?xf32>
  return %d : index
}
func.func @alloca(%n: index) -> f32 {
  %m = memref.alloca(%n) : memref<?xf32>
  %c = arith.constant 0 : index
  %z = arith.constant 2.0 : f32
  memref.store %z, %m[%c] : memref<?xf32>
  %v = memref.load %m[%c] : memref<?xf32>
  return %v : f32
}
func.func @atomic(%m: memref<?xi32>, %i: index) {
  %five = arith.constant 5 : i32
  %old = memref.atomic_rmw addi %five, %m[%i] : (i32, memref<?xi32>) -> i32
  return
}
func.func private @callee(%m: memref<?xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<?xf32>
  return %v : f32
}
func.func @inner(%m: memref<?xf32>, %i: index) -> f32 {
  %v = call @callee(%m, %i) : (memref<?xf32>, index) -> f32
  return %v : f32
}
// What is known to be wrong is told when it runs, not before.
func.func @known() -> f32 {
  %c0 = arith.constant 0 : index
  %c52 = arith.constant 52 : index
  %m = memref.alloc() : memref<64xi8>
  %v = memref.view %m[%c52][] : memref<64xi8> to memref<4xf32>
  %x = memref.load %v[%c0] : memref<4xf32>
  memref.dealloc %m : memref<64xi8>
  return %x : f32
}

// --check: accesses of whole vectors, of lanes, and of elements of vectors.
// REQUIRES: llvm

// RUN: %ways --native %s --check --entry=vec --input=3x8xf32=1 --input=index=4 | %FileCheck %s --check-prefix=VEC0
// VEC0: result[0]: f32=4
// RUN: not %ways --native %s --check --entry=vec --input=3x8xf32=1 --input=index=5 2>&1 | %FileCheck %s --check-prefix=VEC1
// VEC1: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.load: 4 elements from index 5 on are out of bounds: dimension 1 of memref<?x8xf32> has size 8
// RUN: not %jitrun %s --check --entry=vec --input=3x8xf32=1 --input=index=-1 2>&1 | %FileCheck %s --check-prefix=VEC2
// VEC2: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.load: 4 elements from index -1 on are out of bounds: dimension 1 of memref<?x8xf32> has size 8
// RUN: %jitrun %s --check --entry=masked --input=6xf32=1 --input=index=4 --input=index=2 | %FileCheck %s --check-prefix=MASKED3
// MASKED3: result[0]: f32=2
// RUN: not %jitrun %s --check --entry=masked --input=6xf32=1 --input=index=4 --input=index=3 2>&1 | %FileCheck %s --check-prefix=MASKED4
// MASKED4: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.maskedload: a lane is out of bounds: dimension 0 of memref<?xf32> has size 6
// RUN: %jitrun %s --check --entry=gather --input=6xf32=1 --input=index=0 | %FileCheck %s --check-prefix=GATHER5
// GATHER5: result[0]: f32=3
// RUN: not %jitrun %s --check --entry=gather --input=6xf32=1 --input=index=1 2>&1 | %FileCheck %s --check-prefix=GATHER6
// GATHER6: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.gather: a lane is out of bounds: dimension 0 of memref<?xf32> has size 6
// RUN: %jitrun %s --check --entry=scatter --input=4xf32=1 --input=index=0 | %FileCheck %s --check-prefix=SCATTER7
// SCATTER7: arg[0]: 4xf32=[5 1 7 6]
// RUN: not %jitrun %s --check --entry=scatter --input=4xf32=1 --input=index=1 2>&1 | %FileCheck %s --check-prefix=SCATTER8
// SCATTER8: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.scatter: a lane is out of bounds: dimension 0 of memref<?xf32> has size 4
// RUN: %jitrun %s --check --entry=compress --input=4xf32=1 --input=index=2 | %FileCheck %s --check-prefix=COMPRESS9
// COMPRESS9: arg[0]: 4xf32=[1 1 5 7]
// RUN: not %jitrun %s --check --entry=compress --input=4xf32=1 --input=index=3 2>&1 | %FileCheck %s --check-prefix=COMPRESS10
// COMPRESS10: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.compressstore: 2 elements from index 3 on are out of bounds: dimension 0 of memref<?xf32> has size 4
// RUN: %jitrun %s --check --entry=transfer --input=8xf32=1 --input=index=4 | %FileCheck %s --check-prefix=TRANSFER11
// TRANSFER11: result[0]: f32=4
// RUN: not %jitrun %s --check --entry=transfer --input=8xf32=1 --input=index=5 2>&1 | %FileCheck %s --check-prefix=TRANSFER12
// TRANSFER12: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.transfer_read: 4 elements from index 5 on are out of bounds: dimension 0 of memref<?xf32> has size 8
// RUN: %jitrun %s --check --entry=outside --input=8xf32=1 --input=index=5 | %FileCheck %s --check-prefix=OUTSIDE13
// OUTSIDE13: result[0]: f32=4
// RUN: not %jitrun %s --check --entry=outside --input=8xf32=1 --input=index=-1 2>&1 | %FileCheck %s --check-prefix=OUTSIDE14
// OUTSIDE14: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.transfer_read: index -1 of dimension 0 is negative
// RUN: %jitrun %s --check --entry=write --input=2x2xf32=1 --input=index=1 --input=index=0 | %FileCheck %s --check-prefix=WRITE15
// WRITE15: arg[0]: 2x2xf32={{\[\[}}1 1][5 6]]
// RUN: not %jitrun %s --check --entry=write --input=2x2xf32=1 --input=index=1 --input=index=1 2>&1 | %FileCheck %s --check-prefix=WRITE16
// WRITE16: vector.transfer_write: 2 elements from index 1 on are out of bounds: dimension 1 of memref<?x?xf32> has size 2
// RUN: not %jitrun %s --check --entry=write --input=2x2xf32=1 --input=index=2 --input=index=0 2>&1 | %FileCheck %s --check-prefix=WRITE17
// WRITE17: vector.transfer_write: index 2 is out of bounds: dimension 0 of memref<?x?xf32> has size 2
// RUN: %jitrun %s --check --entry=extract --input=index=1 | %FileCheck %s --check-prefix=EXTRACT18
// EXTRACT18: result[0]: f32=6
// RUN: not %jitrun %s --check --entry=extract --input=index=2 2>&1 | %FileCheck %s --check-prefix=EXTRACT19
// EXTRACT19: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: vector.extract: index 2 is out of bounds: dimension 0 of vector<2xf32> has size 2

func.func @vec(%m: memref<?x8xf32>, %i: index) -> f32 {
  %c1 = arith.constant 2 : index
  %x = vector.load %m[%c1, %i] : memref<?x8xf32>, vector<4xf32>
  %v = vector.reduction <add>, %x : vector<4xf32> into f32
  return %v : f32
}
func.func @masked(%m: memref<?xf32>, %i: index, %n: index) -> f32 {
  %mask = vector.create_mask %n : vector<4xi1>
  %z = arith.constant dense<0.0> : vector<4xf32>
  %x = vector.maskedload %m[%i], %mask, %z : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %v = vector.reduction <add>, %x : vector<4xf32> into f32
  return %v : f32
}
func.func @gather(%m: memref<?xf32>, %i: index) -> f32 {
  %idx = arith.constant dense<[0, 1, 2, 5]> : vector<4xi32>
  %mask = arith.constant dense<[1,1,0,1]> : vector<4xi1>
  %z = arith.constant dense<0.0> : vector<4xf32>
  %x = vector.gather %m[%i] [%idx], %mask, %z : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %v = vector.reduction <add>, %x : vector<4xf32> into f32
  return %v : f32
}
func.func @transfer(%a: memref<?xf32>, %i: index) -> f32 {
  %p = arith.constant 1.0 : f32
  %x = vector.transfer_read %a[%i], %p {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
  %v = vector.reduction <add>, %x : vector<4xf32> into f32
  return %v : f32
}
func.func @outside(%a: memref<?xf32>, %i: index) -> f32 {
  %p = arith.constant 1.0 : f32
  %x = vector.transfer_read %a[%i], %p : memref<?xf32>, vector<4xf32>
  %v = vector.reduction <add>, %x : vector<4xf32> into f32
  return %v : f32
}
func.func @scatter(%m: memref<?xf32>, %i: index) {
  %idx = arith.constant dense<[0, 3, 2, 9]> : vector<4xindex>
  %mask = arith.constant dense<[1, 1, 1, 0]> : vector<4xi1>
  %x = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : vector<4xf32>
  vector.scatter %m[%i] [%idx], %mask, %x : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  return
}
func.func @compress(%m: memref<?xf32>, %i: index) {
  %mask = arith.constant dense<[1, 0, 1, 0]> : vector<4xi1>
  %x = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : vector<4xf32>
  vector.compressstore %m[%i], %mask, %x : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}
func.func @write(%m: memref<?x?xf32>, %i: index, %j: index) {
  %x = arith.constant dense<[5.0, 6.0]> : vector<2xf32>
  vector.transfer_write %x, %m[%i, %j] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<2xf32>, memref<?x?xf32>
  return
}
func.func @extract(%i: index) -> f32 {
  %x = arith.constant dense<[5.0, 6.0]> : vector<2xf32>
  %v = vector.extract %x[%i] : f32 from vector<2xf32>
  return %v : f32
}

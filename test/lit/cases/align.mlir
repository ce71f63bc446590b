// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The alignment that a program asserts is part of its signature: the tool's
// memory meets it, and borrowed memory that does not is refused (the unit test
// runtime_execute).
// REQUIRES: llvm
// RUN: %jitrun %s --input=16xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --input=16xf32 | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --input=16xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --input=16xf32 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --input=16xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --input=16xf32 | FileCheck %s
// CHECK: arg[1]: 16xf32=[0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30]
// RUN: %jitrun inspect %t.o --json | FileCheck %s --check-prefix=ALIGN
// ALIGN: "alignment": 64

func.func @main(%x0: memref<16xf32>, %y: memref<16xf32>) attributes {rt.exported = 0 : i32} {
  %c0 = arith.constant 0 : index
  // what XLA-style code generation asserts about every argument
  %x = memref.assume_alignment %x0, 64 : memref<16xf32>
  %v = vector.load %x[%c0] {alignment = 64 : i64} : memref<16xf32>, vector<16xf32>
  %w = arith.addf %v, %v : vector<16xf32>
  vector.store %w, %y[%c0] : memref<16xf32>, vector<16xf32>
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 to f16 rounds once (through f32 the first would be 0x4000), and
// denormals stay: bits 4001 f8e2 0002.
// REQUIRES: llvm
// RUN: %jitrun %s --input=3xf64=1.00048828125090949,-20000,5.9604644775390625e-8 --input=3xf16 --output=- --output=@%t.f16 > %t.out; od -An -tx2 %t.f16 | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --input=3xf64=1.00048828125090949,-20000,5.9604644775390625e-8 --input=3xf16 --output=- --output=@%t.f16 > %t.out; od -An -tx2 %t.f16 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --input=3xf64=1.00048828125090949,-20000,5.9604644775390625e-8 --input=3xf16 --output=- --output=@%t.f16 > %t.out; od -An -tx2 %t.f16 | FileCheck %s
// CHECK: 4001 f8e2 0002

func.func @main(%x: memref<3xf64>, %y: memref<3xf16>) attributes {rt.exported = 0 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.load %x[%i] : memref<3xf64>
    %b = arith.truncf %a : f64 to f16
    %s = arith.addf %b, %b : f16
    memref.store %s, %y[%i] : memref<3xf16>
  }
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit sizes: the last byte of 3 GiB, of which two pages are touched.
// REQUIRES: llvm
// RUN: %jitrun %s --input=2xi64 | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --input=2xi64 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --input=2xi64 | FileCheck %s
// CHECK: arg[0]: 2xi64=[91 1048576]

func.func @main(%p: memref<2xi64>) attributes {rt.exported = 0 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.alloc() : memref<3072x1048576xi8>
  %i = arith.constant 3071 : index
  %j = arith.constant 1048575 : index
  %k = arith.constant 91 : i8
  memref.store %k, %z[%i, %j] : memref<3072x1048576xi8>
  %v = memref.load %z[%i, %j] : memref<3072x1048576xi8>
  %w = arith.extsi %v : i8 to i64
  memref.store %w, %p[%c0] : memref<2xi64>
  %d = memref.dim %z, %c1 : memref<3072x1048576xi8>
  %e = arith.index_cast %d : index to i64
  memref.store %e, %p[%c1] : memref<2xi64>
  memref.dealloc %z : memref<3072x1048576xi8>
  return
}

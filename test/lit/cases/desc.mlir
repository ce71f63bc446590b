// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are known only at run time: nobody writes a memref descriptor.
// REQUIRES: llvm
// RUN: %jitrun %s --input=4xf32=4,9,-2.5,6 --input=4xf32 | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --input=4xf32=4,9,-2.5,6 --input=4xf32 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --input=4xf32=4,9,-2.5,6 --input=4xf32 | FileCheck %s
// CHECK: arg[1]: 4xf32=[0 0 -2.5 0]

func.func @main(%a: memref<?xf32>, %c: memref<?xf32>) attributes {llvm.emit_c_interface, rt.exported = 0 : i32} {
  %c2 = arith.constant 2 : index
  %v = memref.load %a[%c2] : memref<?xf32>
  memref.store %v, %c[%c2] : memref<?xf32>
  return
}

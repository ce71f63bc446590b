// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory without elements, memory read backwards, and a result whose size only
// the execution knows.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=empty --input=2x0x3xf32 | FileCheck %s --check-prefix=EMPTY
// RUN: %jitrun %s --entry=empty --input=2x0x3xf32 --executor=thunks | FileCheck %s --check-prefix=EMPTY
// RUN: %jitrun %s --entry=backwards --input=4xf32=1,2,3,4 | FileCheck %s --check-prefix=BACK
// RUN: sed 's,^// CAST ,,' %s > %t.mlir
// RUN: not %jitrun %t.mlir --entry=cast --input=2xf32 2>&1 | FileCheck %s --check-prefix=CAST

// EMPTY: 2x0x3xf32={{\[\[\]}}
// EMPTY-NEXT: result[0]: 2x0x3xf32={{\[\[\]}}
func.func private @show(memref<2x0x3xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func @empty(%a: memref<2x0x3xf32>) -> memref<2x0x3xf32> {
  %r = memref.alloc() : memref<2x0x3xf32>
  call @show(%a) : (memref<2x0x3xf32>) -> ()
  return %r : memref<2x0x3xf32>
}

// BACK: 2xf32=[4 2]
func.func private @show_back(memref<2xf32, strided<[-2], offset: 3>>) attributes {rt.custom_call = "jitrun.print"}
func.func @backwards(%a: memref<4xf32>) {
  %v = memref.reinterpret_cast %a to offset: [3], sizes: [2], strides: [-2] : memref<4xf32> to memref<2xf32, strided<[-2], offset: 3>>
  call @show_back(%v) : (memref<2xf32, strided<[-2], offset: 3>>) -> ()
  return
}

// CAST: jitrun: error: {{.*}}: result 0: a returned memref must be an argument
// CAST func.func @cast(%a: memref<?xf32>) -> memref<4xf32> {
// CAST   %c = memref.cast %a : memref<?xf32> to memref<4xf32>
// CAST   return %c : memref<4xf32>
// CAST }

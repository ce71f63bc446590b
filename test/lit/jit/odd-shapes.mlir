// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory without elements, and memory read backwards.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=empty --input=2x0x3xf32 | FileCheck %s --check-prefix=EMPTY
// RUN: %jitrun %s --entry=empty --input=2x0x3xf32 --executor=thunks | FileCheck %s --check-prefix=EMPTY
// RUN: %jitrun %s --entry=backwards --input=4xf32=1,2,3,4 | FileCheck %s --check-prefix=BACK

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

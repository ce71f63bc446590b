// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry that only calls custom calls becomes one host function with one call
// of the dispatcher, however many calls it makes.
// REQUIRES: llvm
// RUN: %jitrun compile %s --emit=ll -o - | FileCheck %s

// CHECK-COUNT-1: define hidden ptr @jitrun_static_entry_main(ptr %0)
// CHECK: %{{.*}} = load ptr
// CHECK: %[[E:.*]] = call ptr %{{.*}}(ptr %0, i64 0, i64 3)
// CHECK: ret ptr %[[E]]
// CHECK-COUNT-1: define hidden ptr @jitrun_static_entry_second(ptr %0)
// CHECK: call ptr %{{.*}}(ptr %0, i64 3, i64 1)
// CHECK-NOT: define

func.func private @noop(memref<4xf32>) attributes {rt.custom_call = "jitrun.noop"}
func.func @main(%a: memref<8xf32>, %b: memref<4xf32>) {
  %v = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  call @noop(%w) : (memref<4xf32>) -> ()
  call @noop(%b) : (memref<4xf32>) -> ()
  call @noop(%t) : (memref<4xf32>) -> ()
  memref.dealloc %t : memref<4xf32>
  return
}
func.func @second(%a: memref<4xf32>) {
  call @noop(%a) : (memref<4xf32>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of a program never meet those of C or of the runtime: functions called
// like those of libm that its own operations become, and names that are none in C.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=main --input=f32=27 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --entry="a b" --input=f32=27 | FileCheck %s
// CHECK: result[0]: f32=6

func.func private @cbrtf(%x: f32, %y: f32) -> f32 {
  %z = arith.addf %x, %y : f32
  return %z : f32
}
func.func private @memcpy(%x: f32) -> f32 {
  return %x : f32
}
func.func @main(%x: f32) -> f32 {
  %r = math.cbrt %x : f32
  %s = call @cbrtf(%r, %r) : (f32, f32) -> f32
  %t = call @memcpy(%s) : (f32) -> f32
  return %t : f32
}
func.func @"a b"(%x: f32) -> f32 {
  %r = call @main(%x) : (f32) -> f32
  return %r : f32
}

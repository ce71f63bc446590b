// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JitRt's checks of a declared signature, at its three levels, with its
// messages: they fail the call, not the program that has it.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=direct | %FileCheck %s --check-prefix=DIRECT
// DIRECT: result[0]: i32=42
// RUN: not %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=size 2>&1 | %FileCheck %s --check-prefix=SIZE
// SIZE: jitrun: error: {{.*}}calls.mlir:[[#]]:8: custom call 'test.custom_call' failed: Wrong number of arguments: expected 1 got 2{{$}}
// RUN: not %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=type 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: jitrun: error: {{.*}}calls.mlir:[[#]]:8: custom call 'test.custom_call' failed: Failed to decode all custom call operands{{$}}
// RUN: not %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=attrs 2>&1 | %FileCheck %s --check-prefix=ATTRS
// ATTRS: custom call 'test.custom_call' failed: Wrong number of attributes: expected 0 got 1{{$}}
// RUN: not %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=returns 2>&1 | %FileCheck %s --check-prefix=RETURNS
// RETURNS: custom call 'test.custom_call' failed: Wrong number of returns: expected 1 got 0{{$}}
// RUN: not %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=less 2>&1 | %FileCheck %s --check-prefix=LESS
// LESS: custom call 'test.less' failed: Wrong number of arguments: expected 1 got 2{{$}}
// RUN: %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=none | %FileCheck %s --check-prefix=NONE
// NONE: result[0]: i32=43
// RUN: %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=remaining | %FileCheck %s --check-prefix=NONE
// RUN: not %jitrun %t.d/calls.mlir --plugin=%plugins/jitrt_bound.so --entry=too_few 2>&1 | %FileCheck %s --check-prefix=FEW
// FEW: custom call 'test.remaining' failed: Wrong number of arguments: expected at least 1 got 0{{$}}
//
// A memref that must be dense, whose layout only the call knows; an array as a
// tensor, and an empty one.
// RUN: %jitrun %t.d/sum.mlir --plugin=%plugins/jitrt_bound.so --entry=dense --input=4xf32=1,2,3,4 | %FileCheck %s --check-prefix=SUM
// SUM: result[0]: f64=13
// SUM-NEXT: result[1]: f64=10
// RUN: not %jitrun %t.d/sum.mlir --plugin=%plugins/jitrt_bound.so --entry=strided --input=4xf32=1,2,3,4 2>&1 | %FileCheck %s --check-prefix=STRIDED
// STRIDED: custom call 'test.sum' failed: Failed to decode all custom call operands{{$}}
// RUN: not %jitrun %t.d/sum.mlir --plugin=%plugins/jitrt_bound.so --entry=open --input=4xf32=1,2,3,4 --input=index=2 2>&1 | %FileCheck %s --check-prefix=STRIDED
// RUN: %jitrun %t.d/sum.mlir --plugin=%plugins/jitrt_bound.so --entry=open --input=4xf32=1,2,3,4 --input=index=1 | %FileCheck %s --check-prefix=OPEN
// OPEN: result[0]: f64=4
// RUN: not %jitrun %t.d/sum.mlir --plugin=%plugins/jitrt_bound.so --entry=renamed --input=4xf32 2>&1 | %FileCheck %s --check-prefix=STRIDED

//--- calls.mlir
func.func private @one(i32) -> i32 attributes {rt.custom_call = "test.custom_call"}
func.func private @two(i32, i32) -> i32 attributes {rt.custom_call = "test.custom_call"}
func.func private @real(f32) -> i32 attributes {rt.custom_call = "test.custom_call"}
func.func private @lost(i32) attributes {rt.custom_call = "test.custom_call"}
func.func private @less_two(i32, i32) -> i32 attributes {rt.custom_call = "test.less"}
func.func private @none_two(i32, i32) -> i32 attributes {rt.custom_call = "test.none"}
func.func private @remaining_two(i32, i32) -> i32 attributes {rt.custom_call = "test.remaining"}
func.func private @remaining_none() -> i32 attributes {rt.custom_call = "test.remaining"}
func.func @direct() -> i32 {
  %c = arith.constant 41 : i32
  %r = call @one(%c) : (i32) -> i32
  return %r : i32
}
func.func @size() -> i32 {
  %c = arith.constant 41 : i32
  %r = call @two(%c, %c) : (i32, i32) -> i32
  return %r : i32
}
func.func @type() -> i32 {
  %c = arith.constant 41.0 : f32
  %r = call @real(%c) : (f32) -> i32
  return %r : i32
}
func.func @attrs() -> i32 {
  %c = arith.constant 41 : i32
  %r = call @one(%c) {extra = 1 : i64} : (i32) -> i32
  return %r : i32
}
func.func @returns() {
  %c = arith.constant 41 : i32
  call @lost(%c) : (i32) -> ()
  return
}
func.func @less() -> i32 {
  %c = arith.constant 41 : i32
  %r = call @less_two(%c, %c) : (i32, i32) -> i32
  return %r : i32
}
func.func @none() -> i32 {
  %c = arith.constant 41 : i32
  %r = call @none_two(%c, %c) : (i32, i32) -> i32
  return %r : i32
}
func.func @remaining() -> i32 {
  %c = arith.constant 41 : i32
  %r = call @remaining_two(%c, %c) {extra = 1 : i64} : (i32, i32) -> i32
  return %r : i32
}
func.func @too_few() -> i32 {
  %r = call @remaining_none() : () -> i32
  return %r : i32
}
//--- sum.mlir
func.func private @sum(memref<4xf32>) -> f64 attributes {rt.custom_call = "test.sum"}
func.func private @sum_strided(memref<2xf32, strided<[2]>>) -> f64 attributes {rt.custom_call = "test.sum"}
func.func private @sum_open(memref<2xf32, strided<[?], offset: ?>>) -> f64 attributes {rt.custom_call = "test.sum"}
func.func @dense(%a: memref<4xf32>) -> (f64, f64) {
  %r = call @sum(%a) {more = dense<[1, 2]> : tensor<2xi64>} : (memref<4xf32>) -> f64
  %s = call @sum(%a) {more = []} : (memref<4xf32>) -> f64
  return %r, %s : f64, f64
}
func.func @strided(%a: memref<4xf32>) -> f64 {
  %v = memref.subview %a[0] [2] [2] : memref<4xf32> to memref<2xf32, strided<[2]>>
  %r = call @sum_strided(%v) {more = []} : (memref<2xf32, strided<[2]>>) -> f64
  return %r : f64
}
func.func @open(%a: memref<4xf32>, %step: index) -> f64 {
  %c0 = arith.constant 0 : index
  %v = memref.subview %a[%c0] [2] [%step] : memref<4xf32> to memref<2xf32, strided<[?], offset: ?>>
  %r = call @sum_open(%v) {more = array<i64: 1>} : (memref<2xf32, strided<[?], offset: ?>>) -> f64
  return %r : f64
}
func.func @renamed(%a: memref<4xf32>) -> f64 {
  %r = call @sum(%a) {mores = []} : (memref<4xf32>) -> f64
  return %r : f64
}

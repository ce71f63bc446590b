// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers that were written for JitRt's direct ABI, in a library that knows
// nothing of jitrun: how each kind of argument, attribute and result is encoded.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/show.mlir --shared-libs=%plugins/jitrt_direct.so --executor=thunks --entry=static | %FileCheck %s
// RUN: %jitrun %t.d/show.mlir --shared-libs=%plugins/jitrt_direct.so --executor=jit --entry=static | %FileCheck %s
// RUN: %jitrun compile %t.d/show.mlir -o %t.so
// RUN: %jitrun %t.so --shared-libs=%plugins/jitrt_direct.so --entry=static | %FileCheck %s
// CHECK: () {}
// CHECK-NEXT: (bool 1, int8 -8, int16 -16, int32 -32, int64 -64, int64 7, bfloat16 3fc0, f16 3e00, float 1.5, double -2.5) {}
// CHECK-NEXT: (memref 11 [2 3; 3 1], strided 11 [2 3; 1 2], memref 12 [], memref 4 [0 3; {{[0-9]+}} 1], memref 20 [2; 1], memref 1 [2; 1]) {}
// CHECK-NEXT: () {empty = empty_array 0 none, floats = array_float 0.5 1.5, fn = function_ordinal 1, i64 = int64 -1, ints = array_int64 4 -5,
// CHECK-SAME: {{^}} nested = {bar = int32 2, baz = string 3 abc, foo = {}}, real = double 0.25, splat = tensor_double 6 rank 1 last 2, tensor = _tensor_int32_t 2 rank 2 1x2, text = string 5 hello, ui8 = uint8 200, unit = nullopt none, yes = bool 1}
// RUN: %jitrun %t.d/show.mlir --shared-libs=%plugins/jitrt_direct.so --entry=views --input=2x4xf32=1,2,3,4,5,6,7,8 | %FileCheck %s --check-prefix=VIEWS
// VIEWS: (memref 11 [2 4; 4 1], strided 11 [2 2; 4 1], strided 11 [2 2; 4 2]) {}
// VIEWS-NEXT: arg[0]: 2x4xf32={{\[}}[1 2 3 40][5 6 7 80]]
//
// RUN: %jitrun %t.d/show.mlir --shared-libs=%plugins/jitrt_direct.so --entry=results | %FileCheck %s --check-prefix=RESULTS
// RESULTS: result[0]: i1=1
// RESULTS-NEXT: result[1]: i8=-8
// RESULTS-NEXT: result[2]: i16=-16
// RESULTS-NEXT: result[3]: i32=-32
// RESULTS-NEXT: result[4]: i64=-64
// RESULTS-NEXT: result[5]: f32=1.5
// RESULTS-NEXT: result[6]: f64=-2.5
//
// RUN: not %jitrun %t.d/show.mlir --shared-libs=%plugins/jitrt_direct.so --entry=fewer 2>&1 | %FileCheck %s --check-prefix=FEWER
// FEWER: jitrun: error: {{.*}}show.mlir:[[#]]:8: custom call 'test.copy_scalars' failed: as many results as arguments are needed
// RUN: not %jitrun %t.d/fail.mlir --shared-libs=%plugins/jitrt_direct.so --entry=fail 2>&1 | %FileCheck %s --check-prefix=FAIL
// FAIL: jitrun: error: {{.*}}fail.mlir:4:3: custom call 'test.fail' failed{{$}}
// RUN: not %jitrun %t.d/fail.mlir --shared-libs=%plugins/jitrt_direct.so --entry=complain 2>&1 | %FileCheck %s --check-prefix=COMPLAIN
// COMPLAIN: jitrun: error: {{.*}}fail.mlir:8:3: custom call 'test.complain' failed: Uh oh; that was not good{{$}}
// RUN: not %jitrun %t.d/fail.mlir --shared-libs=%plugins/jitrt_direct.so --entry=asserted 2>&1 | %FileCheck %s --check-prefix=ASSERTED
// ASSERTED: jitrun: error: {{[^ ]*}}fail.mlir:12:13: custom call 'test.complain' failed: Uh oh; that was not good{{$}}
// RUN: not %jitrun %t.d/refused.mlir --shared-libs=%plugins/jitrt_direct.so --input=f8E5M2=1 2>&1 | %FileCheck %s --check-prefix=REFUSED
// REFUSED: jitrun: error: {{.*}}refused.mlir:3:3: failed to encode arguments of custom call 'test.show': JitRt's handlers have no encoding of argument 0
// RUN: not %jitrun %t.d/refused-attr.mlir --shared-libs=%plugins/jitrt_direct.so 2>&1 | %FileCheck %s --check-prefix=ATTR
// ATTR: jitrun: error: {{.*}}refused-attr.mlir:3:3: failed to encode attributes of custom call 'test.show': JitRt's handlers have no encoding of 'halves'

//--- show.mlir
func.func private @none() attributes {rt.custom_call = "test.show"}
func.func private @scalars(i1, i8, i16, i32, i64, index, bf16, f16, f32, f64) attributes {rt.custom_call = "test.show"}
func.func private @memrefs(memref<2x3xf32>, memref<2x3xf32, strided<[1, 2]>>, memref<f64>, memref<0x3xi32>, memref<2xf8E4M3FN>, memref<2xi1>) attributes {rt.custom_call = "test.show"}
func.func private @show_views(memref<2x4xf32>, memref<2x2xf32, strided<[4, 1], offset: 2>>, memref<2x2xf32, strided<[4, 2], offset: 1>>) attributes {rt.custom_call = "test.show"}
func.func private @scale(memref<2x1xf32, strided<[4, 1], offset: 3>>) attributes {rt.custom_call = "test.scale"}
func.func private @copy(i1, i8, i16, i32, i64, f32, f64) -> (i1, i8, i16, i32, i64, f32, f64) attributes {rt.custom_call = "test.copy_scalars"}
func.func private @less(i32, i32) -> i32 attributes {rt.custom_call = "test.copy_scalars"}
func.func @static() {
  call @none() : () -> ()
  %b = arith.constant true
  %i8 = arith.constant -8 : i8
  %i16 = arith.constant -16 : i16
  %i32 = arith.constant -32 : i32
  %i64 = arith.constant -64 : i64
  %index = arith.constant 7 : index
  %bf16 = arith.constant 1.5 : bf16
  %f16 = arith.constant 1.5 : f16
  %f32 = arith.constant 1.5 : f32
  %f64 = arith.constant -2.5 : f64
  call @scalars(%b, %i8, %i16, %i32, %i64, %index, %bf16, %f16, %f32, %f64) : (i1, i8, i16, i32, i64, index, bf16, f16, f32, f64) -> ()
  %m0 = memref.alloc() : memref<2x3xf32>
  %m1 = memref.alloc() : memref<2x3xf32, strided<[1, 2]>>
  %m2 = memref.alloc() : memref<f64>
  %m3 = memref.alloc() : memref<0x3xi32>
  %m4 = memref.alloc() : memref<2xf8E4M3FN>
  %m5 = memref.alloc() : memref<2xi1>
  call @memrefs(%m0, %m1, %m2, %m3, %m4, %m5) : (memref<2x3xf32>, memref<2x3xf32, strided<[1, 2]>>, memref<f64>, memref<0x3xi32>, memref<2xf8E4M3FN>, memref<2xi1>) -> ()
  call @none() {yes = true, ui8 = 200 : ui8, i64 = -1 : i64, real = 0.25 : f64, text = "hello", ints = array<i64: 4, -5>, floats = [0.5 : f32, 1.5 : f32], empty = [],
    tensor = dense<[[1, 2]]> : tensor<1x2xi32>, splat = dense<2.0> : tensor<6xf64>, unit, fn = @results, nested = {foo = {}, bar = 2 : i32, baz = "abc"}} : () -> ()
  return
}
func.func @results() -> (i1, i8, i16, i32, i64, f32, f64) {
  %b = arith.constant true
  %i8 = arith.constant -8 : i8
  %i16 = arith.constant -16 : i16
  %i32 = arith.constant -32 : i32
  %i64 = arith.constant -64 : i64
  %f32 = arith.constant 1.5 : f32
  %f64 = arith.constant -2.5 : f64
  %r:7 = call @copy(%b, %i8, %i16, %i32, %i64, %f32, %f64) : (i1, i8, i16, i32, i64, f32, f64) -> (i1, i8, i16, i32, i64, f32, f64)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : i1, i8, i16, i32, i64, f32, f64
}
func.func @views(%a: memref<2x4xf32>) {
  %v = memref.subview %a[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  %w = memref.subview %a[0, 1] [2, 2] [1, 2] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 2], offset: 1>>
  %x = memref.subview %a[0, 3] [2, 1] [1, 1] : memref<2x4xf32> to memref<2x1xf32, strided<[4, 1], offset: 3>>
  call @show_views(%a, %v, %w) : (memref<2x4xf32>, memref<2x2xf32, strided<[4, 1], offset: 2>>, memref<2x2xf32, strided<[4, 2], offset: 1>>) -> ()
  call @scale(%x) {factor = 10.0 : f32} : (memref<2x1xf32, strided<[4, 1], offset: 3>>) -> ()
  return
}
func.func @fewer() -> i32 {
  %c = arith.constant 1 : i32
  %r = call @less(%c, %c) : (i32, i32) -> i32
  return %r : i32
}
//--- fail.mlir
func.func private @failing() attributes {rt.custom_call = "test.fail"}
func.func private @complaining() attributes {rt.custom_call = "test.complain"}
func.func @fail() {
  call @failing() : () -> ()
  return
}
func.func @complain() {
  call @complaining() : () -> ()
  return
}
func.func @asserted(%ctx: !rt.execution_context) {
  %status = rt.call %ctx["test.complain"] () : () -> ()
  %ok = rt.is_ok %status
  cf.cond_br %ok, ^done, ^failed
^failed:
  rt.set_error %ctx, "custom call 'test.complain' failed"
  return
^done:
  return
}
//--- refused.mlir
func.func private @show(f8E5M2) attributes {rt.custom_call = "test.show"}
func.func @main(%a: f8E5M2) {
  call @show(%a) : (f8E5M2) -> ()
  return
}
//--- refused-attr.mlir
func.func private @show() attributes {rt.custom_call = "test.show"}
func.func @main() {
  call @show() {halves = dense<0.5> : tensor<2xf16>} : () -> ()
  return
}

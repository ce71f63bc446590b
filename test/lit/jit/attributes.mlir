// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of attribute, on the call and on the declaration (the call's win),
// by both executors.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --executor=jit | FileCheck %s
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --executor=thunks | FileCheck %s

// CHECK: {ab = array pred[true false]
// CHECK-SAME: {{^}}, af = array f32[1.5 -2]
// CHECK-SAME: {{^}}, b = pred true
// CHECK-SAME: {{^}}, deep = {a = {b = {c = s64 3}}, z = "end"}
// CHECK-SAME: {{^}}, empty_d = {}
// CHECK-SAME: {{^}}, f = f64 0.5
// CHECK-SAME: {{^}}, from_call = s32 2
// CHECK-SAME: {{^}}, from_decl = s32 7
// CHECK-SAME: {{^}}, half = f16 0x3e00
// CHECK-SAME: {{^}}, i = s64 -5
// CHECK-SAME: {{^}}, i8 = s8 -128
// CHECK-SAME: {{^}}, list = array s32[3 1 2]
// CHECK-SAME: {{^}}, s = "text"
// CHECK-SAME: {{^}}, splat = tensor 2x2xf32[7 7 7 7]
// CHECK-SAME: {{^}}, t = tensor 2x3xs16[1 2 3 4 5 6]
// CHECK-SAME: {{^}}, t0 = tensor f64[2]
// CHECK-SAME: {{^}}, tp = tensor 3xpred[true false true]
// CHECK-SAME: {{^}}, u8 = u8 255
// CHECK-SAME: {{^}}}

func.func private @attrs() attributes {rt.custom_call = "test.read_attrs", from_call = 1 : i32, from_decl = 7 : i32}
func.func @main() {
  call @attrs() {
    b = true, i = -5 : i64, i8 = -128 : i8, u8 = 255 : ui8, f = 0.5 : f64,
    half = 1.5 : f16, s = "text", list = [3 : i32, 1 : i32, 2 : i32],
    af = array<f32: 1.5, -2.0>, ab = array<i1: true, false>,
    t = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>,
    tp = dense<[true, false, true]> : tensor<3xi1>,
    t0 = dense<2.0> : tensor<f64>, splat = dense<7.0> : tensor<2x2xf32>,
    deep = {z = "end", a = {b = {c = 3 : i64}}}, empty_d = {},
    from_call = 2 : i32
  } : () -> ()
  return
}

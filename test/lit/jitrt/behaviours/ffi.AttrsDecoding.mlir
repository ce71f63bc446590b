// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eleven kinds of attributes in one call, sorted by name.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/testcalls.so | %FileCheck %s
// CHECK: {dict = {foo = s32 1}, f32 = f32 1.5, f32_arr = array f32[1 2], f64 = f64 2.5, f64_arr = array f64[0.5 0.25],
// CHECK-SAME: {{^}} i1 = pred true, i32 = s32 32, i32_arr = array s32[1 2 3], i64 = s64 64, i64_arr = array s64[-1 4611686018427387904], str = "foo"}

func.func private @custom_call() attributes {rt.dynamic, rt.custom_call = "test.read_attrs"}
rt.export @test ordinal 0
func.func @test() {
  call @custom_call() {
    str = "foo", i1 = true, i32 = 32 : i32, i64 = 64 : i64,
    f32 = 1.5 : f32, f64 = 2.5 : f64,
    i32_arr = array<i32: 1, 2, 3>, i64_arr = array<i64: -1, 4611686018427387904>,
    f32_arr = array<f32: 1.0, 2.0>, f64_arr = array<f64: 0.5, 0.25>,
    dict = {foo = 1 : i32}
  } : () -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerations and structures of a dialect that a plug-in registers, as handlers
// get them: in brackets or behind a blank, fields by name or in order, every kind
// of field, structures in each other. An image knows them without the plug-in.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --plugin=%plugins/attrtypes.so --executor=thunks | %FileCheck %s
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --plugin=%plugins/attrtypes.so --executor=jit | %FileCheck %s
// RUN: %jitrun compile %s -o %t.o --plugin=%plugins/attrtypes.so --plugin=%plugins/testcalls.so
// RUN: %jitrun %t.o --plugin=%plugins/testcalls.so | %FileCheck %s
// RUN: %jitrun compile %s -o %t.so --plugin=%plugins/attrtypes.so --plugin=%plugins/testcalls.so
// RUN: %jitrun %t.so --plugin=%plugins/testcalls.so | %FileCheck %s
// RUN: %jitrun inspect %t.so --json | %FileCheck %s --check-prefix=JSON
// RUN: not %jitrun %s --plugin=%plugins/testcalls.so 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: not %jitrun %s --plugin=%plugins/attrtypes.so --plugin=%plugins/attrtypes.so 2>&1 | %FileCheck %s --check-prefix=TWICE

// CHECK: {a = #testlib.enum s32 2, b = #testlib.enum s32 2, m = #testlib.mapped.enum s8 -10, n = #testlib.mapped.enum s8 3, z = {n = #testlib.enum s32 1}}
// JSON: "name": "a",
// JSON-NEXT: "kind": "scalar",
// JSON-NEXT: "type": "testlib.enum",
// JSON-NEXT: "dtype": "i32",
// JSON-NEXT: "value": 2

// CHECK-NEXT: {a = #testlib.pair_of_dims {a = array s64[1 1], b = array s64[2 2], rank = s64 2},
// CHECK-SAME: {{^}} b = #testlib.pair_of_dims {a = array s64[1], b = array s64[], rank = s64 2},
// CHECK-SAME: {{^}} c = #testlib.pair_of_dims {a = array s64[1], b = array s64[2], rank = s64 2},
// CHECK-SAME: {{^}} d = #testlib.pair_of_dims {a = array s64[], b = array s64[], rank = s64 -1}}
// JSON: "name": "a",
// JSON-NEXT: "kind": "dict",
// JSON-NEXT: "type": "testlib.pair_of_dims",

// CHECK-NEXT: {e = #testlib.every {b = pred true, bf16 = bf16 0x3f80, bs = array pred[true false], f32 = f32 0.00150000001, f64s = array f64[1 -inf],
// CHECK-SAME: {{^}} i8 = s8 -128, text = "a\00\22>,b", u64 = u64 18446744073709551615, u8s = array u8[255 0]}}
// CHECK-NEXT: {o = #testlib.optional {list = array f32[], n = s16 0, s = ""},
// CHECK-SAME: {{^}} p = #testlib.optional {kind = #testlib.enum s32 0, list = array f32[], n = s16 0, s = ""},
// CHECK-SAME: {{^}} q = #testlib.optional {kind = #testlib.enum s32 1, list = array f32[1], n = s16 0, s = ""},
// CHECK-SAME: {{^}} r = #testlib.optional {kind = #testlib.enum s32 1, list = array f32[], n = s16 0, s = "x"},
// CHECK-SAME: {{^}} s = #testlib.optional {kind = #testlib.enum s32 2, list = array f32[], n = s16 3, s = ""}}
// CHECK-NEXT: {n = #testlib.nest {dims = #testlib.pair_of_dims {a = array s64[2], b = array s64[3], rank = s64 1}, kind = #testlib.enum s32 0,
// CHECK-SAME: {{^}} more = #testlib.nest {dims = #testlib.pair_of_dims {a = array s64[], b = array s64[], rank = s64 1}, kind = #testlib.enum s32 1}}}

// NONE: attr-types.mlir:[[#@LINE+5]]:3: attribute 'a' of a custom call cannot be encoded: no attribute type 'testlib.enum' is registered; register it by jitrun_registry_add_attr_type, or load the plug-in that has it: #testlib.enum<Baz>

// TWICE: jitrun: error: attribute type 'testlib.nest' is already registered: register it under another name, or in another registry
func.func private @attrs() attributes {rt.custom_call = "test.read_attrs"}
func.func @main() {
  call @attrs() {a = #testlib.enum<Baz>, b = #testlib<enum Baz>, m = #testlib.mapped.enum<Foo>, n = #testlib.mapped.enum<"two words">, z = {n = #testlib.enum<Bar>}} : () -> ()
  call @attrs() {a = #testlib.pair_of_dims<rank = 2, a = [1, 1], b = [2, 2]>, b = #testlib.pair_of_dims<2, [1], []>, c = #testlib<pair_of_dims 2, [1 : i64], b = [2]>, d = #testlib.pair_of_dims<b = [], a = [], rank = -1>} : () -> ()
  call @attrs() {e = #testlib.every<b = true, i8 = -128, u64 = 18446744073709551615, f32 = 1.5e-3, bf16 = 1, s = "a\00\22>,b", bs = [true, false], u8s = [255, 0], f64s = [1.0, -inf]>} : () -> ()
  call @attrs() {o = #testlib.optional<>, p = #testlib.optional<kind = #testlib.enum<Foo>>, q = #testlib.optional<kind = Bar, list = [1]>, r = #testlib.optional<kind = <Bar>, s = "x">, s = #testlib.optional<kind = #testlib<enum Baz>, n = 3>} : () -> ()
  call @attrs() {n = #testlib.nest<Foo, <1, [2], [3]>, more = #testlib.nest<kind = Bar, dims = #testlib.pair_of_dims<rank = 1, a = [], b = []>>>} : () -> ()
  return
}

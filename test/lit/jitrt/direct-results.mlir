// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JitRt handlers that take and return opaque values, types of their own, and
// memrefs in memory of each kind; that keep states and run other entries.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/values.mlir --plugin=%plugins/jitrt_bound.so --entry=values | %FileCheck %s --check-prefix=VALUES
// VALUES: result[0]: i32=42
// RUN: %jitrun %t.d/values.mlir --plugin=%plugins/jitrt_bound.so --entry=as_opaque | %FileCheck %s --check-prefix=VALUES
// RUN: not %jitrun %t.d/values.mlir --plugin=%plugins/jitrt_bound.so --entry=confused 2>&1 | %FileCheck %s --check-prefix=CONFUSED
// CONFUSED: custom call 'test.read_value' failed: Failed to decode all custom call operands
// RUN: %jitrun %t.d/values.mlir --plugin=%plugins/jitrt_bound.so --entry=states | %FileCheck %s --check-prefix=STATES
// STATES: result[0]: i32=2
// STATES-NEXT: result[1]: i32=1
// RUN: not %jitrun %t.d/values.mlir --plugin=%plugins/jitrt_bound.so --entry=data 2>&1 | %FileCheck %s --check-prefix=DATA
// DATA: custom call 'test.need_data' failed: Failed to decode all custom call operands
// RUN: %jitrun %t.d/values.mlir --plugin=%plugins/jitrt_bound.so --entry=call_other | %FileCheck %s --check-prefix=OTHER
// OTHER: result[0]: i32=20
//
// RUN: %jitrun %t.d/memrefs.mlir --plugin=%plugins/jitrt_bound.so --entry=runtime | %FileCheck %s --check-prefix=MEMREF
// RUN: %jitrun %t.d/memrefs.mlir --plugin=%plugins/jitrt_bound.so --entry=fixed | %FileCheck %s --check-prefix=MEMREF
// RUN: %jitrun %t.d/memrefs.mlir --plugin=%plugins/jitrt_bound.so --entry=owned --repeat=3 | %FileCheck %s --check-prefix=MEMREF
// MEMREF: result[0]: 2x3xi32={{\[}}[1 2 3][4 5 6]]
// RUN: not %jitrun %t.d/memrefs.mlir --plugin=%plugins/jitrt_bound.so --entry=none 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: custom call 'test.make_memref' failed: it set no memory for result 0
// RUN: not %jitrun %t.d/memrefs.mlir --plugin=%plugins/jitrt_bound.so --entry=other_size 2>&1 | %FileCheck %s --check-prefix=SIZE
// SIZE: jitrun: error: {{.*}}memrefs.mlir:[[#]]:8: result 0 has type 4x3xi32, and is given size 0 of 2

//--- values.mlir
func.func private @make_value() -> !testlib.value attributes {rt.custom_call = "test.make_value"}
func.func private @read_value(!testlib.value) -> i32 attributes {rt.custom_call = "test.read_value"}
func.func private @pass(!rt.opaque) -> !rt.opaque attributes {rt.custom_call = "test.pass_opaque"}
func.func private @pass_value(!testlib.value) -> !testlib.value attributes {rt.custom_call = "test.make_value"}
func.func private @to_opaque(!testlib.value) -> !rt.opaque attributes {rt.custom_call = "test.pass_opaque"}
func.func private @from_opaque(!rt.opaque) -> !testlib.value attributes {rt.custom_call = "test.pass_opaque"}
func.func private @read_opaque(!rt.opaque) -> i32 attributes {rt.custom_call = "test.read_value"}
func.func private @count() -> i32 attributes {rt.custom_call = "test.count_calls"}
func.func private @need_data() attributes {rt.custom_call = "test.need_data"}
func.func private @run(i32) -> i32 attributes {rt.custom_call = "test.run"}
func.func @values() -> i32 {
  %v = call @make_value() : () -> !testlib.value
  %w = call @pass_value(%v) : (!testlib.value) -> !testlib.value
  %r = call @read_value(%w) : (!testlib.value) -> i32
  return %r : i32
}
func.func @as_opaque() -> i32 {
  %v = call @make_value() : () -> !testlib.value
  %o = call @to_opaque(%v) : (!testlib.value) -> !rt.opaque
  %p = call @pass(%o) : (!rt.opaque) -> !rt.opaque
  %w = call @from_opaque(%p) : (!rt.opaque) -> !testlib.value
  %r = call @read_value(%w) : (!testlib.value) -> i32
  return %r : i32
}
func.func @confused() -> i32 {
  %v = call @make_value() : () -> !testlib.value
  %o = call @to_opaque(%v) : (!testlib.value) -> !rt.opaque
  %r = call @read_opaque(%o) : (!rt.opaque) -> i32
  return %r : i32
}
func.func @states() -> (i32, i32) {
  %a = call @count() {uid = 1 : i64} : () -> i32
  %b = call @count() {uid = 1 : i64} : () -> i32
  %c = call @count() {uid = 2 : i64} : () -> i32
  return %b, %c : i32, i32
}
func.func @data() {
  call @need_data() : () -> ()
  return
}
func.func @twice(%a: i32) -> i32 {
  %r = arith.addi %a, %a : i32
  return %r : i32
}
func.func @call_other() -> i32 {
  %c = arith.constant 10 : i32
  %r = call @run(%c) {func = @twice} : (i32) -> i32
  return %r : i32
}
//--- memrefs.mlir
func.func private @make() -> memref<2x3xi32> attributes {rt.custom_call = "test.make_memref"}
func.func private @make_other() -> memref<4x3xi32> attributes {rt.custom_call = "test.make_memref"}
func.func private @make_owned() -> memref<2x3xi32> attributes {rt.custom_call = "test.make_owned"}
func.func @runtime() -> memref<2x3xi32> {
  %r = call @make() {kind = "runtime"} : () -> memref<2x3xi32>
  return %r : memref<2x3xi32>
}
func.func @fixed() -> memref<2x3xi32> {
  %r = call @make() {kind = "fixed"} : () -> memref<2x3xi32>
  return %r : memref<2x3xi32>
}
func.func @owned() -> memref<2x3xi32> {
  %r = call @make_owned() {kind = "malloc"} : () -> memref<2x3xi32>
  return %r : memref<2x3xi32>
}
func.func @none() -> memref<2x3xi32> {
  %r = call @make() {kind = "none"} : () -> memref<2x3xi32>
  return %r : memref<2x3xi32>
}
func.func @other_size() -> memref<4x3xi32> {
  %r = call @make_other() {kind = "runtime"} : () -> memref<4x3xi32>
  return %r : memref<4x3xi32>
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.trace.activity_start gives a number that activity_end takes.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/trace.mlir | %FileCheck %s
// RUN: %jitrun compile %t.d/trace.mlir -o %t.o
// RUN: %jitrun %t.o | %FileCheck %s
// CHECK: result[0]: i1=1
//
// RUN: not %jitrun %t.d/none.mlir 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: custom call 'xla.trace.activity_start' does not match its declared signature: missing attribute 'annotation': expected dictionary
// RUN: not %jitrun %t.d/text.mlir 2>&1 | %FileCheck %s --check-prefix=TEXT
// TEXT: custom call 'xla.trace.activity_start' does not match its declared signature: attribute 'annotation': expected dictionary, found string

//--- trace.mlir
func.func private @start() -> i64 attributes {rt.custom_call = "xla.trace.activity_start"}
func.func private @end(i64) attributes {rt.custom_call = "xla.trace.activity_end"}
func.func @main() -> i1 {
  %0 = call @start() {annotation = #rt.hlo_trace<"fusion.1">} : () -> i64
  %1 = call @start() {annotation = #rt.hlo_trace<"fusion.2">} : () -> i64
  call @end(%1) : (i64) -> ()
  call @end(%0) : (i64) -> ()
  %same = arith.cmpi eq, %0, %1 : i64
  return %same : i1
}
//--- none.mlir
func.func private @start() -> i64 attributes {rt.custom_call = "xla.trace.activity_start"}
func.func @main() -> i64 {
  %0 = call @start() : () -> i64
  return %0 : i64
}
//--- text.mlir
func.func private @start() -> i64 attributes {rt.custom_call = "xla.trace.activity_start"}
func.func @main() -> i64 {
  %0 = call @start() {annotation = "fusion"} : () -> i64
  return %0 : i64
}

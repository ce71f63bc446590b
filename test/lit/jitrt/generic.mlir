// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of rt in generic form, as MLIR prints it.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=all --input=i32=4 | FileCheck %s --check-prefix=ALL
// RUN: not %jitrun %s --plugin=%plugins/testcalls.so --entry=failed 2>&1 | FileCheck %s --check-prefix=FAILED

"rt.export"() {function_ref = @failed, ordinal = 1 : i32} : () -> ()
"rt.export"() {function_ref = @all} : () -> ()

func.func private @add(%a: i32) -> i32 attributes {rt.custom_call = "test.add1"}

// A call of a function stands in the region of rt.trace, which has one region
// here and two where a tool wrote it.
// ALL: result[0]: i32=8
func.func @all(%ctx: !rt.execution_context, %a: i32) {
  %status, %b = "rt.call"(%ctx, %a) {callee = "test.add1", dynamic} : (!rt.execution_context, i32) -> (!rt.status, i32)
  %ok = "rt.is_ok"(%status) : (!rt.status) -> i1
  cf.assert %ok, "custom call 'test.add1' failed"
  %c = "rt.trace"(%ctx) ({
    %x = func.call @add(%b) : (i32) -> i32
    "rt.yield"(%x) : (i32) -> ()
  }) {annotation = #rt.hlo_trace<"one">} : (!rt.execution_context) -> i32
  %d = "rt.trace"(%ctx) ({
    %x = func.call @add(%c) : (i32) -> i32
    "rt.yield"(%x) : (i32) -> ()
  }, {}) {annotation = #rt.hlo_trace<"two">} : (!rt.execution_context) -> i32
  %e = scf.execute_region -> i32 {
    %x = func.call @add(%d) : (i32) -> i32
    scf.yield %x : i32
  } {rt.trace = #rt.hlo_trace<"three">}
  "rt.set_output"(%ctx, %e) {index = 0 : i64} : (!rt.execution_context, i32) -> ()
  return
}

// FAILED: error: {{.*}}generic.mlir:[[@LINE+2]]:3: not today
func.func @failed(%ctx: !rt.execution_context) {
  "rt.set_error"(%ctx) {error = "not today"} : (!rt.execution_context) -> ()
  return
}

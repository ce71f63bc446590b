// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of rt.call may have the names of those that MLIR's calls have
// themselves; what rt.call says of the call itself is not passed on.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --executor=thunks | %FileCheck %s
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --executor=jit | %FileCheck %s
// RUN: %jitrun %s --entry=call --plugin=%plugins/testcalls.so | %FileCheck %s --check-prefix=CALL

// CHECK: {arg_attrs = array s64[1 2], b = s64 1, no_inline = s32 1, res_attrs = {a = unit}}
func.func @main(%ctx: !rt.execution_context) {
  %s = rt.call dynamic %ctx["test.read_attrs"] () {no_inline = 1 : i32, arg_attrs = [1, 2], res_attrs = {a}, b = 1} : () -> ()
  return
}

// What MLIR says of its own call is no attribute of the custom call.
// CALL: {b = s64 1}
func.func private @attrs(i32) attributes {rt.custom_call = "test.read_attrs"}
func.func @call() {
  %0 = arith.constant 0 : i32
  call @attrs(%0) {no_inline, arg_attrs = [{}], res_attrs = [], b = 1} : (i32) -> ()
  return
}

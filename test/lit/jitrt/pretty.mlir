// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of rt as it was written in 2023.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=all --input=i32=4 --input=3xf32=1,2,3 | FileCheck %s --check-prefix=ALL
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=all --input=i32=4 --input=3xf32=1,2,3 -O0 | FileCheck %s --check-prefix=ALL
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=traced --input=i32=1 | FileCheck %s --check-prefix=TRACED
// RUN: not %jitrun %s --plugin=%plugins/testcalls.so --entry=failed 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=unsigned --input=i32=-1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=thunks --input=2xf32=5,6 --executor=thunks | FileCheck %s --check-prefix=THUNKS
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --entry=helped --input=2xf32=7,8 | FileCheck %s --check-prefix=HELPED

rt.export @all
rt.export @traced
rt.export @failed
rt.export @unsigned
rt.export @thunks
rt.export @helped

// ALL: {s = "}, rt.call %ctx{{.}}\22x\22] ("}
// ALL: result[0]: i32=6
// ALL-NEXT: result[1]: f64=6
func.func @all(%ctx: !rt.execution_context, %a: i32, %m: memref<3xf32>) {
  // One call on one line, one on many, with a comment in it: rt.call %ctx["no"]
  %status, %b = rt.call dynamic %ctx["test.add1"] (%a) : (i32) -> i32
  %ok = rt.is_ok %status
  cf.assert %ok, "custom call 'test.add1' failed"
  %status1, %c = rt.call
      dynamic // by name
      %ctx["test.add1"]
      (%b)
      : (i32)
      -> (i32)
  %ok1 = rt.is_ok %status1
  cf.assert %ok1, "custom call 'test.add1' failed"
  %status2 = rt.call %ctx["test.read_attrs"] () {s = "}, rt.call %ctx[\22x\22] ("} : () -> ()
  %status3, %d = rt.call %ctx["test.sum"] (%m) {} : (memref<3xf32>) -> f64
  rt.set_output %ctx, 0, %c : i32
  rt.set_output %ctx, 1, %d : f64
  return
}

// TRACED: inner
// TRACED: outer
// TRACED: result[0]: i32=3
func.func @traced(%ctx: !rt.execution_context, %a: i32) {
  %r:2 = rt.trace #rt.hlo_trace<"outer.1">, %ctx -> !rt.status, i32 {
    %x = rt.trace #rt.hlo_trace<"inner.1">, %ctx -> i32 {
      %status = call %ctx["jitrun.print"] () {label = "inner"} : () -> ()
      %status1, %b = call dynamic %ctx["test.add1"] (%a) : (i32) -> i32
      yield %b : i32
    }
    rt.trace #rt.hlo_trace<"nothing">, %ctx {
    }
    rt.trace #rt.hlo_trace<"empty">, %ctx {
      rt.yield
    }
    %status, %c = rt.call %ctx["test.add1"] (%x) : (i32) -> i32
    rt.yield %status, %c : !rt.status, i32
  }
  %ok = rt.is_ok %r#0
  cf.assert %ok, "custom call 'test.add1' failed"
  %status2 = rt.call %ctx["jitrun.print"] () {label = "outer"} : () -> ()
  rt.set_output %ctx, 0, %r#1 : i32
  return
}

// FAILED: error: {{.*}}pretty.mlir:[[@LINE+2]]:3: not today
func.func @failed(%ctx: !rt.execution_context) {
  rt.set_error %ctx, "not today"
  return
}

// UNSIGNED: ui32=4294967295
func.func @unsigned(%ctx: !rt.execution_context, %a: i32) {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  %u = "rt.unsigned_cast"(%b) : (i32) -> ui32
  %status = rt.call %ctx["jitrun.print"] (%u) : (ui32) -> ()
  return
}

// Without a status to look at, calls of known operands need no code.
// THUNKS: 2xf32=[5 6]
func.func @thunks(%ctx: !rt.execution_context, %m: memref<2xf32> {rt.constraint = "shape"}) {
  %status = rt.call %ctx["jitrun.print"] (%m) : (memref<2xf32>) -> ()
  %ok = rt.is_ok %status
  cf.assert %ok, "custom call 'jitrun.print' failed"
  return
}

// A context can be handed on.
// HELPED: 2xf32=[7 8]
func.func private @help(%m: memref<2xf32>, %ctx: !rt.execution_context) {
  %status = rt.call %ctx["jitrun.print"] (%m) : (memref<2xf32>) -> ()
  return
}
func.func @helped(%ctx: !rt.execution_context, %m: memref<2xf32>) {
  call @help(%m, %ctx) : (memref<2xf32>, !rt.execution_context) -> ()
  return
}

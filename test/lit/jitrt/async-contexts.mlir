// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context in tasks, and handed on to async functions.
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/testcalls.so --entry=task --input=i32=5 | %FileCheck %s --check-prefix=SIX
// RUN: %ways --native %s --plugin=%plugins/testcalls.so --entry=handed_on --input=i32=5 | %FileCheck %s --check-prefix=SIX
// SIX: result[0]: i32=6
// RUN: %ways --native %s --plugin=%plugins/testcalls.so --entry=nested --input=i32=5 | %FileCheck %s --check-prefix=SEVEN
// SEVEN: result[0]: i32=7
// RUN: not %ways --native %s --plugin=%plugins/testcalls.so --entry=failed --input=i32=5 2>&1 | %FileCheck %s --check-prefix=FAILED
// FAILED: error: {{.*}}:[[@LINE+21]]:5: Awaited async operand is in error state: in the task

rt.export @task
rt.export @failed
rt.export @handed_on
rt.export @nested

func.func @task(%ctx: !rt.execution_context, %a: i32) {
  %t, %v = async.execute -> !async.value<i32> {
    %s, %b = rt.call %ctx["test.add1"] (%a) : (i32) -> i32
    %ok = rt.is_ok %s
    cf.assert %ok, "custom call 'test.add1' failed"
    async.yield %b : i32
  }
  %r = async.await %v : !async.value<i32>
  rt.set_output %ctx, 0, %r : i32
  return
}

func.func @failed(%ctx: !rt.execution_context, %a: i32) {
  %t, %v = async.execute -> !async.value<i32> {
    rt.set_error %ctx, "in the task"
    async.yield %a : i32
  }
  %r = async.await %v : !async.value<i32>
  rt.set_output %ctx, 0, %r : i32
  return
}

async.func private @add(%ctx: !rt.execution_context, %a: i32) -> !async.value<i32> {
  %s, %b = rt.call %ctx["test.add1"] (%a) : (i32) -> i32
  return %b : i32
}

func.func @handed_on(%ctx: !rt.execution_context, %a: i32) {
  %v = async.call @add(%ctx, %a) : (!rt.execution_context, i32) -> !async.value<i32>
  %r = rt.trace #rt.hlo_trace<"await.1">, %ctx -> i32 {
    %x = async.await %v : !async.value<i32>
    yield %x : i32
  }
  rt.set_output %ctx, 0, %r : i32
  return
}

// An entry that is async itself.
async.func @nested(%ctx: !rt.execution_context, %a: i32) -> !async.value<i32> {
  %v = async.call @add(%ctx, %a) : (!rt.execution_context, i32) -> !async.value<i32>
  %b = async.await %v : !async.value<i32>
  %s, %c = rt.call %ctx["test.add1"] (%b) : (i32) -> i32
  return %c : i32
}

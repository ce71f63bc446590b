// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Too many arguments: the message that JitRt has.
//
// REQUIRES: llvm
// RUN: not %ways %s --plugin=%plugins/jitrt_bound.so 2>&1 | %FileCheck %s
// CHECK: jitrun: error: {{.*}}: custom call 'test.custom_call' failed: Wrong number of arguments: expected 1 got 2{{$}}

func.func private @custom_call(i32, i32) -> i32 attributes {rt.custom_call = "test.custom_call"}
rt.export @test ordinal 0
func.func @test() {
  %0 = arith.constant 41 : i32
  call @custom_call(%0, %0) : (i32, i32) -> i32
  return
}

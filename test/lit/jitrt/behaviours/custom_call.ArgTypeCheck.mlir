// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An argument of another type: the message that JitRt has.
//
// REQUIRES: llvm
// RUN: not %ways %s --plugin=%plugins/jitrt_bound.so 2>&1 | %FileCheck %s
// CHECK: jitrun: error: {{.*}}: custom call 'test.custom_call' failed: Failed to decode all custom call operands{{$}}

func.func private @custom_call(f32) -> i32 attributes {rt.custom_call = "test.custom_call"}
rt.export @test ordinal 0
func.func @test() {
  %0 = arith.constant 41.0 : f32
  call @custom_call(%0) : (f32) -> i32
  return
}

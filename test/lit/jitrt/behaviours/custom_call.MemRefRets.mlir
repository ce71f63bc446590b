// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler returns a memref whose sizes it sees; another takes it.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so | %FileCheck %s
// CHECK: 2x2xf32={{\[}}[1 2][3 4]]
// CHECK-NEXT: result[0]: 2x2xf32={{\[}}[1 2][3 4]]

func.func private @shared() -> memref<2x2xf32> attributes {rt.dynamic, rt.custom_call = "test.shared"}
func.func private @print(memref<2x2xf32>) attributes {rt.dynamic, rt.custom_call = "jitrun.print"}
rt.export @test ordinal 0
func.func @test() -> memref<2x2xf32> {
  %0 = call @shared() : () -> memref<2x2xf32>
  call @print(%0) : (memref<2x2xf32>) -> ()
  return %0 : memref<2x2xf32>
}

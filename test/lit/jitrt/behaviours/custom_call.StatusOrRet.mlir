// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call either has its result or ends the entry with an error.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=i64=9 | %FileCheck %s --check-prefix=GOOD
// GOOD: result[0]: i64=3
// RUN: not %ways %s --plugin=%plugins/values.so --input=i64=-9 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: jitrun: error: {{.*}}StatusOrRet.mlir:[[@LINE+6]]:8: test.root takes no negative number
// BAD-NEXT: jitrun: note: in custom call 'test.root'

func.func private @root(i64) -> i64 attributes {rt.dynamic, rt.custom_call = "test.root"}
rt.export @test ordinal 0
func.func @test(%x: i64) -> i64 {
  %0 = call @root(%x) : (i64) -> i64
  return %0 : i64
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several results, or an error in their place.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --input=i64=11 --input=i64=4 | %FileCheck %s --check-prefix=GOOD
// GOOD: result[0]: i64=2
// GOOD-NEXT: result[1]: i64=3
// RUN: not %ways %s --plugin=%plugins/values.so --input=i64=11 --input=i64=0 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: jitrun: error: {{.*}}: test.divide has no quotient by 0

func.func private @divide(i64, i64) -> (i64, i64) attributes {rt.dynamic, rt.custom_call = "test.divide"}
rt.export @test ordinal 0
func.func @test(%x: i64, %y: i64) -> (i64, i64) {
  %0:2 = call @divide(%x, %y) : (i64, i64) -> (i64, i64)
  return %0#0, %0#1 : i64, i64
}

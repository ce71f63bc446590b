// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler that declares a user's type gets values of that type only.
//
// REQUIRES: llvm
// RUN: %ways %s --plugin=%plugins/values.so --entry=good --input=opaque=5 | %FileCheck %s --check-prefix=GOOD
// GOOD: result[0]: i64=6
// RUN: sed 's,^// BAD ,,' %s > %t.mlir
// RUN: not %jitrun %t.mlir --plugin=%plugins/values.so --entry=good --input=opaque=5 2>&1 | %FileCheck %s --check-prefix=REFUSED
// REFUSED: jitrun: error: {{.*}}argument 0 'value': expected !testlib.value, found !rt.opaque

func.func private @next(!testlib.value) -> i64 attributes {rt.dynamic, rt.custom_call = "test.next"}
rt.export @good ordinal 0
func.func @good(%arg0: !testlib.value) -> i64 {
  %0 = call @next(%arg0) : (!testlib.value) -> i64
  return %0 : i64
}
// BAD func.func private @next_opaque(!rt.opaque) -> i64 attributes {rt.dynamic, rt.custom_call = "test.next"}
// BAD rt.export @bad ordinal 1
// BAD func.func @bad(%arg0: !rt.opaque) -> i64 {
// BAD   %0 = call @next_opaque(%arg0) : (!rt.opaque) -> i64
// BAD   return %0 : i64
// BAD }

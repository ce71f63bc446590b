// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call returns a token, or an error instead.
//
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/async.so --input=i32=0 | %FileCheck %s --check-prefix=GOOD
// GOOD: result[0]: token=available
// RUN: not %ways --native %s --plugin=%plugins/async.so --input=i32=1 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: jitrun: error: {{.*}}StatusOrAsyncToken.mlir:[[@LINE+11]]:8: test.token was asked to fail
// BAD-NEXT: jitrun: note: in custom call 'test.token'
// An error that comes later, through the token.
// RUN: not %ways --native %s --plugin=%plugins/async.so --input=i32=2 2>&1 | %FileCheck %s --check-prefix=LATER
// LATER: jitrun: error: {{.*}}StatusOrAsyncToken.mlir:[[@LINE+8]]:3: Awaited async operand is in error state: test.token failed later
// A handler that forgets its result.
// RUN: not %ways --native %s --plugin=%plugins/async.so --input=i32=3 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: jitrun: error: {{.*}}StatusOrAsyncToken.mlir:[[@LINE+4]]:8: result 0 of the custom call is NULL where its type asks for a token
func.func private @token(i32) -> !async.token attributes {rt.dynamic, rt.custom_call = "test.token"}
rt.export @test ordinal 0
func.func @test(%a: i32) -> !async.token {
  %0 = call @token(%a) : (i32) -> !async.token
  async.await %0 : !async.token
  return %0 : !async.token
}

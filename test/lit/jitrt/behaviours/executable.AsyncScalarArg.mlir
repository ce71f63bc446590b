// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function waits for scalars of its caller.
//
// REQUIRES: llvm
// RUN: %ways --native %s --input=i32=30 --input=f64=0.25 | %FileCheck %s
// CHECK: result[0]: i32=60
// CHECK-NEXT: result[1]: f64=0.25

// RUN: not %jitrun %s --input=i64=30 --input=f64=0.25 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: error: --input=i64=30 (arg[0]): is i64, !async.value<i32> is needed

async.func @test(%a: !async.value<i32>, %b: !async.value<f64>) -> (!async.value<i32>, !async.value<f64>) {
  %0 = async.await %a : !async.value<i32>
  %1 = async.await %b : !async.value<f64>
  %2 = arith.addi %0, %0 : i32
  return %2, %1 : i32, f64
}

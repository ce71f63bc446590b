// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals that a program changes: they begin as they are written, and keep their
// values between the executions of a loaded program.
//
// REQUIRES: llvm
// RUN: %ways --native %s --entry=count | %FileCheck %s --check-prefix=ONCE
// ONCE: result[0]: i64=8
// RUN: %ways --native %s --entry=count --repeat=5 | %FileCheck %s --check-prefix=FIVE
// FIVE: result[0]: i64=12
// RUN: %ways %s --entry=call --repeat=2 | %FileCheck %s --check-prefix=CALL
// CALL: 2x2xf32={{\[}}[1 2][3 4]]
// CALL-NEXT: 2x2xf32={{\[}}[0 0][0 0]]
// CALL-NEXT: 2x2xf32={{\[}}[0 0][0 0]]
// CALL-NEXT: 2x2xf32={{\[}}[0 0][0 0]]
// RUN: %ways %s --entry=zeros | %FileCheck %s --check-prefix=ZEROS
// ZEROS: result[0]: 3xi8=[0 0 0]
// RUN: %jitrun inspect %s --json | %FileCheck %s --check-prefix=JSON
// JSON: "kind": "global"
// RUN: %ways --native %s --entry=private --repeat=3 | %FileCheck %s --check-prefix=PRIVATE
// PRIVATE: result[0]: i64=10
//
// RUN: sed 's,^// OUTSIDE ,,' %s > %t.mlir
// RUN: not %jitrun %t.mlir --entry=outside 2>&1 | %FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: jitrun: error: {{.*}}:[[#]]:8: memref.global 'there' cannot be used: it is declared only; give it a value

memref.global "private" @counter : memref<i64> = dense<7>
memref.global "private" @matrix : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" @blank : memref<3xi8> = uninitialized
// OUTSIDE memref.global "private" @there : memref<2xi8>
// OUTSIDE func.func @outside() -> memref<2xi8> {
// OUTSIDE   %a = memref.get_global @there : memref<2xi8>
// OUTSIDE   return %a : memref<2xi8>
// OUTSIDE }

func.func @count() -> i64 {
  %c1 = arith.constant 1 : i64
  %a = memref.get_global @counter : memref<i64>
  %x = memref.load %a[] : memref<i64>
  %y = arith.addi %x, %c1 : i64
  memref.store %y, %a[] : memref<i64>
  return %y : i64
}

func.func private @print(memref<2x2xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @fill(memref<2x2xf32>, f32) attributes {rt.custom_call = "xla.gpu.memset"}
func.func @call() {
  %zero = arith.constant 0.0 : f32
  %a = memref.get_global @matrix : memref<2x2xf32>
  call @print(%a) : (memref<2x2xf32>) -> ()
  call @fill(%a, %zero) : (memref<2x2xf32>, f32) -> ()
  call @print(%a) : (memref<2x2xf32>) -> ()
  return
}

func.func @zeros() -> memref<3xi8> {
  %a = memref.get_global @blank : memref<3xi8>
  return %a : memref<3xi8>
}

func.func private @bump() -> i64 {
  %r = func.call @count_inner() : () -> i64
  return %r : i64
}
func.func private @count_inner() -> i64 {
  %c1 = arith.constant 1 : i64
  %a = memref.get_global @counter : memref<i64>
  %x = memref.load %a[] : memref<i64>
  %y = arith.addi %x, %c1 : i64
  memref.store %y, %a[] : memref<i64>
  return %y : i64
}
func.func @private() -> i64 {
  %r = func.call @bump() : () -> i64
  return %r : i64
}

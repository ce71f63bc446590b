// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A custom call may write to its operands: values that are used later, constants
// and what belongs to the caller stay as they are. `test.spoil` gives the sum of
// its operands and clears each behind it. {bufferization.access = "read"} on the
// declaration says that there is nothing to copy.
//
// REQUIRES: llvm
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=later --input=3xf32=1,2,3 2>&1 | %FileCheck %s --check-prefix=LATER
// LATER-NOT: did not free
// LATER: result[0]: f32=12
// LATER-NEXT: result[1]: 3xf32=[2 4 6]
// LATER-NEXT: result[2]: 3xf32=[1 2 3]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=constants 2>&1 | %FileCheck %s --check-prefix=CONSTANTS
// CONSTANTS-NOT: did not free
// CONSTANTS: result[0]: f32=6
// CONSTANTS-NEXT: result[1]: f32=6
// CONSTANTS-NEXT: result[2]: 3xf32=[1 2 3]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=twice --input=3xf32=1,2,3 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE-NOT: did not free
// TWICE: result[0]: f32=12
// TWICE-NEXT: result[1]: 3xf32=[1 2 3]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=part --input=4x4xf32=1,2,3,4,5,6,7,8,9,0,0,0,0,0,0,0 2>&1 | %FileCheck %s --check-prefix=PART
// PART-NOT: did not free
// PART: result[0]: f32=24
// PART-NEXT: result[1]: 4x4xf32={{\[}}[1 2 3 4][5 6 7 8][9 0 0 0][0 0 0 0]]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=loop --input=3xf32=1,2,3 --input=index=4 2>&1 | %FileCheck %s --check-prefix=LOOP
// LOOP-NOT: did not free
// LOOP: result[0]: f32=24
// LOOP-NEXT: result[1]: 3xf32=[1 2 3]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=inner --input=3xf32=1,2,3 2>&1 | %FileCheck %s --check-prefix=INNER
// INNER-NOT: did not free
// INNER: result[0]: f32=6
// INNER-NEXT: result[1]: 3xf32=[1 2 3]
//
// RUN: %ways --native %s --plugin=%plugins/values.so --check --entry=argument --input=3xf32=1,2,3 2>&1 | %FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: result[0]: f32=6
// ARGUMENT-NEXT: arg[0]: 3xf32=[1 2 3]
//
// What only reads is given the memory itself, and needs no code.
// RUN: %ways %s --plugin=%plugins/values.so --entry=reads --input=2x2xf32=5,6,7,8 | %FileCheck %s --check-prefix=READS
// READS: 2x2xf32={{\[}}[5 6][7 8]]
// READS-NEXT: 2x2xf32={{\[}}[1 1][1 1]]
// READS-NEXT: arg[0]: 2x2xf32={{\[}}[5 6][7 8]]
// RUN: %jitrun_opt --stage=tensors %s | %FileCheck %s --check-prefix=COPIES
// COPIES-LABEL: func.func @later
// COPIES: memref.copy %[[B:.*]], %[[COPY:.*]] :
// COPIES: call @spoil(%[[COPY]])
// COPIES-LABEL: func.func @reads
// COPIES-NOT: memref.copy
//
// RUN: sed 's/bufferization.access = "read"/bufferization.access = "both"/' %s >%t.mlir
// RUN: not %jitrun %t.mlir --plugin=%plugins/values.so --entry=reads --input=2x2xf32 2>&1 | %FileCheck %s --check-prefix=BOTH
// BOTH: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:1: invalid value for 'bufferization.access'

func.func private @spoil(tensor<3xf32>) -> f32 attributes {rt.custom_call = "test.spoil"}
func.func private @spoil_two(tensor<3xf32>, tensor<3xf32>) -> f32 attributes {rt.custom_call = "test.spoil"}
func.func private @spoil_any(tensor<?xf32>) -> f32 attributes {rt.custom_call = "test.spoil"}
func.func private @spoil_part(tensor<2x2xf32>) -> f32 attributes {rt.custom_call = "test.spoil"}
func.func private @print(tensor<2x2xf32> {bufferization.access = "read"})
    attributes {rt.custom_call = "jitrun.print"}

func.func @later(%a: tensor<3xf32>) -> (f32, tensor<3xf32>, tensor<3xf32>) {
  %b = linalg.add ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
  %r = call @spoil(%b) : (tensor<3xf32>) -> f32
  return %r, %b, %a : f32, tensor<3xf32>, tensor<3xf32>
}

func.func @constants() -> (f32, f32, tensor<3xf32>) {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = call @spoil(%a) : (tensor<3xf32>) -> f32
  %s = call @spoil(%a) : (tensor<3xf32>) -> f32
  return %r, %s, %a : f32, f32, tensor<3xf32>
}

func.func @twice(%a: tensor<3xf32>) -> (f32, tensor<3xf32>) {
  %r = call @spoil_two(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> f32
  return %r, %a : f32, tensor<3xf32>
}

func.func @part(%a: tensor<4x4xf32>) -> (f32, tensor<4x4xf32>) {
  %p = tensor.extract_slice %a[0, 1] [2, 2] [1, 2] : tensor<4x4xf32> to tensor<2x2xf32>
  %r = call @spoil_part(%p) : (tensor<2x2xf32>) -> f32
  %c4 = arith.constant 4.0 : f32
  %s = arith.addf %r, %c4 : f32
  return %s, %a : f32, tensor<4x4xf32>
}

func.func @loop(%a: tensor<?xf32>, %n: index) -> (f32, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %r = func.call @spoil_any(%a) : (tensor<?xf32>) -> f32
    %t = arith.addf %s, %r : f32
    scf.yield %t : f32
  }
  return %sum, %a : f32, tensor<?xf32>
}

func.func private @helper(%a: tensor<3xf32>) -> f32 {
  %r = call @spoil(%a) : (tensor<3xf32>) -> f32
  return %r : f32
}
func.func @inner(%a: tensor<3xf32>) -> (f32, tensor<3xf32>) {
  %r = call @helper(%a) : (tensor<3xf32>) -> f32
  return %r, %a : f32, tensor<3xf32>
}

func.func @argument(%a: tensor<3xf32> {jitrun.output}) -> f32 {
  %r = call @spoil(%a) : (tensor<3xf32>) -> f32
  return %r : f32
}

func.func @reads(%a: tensor<2x2xf32>) {
  %ones = arith.constant dense<1.0> : tensor<2x2xf32>
  call @print(%a) : (tensor<2x2xf32>) -> ()
  call @print(%ones) : (tensor<2x2xf32>) -> ()
  return
}

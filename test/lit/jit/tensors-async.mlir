// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors and async work in one program: tasks have copies of what they are
// given, and give tensors to whoever awaits them.
//
// REQUIRES: llvm
// RUN: %ways --native %s --entry=plain --input=4xf32=1,2,3,4 | %FileCheck %s --check-prefix=PLAIN
// PLAIN: result[0]: 4xf32=[2 4 6 8]
// RUN: %ways --native %s --entry=value --input=4xf32=1,2,3,4 | %FileCheck %s --check-prefix=VALUE
// VALUE: result[0]: 4xf32=[3 6 9 12]
// RUN: %ways --native %s --entry=race --input=3xf32=1,2,3 | %FileCheck %s --check-prefix=RACE
// RACE: result[0]: f32=6
// RACE-NEXT: result[1]: 3xf32=[9 9 9]
// RUN: %ways --native %s --entry=same --input=3xf32=1,2,3 | %FileCheck %s --check-prefix=SAME
// SAME: result[0]: 3xf32=[5 2 3]
// SAME-NEXT: result[1]: 3xf32=[1 2 3]
// SAME-NEXT: result[2]: 3xf32=[1 7 3]
// RUN: %ways --native %s --entry=loop --input=3xf32=1,2,3 --input=index=5 | %FileCheck %s --check-prefix=LOOP
// LOOP: result[0]: 3xf32=[32 64 96]
// RUN: %ways --native %s --entry=chain --input=3xf32=1,2,3 | %FileCheck %s --check-prefix=CHAIN
// CHAIN: result[0]: 3xf32=[4 8 12]
// RUN: %ways --native %s --entry=function --input=3xf32=1,2,3 | %FileCheck %s --check-prefix=FUNCTION
// FUNCTION: result[0]: 3xf32=[2 4 6]
// RUN: %ways --native %s --entry=handles --input=3xf32=1,2,3 | %FileCheck %s --check-prefix=HANDLES
// HANDLES: result[0]: 3xf32=[2 4 6]

func.func @plain(%a: tensor<4xf32>) -> tensor<4xf32> {
  %token = async.execute {
    async.yield
  }
  async.await %token : !async.token
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @value(%a: tensor<4xf32>) -> tensor<4xf32> {
  %token, %v = async.execute -> !async.value<tensor<4xf32>> {
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    async.yield %s : tensor<4xf32>
  }
  %b = async.await %v : !async.value<tensor<4xf32>>
  %r = linalg.add ins(%b, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func private @total(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

// What is filled while the task runs is not what the task reads.
func.func @race(%a: tensor<?xf32>) -> (f32, tensor<?xf32>) {
  %nine = arith.constant 9.0 : f32
  %b = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %c = linalg.sub ins(%b, %a : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %token, %v = async.execute -> !async.value<f32> {
    %s = func.call @total(%c) : (tensor<?xf32>) -> f32
    async.yield %s : f32
  }
  %f = linalg.fill ins(%nine : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %s = async.await %v : !async.value<f32>
  return %s, %f : f32, tensor<?xf32>
}

// A task gives back what it was given; whoever awaits it twice has it twice.
func.func @same(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %seven = arith.constant 7.0 : f32
  %token, %v = async.execute -> !async.value<tensor<3xf32>> {
    async.yield %a : tensor<3xf32>
  }
  %b = async.await %v : !async.value<tensor<3xf32>>
  %x = tensor.insert %five into %b[%c0] : tensor<3xf32>
  %c = async.await %v : !async.value<tensor<3xf32>>
  %y = tensor.insert %seven into %c[%c1] : tensor<3xf32>
  return %x, %c, %y : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @loop(%a: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<3xf32> {
    %token, %v = async.execute -> !async.value<tensor<3xf32>> {
      %s = linalg.add ins(%t, %t : tensor<3xf32>, tensor<3xf32>) outs(%t : tensor<3xf32>) -> tensor<3xf32>
      async.yield %s : tensor<3xf32>
    }
    %w = async.await %v : !async.value<tensor<3xf32>>
    scf.yield %w : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}

func.func @chain(%a: tensor<3xf32>) -> tensor<3xf32> {
  %first, %v = async.execute -> !async.value<tensor<3xf32>> {
    %s = linalg.add ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
    async.yield %s : tensor<3xf32>
  }
  %second, %w = async.execute [%first] (%v as %x: !async.value<tensor<3xf32>>) -> !async.value<tensor<3xf32>> {
    %s = linalg.add ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%x : tensor<3xf32>) -> tensor<3xf32>
    async.yield %s : tensor<3xf32>
  }
  %r = async.await %w : !async.value<tensor<3xf32>>
  return %r : tensor<3xf32>
}

async.func @function(%a: tensor<3xf32>) -> !async.value<tensor<3xf32>> {
  %s = linalg.add ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}

func.func private @begin(%a: tensor<3xf32>) -> !async.value<tensor<3xf32>> {
  %v = async.call @function(%a) : (tensor<3xf32>) -> !async.value<tensor<3xf32>>
  return %v : !async.value<tensor<3xf32>>
}
func.func private @finish(%v: !async.value<tensor<3xf32>>) -> tensor<3xf32> {
  %r = async.await %v : !async.value<tensor<3xf32>>
  return %r : tensor<3xf32>
}
func.func @handles(%a: tensor<3xf32>) -> tensor<3xf32> {
  %v = call @begin(%a) : (tensor<3xf32>) -> !async.value<tensor<3xf32>>
  %r = call @finish(%v) : (!async.value<tensor<3xf32>>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

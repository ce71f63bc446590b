// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of tensor and of bufferization.

func.func @elements(%a: f32, %i: index) -> (tensor<2x2xf32>, tensor<2x3xf32>, f32, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 5.0 : f32
  %0 = tensor.from_elements %a, %k, %k, %a : tensor<2x2xf32>
  %1 = tensor.splat %a : tensor<2x3xf32>
  %2 = tensor.insert %k into %1[%i, %c0] : tensor<2x3xf32>
  %3 = tensor.extract %0[%c0, %i] : tensor<2x2xf32>
  %4 = tensor.rank %0 : tensor<2x2xf32>
  %5 = tensor.dim %1, %c1 : tensor<2x3xf32>
  return %0, %2, %3, %4, %5 : tensor<2x2xf32>, tensor<2x3xf32>, f32, index, index
}

func.func @generate(%n: index) -> (tensor<?x3xindex>, tensor<?xf32>) {
  %k = arith.constant 2.0 : f32
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %c10 = arith.constant 10 : index
    %1 = arith.muli %i, %c10 : index
    %2 = arith.addi %1, %j : index
    tensor.yield %2 : index
  } : tensor<?x3xindex>
  %3 = tensor.splat %k[%n] : tensor<?xf32>
  return %0, %3 : tensor<?x3xindex>, tensor<?xf32>
}

func.func @casts(%a: tensor<?x?xf32>, %b: tensor<4xi32>) -> (tensor<2x3xf32>, tensor<4xf32>) {
  %0 = tensor.cast %a : tensor<?x?xf32> to tensor<2x3xf32>
  %1 = arith.bitcast %b : tensor<4xi32> to tensor<4xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<4xf32>
}

func.func @slices(%a: tensor<6x8xf32>, %b: tensor<2x3xf32>, %i: index) -> (tensor<2x3xf32>, tensor<4xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = tensor.extract_slice %a[1, 2] [2, 3] [2, 2] : tensor<6x8xf32> to tensor<2x3xf32>
  %1 = tensor.extract_slice %a[%i, 0] [1, 4] [1, 2] : tensor<6x8xf32> to tensor<4xf32>
  %2 = tensor.insert_slice %b into %a[%i, %i] [2, 3] [2, 1] : tensor<2x3xf32> into tensor<6x8xf32>
  %3 = tensor.insert_slice %1 into %a[0, %i] [4, 1] [1, 1] : tensor<4xf32> into tensor<6x8xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<4xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

func.func @shapes(%a: tensor<2x3x4xf32>, %b: tensor<?x4xf32>, %n: index, %shape: tensor<3xindex>) -> (tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<2x?x4xf32>, tensor<?x?x?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %1 = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
  %2 = tensor.expand_shape %b [[0, 1], [2]] output_shape [2, %n, 4] : tensor<?x4xf32> into tensor<2x?x4xf32>
  %3 = tensor.reshape %a(%shape) : (tensor<2x3x4xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %0, %1, %2, %3 : tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<2x?x4xf32>, tensor<?x?x?xf32>
}

func.func @pad(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %n: index) -> (tensor<4x6xf32>, tensor<?x4xf32>) {
  %0 = tensor.pad %a low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %k = arith.constant -1.0 : f32
    tensor.yield %k : f32
  } : tensor<2x3xf32> to tensor<4x6xf32>
  %1 = tensor.pad %b low[%n, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %2 = arith.index_cast %i : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    tensor.yield %3 : f32
  } : tensor<?x3xf32> to tensor<?x4xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<?x4xf32>
}

func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>, %c: tensor<?x3xf32>) -> (tensor<2x4xf32>, tensor<?x3xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %1 = tensor.concat dim(0) %a, %c : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<?x3xf32>
}

func.func @empty(%n: index) -> (tensor<0x3xf32>, index) {
  %c1 = arith.constant 1 : index
  %0 = tensor.empty() : tensor<0x3xf32>
  %1 = tensor.empty(%n) : tensor<2x?xf32>
  %2 = tensor.dim %1, %c1 : tensor<2x?xf32>
  return %0, %2 : tensor<0x3xf32>, index
}

func.func @constants(%i: index) -> (tensor<2x3xi32>, tensor<3xf64>, i32, tensor<i64>) {
  %0 = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = arith.constant dense<0.5> : tensor<3xf64>
  %2 = tensor.extract %0[%i, %i] : tensor<2x3xi32>
  %3 = arith.constant dense<-7> : tensor<i64>
  return %0, %1, %2, %3 : tensor<2x3xi32>, tensor<3xf64>, i32, tensor<i64>
}

// Elementwise operations of arith and math take tensors too.
func.func @elementwise(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi1>) {
  %0 = arith.addf %a, %b : tensor<?xf32>
  %1 = math.absf %0 : tensor<?xf32>
  %2 = arith.cmpf olt, %a, %b : tensor<?xf32>
  %3 = arith.select %2, %1, %b : tensor<?xi1>, tensor<?xf32>
  return %3, %2 : tensor<?xf32>, tensor<?xi1>
}

func.func @buffers(%a: memref<4xf32>, %out: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  %3 = bufferization.alloc_tensor() : tensor<4xf32>
  %4 = bufferization.materialize_in_destination %2 in %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  bufferization.dealloc_tensor %1 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

func.func @to_buffer(%a: tensor<4xf32>) -> f32 {
  %c2 = arith.constant 2 : index
  %0 = bufferization.to_buffer %a read_only : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
  %2 = memref.load %1[%c2] : memref<4xf32>
  memref.dealloc %1 : memref<4xf32>
  return %2 : f32
}

// What is freed: the first of two when a condition says so.
func.func @dealloc(%c: i1, %kept: memref<4xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %k = arith.constant 3.0 : f32
  %0 = memref.alloc() : memref<4xf32>
  memref.store %k, %0[%c1] : memref<4xf32>
  %1 = memref.load %0[%c1] : memref<4xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %kept : memref<4xf32> -> memref<f32>, index, index, index
  %2 = bufferization.dealloc (%0 : memref<4xf32>) if (%c) retain (%base : memref<f32>)
  return %1 : f32
}

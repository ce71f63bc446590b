// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.triangular_solve: sides, triangles, transposes, element types, batches,
// views.

func.func private @solve0(memref<9x9xf32>, memref<9x5xf32>, memref<9x5xf32>) attributes {rt.custom_call = "jitrun.triangular_solve", transpose_a = "none"}
func.func @left_lower_none(%a: memref<9x9xf32>, %b: memref<9x5xf32>, %x: memref<9x5xf32>) {
  call @solve0(%a, %b, %x) : (memref<9x9xf32>, memref<9x5xf32>, memref<9x5xf32>) -> ()
  return
}

func.func private @solve1(memref<9x9xcomplex<f64>>, memref<9x5xcomplex<f64>>, memref<9x5xcomplex<f64>>) attributes {rt.custom_call = "jitrun.triangular_solve", transpose_a = "transpose", unit_diagonal}
func.func @left_lower_transpose(%a: memref<9x9xcomplex<f64>>, %b: memref<9x5xcomplex<f64>>, %x: memref<9x5xcomplex<f64>>) {
  call @solve1(%a, %b, %x) : (memref<9x9xcomplex<f64>>, memref<9x5xcomplex<f64>>, memref<9x5xcomplex<f64>>) -> ()
  return
}

func.func private @solve2(memref<9x9xf64>, memref<9x5xf64>, memref<9x5xf64>) attributes {rt.custom_call = "jitrun.triangular_solve", transpose_a = "adjoint"}
func.func @left_lower_adjoint(%a: memref<9x9xf64>, %b: memref<9x5xf64>, %x: memref<9x5xf64>) {
  call @solve2(%a, %b, %x) : (memref<9x9xf64>, memref<9x5xf64>, memref<9x5xf64>) -> ()
  return
}

func.func private @solve3(memref<9x9xcomplex<f32>>, memref<9x5xcomplex<f32>>, memref<9x5xcomplex<f32>>) attributes {rt.custom_call = "jitrun.triangular_solve", lower = false, transpose_a = "none"}
func.func @left_upper_none(%a: memref<9x9xcomplex<f32>>, %b: memref<9x5xcomplex<f32>>, %x: memref<9x5xcomplex<f32>>) {
  call @solve3(%a, %b, %x) : (memref<9x9xcomplex<f32>>, memref<9x5xcomplex<f32>>, memref<9x5xcomplex<f32>>) -> ()
  return
}

func.func private @solve4(memref<9x9xf32>, memref<9x5xf32>, memref<9x5xf32>) attributes {rt.custom_call = "jitrun.triangular_solve", lower = false, transpose_a = "transpose", unit_diagonal}
func.func @left_upper_transpose(%a: memref<9x9xf32>, %b: memref<9x5xf32>, %x: memref<9x5xf32>) {
  call @solve4(%a, %b, %x) : (memref<9x9xf32>, memref<9x5xf32>, memref<9x5xf32>) -> ()
  return
}

func.func private @solve5(memref<9x9xcomplex<f64>>, memref<9x5xcomplex<f64>>, memref<9x5xcomplex<f64>>) attributes {rt.custom_call = "jitrun.triangular_solve", lower = false, transpose_a = "adjoint"}
func.func @left_upper_adjoint(%a: memref<9x9xcomplex<f64>>, %b: memref<9x5xcomplex<f64>>, %x: memref<9x5xcomplex<f64>>) {
  call @solve5(%a, %b, %x) : (memref<9x9xcomplex<f64>>, memref<9x5xcomplex<f64>>, memref<9x5xcomplex<f64>>) -> ()
  return
}

func.func private @solve6(memref<9x9xf64>, memref<5x9xf64>, memref<5x9xf64>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false}
func.func @right_lower_none(%a: memref<9x9xf64>, %b: memref<5x9xf64>, %x: memref<5x9xf64>) {
  call @solve6(%a, %b, %x) : (memref<9x9xf64>, memref<5x9xf64>, memref<5x9xf64>) -> ()
  return
}

func.func private @solve7(memref<9x9xcomplex<f32>>, memref<5x9xcomplex<f32>>, memref<5x9xcomplex<f32>>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false, transpose_a = "transpose", unit_diagonal}
func.func @right_lower_transpose(%a: memref<9x9xcomplex<f32>>, %b: memref<5x9xcomplex<f32>>, %x: memref<5x9xcomplex<f32>>) {
  call @solve7(%a, %b, %x) : (memref<9x9xcomplex<f32>>, memref<5x9xcomplex<f32>>, memref<5x9xcomplex<f32>>) -> ()
  return
}

func.func private @solve8(memref<9x9xf32>, memref<5x9xf32>, memref<5x9xf32>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false, transpose_a = "adjoint"}
func.func @right_lower_adjoint(%a: memref<9x9xf32>, %b: memref<5x9xf32>, %x: memref<5x9xf32>) {
  call @solve8(%a, %b, %x) : (memref<9x9xf32>, memref<5x9xf32>, memref<5x9xf32>) -> ()
  return
}

func.func private @solve9(memref<9x9xcomplex<f64>>, memref<5x9xcomplex<f64>>, memref<5x9xcomplex<f64>>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false, lower = false}
func.func @right_upper_none(%a: memref<9x9xcomplex<f64>>, %b: memref<5x9xcomplex<f64>>, %x: memref<5x9xcomplex<f64>>) {
  call @solve9(%a, %b, %x) : (memref<9x9xcomplex<f64>>, memref<5x9xcomplex<f64>>, memref<5x9xcomplex<f64>>) -> ()
  return
}

func.func private @solve10(memref<9x9xf64>, memref<5x9xf64>, memref<5x9xf64>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false, lower = false, transpose_a = "transpose", unit_diagonal}
func.func @right_upper_transpose(%a: memref<9x9xf64>, %b: memref<5x9xf64>, %x: memref<5x9xf64>) {
  call @solve10(%a, %b, %x) : (memref<9x9xf64>, memref<5x9xf64>, memref<5x9xf64>) -> ()
  return
}

func.func private @solve11(memref<9x9xcomplex<f32>>, memref<5x9xcomplex<f32>>, memref<5x9xcomplex<f32>>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false, lower = false, transpose_a = "adjoint"}
func.func @right_upper_adjoint(%a: memref<9x9xcomplex<f32>>, %b: memref<5x9xcomplex<f32>>, %x: memref<5x9xcomplex<f32>>) {
  call @solve11(%a, %b, %x) : (memref<9x9xcomplex<f32>>, memref<5x9xcomplex<f32>>, memref<5x9xcomplex<f32>>) -> ()
  return
}

func.func private @solve12(memref<150x150xf64>, memref<150x7xf64>, memref<150x7xf64>) attributes {rt.custom_call = "jitrun.triangular_solve", lower = false}
func.func @blocks(%a: memref<150x150xf64>, %b: memref<150x7xf64>, %x: memref<150x7xf64>) {
  call @solve12(%a, %b, %x) : (memref<150x150xf64>, memref<150x7xf64>, memref<150x7xf64>) -> ()
  return
}

func.func private @solve13(memref<66x66xf32>, memref<66x270xf32>, memref<66x270xf32>) attributes {rt.custom_call = "jitrun.triangular_solve"}
func.func @wide(%a: memref<66x66xf32>, %b: memref<66x270xf32>, %x: memref<66x270xf32>) {
  call @solve13(%a, %b, %x) : (memref<66x66xf32>, memref<66x270xf32>, memref<66x270xf32>) -> ()
  return
}

func.func private @solve14(memref<70x70xcomplex<f64>>, memref<3x70xcomplex<f64>>, memref<3x70xcomplex<f64>>) attributes {rt.custom_call = "jitrun.triangular_solve", left_side = false}
func.func @complex_blocks(%a: memref<70x70xcomplex<f64>>, %b: memref<3x70xcomplex<f64>>, %x: memref<3x70xcomplex<f64>>) {
  call @solve14(%a, %b, %x) : (memref<70x70xcomplex<f64>>, memref<3x70xcomplex<f64>>, memref<3x70xcomplex<f64>>) -> ()
  return
}

func.func private @solve15(memref<2x3x4x4xf64>, memref<2x3x4x2xf64>, memref<2x3x4x2xf64>) attributes {rt.custom_call = "jitrun.triangular_solve"}
func.func @batch(%a: memref<2x3x4x4xf64>, %b: memref<2x3x4x2xf64>, %x: memref<2x3x4x2xf64>) {
  call @solve15(%a, %b, %x) : (memref<2x3x4x4xf64>, memref<2x3x4x2xf64>, memref<2x3x4x2xf64>) -> ()
  return
}

func.func private @solve16(memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) attributes {rt.custom_call = "jitrun.triangular_solve"}
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %x: memref<?x?xf32>) {
  call @solve16(%a, %b, %x) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

func.func private @solve17(memref<6x6xf64, strided<[1, 6]>>, memref<6x4xf64, strided<[1, 6]>>, memref<6x4xf64, strided<[1, 6]>>) attributes {rt.custom_call = "jitrun.triangular_solve"}
func.func @turned(%a: memref<6x6xf64>, %b: memref<4x6xf64>, %x: memref<4x6xf64>) {
  %c = memref.transpose %a (i, j) -> (j, i) : memref<6x6xf64> to memref<6x6xf64, strided<[1, 6]>>
  %d = memref.transpose %b (i, j) -> (j, i) : memref<4x6xf64> to memref<6x4xf64, strided<[1, 6]>>
  %y = memref.transpose %x (i, j) -> (j, i) : memref<4x6xf64> to memref<6x4xf64, strided<[1, 6]>>
  call @solve17(%c, %d, %y) : (memref<6x6xf64, strided<[1, 6]>>, memref<6x4xf64, strided<[1, 6]>>, memref<6x4xf64, strided<[1, 6]>>) -> ()
  return
}

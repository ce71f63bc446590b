// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.cholesky: element types, batches, both triangles, views.

func.func private @cholesky0(memref<5x5xf32>, memref<5x5xf32>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @f32(%a: memref<5x5xf32>, %b: memref<5x5xf32>) {
  call @cholesky0(%a, %b) : (memref<5x5xf32>, memref<5x5xf32>) -> ()
  return
}

func.func private @cholesky1(memref<130x130xf64>, memref<130x130xf64>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @f64(%a: memref<130x130xf64>, %b: memref<130x130xf64>) {
  call @cholesky1(%a, %b) : (memref<130x130xf64>, memref<130x130xf64>) -> ()
  return
}

func.func private @cholesky2(memref<?x?xf32>, memref<?x?xf32>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @large(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  call @cholesky2(%a, %b) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

func.func private @cholesky3(memref<2x3x7x7xcomplex<f32>>, memref<2x3x7x7xcomplex<f32>>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @c64(%a: memref<2x3x7x7xcomplex<f32>>, %b: memref<2x3x7x7xcomplex<f32>>) {
  call @cholesky3(%a, %b) : (memref<2x3x7x7xcomplex<f32>>, memref<2x3x7x7xcomplex<f32>>) -> ()
  return
}

func.func private @cholesky4(memref<66x66xcomplex<f64>>, memref<66x66xcomplex<f64>>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @c128(%a: memref<66x66xcomplex<f64>>, %b: memref<66x66xcomplex<f64>>) {
  call @cholesky4(%a, %b) : (memref<66x66xcomplex<f64>>, memref<66x66xcomplex<f64>>) -> ()
  return
}

func.func private @cholesky5(memref<1x1xf64>, memref<1x1xf64>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @one(%a: memref<1x1xf64>, %b: memref<1x1xf64>) {
  call @cholesky5(%a, %b) : (memref<1x1xf64>, memref<1x1xf64>) -> ()
  return
}

func.func private @cholesky6(memref<2x66x66xf64>, memref<2x66x66xf64>) attributes {rt.custom_call = "jitrun.cholesky", upper}
func.func @upper(%a: memref<2x66x66xf64>, %b: memref<2x66x66xf64>) {
  call @cholesky6(%a, %b) : (memref<2x66x66xf64>, memref<2x66x66xf64>) -> ()
  return
}

func.func private @cholesky7(memref<9x9xcomplex<f32>>, memref<9x9xcomplex<f32>>) attributes {rt.custom_call = "jitrun.cholesky", upper = true}
func.func @upper_complex(%a: memref<9x9xcomplex<f32>>, %b: memref<9x9xcomplex<f32>>) {
  call @cholesky7(%a, %b) : (memref<9x9xcomplex<f32>>, memref<9x9xcomplex<f32>>) -> ()
  return
}

func.func private @cholesky8(memref<6x6xcomplex<f64>, strided<[1, 6]>>, memref<6x6xcomplex<f64>, strided<[1, 6]>>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @turned(%a: memref<6x6xcomplex<f64>>, %b: memref<6x6xcomplex<f64>>) {
  %x = memref.transpose %a (i, j) -> (j, i) : memref<6x6xcomplex<f64>> to memref<6x6xcomplex<f64>, strided<[1, 6]>>
  %y = memref.transpose %b (i, j) -> (j, i) : memref<6x6xcomplex<f64>> to memref<6x6xcomplex<f64>, strided<[1, 6]>>
  call @cholesky8(%x, %y) : (memref<6x6xcomplex<f64>, strided<[1, 6]>>, memref<6x6xcomplex<f64>, strided<[1, 6]>>) -> ()
  return
}

func.func private @cholesky9(memref<2x3x3xf32>, memref<2x3x3xf32>) attributes {rt.custom_call = "jitrun.cholesky"}
func.func @indefinite(%a: memref<2x3x3xf32>, %b: memref<2x3x3xf32>) {
  call @cholesky9(%a, %b) : (memref<2x3x3xf32>, memref<2x3x3xf32>) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.func.launch: refused on the host when the program is opened, with
// six numbers or seven, with the PTX in the program or not; and what is wrong
// is told apart from what is missing.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: not %jitrun %t.d/six.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=RIGHT
// RUN: not %jitrun %t.d/seven.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=RIGHT
// RIGHT: jitrun: error: {{.*}}.mlir:5:3: xla.gpu.func.launch of kernel 'fusion' cannot run: kernels are not built yet on the host
// RIGHT-NEXT: note: while instantiating custom call 'xla.gpu.func.launch'
// RUN: not %jitrun %t.d/five.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=FIVE
// FIVE: xla.gpu.func.launch begins with 5 arguments of type i32; needed are
// RUN: not %jitrun %t.d/scalar.mlir --input=4xf32 --input=f32=1 2>&1 | %FileCheck %s --check-prefix=SCALAR
// SCALAR: Unsupported argument #1 type: kernels take memrefs only
// RUN: not %jitrun %t.d/kernel.mlir 2>&1 | %FileCheck %s --check-prefix=KERNEL
// KERNEL: custom call 'xla.gpu.func.launch' does not match its declared signature: missing attribute 'kernel': expected string

//--- six.mlir
func.func private @launch(i32, i32, i32, i32, i32, i32, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.func.launch"}
func.func @main(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  call @launch(%c1, %c1, %c1, %c4, %c1, %c1, %a) {ptx = ".version 7.0", kernel = "fusion"} : (i32, i32, i32, i32, i32, i32, memref<4xf32>) -> ()
  return
}
//--- seven.mlir
func.func private @launch(i32, i32, i32, i32, i32, i32, i32, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.func.launch"}
func.func @main(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  call @launch(%c0, %c1, %c1, %c1, %c1, %c1, %c1, %a) {uid = 0 : i64, kernel = "fusion"} : (i32, i32, i32, i32, i32, i32, i32, memref<4xf32>) -> ()
  return
}
//--- five.mlir
func.func private @launch(i32, i32, i32, i32, i32, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.func.launch"}
func.func @main(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : i32
  call @launch(%c1, %c1, %c1, %c1, %c1, %a) {kernel = "fusion"} : (i32, i32, i32, i32, i32, memref<4xf32>) -> ()
  return
}
//--- scalar.mlir
func.func private @launch(i32, i32, i32, i32, i32, i32, memref<4xf32>, f32) attributes {rt.custom_call = "xla.gpu.func.launch"}
func.func @main(%a: memref<4xf32>, %x: f32) {
  %c1 = arith.constant 1 : i32
  call @launch(%c1, %c1, %c1, %c1, %c1, %c1, %a, %x) {kernel = "fusion"} : (i32, i32, i32, i32, i32, i32, memref<4xf32>, f32) -> ()
  return
}
//--- kernel.mlir
func.func private @launch() attributes {rt.custom_call = "xla.gpu.func.launch"}
func.func @main() {
  call @launch() : () -> ()
  return
}

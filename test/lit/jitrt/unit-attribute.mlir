// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name without a value is true where a bool is declared optional; it is the
// same as no attribute for other optional ones, and no value for what must be
// there.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/bool.mlir --input=2x2xf32=1,2,3,4 --input=2x2xf32=1,2,3,4 --input=2x2xf32 | %FileCheck %s
// RUN: %jitrun compile %t.d/bool.mlir -o %t.o
// RUN: %jitrun %t.o --input=2x2xf32=1,2,3,4 --input=2x2xf32=1,2,3,4 --input=2x2xf32 | %FileCheck %s
// CHECK: arg[2]: 2x2xf32={{\[\[}}10 14][14 20]]
// RUN: not %jitrun %t.d/required.mlir --plugin=%plugins/testcalls.so 2>&1 | %FileCheck %s --check-prefix=REQUIRED
// REQUIRED: custom call 'test.fail' does not match its declared signature: attribute 'value': expected i64, found unit

//--- bool.mlir
func.func private @gemm(memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) attributes {rt.custom_call = "jitrun.gemm"}
func.func @main(%a: memref<2x2xf32>, %b: memref<2x2xf32>, %c: memref<2x2xf32>) {
  call @gemm(%a, %b, %c) {alpha, transpose_a} : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
//--- required.mlir
func.func private @fail() attributes {rt.custom_call = "test.fail"}
func.func @main() {
  call @fail() {value} : () -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bufferization.to_tensor without the type of its result, as it was written.
// REQUIRES: llvm
// RUN: %jitrun %s --input=2x2xf32=1,2,3,4 --input=3xi32=1,2,3 | %FileCheck %s
// RUN: sed -e 's/memref<?xi32> .. of/vector<4xi32> of/' %s > %t.mlir
// RUN: not %jitrun %t.mlir 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: jitrun: error: {{.*}}.mlir:[[@LINE+8]]:{{[0-9]+}}:

// CHECK: result[0]: 2x2xf32={{\[\[}}1 2][3 4]]
// CHECK-NEXT: result[1]: 3xi32=[1 2 3]
func.func @main(%m: memref<2x2xf32, strided<[2, 1]>>, %n: memref<?xi32>)
    -> (tensor<2x2xf32>, tensor<?xi32>) {
  %a = bufferization.to_tensor %m restrict : memref<2x2xf32, strided<[2, 1]>>
  %b = bufferization.to_tensor %n restrict : memref<?xi32> to tensor<?xi32>
  %c = bufferization.to_tensor %n restrict : memref<?xi32> // of any size
  return %a, %c : tensor<2x2xf32>, tensor<?xi32>
}

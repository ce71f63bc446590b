// --check: sizes of operands of linalg, what their bodies do, and tensors.
// REQUIRES: llvm

// RUN: %ways --native %s --check --entry=matmul --input=2x3xf32=1 --input=3x2xf32=1 --input=2x2xf32=0 | %FileCheck %s --check-prefix=MATMUL0
// MATMUL0: result[0]: 2x2xf32={{\[\[}}3 3][3 3]]
// RUN: not %ways --native %s --check --entry=matmul --input=2x3xf32=1 --input=4x2xf32=1 --input=2x2xf32=0 2>&1 | %FileCheck %s --check-prefix=MATMUL1
// MATMUL1: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: linalg.matmul: sizes do not agree: dimension 0 of operand 1 has 4 elements, other operands ask for 3
// RUN: not %jitrun %s --check --entry=matmul --input=2x3xf32=1 --input=3x2xf32=1 --input=2x3xf32=0 2>&1 | %FileCheck %s --check-prefix=MATMUL2
// MATMUL2: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: linalg.matmul: sizes do not agree: dimension 1 of operand 2 has 3 elements, other operands ask for 2
// RUN: %jitrun %s --check --entry=gen --input=3xi32=2 --input=3xi32=2 --input=index=2 | %FileCheck %s --check-prefix=GEN3
// GEN3: result[0]: 3xi32=[1 1 1]
// RUN: not %jitrun %s --check --entry=gen --input=3xi32=2 --input=3xi32=2 --input=index=3 2>&1 | %FileCheck %s --check-prefix=GEN4
// GEN4: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.load: index 3 is out of bounds: dimension 0 of memref<?xi32> has size 3
// RUN: not %jitrun %s --check --entry=gen --input=3xi32=2,0,1 --input=3xi32=2 --input=index=2 2>&1 | %FileCheck %s --check-prefix=GEN5
// GEN5: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.divsi: division by zero
// RUN: not %jitrun %s --check --entry=gen --input=3xi32=2,0,1 --input=4xi32=2 --input=index=2 2>&1 | %FileCheck %s --check-prefix=GEN6
// GEN6: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: linalg.generic: sizes do not agree: dimension 0 of operand 1 has 4 elements, other operands ask for 3
// RUN: %jitrun %s --check --entry=conv --input=5xf32=1 --input=3xf32=1 --input=3xf32=0 | %FileCheck %s --check-prefix=CONV7
// CONV7: result[0]: 3xf32=[3 3 3]
// RUN: not %jitrun %s --check --entry=conv --input=4xf32=1 --input=3xf32=1 --input=3xf32=0 2>&1 | %FileCheck %s --check-prefix=CONV8
// CONV8: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: linalg.conv_1d: sizes do not agree: dimension 0 of operand 0 has 4 elements, other operands ask for 5
// RUN: %jitrun %s --check --entry=slice --input=4xf32=1 --input=index=2 | %FileCheck %s --check-prefix=SLICE9
// SLICE9: result[0]: 2xf32=[1 1]
// RUN: not %jitrun %s --check --entry=slice --input=4xf32=1 --input=index=3 2>&1 | %FileCheck %s --check-prefix=SLICE10
// SLICE10: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.subview: offset 3, size 2 and step 1 leave dimension 0 of memref<?xf32
// RUN: not %jitrun %s --check --entry=cast --input=4xf32=1 2>&1 | %FileCheck %s --check-prefix=CAST11
// CAST11: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.copy: dimension 0 has size 4 in the source, 3 in the target

func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @gen(%a: tensor<?xi32>, %b: tensor<?xi32>, %i: index) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a: tensor<?xi32>) outs(%b: tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    %e = tensor.extract %a[%i] : tensor<?xi32>
    %q = arith.divsi %e, %x : i32
    linalg.yield %q : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @conv(%a: tensor<?xf32>, %f: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%a, %f : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @slice(%a: tensor<?xf32>, %i: index) -> tensor<2xf32> {
  %r = tensor.extract_slice %a[%i] [2] [1] : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @cast(%a: tensor<?xf32>) -> tensor<3xf32> {
  %r = tensor.cast %a : tensor<?xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

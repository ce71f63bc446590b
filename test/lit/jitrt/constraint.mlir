// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an entry asks to know of its arguments is part of its signature.
// REQUIRES: llvm
// RUN: %jitrun inspect %s | FileCheck %s
// CHECK: arg[0]: ?xf32 (rank known)
// CHECK-NEXT: arg[1]: ?xf32 (output) (shape known)
// CHECK-NEXT: arg[2]: i32 (value known)
// CHECK-NEXT: arg[3]: i32{{$}}
// RUN: %jitrun inspect %s --json | FileCheck %s --check-prefix=JSON
// JSON: "constraint": "rank"
// JSON: "constraint": "shape"
// JSON: "constraint": "value"
// JSON-NOT: "constraint"
func.func @main(%ctx: !rt.execution_context, %a: memref<?xf32> {rt.constraint = "rank"}, %b: memref<?xf32> {rt.constraint = "shape", jitrun.output}, %v: i32 {rt.constraint = "value"}, %w: i32) {
  return
}

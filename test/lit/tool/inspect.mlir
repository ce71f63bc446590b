// REQUIRES: llvm
// RUN: %jitrun inspect %s | %FileCheck %s
// CHECK: entry 'main'
// CHECK-NEXT: takes arg[0]: 2x?xf32, arg[1]: i32
// CHECK-NEXT: gives result[0]: i32
// CHECK: code: native
// CHECK-NEXT: calls: 1
// CHECK-NEXT: call 0: 'jitrun.noop' at {{.*}}inspect.mlir:[[@LINE+6]]:3 (2x?xf32, i32) -> () {x}
//
// RUN: %jitrun inspect --json %s | %python -m json.tool | %FileCheck %s --check-prefix=JSON
// JSON: jitrun.noop
func.func private @noop(memref<2x?xf32>, i32) attributes {rt.custom_call = "jitrun.noop"}
func.func @main(%a: memref<2x?xf32>, %k: i32) -> i32 {
  call @noop(%a, %k) {x = 3 : i64} : (memref<2x?xf32>, i32) -> ()
  return %k : i32
}

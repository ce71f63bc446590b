// What is in a program, whether or not its calls are registered.
//
// REQUIRES: llvm
// RUN: %jitrun inspect %s | %FileCheck %s
// CHECK: entry 'main'
// CHECK-NEXT: {{^}}  arg[0]: 2x?xf32 (output){{$}}
// CHECK-NEXT: {{^}}  arg[1]: i32
// CHECK-NEXT: {{^}}  result[0]: i32
// CHECK-NEXT: {{^}}  output 1: result[0]
// CHECK-NEXT: {{^}}  output 2: arg[0]
// CHECK-NEXT: {{^}}  thunks: yes{{$}}
// CHECK-NEXT: source: {{.*}}inspect.mlir
// CHECK-NEXT: producer: jitrun
// CHECK-NEXT: image: version {{[0-9]+}}, {{[0-9]+}} bytes
// CHECK-NEXT: temporaries: 0 bytes
// CHECK-NEXT: code: native
// CHECK-NEXT: target: {{.+}}
// CHECK-NEXT: cpu: native
// CHECK-NEXT: cpu features: {{.+}}
// CHECK-NEXT: fingerprint: {{[0-9a-f]+$}}
// CHECK-NEXT: needs: --plugin or --shared-libs for the calls that are not registered
// CHECK-NEXT: calls: 2
// CHECK-NEXT: call 0: 'jitrun.noop' at {{.*}}inspect.mlir:[[@LINE+22]]:3 (2x?xf32, i32) -> () {d = {...}, l = [1, 2, 3, 4, 5, 6, 7, 8, ...] : i64, s = "a\22b", t = [1.5, 1.5] : 1x2xf32, x = 3 : i64}
// CHECK-NEXT: call 1: 'vendor.op' (not registered) at {{.*}}inspect.mlir:[[@LINE+28]]:8 (i32) -> (f64)
//
// RUN: %jitrun inspect --json %s | %python -m json.tool | %FileCheck %s --check-prefix=JSON
// JSON: jitrun.noop
// JSON: vendor.op
//
// The same of an image.
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun inspect %t.o | %FileCheck %s --check-prefix=IMAGE
// IMAGE: code: native
// IMAGE: calls: 2
// IMAGE: call 1: 'vendor.op' (not registered)
//
// An argument that is marked is the only output of its program.
// RUN: %jitrun inspect %examples/mlp.mlir | %FileCheck %s --check-prefix=MARKED
// MARKED: arg[7]: 8x10xf32 (output), 320 bytes
// MARKED-NEXT: output 1: arg[7]
// MARKED-NEXT: thunks
func.func private @noop(memref<2x?xf32>, i32) attributes {rt.custom_call = "jitrun.noop"}
func.func private @op(i32) -> f64 attributes {rt.custom_call = "vendor.op"}
func.func @main(%a: memref<2x?xf32> {jitrun.output}, %k: i32) -> i32 {
  call @noop(%a, %k) {
    d = {in = 1 : i8},
    l = [1, 2, 3, 4, 5, 6, 7, 8, 9],
    s = "a\22b",
    t = dense<1.5> : tensor<1x2xf32>,
    x = 3 : i64
  } : (memref<2x?xf32>, i32) -> ()
  %f = call @op(%k) : (i32) -> f64
  return %k : i32
}

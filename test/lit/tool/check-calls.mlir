// Calls that do not fit are found when a program is compiled: those of jitrun
// always, all others where the plug-ins are given; nothing is written then.
//
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -c "%jitrun %t.d/two.mlir; echo status $?" 2>&1 | %FileCheck %s --check-prefix=OPEN
// OPEN: jitrun: error: {{.*}}two.mlir:4:3: custom call 'test.scales' is not registered for platform 'host'
// OPEN-NEXT: jitrun: note: also not registered: 'vendor.op' at {{.*}}two.mlir:5:3
// OPEN-NEXT: jitrun: note: while opening
// OPEN-NEXT: jitrun: note: give the plug-in that has it with --plugin=LIB; 'jitrun calls' lists what is known
// OPEN-NEXT: status 1
// RUN: %jitrun compile %t.d/two.mlir -o %t.two.o
// RUN: rm %t.two.o
// RUN: sh -c "%jitrun compile %t.d/two.mlir --plugin=%plugins/testcalls.so -o %t.two.o; echo status $?" 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=TWO
// RUN: not %jitrun compile %t.d/two.mlir --plugin=%plugins/testcalls.so -o %t.two.so
// RUN: not %jitrun compile %t.d/two.mlir --plugin=%plugins/testcalls.so -o %t.two.h
// RUN: not ls %t.two.o %t.two.so %t.two.h
// TWO: jitrun: error: {{.*}}two.mlir:4:3: custom call 'test.scales' is not registered for platform 'host' (did you mean 'test.scale'
// TWO-NEXT: jitrun: note: also not registered: 'vendor.op' at {{.*}}two.mlir:5:3
// TWO-NEXT: jitrun: note: while compiling
// TWO: status 1
//
// RUN: not %jitrun compile %t.d/ours.mlir -o %t.ours.o 2>&1 | %FileCheck %s --check-prefix=OURS
// OURS: jitrun: error: {{.*}}ours.mlir:4:3: custom call 'jitrun.gem' is not registered
// RUN: not %jitrun compile %t.d/types.mlir -o %t.types.so 2>&1 | %FileCheck %s --check-prefix=TYPES
// TYPES: jitrun: error: {{.*}}types.mlir:3:3: custom call 'jitrun.gemm' does not match its declared signature
//
// An attribute of another number type, a name that is none: what to write.
// RUN: not %jitrun compile %t.d/number.mlir -o %t.x.o 2>&1 | %FileCheck %s --check-prefix=NUMBER
// NUMBER: number.mlir:3:3: {{.*}}: attribute 'alpha': expected f64, found i64: write 2.0 : f64; declared
// NUMBER-NEXT: note: also at {{.*}}number.mlir:4:3: {{.*}}: unknown attribute 'alhpa' (did you mean 'alpha'?); attribute 'beta': expected f64, found f32: write 1.5 : f64; declared
// NUMBER-NEXT: note: also at {{.*}}number.mlir:5:3: {{.*}}: attribute 'alpha': expected f64, found string; declared

//--- two.mlir
func.func private @scale(memref<4xf32>) attributes {rt.custom_call = "test.scales"}
func.func private @op(memref<4xf32>) attributes {rt.custom_call = "vendor.op"}
func.func @main(%a: memref<4xf32>) {
  call @scale(%a) {factor = 2.0 : f64} : (memref<4xf32>) -> ()
  call @op(%a) : (memref<4xf32>) -> ()
  call @op(%a) : (memref<4xf32>) -> ()
  return
}
//--- ours.mlir
func.func private @gemm(memref<4xf32>) attributes {rt.custom_call = "jitrun.gem"}
func.func private @op(memref<4xf32>) attributes {rt.custom_call = "vendor.op"}
func.func @main(%a: memref<4xf32>) {
  call @gemm(%a) : (memref<4xf32>) -> ()
  call @op(%a) : (memref<4xf32>) -> ()
  return
}
//--- types.mlir
func.func private @gemm(memref<4xf32>) attributes {rt.custom_call = "jitrun.gemm"}
func.func @main(%a: memref<4xf32>) {
  call @gemm(%a) : (memref<4xf32>) -> ()
  return
}
//--- number.mlir
func.func private @gemm(memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) attributes {rt.custom_call = "jitrun.gemm"}
func.func @main(%a: memref<2x2xf32>) {
  call @gemm(%a, %a, %a) {alpha = 2} : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  call @gemm(%a, %a, %a) {alhpa = 1.0, beta = 1.5 : f32} : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  call @gemm(%a, %a, %a) {alpha = "2"} : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  return
}

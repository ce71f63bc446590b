// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.custom_call: no handler of the classic API can be found on the host,
// but what is written wrong is told apart.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: not %jitrun %t.d/call.mlir --input=4xf32 2>&1 | %FileCheck %s
// CHECK: jitrun: error: {{.*}}call.mlir:4:3: Cannot find the Xla custom call handler SetValue: handlers of API version 1 are not built yet on the host
// CHECK-NEXT: note: while instantiating custom call 'xla.gpu.custom_call'
// RUN: sed -e 's/api_version = 1/api_version = 4/' %t.d/call.mlir > %t.version.mlir
// RUN: not %jitrun %t.version.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=VERSION
// VERSION: Unsupported custom call API version: 4
// RUN: sed -e 's/i64/i32/g' %t.d/call.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: Unsupported argument #1 type: a custom call takes memrefs, and i64 for what is not there
// RUN: sed -e 's/, backend_config = "x"//' %t.d/call.mlir > %t.less.mlir
// RUN: not %jitrun %t.less.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=LESS
// LESS: custom call 'xla.gpu.custom_call' does not match its declared signature: missing attribute 'backend_config': expected string

//--- call.mlir
func.func private @custom(memref<4xf32>, i64) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func @main(%a: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  call @custom(%a, %hole) {api_version = 1 : i32, backend_config = "x", call_target_name = "SetValue"} : (memref<4xf32>, i64) -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.custom_call and xla.cpu.custom_call: handlers of the classic API in
// its versions, as functions of a library or registered by a plug-in, and what
// is refused.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=one --input=4xf32=1,2,3,4 --input=4xf32 | %FileCheck %s --check-prefix=ONE
// RUN: %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=one --input=4xf32=1,2,3,4 --input=4xf32 --executor=thunks | %FileCheck %s --check-prefix=ONE
// ONE: stream none, hole none, opaque abc
// ONE: arg[1]: 4xf32=[5 7 9 11]
// RUN: %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=two --input=4xf32=1,2,3,4 --input=4xf32 | %FileCheck %s --check-prefix=TWO
// TWO: arg[1]: 4xf32=[2 4 6 8]
// RUN: %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=three --input=4xf32=1,2,3,4 --input=4xf32 | %FileCheck %s --check-prefix=THREE
// THREE: arg[1]: 4xf32=[9 11 13 15]
// RUN: not %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=fail --input=4xf32 --input=4xf32 2>&1 | %FileCheck %s --check-prefix=FAIL
// FAIL: jitrun: error: {{.*}}gpu.mlir:[[#]]:3: custom call 'gpu_two' failed: out of luck{{$}}
// RUN: %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=columns --input=2x2xf32=1,2,3,4 --input=4xf32 | %FileCheck %s --check-prefix=TWO
// RUN: not %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=open --input=8xf32 --input=4xf32 --input=index=2 2>&1 | %FileCheck %s --check-prefix=OPEN
// OPEN: argument #0 of classic custom call 'gpu_two' does not lie in one piece, and the handler gets no strides: copy it to a dense memref first
// RUN: %jitrun %t.d/gpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=open --input=8xf32=1,2,3,4,5,6,7,8 --input=4xf32 --input=index=1 | %FileCheck %s --check-prefix=TWO
//
// RUN: %jitrun %t.d/cpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=one --input=4xf32=1,2,3,4 --input=4xf32 | %FileCheck %s --check-prefix=TWO
// RUN: %jitrun %t.d/cpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=two --input=4xf32=1,2,3,4 --input=4xf32=5,6,7,8 --input=4xf32 --input=4xf32 | %FileCheck %s --check-prefix=TUPLE
// TUPLE: arg[2]: 4xf32=[2 4 6 8]
// TUPLE-NEXT: arg[3]: 4xf32=[11 13 15 17]
// RUN: %jitrun %t.d/cpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=three --input=4xf32=1,2,3,4 --input=4xf32 | %FileCheck %s --check-prefix=CPU3
// CPU3: arg[1]: 4xf32=[35 37 39 41]
// RUN: not %jitrun %t.d/cpu.mlir --shared-libs=%plugins/jitrt_direct.so --entry=fail --input=4xf32 --input=4xf32 2>&1 | %FileCheck %s --check-prefix=CPUFAIL
// CPUFAIL: jitrun: error: {{.*}}cpu.mlir:[[#]]:3: custom call 'cpu_three' failed: nothing to do{{$}}
//
// RUN: %jitrun %t.d/plugin.mlir --plugin=%plugins/jitrt_bound.so --input=1xi32=41 | %FileCheck %s --check-prefix=PLUGIN
// PLUGIN: arg[0]: 1xi32=[42]
//
// RUN: not %jitrun %t.d/call.mlir --input=4xf32 2>&1 | %FileCheck %s
// CHECK: jitrun: error: {{.*}}call.mlir:4:3: Cannot find the Xla custom call handler SetValue for platform 'host': register it, or give the library that has this function, before the program is opened
// CHECK-NEXT: note: while instantiating custom call 'xla.gpu.custom_call'
// RUN: sed -e 's/SetValue/TriangularSolve/' %t.d/call.mlir > %t.solve.mlir
// RUN: not %jitrun %t.solve.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=SOLVE
// SOLVE: TriangularSolve, which XLA has built in, is not built yet on the host; a classic custom call handler of this name may be registered
// RUN: sed -e 's/api_version = 1/api_version = 4/' %t.d/call.mlir > %t.version.mlir
// RUN: not %jitrun %t.version.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=VERSION
// VERSION: Unsupported custom call API version: 4
// RUN: sed -e 's/i64/i32/g' %t.d/call.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: Unsupported argument #1 type: a custom call takes memrefs, and i64 for what is not there
// RUN: sed -e 's/, backend_config = "x"//' %t.d/call.mlir > %t.less.mlir
// RUN: not %jitrun %t.less.mlir --input=4xf32 2>&1 | %FileCheck %s --check-prefix=LESS
// LESS: custom call 'xla.gpu.custom_call' does not match its declared signature: missing attribute 'backend_config': expected string
// RUN: not %jitrun %t.d/strided.mlir --shared-libs=%plugins/jitrt_direct.so --input=8xf32 2>&1 | %FileCheck %s --check-prefix=STRIDED
// STRIDED: jitrun: error: {{.*}}strided.mlir:4:3: argument #0 of classic custom call 'gpu_one' does not lie in one piece
// RUN: not %jitrun %t.d/results.mlir --shared-libs=%plugins/jitrt_direct.so --input=4xf32 2>&1 | %FileCheck %s --check-prefix=RESULTS
// RESULTS: num_results is 2; the call has 1 arguments, of which the results are the last
// RUN: sed -e 's/num_results = 2/num_results = 0/' %t.d/results.mlir > %t.none.mlir
// RUN: not %jitrun %t.none.mlir --shared-libs=%plugins/jitrt_direct.so --input=4xf32 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: num_results is 0; without output_tuple there is one result

//--- gpu.mlir
func.func private @custom(memref<4xf32>, i64, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func private @column(memref<2x2xf32, strided<[1, 2]>>, i64, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func private @open_custom(memref<4xf32, strided<[?]>>, i64, memref<4xf32>) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func @one(%a: memref<4xf32>, %b: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  call @custom(%a, %hole, %b) {api_version = 1 : i32, backend_config = "abc", call_target_name = "gpu_one"} : (memref<4xf32>, i64, memref<4xf32>) -> ()
  return
}
func.func @two(%a: memref<4xf32>, %b: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  call @custom(%a, %hole, %b) {api_version = 2 : i32, backend_config = "", call_target_name = "gpu_two"} : (memref<4xf32>, i64, memref<4xf32>) -> ()
  return
}
func.func @three(%a: memref<4xf32>, %b: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  call @custom(%a, %hole, %b) {api_version = 3 : i32, backend_config = "recover", call_target_name = "gpu_two"} : (memref<4xf32>, i64, memref<4xf32>) -> ()
  return
}
func.func @fail(%a: memref<4xf32>, %b: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  call @custom(%a, %hole, %b) {api_version = 3 : i32, backend_config = "fail", call_target_name = "gpu_two"} : (memref<4xf32>, i64, memref<4xf32>) -> ()
  return
}
func.func @columns(%a: memref<2x2xf32>, %b: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  %t = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [1, 2] : memref<2x2xf32> to memref<2x2xf32, strided<[1, 2]>>
  call @column(%t, %hole, %b) {api_version = 2 : i32, backend_config = "", call_target_name = "gpu_two"} : (memref<2x2xf32, strided<[1, 2]>>, i64, memref<4xf32>) -> ()
  return
}
func.func @open(%a: memref<8xf32>, %b: memref<4xf32>, %step: index) {
  %hole = arith.constant 0 : i64
  %v = memref.subview %a[0] [4] [%step] : memref<8xf32> to memref<4xf32, strided<[?]>>
  call @open_custom(%v, %hole, %b) {api_version = 2 : i32, backend_config = "", call_target_name = "gpu_two"} : (memref<4xf32, strided<[?]>>, i64, memref<4xf32>) -> ()
  return
}
//--- cpu.mlir
func.func private @custom(memref<4xf32>, memref<4xf32>) attributes {rt.custom_call = "xla.cpu.custom_call"}
func.func private @tuple(memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {rt.custom_call = "xla.cpu.custom_call"}
func.func @one(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @custom(%a, %b) {api_version = 1 : i32, backend_config = "", call_target_name = "cpu_one", num_results = 1 : i32, output_tuple = false} : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @two(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>) {
  call @tuple(%a, %b, %c, %d) {api_version = 2 : i32, backend_config = "", call_target_name = "cpu_two", num_results = 2 : i32, output_tuple = true} : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @three(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @custom(%a, %b) {api_version = 3 : i32, backend_config = "!", call_target_name = "cpu_three", num_results = 1 : i32, output_tuple = false} : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @fail(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @custom(%a, %b) {api_version = 3 : i32, backend_config = "", call_target_name = "cpu_three", num_results = 1 : i32, output_tuple = false} : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
//--- plugin.mlir
func.func private @custom(memref<1xi32>) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func @main(%a: memref<1xi32>) {
  call @custom(%a) {api_version = 1 : i32, backend_config = "", call_target_name = "CountUp"} : (memref<1xi32>) -> ()
  return
}
//--- call.mlir
func.func private @custom(memref<4xf32>, i64) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func @main(%a: memref<4xf32>) {
  %hole = arith.constant 0 : i64
  call @custom(%a, %hole) {api_version = 1 : i32, backend_config = "x", call_target_name = "SetValue"} : (memref<4xf32>, i64) -> ()
  return
}
//--- strided.mlir
func.func private @custom(memref<4xf32, strided<[2]>>) attributes {rt.custom_call = "xla.gpu.custom_call"}
func.func @main(%a: memref<8xf32>) {
  %v = memref.subview %a[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  call @custom(%v) {api_version = 1 : i32, backend_config = "x", call_target_name = "gpu_one"} : (memref<4xf32, strided<[2]>>) -> ()
  return
}
//--- results.mlir
func.func private @custom(memref<4xf32>) attributes {rt.custom_call = "xla.cpu.custom_call"}
func.func @main(%a: memref<4xf32>) {
  call @custom(%a) {api_version = 1 : i32, backend_config = "", call_target_name = "cpu_one", num_results = 2 : i32, output_tuple = false} : (memref<4xf32>) -> ()
  return
}

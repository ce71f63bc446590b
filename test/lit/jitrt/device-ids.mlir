// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.replica_id and .partition_id fill a buffer with the number of the
// device, those of xla.cpu return it: alone that is 0.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/ids.mlir --input=ui32=9 --input=2xi32=9 | %FileCheck %s
// RUN: %jitrun compile %t.d/ids.mlir -o %t.o
// RUN: %jitrun %t.o --input=ui32=9 --input=2xi32=9 | %FileCheck %s
// CHECK: result[0]: i32=0
// CHECK-NEXT: result[1]: i32=0
// CHECK-NEXT: arg[0]: ui32=0
// CHECK-NEXT: arg[1]: 2xi32=[0 0]
//
// RUN: not %jitrun %t.d/result.mlir 2>&1 | %FileCheck %s --check-prefix=RESULT
// RESULT: custom call 'xla.cpu.replica_id' does not match its declared signature: result 0 'id': expected scalar i32, found scalar i64

//--- ids.mlir
func.func private @replica(memref<ui32>) attributes {rt.custom_call = "xla.gpu.replica_id"}
func.func private @partition(memref<2xi32>) attributes {rt.custom_call = "xla.gpu.partition_id"}
func.func private @cpu_replica() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @cpu_partition() -> i32 attributes {rt.custom_call = "xla.cpu.partition_id"}
func.func @main(%a: memref<ui32> {jitrun.output}, %b: memref<2xi32> {jitrun.output}) -> (i32, i32) {
  call @replica(%a) : (memref<ui32>) -> ()
  call @partition(%b) : (memref<2xi32>) -> ()
  %0 = call @cpu_replica() : () -> i32
  %1 = call @cpu_partition() : () -> i32
  return %0, %1 : i32, i32
}
//--- result.mlir
func.func private @replica() -> i64 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func @main() -> i64 {
  %0 = call @replica() : () -> i64
  return %0 : i64
}

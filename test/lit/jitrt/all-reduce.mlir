// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// all_reduce of xla.gpu, xla.cpu and ours: groups, group modes, in place,
// several buffers, strided ones, loops, each reduction; the same on each device.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/groups.mlir --replicas=4 --input.0=3xf32=1,2,3 --input.1=3xf32=10,20,30 --input.2=3xf32=100 --input.3=3xf32=1000 --input=2xi64=3,-4 --expect.0=3xf32=101,102,103 --expect.1=3xf32=1010,1020,1030 --expect.2=3xf32=101,102,103 --expect.3=3xf32=1010,1020,1030 --expect=2xi64=6,-8
// RUN: %jitrun compile %t.d/groups.mlir -o %t.o
// RUN: %jitrun %t.o --executor=thunks --replicas=4 --input.0=3xf32=1,2,3 --input.1=3xf32=10,20,30 --input.2=3xf32=100 --input.3=3xf32=1000 --input=2xi64=3,-4 | %FileCheck %s --check-prefix=ORDER
// ORDER: {{^}}replica 0: arg[0]: 3xf32=[101 102 103]
// ORDER-NEXT: {{^}}replica 0: arg[1]: 2xi64=[6 -8]
// ORDER-NEXT: {{^}}replica 1: arg[0]: 3xf32=[1010 1020 1030]
// ORDER-NEXT: {{^}}replica 1: arg[1]: 2xi64=[6 -8]
// ORDER-NEXT: {{^}}replica 2: arg[0]: 3xf32=[101 102 103]
// ORDER-NEXT: {{^}}replica 2: arg[1]: 2xi64=[6 -8]
// ORDER-NEXT: {{^}}replica 3: arg[0]: 3xf32=[1010 1020 1030]
// ORDER-NEXT: {{^}}replica 3: arg[1]: 2xi64=[6 -8]
//
// Modes: over replicas, over partitions, over both, over devices {0, 3}, {1, 2}.
// RUN: %jitrun %t.d/modes.mlir --replicas=2 --partitions=2 --input.0=i32=1 --input.1=i32=10 --input.2=i32=100 --input.3=i32=1000 | %FileCheck %s --check-prefix=MODES
// MODES: {{^}}replica 0, partition 0: result[0]: i32=101
// MODES-NEXT: replica 0, partition 0: result[1]: i32=11
// MODES-NEXT: replica 0, partition 0: result[2]: i32=1111
// MODES-NEXT: replica 0, partition 0: result[3]: i32=1001
// MODES-NEXT: replica 0, partition 1: result[0]: i32=1010
// MODES-NEXT: replica 0, partition 1: result[1]: i32=11
// MODES-NEXT: replica 0, partition 1: result[2]: i32=1111
// MODES-NEXT: replica 0, partition 1: result[3]: i32=110
// MODES-NEXT: replica 1, partition 0: result[0]: i32=101
// MODES-NEXT: replica 1, partition 0: result[1]: i32=1100
// MODES-NEXT: replica 1, partition 0: result[2]: i32=1111
// MODES-NEXT: replica 1, partition 0: result[3]: i32=110
// MODES-NEXT: replica 1, partition 1: result[0]: i32=1010
// MODES-NEXT: replica 1, partition 1: result[1]: i32=1100
// MODES-NEXT: replica 1, partition 1: result[2]: i32=1111
// MODES-NEXT: replica 1, partition 1: result[3]: i32=1001
//
// The mode of xla.cpu comes from its channel and use_global_device_ids.
// RUN: %jitrun %t.d/cpu.mlir --replicas=2 --partitions=2 --input.0=i32=1 --input.1=i32=10 --input.2=i32=100 --input.3=i32=1000 | %FileCheck %s --check-prefix=CPU
// CPU: {{^}}replica 0, partition 0: result[0]: i32=101
// CPU-NEXT: replica 0, partition 0: result[1]: i32=1111
// CPU-NEXT: replica 0, partition 0: result[2]: i32=1001
// CPU: {{^}}replica 1, partition 0: result[0]: i32=101
// CPU-NEXT: replica 1, partition 0: result[1]: i32=1111
// CPU-NEXT: replica 1, partition 0: result[2]: i32=100
//
// RUN: %jitrun %t.d/reductions.mlir --replicas=2 --input.0=2xf32=3,nan --input.1=2xf32=-4,5 --expect=2xf32=-1,nan --expect=2xf32=-12,nan --expect=2xf32=-4,nan --expect=2xf32=3,nan
// RUN: %jitrun %t.d/dtypes.mlir --replicas=3 --input=2xi1=true,false --input.0=2xui8=200,1 --input.1=2xui8=100,2 --input.2=2xui8=0,3 --input=2xbf16=1,256 --input=2xf16=0.5,-2 --input='1xcomplex<f32>=(0,1)' --input=2xf64=0.1,1e300 --expect=2xi1=true,false --expect=2xui8=44,6 --expect=2xbf16=3,768 --expect=2xf16=1.5,-6 --expect='1xcomplex<f32>=(0,-1)' --expect=2xf64=0.30000000000000004,3e300 --atol=0 --rtol=0
// RUN: %jitrun %t.d/strided.mlir --replicas=2 --input=4x3xi32=1,2,3,4,5,6,7,8,9,10,11,12 --expect=4x3xi32=1,2,6,4,5,12,7,8,18,10,11,24
// RUN: %jitrun %t.d/loop.mlir --replicas=4 --input=i32=1 --expect=i32=1048576
// RUN: %jitrun %t.d/loop.mlir --input=i32=1 --expect=i32=1

//--- groups.mlir
func.func private @all_reduce(memref<3xf32>, memref<2xi64>, memref<3xf32>, memref<2xi64>) attributes {rt.custom_call = "xla.gpu.all_reduce"}
func.func @main(%a: memref<3xf32>, %b: memref<2xi64>) {
  call @all_reduce(%a, %b, %a, %b) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, reduction_kind = 0 : i64,
    replica_group_offsets = dense<[2, 4]> : tensor<2xi64>, replica_group_values = dense<[0, 2, 1, 3]> : tensor<4xi64>} : (memref<3xf32>, memref<2xi64>, memref<3xf32>, memref<2xi64>) -> ()
  return
}
//--- modes.mlir
func.func private @all_reduce(memref<i32>, memref<i32>) attributes {rt.custom_call = "xla.gpu.all_reduce", is_async = false, reduction_kind = 0 : i64, uid = 1 : i32}
func.func @main(%x: i32) -> (i32, i32, i32, i32) {
  %a = memref.alloca() : memref<i32>
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<i32>
  %2 = memref.alloca() : memref<i32>
  %3 = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  call @all_reduce(%a, %0) {group_mode = 0 : i64, op_id = 1 : i64, replica_group_offsets = dense<[2]> : tensor<1xi64>, replica_group_values = dense<[0, 1]> : tensor<2xi64>} : (memref<i32>, memref<i32>) -> ()
  call @all_reduce(%a, %1) {group_mode = 1 : i64, op_id = 2 : i64, replica_group_offsets = dense<[2]> : tensor<1xi64>, replica_group_values = dense<[0, 1]> : tensor<2xi64>} : (memref<i32>, memref<i32>) -> ()
  call @all_reduce(%a, %2) {group_mode = 2 : i64, op_id = 3 : i64, replica_group_offsets = array<i64>, replica_group_values = array<i64>} : (memref<i32>, memref<i32>) -> ()
  call @all_reduce(%a, %3) {group_mode = 3 : i64, op_id = 4 : i64, replica_group_offsets = array<i64: 2, 4>, replica_group_values = array<i64: 0, 3, 1, 2>} : (memref<i32>, memref<i32>) -> ()
  %4 = memref.load %0[] : memref<i32>
  %5 = memref.load %1[] : memref<i32>
  %6 = memref.load %2[] : memref<i32>
  %7 = memref.load %3[] : memref<i32>
  return %4, %5, %6, %7 : i32, i32, i32, i32
}
//--- cpu.mlir
func.func private @all_reduce(memref<i32>, memref<i32>) attributes {rt.custom_call = "xla.cpu.all_reduce", reduction_kind = 0 : i32}
func.func @main(%x: i32) -> (i32, i32, i32) {
  %a = memref.alloca() : memref<i32>
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<i32>
  %2 = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  call @all_reduce(%a, %0) {channel_handle = 0 : i64, use_global_device_ids = 0 : i32, op_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (memref<i32>, memref<i32>) -> ()
  call @all_reduce(%a, %1) {channel_handle = 1 : i64, use_global_device_ids = 0 : i32, op_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (memref<i32>, memref<i32>) -> ()
  call @all_reduce(%a, %2) {channel_handle = 2 : i64, use_global_device_ids = 1 : i32, op_id = 1 : i64, replica_groups = dense<[[0, 3], [1, -1], [2, -1]]> : tensor<3x2xi64>} : (memref<i32>, memref<i32>) -> ()
  %4 = memref.load %0[] : memref<i32>
  %5 = memref.load %1[] : memref<i32>
  %6 = memref.load %2[] : memref<i32>
  return %4, %5, %6 : i32, i32, i32
}
//--- reductions.mlir
func.func private @all_reduce(memref<2xf32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  %2 = memref.alloc() : memref<2xf32>
  %3 = memref.alloc() : memref<2xf32>
  call @all_reduce(%a, %0) : (memref<2xf32>, memref<2xf32>) -> ()
  call @all_reduce(%a, %1) {reduction = "product"} : (memref<2xf32>, memref<2xf32>) -> ()
  call @all_reduce(%a, %2) {reduction = "min"} : (memref<2xf32>, memref<2xf32>) -> ()
  call @all_reduce(%a, %3) {reduction = "max"} : (memref<2xf32>, memref<2xf32>) -> ()
  return %0, %1, %2, %3 : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>
}
//--- dtypes.mlir
func.func private @b(memref<2xi1>, memref<2xi1>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func private @u(memref<2xui8>, memref<2xui8>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func private @bf(memref<2xbf16>, memref<2xf16>, memref<2xbf16>, memref<2xf16>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func private @c(memref<1xcomplex<f32>>, memref<1xcomplex<f32>>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func private @d(memref<2xf64>, memref<2xf64>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%b: memref<2xi1>, %u: memref<2xui8>, %bf: memref<2xbf16>, %h: memref<2xf16>, %c: memref<1xcomplex<f32>>, %d: memref<2xf64>) {
  call @b(%b, %b) : (memref<2xi1>, memref<2xi1>) -> ()
  call @u(%u, %u) : (memref<2xui8>, memref<2xui8>) -> ()
  call @bf(%bf, %h, %bf, %h) : (memref<2xbf16>, memref<2xf16>, memref<2xbf16>, memref<2xf16>) -> ()
  call @c(%c, %c) {reduction = "product"} : (memref<1xcomplex<f32>>, memref<1xcomplex<f32>>) -> ()
  call @d(%d, %d) : (memref<2xf64>, memref<2xf64>) -> ()
  return
}
//--- strided.mlir
func.func private @all_reduce(memref<4xi32, strided<[3], offset: 2>>, memref<4xi32, strided<[3], offset: 2>>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<4x3xi32>) {
  %0 = memref.reinterpret_cast %a to offset: [2], sizes: [4], strides: [3] : memref<4x3xi32> to memref<4xi32, strided<[3], offset: 2>>
  call @all_reduce(%0, %0) : (memref<4xi32, strided<[3], offset: 2>>, memref<4xi32, strided<[3], offset: 2>>) -> ()
  return
}
//--- loop.mlir
func.func private @all_reduce(memref<i32>, memref<i32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%x: i32) -> i32 {
  %a = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %10 = arith.constant 10 : index
  scf.for %i = %0 to %10 step %1 {
    func.call @all_reduce(%a, %a) : (memref<i32>, memref<i32>) -> ()
  }
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}

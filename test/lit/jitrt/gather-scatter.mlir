// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// all_gather, reduce_scatter, all_to_all and collective_permute of xla.gpu,
// xla.cpu and ours.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// Along the dimension that the sizes show: the first, the second of a column-major buffer, none.
// RUN: %jitrun %t.d/gather.mlir --replicas=2 --input.0=1x2xi32=1,2 --input.1=1x2xi32=3,4 --input.0=2x1xi32=5,6 --input.1=2x1xi32=7,8 --input.0=i32=9 --input.1=i32=10 --input=2x2xi32 --input=2x2xi32 --input=2xi32 --expect=2x2xi32=1,2,3,4 --expect=2x2xi32=5,7,6,8 --expect=2xi32=9,10
// Groups {1, 0} and {2, 3}: ranks are in the order of the group.
// RUN: %jitrun %t.d/ranks.mlir --replicas=4 --input.0=i32=0 --input.1=i32=1 --input.2=i32=2 --input.3=i32=3 --expect.0=2xi32=1,0 --expect.1=2xi32=1,0 --expect.2=2xi32=2,3 --expect.3=2xi32=2,3
// RUN: %jitrun %t.d/scatter.mlir --replicas=2 --input.0=4xf32=1,2,3,4 --input.1=4xf32=10,20,30,40 --input=2xf32 --input.0=2x2xf32=1,2,3,4 --input.1=2x2xf32=10,20,30,40 --input=2x1xf32 --expect=(ignored) --expect.0=2xf32=11,22 --expect.1=2xf32=33,44 --expect=(ignored) --expect.0=2x1xf32=11,33 --expect.1=2x1xf32=22,44
// RUN: %jitrun %t.d/exchange.mlir --replicas=2 --input.0=4xi32=1,2,3,4 --input.1=4xi32=5,6,7,8 --input=4xi32 --expect=(ignored) --expect.0=4xi32=1,2,5,6 --expect.1=4xi32=3,4,7,8
// RUN: %jitrun %t.d/tuple.mlir --replicas=2 --input.0=2xi32=1,2 --input.0=2xi32=3,4 --input.1=2xi32=5,6 --input.1=2xi32=7,8 --expect.0=2xi32=1,2 --expect.0=2xi32=5,6 --expect.1=2xi32=3,4 --expect.1=2xi32=7,8
// RUN: %jitrun %t.d/tuple.mlir --entry=cpu --replicas=2 --input.0=2xi32=1,2 --input.0=2xi32=3,4 --input.1=2xi32=5,6 --input.1=2xi32=7,8 --expect.0=2xi32=1,2 --expect.0=2xi32=5,6 --expect.1=2xi32=3,4 --expect.1=2xi32=7,8
// Ours name their dimensions.
// RUN: %jitrun %t.d/ours.mlir --replicas=2 --input.0=2x2xi32=1,2,3,4 --input.1=2x2xi32=5,6,7,8 --input=2x4xi32 --input=2x1xi32 --input=1x4xi32 --expect=(ignored) --expect=2x4xi32=1,2,5,6,3,4,7,8 --expect.0=2x1xi32=6,10 --expect.1=2x1xi32=8,12 --expect.0=1x4xi32=1,2,5,6 --expect.1=1x4xi32=3,4,7,8
// One alone copies.
// RUN: %jitrun %t.d/alone.mlir --input=2xi32=1,2 --input=2xi32 --expect=(ignored) --expect=2xi32=1,2
//
// Who is no target gets zeros; 3 sends to itself.
// RUN: %jitrun %t.d/permute.mlir --replicas=4 --input.0=2xi32=10 --input.1=2xi32=11 --input.2=2xi32=12 --input.3=2xi32=13 --input=2xi32=9 --expect=(ignored) --expect.0=2xi32=11 --expect.1=2xi32=10 --expect.2=2xi32=0 --expect.3=2xi32=13
// RUN: %jitrun %t.d/permute.mlir --entry=cpu --replicas=4 --input.0=2xi32=10 --input.1=2xi32=11 --input.2=2xi32=12 --input.3=2xi32=13 --input=2xi32=9 --expect=(ignored) --expect.0=2xi32=11 --expect.1=2xi32=10 --expect.2=2xi32=0 --expect.3=2xi32=13
// RUN: %jitrun %t.d/permute.mlir --entry=ours --replicas=2 --partitions=2 --input.0=2xi32=10 --input.1=2xi32=11 --input.2=2xi32=12 --input.3=2xi32=13 --input=2xi32=9 --expect=(ignored) --expect.0=2xi32=11 --expect.1=2xi32=10 --expect.2=2xi32=0 --expect.3=2xi32=13
// Over partitions, in both replicas.
// RUN: %jitrun %t.d/permute.mlir --entry=parts --replicas=2 --partitions=2 --input.0=2xi32=10 --input.1=2xi32=11 --input.2=2xi32=12 --input.3=2xi32=13 --expect.0=2xi32=0 --expect.1=2xi32=10 --expect.2=2xi32=0 --expect.3=2xi32=12

//--- gather.mlir
func.func private @rows(memref<1x2xi32>, memref<2x2xi32>) attributes {rt.custom_call = "xla.gpu.all_gather"}
func.func private @columns(memref<2x1xi32, strided<[1, 2]>>, memref<2x2xi32, strided<[1, 2]>>) attributes {rt.custom_call = "xla.gpu.all_gather"}
func.func private @flat(memref<i32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_gather"}
func.func @main(%a: memref<1x2xi32>, %b: memref<2x1xi32, strided<[1, 2]>>, %c: memref<i32>, %x: memref<2x2xi32> {jitrun.output}, %y: memref<2x2xi32, strided<[1, 2]>> {jitrun.output}, %z: memref<2xi32> {jitrun.output}) {
  call @rows(%a, %x) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<1x2xi32>, memref<2x2xi32>) -> ()
  call @columns(%b, %y) {uid = 2 : i32, group_mode = 0 : i64, op_id = 2 : i64, is_async = false, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<2x1xi32, strided<[1, 2]>>, memref<2x2xi32, strided<[1, 2]>>) -> ()
  call @flat(%c, %z) {uid = 3 : i32, group_mode = 0 : i64, op_id = 3 : i64, is_async = false, replica_group_offsets = array<i64>, replica_group_values = array<i64>} : (memref<i32>, memref<2xi32>) -> ()
  return
}
//--- ranks.mlir
func.func private @gather(memref<i32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_gather"}
func.func @main(%a: memref<i32>) -> memref<2xi32> {
  %0 = memref.alloc() : memref<2xi32>
  call @gather(%a, %0) {uid = 3 : i32, group_mode = 0 : i64, op_id = 3 : i64, is_async = false, replica_group_offsets = array<i64: 2, 4>, replica_group_values = array<i64: 1, 0, 2, 3>} : (memref<i32>, memref<2xi32>) -> ()
  return %0 : memref<2xi32>
}
//--- scatter.mlir
func.func private @scatter(memref<4xf32>, memref<2xf32>) attributes {rt.custom_call = "xla.gpu.reduce_scatter"}
func.func private @scatter2(memref<2x2xf32>, memref<2x1xf32>) attributes {rt.custom_call = "xla.gpu.reduce_scatter"}
func.func @main(%a: memref<4xf32>, %b: memref<2xf32>, %c: memref<2x2xf32>, %d: memref<2x1xf32>) {
  call @scatter(%a, %b) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, reduction_kind = 0 : i64, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<4xf32>, memref<2xf32>) -> ()
  call @scatter2(%c, %d) {uid = 2 : i32, group_mode = 0 : i64, op_id = 2 : i64, is_async = false, reduction_kind = 0 : i64, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<2x2xf32>, memref<2x1xf32>) -> ()
  return
}
//--- exchange.mlir
func.func private @exchange(memref<4xi32>, memref<4xi32>) attributes {rt.custom_call = "xla.gpu.all_to_all"}
func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  call @exchange(%a, %b) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, has_split_dimension = true, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<4xi32>, memref<4xi32>) -> ()
  return
}
//--- tuple.mlir
func.func private @exchange(memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_to_all"}
func.func private @cpu_exchange(memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.cpu.tuple_all_to_all"}
func.func @main(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @exchange(%a, %b, %a, %b) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, has_split_dimension = false, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
  return
}
func.func @cpu(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @cpu_exchange(%a, %b, %a, %b) {channel_id_present = 0 : i32, op_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- ours.mlir
func.func private @gather(memref<2x2xi32>, memref<2x4xi32>) attributes {rt.custom_call = "jitrun.all_gather"}
func.func private @scatter(memref<2x2xi32>, memref<2x1xi32>) attributes {rt.custom_call = "jitrun.reduce_scatter"}
func.func private @exchange(memref<2x2xi32>, memref<1x4xi32>) attributes {rt.custom_call = "jitrun.all_to_all"}
func.func @main(%a: memref<2x2xi32>, %b: memref<2x4xi32>, %c: memref<2x1xi32>, %d: memref<1x4xi32>) {
  call @gather(%a, %b) {dimension = 1 : i64} : (memref<2x2xi32>, memref<2x4xi32>) -> ()
  call @scatter(%a, %c) {dimension = 1 : i64, groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (memref<2x2xi32>, memref<2x1xi32>) -> ()
  call @exchange(%a, %d) {split_dimension = 0 : i64, concat_dimension = 1 : i64, channel = 5 : i64} : (memref<2x2xi32>, memref<1x4xi32>) -> ()
  return
}
//--- alone.mlir
func.func private @gather(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_gather"}
func.func @main(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @gather(%a, %b) : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- permute.mlir
func.func private @permute(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.collective_permute"}
func.func private @cpu_permute(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.cpu.collective_permute"}
func.func private @our_permute(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.collective_permute"}
func.func @main(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @permute(%a, %b) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, replica_group_offsets = array<i64>, replica_group_values = array<i64>, source_peers = dense<[0, 1, 3]> : tensor<3xi64>, target_peers = dense<[1, 0, 3]> : tensor<3xi64>} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
func.func @cpu(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @cpu_permute(%a, %b) {channel_handle = 0 : i64, source_target_pairs = dense<[[0, 1], [1, 0], [3, 3]]> : tensor<3x2xi64>} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
func.func @ours(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @our_permute(%a, %b) {pairs = dense<[[0, 1], [1, 0], [3, 3]]> : tensor<3x2xi64>} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
func.func @parts(%a: memref<2xi32>) {
  call @permute(%a, %a) {uid = 1 : i32, group_mode = 1 : i64, op_id = 1 : i64, is_async = false, replica_group_offsets = array<i64>, replica_group_values = array<i64>, source_peers = array<i64: 0>, target_peers = array<i64: 1>} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}

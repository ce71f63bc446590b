// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collective that is started by one call and finished by another: two of
// them, started and finished in different orders on two devices, in a loop.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/orders.mlir --replicas=2 --input.0=2xi32=1,2 --input.1=2xi32=10,20 --input.0=i32=3 --input.1=i32=5 --repeat=3 --expect=2xi32=3,5 --expect=2xi32=88,176
// RUN: %jitrun %t.d/alone.mlir --input=2xi32=1,2 --expect=2xi32=1,2
// The names of 2022.
// RUN: %jitrun %t.d/older.mlir --replicas=2 --input.0=2xi32=1,2 --input.1=2xi32=10,20 --input=2xi32 --expect=(ignored) --expect=2xi32=11,22
//
// RUN: not %jitrun %t.d/unstarted.mlir 2>&1 | %FileCheck %s --check-prefix=UNSTARTED
// UNSTARTED: jitrun: error: {{.*}}unstarted.mlir:3:3: Async done event was not found (uid=7, device_ordinal=0)
// RUN: not %jitrun %t.d/unstarted.mlir --replicas=2 2>&1 | %FileCheck %s --check-prefix=UNSTARTED2
// UNSTARTED2: Async done event was not found (uid=7, device_ordinal={{[01]}})
// RUN: not %jitrun %t.d/twice.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=TWICE
// RUN: not %jitrun %t.d/twice.mlir --replicas=1 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: jitrun: error: {{.*}}twice.mlir:4:3: Async done event has not been consumed (uid=1, device_ordinal=0)
// What is started and never finished ends with the execution.
// RUN: %jitrun %t.d/unfinished.mlir --replicas=2 --repeat=2 --input=2xi32=4 --expect=2xi32=4
// RUN: %jitrun %t.d/unfinished.mlir --input=2xi32=4 --expect=2xi32=4
// RUN: not %jitrun %t.d/nouid.mlir 2>&1 | %FileCheck %s --check-prefix=NOUID
// NOUID: xla.gpu.collective_done needs attribute 'uid': what it finishes was started under that

//--- orders.mlir
func.func private @id() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce", group_mode = 0 : i64, op_id = 1 : i64, is_async = true, reduction_kind = 0 : i64, uid = 1 : i32, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>}
func.func private @gather(memref<i32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_gather", group_mode = 0 : i64, op_id = 2 : i64, is_async = true, uid = 2 : i32, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>}
func.func private @done() attributes {rt.custom_call = "xla.gpu.collective_done"}
func.func @main(%a: memref<2xi32> {jitrun.output}, %b: memref<i32>) -> (memref<2xi32>) {
  %c = memref.alloc() : memref<2xi32>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %i = call @id() : () -> i32
  %is_first = arith.cmpi eq, %i, %zero : i32
  scf.for %n = %0 to %4 step %1 {
    scf.if %is_first {
      func.call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
      func.call @gather(%b, %c) : (memref<i32>, memref<2xi32>) -> ()
      func.call @done() {uid = 1 : i32, done_type = "all_reduce_done"} : () -> ()
      func.call @done() {uid = 2 : i32, done_type = "all_gather_done"} : () -> ()
    } else {
      func.call @gather(%b, %c) : (memref<i32>, memref<2xi32>) -> ()
      func.call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
      func.call @done() {uid = 2 : i32, done_type = "all_gather_done"} : () -> ()
      func.call @done() {uid = 1 : i32, done_type = "all_reduce_done"} : () -> ()
    }
  }
  return %c : memref<2xi32>
}
//--- alone.mlir
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce", group_mode = 0 : i64, op_id = 1 : i64, is_async = true, reduction_kind = 0 : i64, uid = 1 : i32, replica_group_offsets = array<i64>, replica_group_values = array<i64>}
func.func private @done() attributes {rt.custom_call = "xla.gpu.collective_done"}
func.func @main(%a: memref<2xi32>) -> memref<2xi32> {
  %c = memref.alloc() : memref<2xi32>
  call @reduce(%a, %c) : (memref<2xi32>, memref<2xi32>) -> ()
  call @done() {uid = 1 : i32, done_type = "all_reduce_done"} : () -> ()
  return %c : memref<2xi32>
}
//--- older.mlir
func.func private @start(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce_start"}
func.func private @done(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce_done"}
func.func @main(%a: memref<2xi32>, %b: memref<2xi32>) {
  call @start(%a, %b) {group_mode = 0 : i64, op_id = 1 : i64, reduction_kind = 0 : i64, uid = 0 : i32, replica_group_offsets = array<i64: 2>, replica_group_values = array<i64: 0, 1>} : (memref<2xi32>, memref<2xi32>) -> ()
  call @done(%a, %b) {uid = 0 : i32} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- unstarted.mlir
func.func private @done() attributes {rt.custom_call = "xla.gpu.collective_done"}
func.func @main() {
  call @done() {uid = 7 : i32, done_type = "all_reduce_done"} : () -> ()
  return
}
//--- twice.mlir
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce", group_mode = 0 : i64, op_id = 1 : i64, is_async = true, reduction_kind = 0 : i64, uid = 1 : i32, replica_group_offsets = array<i64>, replica_group_values = array<i64>}
func.func @main(%a: memref<2xi32>) {
  call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- unfinished.mlir
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce", group_mode = 0 : i64, op_id = 1 : i64, is_async = true, reduction_kind = 0 : i64, uid = 1 : i32, replica_group_offsets = array<i64>, replica_group_values = array<i64>}
func.func @main(%a: memref<2xi32>) {
  call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- nouid.mlir
func.func private @done() attributes {rt.custom_call = "xla.gpu.collective_done"}
func.func @main() {
  call @done() {done_type = "all_reduce_done"} : () -> ()
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What collective calls refuse, when a program is opened and when it runs.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// Members that do not agree: each says so, the first decides.
// RUN: not %jitrun %t.d/kinds.mlir --replicas=2 2>&1 | %FileCheck %s --check-prefix=KINDS
// KINDS: jitrun: error: {{.*}}kinds.mlir:{{[0-9]+:[0-9]+}}: jitrun.all_{{[a-z]+}}: replica {{[01]}} calls all_{{reduce sum|gather}} of i32[2], but replica {{[01]}} calls all_{{reduce sum|gather}} of i32[2]; all members of a group must call the same
// KINDS: jitrun: note: on replica {{[01]}}
// RUN: not %jitrun %t.d/counts.mlir --replicas=2 --input.0=2xi32 --input.1=3xi32 2>&1 | %FileCheck %s --check-prefix=COUNTS
// COUNTS: calls all_reduce sum of i32[{{[23]}}], but replica {{[01]}} calls all_reduce sum of i32[{{[23]}}]; all members
//
// One fails: the others do not wait for it, and its error is the one told.
// RUN: not %jitrun %t.d/fails.mlir --replicas=3 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=FAILS
// FAILS: jitrun: error: {{.*}}fails.mlir:9:7: out of luck
// FAILS: jitrun: note: on replica 1
// RUN: sh -c "%jitrun %t.d/ends.mlir --replicas=3 --input=2xi32; echo status $?" 2>&1 | %FileCheck %s --check-prefix=ENDS
// ENDS: jitrun: error: {{.*}}ends.mlir:8:5: jitrun.all_reduce waits for replica 1, whose execution has ended without this call
// ENDS: jitrun: note: on replica {{[02]}}
// ENDS: status 1
//
// RUN: sed -e 's/KIND/0/' -e 's/MODE/0/' -e 's/ENDS/1, 2/' -e 's/IDS/0, 1/' %t.d/all_reduce.mlir > %t.apart.mlir
// RUN: not %jitrun %t.apart.mlir --replicas=3 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: xla.gpu.all_reduce: replica 2 is in none of its groups
// RUN: not %jitrun %t.apart.mlir --partitions=2 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=NAMES
// NAMES: xla.gpu.all_reduce names replica 1, but the program runs on 1 replica; run it with as many replicas and partitions as it is made for
// RUN: sed -e 's/KIND/4/' -e 's/MODE/0/' -e 's/ENDS/2/' -e 's/IDS/0, 1/' %t.d/all_reduce.mlir > %t.kind.mlir
// RUN: not %jitrun %t.kind.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=KIND
// KIND: xla.gpu.all_reduce: reduction_kind is 4; it is 0 for sum, 1 product, 2 min, 3 max
// RUN: sed -e 's/KIND/0/' -e 's/MODE/4/' -e 's/ENDS/2/' -e 's/IDS/0, 1/' %t.d/all_reduce.mlir > %t.mode.mlir
// RUN: not %jitrun %t.mode.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=MODE
// MODE: xla.gpu.all_reduce: group_mode is 4; it is 0 to 3
// RUN: sed -e 's/KIND/0/' -e 's/MODE/0/' -e 's/ENDS/1/' -e 's/IDS/0, 1/' %t.d/all_reduce.mlir > %t.short.mlir
// RUN: not %jitrun %t.short.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=SHORT
// SHORT: xla.gpu.all_reduce: the groups end at 1, but there are 2 ids
// RUN: sed -e 's/KIND/0/' -e 's/MODE/0/' -e 's/ENDS/2, 1/' -e 's/IDS/0, 1/' %t.d/all_reduce.mlir > %t.back.mlir
// RUN: not %jitrun %t.back.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=BACK
// BACK: xla.gpu.all_reduce: group 1 ends at 1, which must be from 2 to the 2 ids there are
// RUN: sed -e 's/KIND/0/' -e 's/MODE/0/' -e 's/ENDS/1, 2/' -e 's/IDS/1, 1/' %t.d/all_reduce.mlir > %t.double.mlir
// RUN: not %jitrun %t.double.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=DOUBLE
// DOUBLE: xla.gpu.all_reduce: member of a group 1 appears more than once
// RUN: sed -e 's/KIND/0/' -e 's/MODE/0/' -e 's/ENDS/2/' -e 's/IDS/0, -2/' %t.d/all_reduce.mlir > %t.below.mlir
// RUN: not %jitrun %t.below.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=BELOW
// BELOW: xla.gpu.all_reduce: a member of a group is -2; they count from 0
// RUN: sed -e 's/KIND/0/' -e 's/MODE/0/' -e 's/array<i64: ENDS>/2 : i64/' -e 's/IDS/0, 1/' %t.d/all_reduce.mlir > %t.list.mlir
// RUN: not %jitrun %t.list.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=LIST
// LIST: xla.gpu.all_reduce: attribute 'replica_group_offsets' must be an array or a tensor of i64
//
// RUN: not %jitrun %t.d/odd.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=ODD
// ODD: jitrun.all_reduce takes its sources, then as many destinations; found 1 arguments
// RUN: not %jitrun %t.d/scalar.mlir --input=i32 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=SCALAR
// SCALAR: jitrun.all_reduce: Unsupported argument #0 type: it takes memrefs of at most 32 dimensions
// RUN: not %jitrun %t.d/types.mlir --input=2xi32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=TYPES
// TYPES: jitrun.all_reduce: source 0 has elements of i32, its destination of f32; both must be of one type
// RUN: not %jitrun %t.d/complex.mlir --input='2xcomplex<f32>' 2>&1 | %FileCheck %s --check-prefix=COMPLEX
// COMPLEX: jitrun.all_reduce: there is no max of complex<f32>
// RUN: not %jitrun %t.d/word.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=WORD
// WORD: jitrun.all_reduce: reduction "mean" is none of sum, product, min and max
// RUN: not %jitrun %t.d/dimension.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=DIMENSION
// DIMENSION: jitrun.all_gather: attribute 'dimension' is -1; dimensions count from 0
// RUN: not %jitrun %t.d/sizes.mlir --replicas=2 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=SIZES
// SIZES: jitrun.all_gather: the sizes of source 0 and its destination do not fit a group of 2: 2xi32 and 2xi32
// RUN: not %jitrun %t.d/split.mlir --replicas=2 --input=3xi32 2>&1 | %FileCheck %s --check-prefix=SPLIT
// SPLIT: jitrun.all_to_all: the sizes of source 0 and its destination do not fit a group of 2: 3xi32 and 3xi32
// RUN: not %jitrun %t.d/members.mlir --replicas=3 --input=2xi32 2>&1 | %FileCheck %s --check-prefix=MEMBERS
// MEMBERS: xla.cpu.tuple_all_to_all: 2 sources are given to a group of 3; each member gets one
// RUN: not %jitrun %t.d/unlike.mlir --replicas=2 --input=2xi32 --input=3xi32 2>&1 | %FileCheck %s --check-prefix=UNLIKE
// UNLIKE: xla.cpu.tuple_all_to_all: source 1 is not of the type and size of source 0
//
// RUN: not %jitrun %t.d/permute.mlir --entry=two --input=2xi32 2>&1 | %FileCheck %s --check-prefix=TWO
// TWO: Expected device buffer size: 1, got 2
// RUN: sed -e 's/source_peers = array<i64: 0>/source_peers = array<i64: 0, 1>/' %t.d/permute.mlir > %t.uneven.mlir
// RUN: not %jitrun %t.uneven.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=UNEVEN
// UNEVEN: xla.gpu.collective_permute: 2 source_peers have 1 target_peers; each needs one
// RUN: not %jitrun %t.d/pairs.mlir --entry=source --input=2xi32 2>&1 | %FileCheck %s --check-prefix=PAIRS
// PAIRS: jitrun.collective_permute: source 0 appears more than once
// RUN: sed -e 's/0, 1, 0, 2/0, 2, 1, 2/' %t.d/pairs.mlir > %t.target.mlir
// RUN: not %jitrun %t.target.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=TARGET
// TARGET: jitrun.collective_permute: target 2 appears more than once
// RUN: sed -e 's/0, 1, 0, 2/0, 1, 2/' %t.d/pairs.mlir > %t.three.mlir
// RUN: not %jitrun %t.three.mlir --input=2xi32 2>&1 | %FileCheck %s --check-prefix=THREE
// THREE: jitrun.collective_permute: attribute 'pairs' has 3 numbers; it is pairs of a source and a target

//--- kinds.mlir
func.func private @id() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func private @gather(memref<2xi32>, memref<4xi32>) attributes {rt.custom_call = "jitrun.all_gather"}
func.func @main() {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<4xi32>
  %0 = arith.constant 0 : i32
  %i = call @id() : () -> i32
  %is_first = arith.cmpi eq, %i, %0 : i32
  scf.if %is_first {
    func.call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  } else {
    func.call @gather(%a, %b) : (memref<2xi32>, memref<4xi32>) -> ()
  }
  return
}
//--- counts.mlir
func.func private @reduce(memref<?xi32>, memref<?xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<?xi32>) {
  call @reduce(%a, %a) : (memref<?xi32>, memref<?xi32>) -> ()
  return
}
//--- fails.mlir
func.func private @id() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @fail() attributes {rt.custom_call = "jitrun.fail", message = "out of luck"}
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xi32>) {
  %0 = arith.constant 1 : i32
  %i = call @id() : () -> i32
  %is_second = arith.cmpi eq, %i, %0 : i32
  scf.if %is_second {
      func.call @fail() {code = 13 : i32} : () -> ()
  }
  call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- ends.mlir
func.func private @id() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xi32>) {
  %0 = arith.constant 1 : i32
  %i = call @id() : () -> i32
  %is_other = arith.cmpi ne, %i, %0 : i32
  scf.if %is_other {
    func.call @reduce(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  }
  return
}
//--- all_reduce.mlir
func.func private @all_reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.all_reduce"}
func.func @main(%a: memref<2xi32>) {
  call @all_reduce(%a, %a) {uid = 1 : i32, group_mode = MODE : i64, op_id = 1 : i64, is_async = false, reduction_kind = KIND : i64, replica_group_offsets = array<i64: ENDS>, replica_group_values = array<i64: IDS>} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- odd.mlir
func.func private @reduce(memref<2xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xi32>) {
  call @reduce(%a) : (memref<2xi32>) -> ()
  return
}
//--- scalar.mlir
func.func private @reduce(i32, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: i32, %b: memref<2xi32>) {
  call @reduce(%a, %b) : (i32, memref<2xi32>) -> ()
  return
}
//--- types.mlir
func.func private @reduce(memref<2xi32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xi32>, %b: memref<2xf32>) {
  call @reduce(%a, %b) : (memref<2xi32>, memref<2xf32>) -> ()
  return
}
//--- complex.mlir
func.func private @reduce(memref<2xcomplex<f32>>, memref<2xcomplex<f32>>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xcomplex<f32>>) {
  call @reduce(%a, %a) {reduction = "max"} : (memref<2xcomplex<f32>>, memref<2xcomplex<f32>>) -> ()
  return
}
//--- word.mlir
func.func private @reduce(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_reduce"}
func.func @main(%a: memref<2xi32>) {
  call @reduce(%a, %a) {reduction = "mean"} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- dimension.mlir
func.func private @gather(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_gather"}
func.func @main(%a: memref<2xi32>) {
  call @gather(%a, %a) {dimension = -1 : i64} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- sizes.mlir
func.func private @gather(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.all_gather"}
func.func @main(%a: memref<2xi32>) {
  call @gather(%a, %a) : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- split.mlir
func.func private @exchange(memref<3xi32>, memref<3xi32>) attributes {rt.custom_call = "jitrun.all_to_all"}
func.func @main(%a: memref<3xi32>) {
  call @exchange(%a, %a) : (memref<3xi32>, memref<3xi32>) -> ()
  return
}
//--- members.mlir
func.func private @exchange(memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.cpu.tuple_all_to_all"}
func.func @main(%a: memref<2xi32>) {
  call @exchange(%a, %a, %a, %a) {channel_id_present = 0 : i32, op_id = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>} : (memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- unlike.mlir
func.func private @exchange(memref<2xi32>, memref<3xi32>, memref<2xi32>, memref<3xi32>) attributes {rt.custom_call = "xla.cpu.tuple_all_to_all"}
func.func @main(%a: memref<2xi32>, %b: memref<3xi32>) {
  call @exchange(%a, %b, %a, %b) {channel_id_present = 0 : i32, op_id = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>} : (memref<2xi32>, memref<3xi32>, memref<2xi32>, memref<3xi32>) -> ()
  return
}
//--- permute.mlir
func.func private @permute(memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "xla.gpu.collective_permute"}
func.func @two(%a: memref<2xi32>) {
  call @permute(%a, %a, %a, %a) {uid = 1 : i32, group_mode = 0 : i64, op_id = 1 : i64, is_async = false, replica_group_offsets = array<i64>, replica_group_values = array<i64>, source_peers = array<i64: 0>, target_peers = array<i64: 0>} : (memref<2xi32>, memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
  return
}
//--- pairs.mlir
func.func private @permute(memref<2xi32>, memref<2xi32>) attributes {rt.custom_call = "jitrun.collective_permute"}
func.func @source(%a: memref<2xi32>) {
  call @permute(%a, %a) {pairs = array<i64: 0, 1, 0, 2>} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}

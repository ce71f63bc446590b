// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels between devices, and to and from the embedding program; infeeds and
// outfeeds need a world to be there. What goes through them to and from the
// embedding program is tested in test/unit/customcalls_transfers_test.c.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// Replica 0 sends three messages, with strides; 1 takes them in order.
// RUN: %jitrun %t.d/channel.mlir --replicas=2 --input.0=3x2xi32=1,2,3,4,5,6 --input.1=3x2xi32 --repeat=2 --expect.0=3x2xi32=1,2,3,4,5,6 --expect.1=3x2xi32=1,3,5,2,4,6
// RUN: not %jitrun %t.d/deserted.mlir --replicas=2 2>&1 | %FileCheck %s --check-prefix=DESERTED
// DESERTED: jitrun.recv waits for replica 1, whose execution has ended without this call
// RUN: not %jitrun %t.d/mismatch.mlir --replicas=1 2>&1 | %FileCheck %s --check-prefix=MISMATCH
// MISMATCH: jitrun.recv: Mismatch between source buffer shape and dest buffer shape: the channel 1 from replica 0 to replica 0 holds 1 next (2xi32), 1 are taken (3xi32)
// RUN: not %jitrun %t.d/nobody.mlir --replicas=2 2>&1 | %FileCheck %s --check-prefix=NOBODY
// NOBODY: jitrun.send: there is no device 2, the world has 2
// RUN: sed -e 's/to = 2/to = -1/' %t.d/nobody.mlir > %t.below.mlir
// RUN: not %jitrun %t.below.mlir --replicas=2 2>&1 | %FileCheck %s --check-prefix=BELOW
// BELOW: jitrun.send: attribute 'to' is -1; give the number of a device
//
// Sending to the embedding program does not wait for it.
// RUN: %jitrun %t.d/host.mlir --replicas=2 --input=2xf32
// RUN: not %jitrun %t.d/host.mlir --replicas=2 --entry=again --input=2xf32 2>&1 | %FileCheck %s --check-prefix=AGAIN
// AGAIN: Async send/recv event already exists (handle=3)
// RUN: not %jitrun %t.d/host.mlir --replicas=2 --entry=done 2>&1 | %FileCheck %s --check-prefix=DONE
// DONE: Async send/recv event was not found (handle==3)
//
// RUN: not %jitrun %t.d/alone.mlir --entry=infeed 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=xla.gpu.infeed
// RUN: not %jitrun %t.d/alone.mlir --entry=outfeed 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=xla.gpu.outfeed
// RUN: not %jitrun %t.d/alone.mlir --entry=cpu_infeed 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=xla.cpu.infeed
// RUN: not %jitrun %t.d/alone.mlir --entry=cpu_outfeed 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=xla.cpu.outfeed
// RUN: not %jitrun %t.d/alone.mlir --entry=our_infeed 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=jitrun.infeed
// RUN: not %jitrun %t.d/alone.mlir --entry=our_outfeed 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=jitrun.outfeed
// RUN: not %jitrun %t.d/host.mlir --input=2xf32 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=xla.gpu.send_host
// RUN: not %jitrun %t.d/host.mlir --entry=recv --input=2xf32 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=xla.gpu.recv_host
// RUN: not %jitrun %t.d/nobody.mlir 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=jitrun.send
// RUN: not %jitrun %t.d/mismatch.mlir --entry=take 2>&1 | %FileCheck %s --check-prefix=ALONE -DCALL=jitrun.recv
// ALONE: [[CALL]]: this execution is alone, and has no feeds and channels; run it in a world (jitrun/world.h), given as jitrun_run_options_t.world
//
// RUN: sed -e 's/result_type = .*>/result_type = array<i32: 5>/' %t.d/alone.mlir > %t.type.mlir
// RUN: not %jitrun %t.type.mlir --entry=cpu_outfeed 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: xla.cpu.outfeed: result_type of argument 0 is 5, which is no type of the size of i32
// RUN: sed -e 's/result_type = .*>/result_type = array<i32: 4, 4>/' %t.d/alone.mlir > %t.count.mlir
// RUN: not %jitrun %t.count.mlir --entry=cpu_outfeed 2>&1 | %FileCheck %s --check-prefix=COUNT
// COUNT: xla.cpu.outfeed: attribute 'result_type' must be an array of 1 numbers, one for each argument
// RUN: sed -e 's/#mhlo.channel_handle<handle = 3, type = 2>/{type = 2 : i64}/' %t.d/host.mlir > %t.handle.mlir
// RUN: not %jitrun %t.handle.mlir --input=2xf32 2>&1 | %FileCheck %s --check-prefix=HANDLE
// HANDLE: xla.gpu.send_host: attribute 'channel_handle' has no 'handle' of i64
// RUN: not %jitrun %t.d/scalar.mlir --input=i32 2>&1 | %FileCheck %s --check-prefix=SCALAR
// SCALAR: jitrun.outfeed: Unsupported argument #0 type: it takes memrefs of at most 32 dimensions

//--- channel.mlir
func.func private @id() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @send(memref<2xi32, strided<[?], offset: ?>>) attributes {rt.custom_call = "jitrun.send"}
func.func private @recv(memref<2xi32, strided<[?], offset: ?>>) attributes {rt.custom_call = "jitrun.recv"}
func.func @main(%a: memref<3x2xi32>) {
  %zero = arith.constant 0 : i32
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %i = call @id() : () -> i32
  %is_first = arith.cmpi eq, %i, %zero : i32
  scf.if %is_first {
    scf.for %n = %0 to %3 step %1 {
      %at = arith.muli %n, %2 : index
      %r = memref.reinterpret_cast %a to offset: [%at], sizes: [2], strides: [%1] : memref<3x2xi32> to memref<2xi32, strided<[?], offset: ?>>
      func.call @send(%r) {channel = 1 : i64, to = 1 : i64} : (memref<2xi32, strided<[?], offset: ?>>) -> ()
    }
  } else {
    scf.for %n = %0 to %3 step %1 {
      %r = memref.reinterpret_cast %a to offset: [%n], sizes: [2], strides: [%3] : memref<3x2xi32> to memref<2xi32, strided<[?], offset: ?>>
      func.call @recv(%r) {channel = 1 : i64, from = 0 : i64} : (memref<2xi32, strided<[?], offset: ?>>) -> ()
    }
  }
  return
}
//--- deserted.mlir
func.func private @id() -> i32 attributes {rt.custom_call = "xla.cpu.replica_id"}
func.func private @recv(memref<2xi32>) attributes {rt.custom_call = "jitrun.recv"}
func.func @main() {
  %a = memref.alloc() : memref<2xi32>
  %zero = arith.constant 0 : i32
  %i = call @id() : () -> i32
  %is_first = arith.cmpi eq, %i, %zero : i32
  scf.if %is_first {
    func.call @recv(%a) {channel = 1 : i64, from = 1 : i64} : (memref<2xi32>) -> ()
  }
  return
}
//--- mismatch.mlir
func.func private @send(memref<2xi32>) attributes {rt.custom_call = "jitrun.send"}
func.func private @recv(memref<3xi32>) attributes {rt.custom_call = "jitrun.recv"}
func.func @main() {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<3xi32>
  call @send(%a) {channel = 1 : i64, to = 0 : i64} : (memref<2xi32>) -> ()
  call @recv(%b) {channel = 1 : i64, from = 0 : i64} : (memref<3xi32>) -> ()
  return
}
func.func @take() {
  %b = memref.alloc() : memref<3xi32>
  call @recv(%b) {channel = 1 : i64, from = 0 : i64} : (memref<3xi32>) -> ()
  return
}
//--- nobody.mlir
func.func private @send(memref<2xi32>) attributes {rt.custom_call = "jitrun.send"}
func.func @main() {
  %a = memref.alloc() : memref<2xi32>
  call @send(%a) {channel = 1 : i64, to = 2 : i64} : (memref<2xi32>) -> ()
  return
}
//--- host.mlir
func.func private @send(memref<2xf32>) attributes {rt.custom_call = "xla.gpu.send_host", channel_handle = #mhlo.channel_handle<handle = 3, type = 2>, frontend_attributes = {a = "b"}}
func.func private @recv_host(memref<2xf32>) attributes {rt.custom_call = "xla.gpu.recv_host", channel_handle = #mhlo.channel_handle<handle = 3, type = 3>, frontend_attributes = {}}
func.func private @send_done() attributes {rt.custom_call = "xla.gpu.send_done_host", channel_handle = #mhlo.channel_handle<handle = 3, type = 2>}
func.func @main(%a: memref<2xf32>) {
  call @send(%a) : (memref<2xf32>) -> ()
  call @send_done() : () -> ()
  call @send(%a) : (memref<2xf32>) -> ()
  call @send_done() : () -> ()
  return
}
func.func @again(%a: memref<2xf32>) {
  call @send(%a) : (memref<2xf32>) -> ()
  call @recv_host(%a) : (memref<2xf32>) -> ()
  return
}
func.func @done() {
  call @send_done() : () -> ()
  return
}
func.func @recv(%a: memref<2xf32>) {
  call @recv_host(%a) : (memref<2xf32>) -> ()
  return
}
//--- alone.mlir
func.func private @gi(memref<2xi32>) attributes {rt.custom_call = "xla.gpu.infeed", config = ""}
func.func private @go(memref<2xi32>) attributes {rt.custom_call = "xla.gpu.outfeed", config = ""}
func.func private @ci(memref<2xi32>) attributes {rt.custom_call = "xla.cpu.infeed"}
func.func private @co(memref<2xi32>) attributes {rt.custom_call = "xla.cpu.outfeed", result_type = array<i32: 8>}
func.func private @ji(memref<2xi32>) attributes {rt.custom_call = "jitrun.infeed"}
func.func private @jo(memref<2xi32>) attributes {rt.custom_call = "jitrun.outfeed"}
func.func @infeed() {
  %a = memref.alloc() : memref<2xi32>
  call @gi(%a) : (memref<2xi32>) -> ()
  return
}
func.func @outfeed() {
  %a = memref.alloc() : memref<2xi32>
  call @go(%a) : (memref<2xi32>) -> ()
  return
}
func.func @cpu_infeed() {
  %a = memref.alloc() : memref<2xi32>
  call @ci(%a) : (memref<2xi32>) -> ()
  return
}
func.func @cpu_outfeed() {
  %a = memref.alloc() : memref<2xi32>
  call @co(%a) : (memref<2xi32>) -> ()
  return
}
func.func @our_infeed() {
  %a = memref.alloc() : memref<2xi32>
  call @ji(%a) : (memref<2xi32>) -> ()
  return
}
func.func @our_outfeed() {
  %a = memref.alloc() : memref<2xi32>
  call @jo(%a) : (memref<2xi32>) -> ()
  return
}
//--- scalar.mlir
func.func private @jo(i32) attributes {rt.custom_call = "jitrun.outfeed"}
func.func @main(%a: i32) {
  call @jo(%a) : (i32) -> ()
  return
}

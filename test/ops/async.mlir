// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of async that its own passes make of the others: a program may
// be written in them. A function that holds coro operations is a coroutine,
// which other functions call.

async.func private @twice(%x: f32) -> !async.value<f32> {
  %0 = arith.addf %x, %x : f32
  async.return %0 : f32
}

func.func @functions(%x: f32) -> f32 {
  %0 = async.call @twice(%x) : (f32) -> !async.value<f32>
  %1 = async.await %0 : !async.value<f32>
  return %1 : f32
}

func.func private @work(%x: f32, %m: memref<1xf32>) -> (!async.token, !async.value<f32>) attributes {passthrough = ["presplitcoroutine"]} {
  %token = async.runtime.create : !async.token
  %value = async.runtime.create : !async.value<f32>
  %id = async.coro.id
  %handle = async.coro.begin %id
  %state = async.coro.save %handle
  async.runtime.resume %handle
  async.coro.suspend %state, ^suspended, ^resumed, ^destroyed
^resumed:
  %c0 = arith.constant 0 : index
  %0 = arith.addf %x, %x : f32
  memref.store %0, %m[%c0] : memref<1xf32>
  async.runtime.store %0, %value : <f32>
  async.runtime.set_available %value : !async.value<f32>
  async.runtime.set_available %token : !async.token
  cf.br ^destroyed
^destroyed:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %token, %value : !async.token, !async.value<f32>
}

func.func @coroutines(%x: f32, %m: memref<1xf32>) -> (f32, i1) {
  %0:2 = call @work(%x, %m) : (f32, memref<1xf32>) -> (!async.token, !async.value<f32>)
  async.runtime.await %0#1 : !async.value<f32>
  %1 = async.runtime.is_error %0#1 : !async.value<f32>
  %2 = async.runtime.load %0#1 : <f32>
  return %2, %1 : f32, i1
}

func.func @runtime() -> (i1, f32, i1) {
  %k = arith.constant 2.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %token = async.runtime.create : !async.token
  async.runtime.set_available %token : !async.token
  async.runtime.await %token : !async.token
  %0 = async.runtime.is_error %token : !async.token
  %value = async.runtime.create : !async.value<f32>
  async.runtime.store %k, %value : !async.value<f32>
  async.runtime.set_available %value : !async.value<f32>
  async.runtime.await %value : !async.value<f32>
  %1 = async.runtime.load %value : !async.value<f32>
  async.runtime.add_ref %value {count = 1 : i64} : !async.value<f32>
  async.runtime.drop_ref %value {count = 1 : i64} : !async.value<f32>
  %group = async.runtime.create_group %c1 : !async.group
  %place = async.runtime.add_to_group %token, %group : !async.token
  async.runtime.await %group : !async.group
  %threads = async.runtime.num_worker_threads : index
  %2 = arith.cmpi sgt, %threads, %c0 : index
  return %0, %1, %2 : i1, f32, i1
}

// Waits with await_and_resume, as a task does.
func.func private @after(%token: !async.token, %x: f32) -> !async.value<f32> attributes {passthrough = ["presplitcoroutine"]} {
  %value = async.runtime.create : !async.value<f32>
  %id = async.coro.id
  %handle = async.coro.begin %id
  %state = async.coro.save %handle
  async.runtime.await_and_resume %token, %handle : !async.token
  async.coro.suspend %state, ^suspended, ^resumed, ^destroyed
^resumed:
  %0 = async.runtime.is_error %token : !async.token
  cf.cond_br %0, ^failed, ^good
^good:
  async.runtime.store %x, %value : <f32>
  async.runtime.set_available %value : !async.value<f32>
  cf.br ^destroyed
^failed:
  async.runtime.set_error %value : !async.value<f32>
  cf.br ^destroyed
^destroyed:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %value : !async.value<f32>
}

func.func @waiting(%x: f32, %m: memref<1xf32>) -> f32 {
  %0:2 = call @work(%x, %m) : (f32, memref<1xf32>) -> (!async.token, !async.value<f32>)
  %1 = call @after(%0#0, %x) : (!async.token, f32) -> !async.value<f32>
  async.runtime.await %1 : !async.value<f32>
  %2 = async.runtime.load %1 : <f32>
  return %2 : f32
}

// Running on a device of a platform whose driver is a plug-in.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/apart.so --device=apart:1 --input=4xi32=1,2,3,4 --input=i32=10 | %FileCheck %s
// CHECK: result[0]: 4xi32=[11 12 13 14]
// CHECK-NEXT: result[1]: i32=50

// RUN: %jitrun %s --plugin=%plugins/apart.so --device=apart --entry=in_place --input=4xi32=1,2,3,4 --input=i32=10 --repeat=3 --expect=4xi32=11,12,13,14

// RUN: %jitrun %s --plugin=%plugins/apart.so --device=apart --replicas=2 --input=4xi32=1,2,3,4 --input.0=i32=10 --input.1=i32=20 | %FileCheck %s --check-prefix=TWO
// TWO: replica 0: result[0]: 4xi32=[11 12 13 14]
// TWO-NEXT: replica 0: result[1]: i32=50
// TWO-NEXT: replica 1: result[0]: 4xi32=[21 22 23 24]
// TWO-NEXT: replica 1: result[1]: i32=90

// RUN: not %jitrun %s --plugin=%plugins/apart.so --device=apart --entry=broken 2>&1 | %FileCheck %s --check-prefix=BROKEN
// BROKEN: jitrun: error: an operation of the stream failed
// BROKEN: jitrun: note: while waiting for the stream of device apart:0
// RUN: not %jitrun %s --plugin=%plugins/apart.so --device=apart --entry=of_host --input=4xi32 2>&1 | %FileCheck %s --check-prefix=HOST
// HOST: jitrun: error: entry 'of_host' cannot run on platform 'apart', whose memory the host cannot use, since part of it is work of the host:
// RUN: not %jitrun %s --plugin=%plugins/apart.so --input=4xi32 --input=i32 2>&1 | %FileCheck %s --check-prefix=MISSING
// MISSING: custom call 'apart.add' is not registered for platform 'host'; it is for 'apart'
// RUN: not %jitrun %s --plugin=%plugins/apart.so --device=apart:7 --input=4xi32 --input=i32 2>&1 | %FileCheck %s --check-prefix=RANGE
// RANGE: jitrun: error: --device=apart:7: there is no such device; apart has 2, from apart:0 to apart:1

// Arguments that are allocations: the entry's own memory is not given.
// RUN: %jitrun %s --plugin=%plugins/apart.so --device=apart --entry=described --input=16xi8 --input=4xi32=1,2,3,4 --output=arg[0]=- | %FileCheck %s --check-prefix=DESCRIBED
// DESCRIBED: arg[0]: 16xi8=[6 0 0 0 7 0 0 0 8 0 0 0 9 0 0 0]

// What prints needs no memory of the device.
// RUN: %jitrun %s --plugin=%plugins/apart.so --device=apart --entry=says --input=i32=7 | %FileCheck %s --check-prefix=SAYS
// SAYS: 7

func.func private @add(memref<4xi32>, memref<4xi32>, i32) attributes {
  rt.custom_call = "apart.add"}
func.func private @sum(memref<4xi32>) -> i32 attributes {
  rt.custom_call = "apart.sum"}
func.func private @break() attributes {rt.custom_call = "apart.break"}
func.func private @print(i32) attributes {rt.custom_call = "jitrun.print"}

func.func @main(%a: memref<4xi32>, %b: i32) -> (memref<4xi32>, i32) {
  %r = memref.alloc() : memref<4xi32>
  call @add(%r, %a, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()
  %s = call @sum(%r) : (memref<4xi32>) -> i32
  return %r, %s : memref<4xi32>, i32
}

func.func @in_place(%a: memref<4xi32> {jitrun.output}, %b: i32) {
  call @add(%a, %a, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()
  return
}

func.func @broken() {
  call @break() : () -> ()
  return
}

func.func @of_host(%a: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xi32>
  memref.store %x, %a[%c0] : memref<4xi32>
  return
}

func.func @says(%b: i32) {
  call @print(%b) : (i32) -> ()
  return
}

func.func @described(%out: memref<16xi8> {lmhlo.output_index = dense<> : tensor<0xindex>},
                     %p: memref<4xi32> {lmhlo.params = 0 : index})
    attributes {result_xla_shape = "s32[4]{0}"} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : i32
  %v = memref.view %out[%c0][] : memref<16xi8> to memref<4xi32>
  call @add(%v, %p, %c5) : (memref<4xi32>, memref<4xi32>, i32) -> ()
  return
}

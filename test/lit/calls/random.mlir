// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.threefry, jitrun.philox and XLA's names for them.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/random.mlir "%S/Inputs" --executor=thunks | %FileCheck %s
// RUN: sh -e %t.d/run.sh "%jitrun" %t.d/random.mlir "%S/Inputs" --executor=jit | %FileCheck %s
// RUN: %jitrun compile %t.d/random.mlir -o %t.o
// RUN: sh -e %t.d/run.sh "%jitrun" %t.o "%S/Inputs" | %FileCheck %s
//
// The known answers of Random123: zeros, ones, digits of pi.
// CHECK: arg[1]: 4xui32=[0 0 1 0]
// CHECK-NEXT: arg[2]: 2xui32=[1797259609 2579123966]
// CHECK-NEXT: arg[1]: 4xui32=[4294967295 4294967295 0 0]
// CHECK-NEXT: arg[2]: 2xui32=[481924860 3137350631]
// CHECK-NEXT: arg[1]: 4xui32=[320440878 57701188 608135817 2242054355]
// CHECK-NEXT: arg[2]: 2xui32=[3297917596 1212020640]
// CHECK-NEXT: arg[1]: 6xui32=[0 0 1 0 0 0]
// CHECK-NEXT: arg[2]: 4xui32=[1713891541 3781805453 3159862348 2600524760]
// CHECK-NEXT: arg[1]: 6xui32=[4294967295 4294967295 0 0 0 0]
// CHECK-NEXT: arg[2]: 4xui32=[1083123565 1103641358 2718681030 1834242557]
// CHECK-NEXT: arg[1]: 6xui32=[2752067618 698298832 608135817 2242054355 320440878 57701188]
// CHECK-NEXT: arg[2]: 4xui32=[3513581065 2499661035 1342301216 605187745]
//
// What jax.lax.rng_bit_generator gives for the same states: values of 32, 64, 16
// bits, and a counter that overflows.
// CHECK: arg[1]: 4xui32=[1 2 6 4]
// CHECK-NEXT: arg[2]: 5xui32=[1576285164 2249660814 740599976 2425682526 2436392515]
// CHECK-NEXT: arg[1]: 2xui64=[8589934593 17179869192]
// CHECK-NEXT: arg[2]: 5xui64=[9662219624799024108 10418227120389269672 6433701140276733507 9707638358252452699 16980371968582007637]
// CHECK-NEXT: arg[1]: 2xui64=[8589934593 17179869190]
// CHECK-NEXT: arg[2]: 5xui16=[13292 6542 43176 64094 26179]
// CHECK-NEXT: arg[1]: 2xui64=[5 3]
// CHECK-NEXT: arg[2]: 8xui32=[3818595097 1327100559 1396233059 315918555 2544891230 2061267011 349696651 457712840]
// CHECK-NEXT: arg[1]: 4xui32=[1 2 5 4]
// CHECK-NEXT: arg[2]: 5xui32=[512747620 1298009047 1267190206 761827841 1383286907]
// CHECK-NEXT: arg[1]: 2xui64=[8589934593 17179869190]
// CHECK-NEXT: arg[2]: 5xui64=[5574906407289874532 3272025663544478142 7043725020835825787 9254853183523022196 14929923424383677111]
// CHECK-NEXT: arg[1]: 2xui64=[8589934593 17179869189]
// CHECK-NEXT: arg[2]: 5xui16=[59492 3031 51646 37377 18555]
// CHECK-NEXT: arg[1]: 2xui64=[5 1]
// CHECK-NEXT: arg[2]: 8xui32=[1314562490 4035658752 2543735481 4162936588 64677483 3635105107 3931607701 727262183]
//
// XLA's calls: the same, but bytes are two of each word (of an odd number the
// last is one); the state may be its own successor.
// CHECK: arg[0]: 4xui32=[1 2 6 4]
// CHECK-NEXT: arg[1]: 5xui32=[1576285164 2249660814 740599976 2425682526 2436392515]
// CHECK-NEXT: arg[0]: 4xui32=[1 2 5 4]
// CHECK-NEXT: arg[1]: 5xui8=[236 51 142 25 168]
// CHECK-NEXT: arg[0]: 2xui64=[8589934593 17179869189]
// CHECK-NEXT: arg[1]: 5xui16=[59492 3031 51646 37377 18555]
//
// Gaps in all three operands; nothing at all.
// CHECK: arg[1]: 4x2xui32={{\[\[}}1 0][2 0][5 0][4 0]]
// CHECK-NEXT: arg[2]: 2x3xui32={{\[\[}}1576285164 2249660814 0][740599976 2425682526 0]]
// CHECK: arg[1]: 4xui32=[1 2 3 4]
// CHECK-NEXT: arg[2]: 0xui32=
//
// Several chunks, with more threads than one.
// CHECK: arg[1]: 4xui32=[1 2 2056 4]
// CHECK-NEXT: arg[1]: 4xui32=[1 2 1030 4]
//
// RUN: not %jitrun %t.d/short.mlir --input=3xui32 --input=4xui32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=SHORT
// SHORT: short.mlir:3:3: jitrun.threefry: 'state' has 12 bytes; a key and a counter have 16
// RUN: not %jitrun %t.d/long.mlir --input=6xui32 --input=4xui32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=LONG
// LONG: long.mlir:3:3: jitrun.philox: 'state' has 24 bytes, 'new_state' has 16; both must have as many
// RUN: not %jitrun %t.d/dynamic.mlir --input=5xui32 --input=4xui32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: dynamic.mlir:3:3: jitrun.philox: 'state' has 20 bytes; a key and a counter have 16, or 24 with all of the counter
// RUN: not %jitrun %t.d/type.mlir --input=4xf32 --input=4xui32 --input=2xf32 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: custom call 'jitrun.threefry' does not match its declared signature: argument 0 'state': expected buffer i32|i64|ui32|ui64 rank 1, found buffer 4xf32

//--- run.sh
jitrun=$1
file=$2
inputs=$3
shift 3
run() { "$jitrun" "$file" "$@"; }
ones=0xffffffff
run "$@" --entry=known --input=4xui32=0 --input=4xui32 --input=2xui32 | tail -2
run "$@" --entry=known --input=4xui32=$ones --input=4xui32 --input=2xui32 | tail -2
run "$@" --entry=known --input=4xui32=320440878,57701188,608135816,2242054355 --input=4xui32 --input=2xui32 | tail -2
run "$@" --entry=known4 --input=6xui32=0 --input=6xui32 --input=4xui32 | tail -2
run "$@" --entry=known4 --input=6xui32=$ones --input=6xui32 --input=4xui32 | tail -2
run "$@" --entry=known4 --input=6xui32=2752067618,698298832,608135816,2242054355,320440878,57701188 --input=6xui32 --input=4xui32 | tail -2
state=8589934593,17179869187
for generator in threefry philox; do
  run "$@" --entry=${generator}_32 --input=4xui32=1,2,3,4 --input=4xui32 --input=5xui32 | tail -2
  run "$@" --entry=${generator}_64 --input=2xui64=$state --input=2xui64 --input=5xui64 | tail -2
  run "$@" --entry=${generator}_16 --input=2xui64=$state --input=2xui64 --input=5xui16 | tail -2
  run "$@" --entry=${generator}_carry --input=2xui64=5,18446744073709551615 --input=2xui64 --input=8xui32 | tail -2
done
run "$@" --entry=xla_32 --input=4xui32=1,2,3,4 --input=5xui32
run "$@" --entry=xla_8 --input=4xui32=1,2,3,4 --input=5xui8
run "$@" --entry=xla_16 --input=2xui64=$state --input=5xui16
run "$@" --entry=gaps --input=4x2xui32=1,0,2,0,3,0,4,0 --input=4x2xui32 --input=2x3xui32 | tail -2
run "$@" --entry=nothing --input=4xui32=1,2,3,4 --input=4xui32 --input=0xui32 | tail -2
for generator in threefry philox; do
  run "$@" --entry=${generator}_8 --threads=3 --input=4xui32=1,2,3,4 --input=4xui32 --input=4105xui8 --output=- --output=- --output=@"$generator.npy" | sed -n 2p
  cmp "$generator.npy" "$inputs/$generator-u8.npy"
  rm "$generator.npy"
done
//--- random.mlir
func.func private @t32(memref<4xui32>, memref<4xui32>, memref<?xui32>) attributes {rt.custom_call = "jitrun.threefry"}
func.func private @t8(memref<4xui32>, memref<4xui32>, memref<?xui8>) attributes {rt.custom_call = "jitrun.threefry"}
func.func private @t16(memref<2xui64>, memref<2xui64>, memref<?xui16>) attributes {rt.custom_call = "jitrun.threefry"}
func.func private @t64(memref<2xui64>, memref<2xui64>, memref<?xui64>) attributes {rt.custom_call = "jitrun.threefry"}
func.func private @t6432(memref<2xui64>, memref<2xui64>, memref<?xui32>) attributes {rt.custom_call = "jitrun.threefry"}
func.func private @tgaps(memref<4xui32, strided<[2]>>, memref<4xui32, strided<[2]>>, memref<2x2xui32, strided<[3, 1]>>) attributes {rt.custom_call = "jitrun.threefry"}
func.func private @p32(memref<4xui32>, memref<4xui32>, memref<?xui32>) attributes {rt.custom_call = "jitrun.philox"}
func.func private @p8(memref<4xui32>, memref<4xui32>, memref<?xui8>) attributes {rt.custom_call = "jitrun.philox"}
func.func private @p16(memref<2xui64>, memref<2xui64>, memref<?xui16>) attributes {rt.custom_call = "jitrun.philox"}
func.func private @p64(memref<2xui64>, memref<2xui64>, memref<?xui64>) attributes {rt.custom_call = "jitrun.philox"}
func.func private @p6432(memref<2xui64>, memref<2xui64>, memref<?xui32>) attributes {rt.custom_call = "jitrun.philox"}
func.func private @long(memref<6xui32>, memref<6xui32>, memref<4xui32>) attributes {rt.custom_call = "jitrun.philox"}
func.func private @x32(memref<4xui32>, memref<4xui32>, memref<5xui32>) attributes {rt.custom_call = "xla.cpu.rng.three_fry"}
func.func private @x8(memref<4xui32>, memref<4xui32>, memref<5xui8>) attributes {rt.custom_call = "xla.cpu.rng.three_fry"}
func.func private @x16(memref<2xui64>, memref<2xui64>, memref<5xui16>) attributes {rt.custom_call = "xla.cpu.rng.philox"}
func.func @threefry_32(%s: memref<4xui32>, %n: memref<4xui32>, %v: memref<?xui32>) {
  call @t32(%s, %n, %v) : (memref<4xui32>, memref<4xui32>, memref<?xui32>) -> ()
  return
}
func.func @threefry_64(%s: memref<2xui64>, %n: memref<2xui64>, %v: memref<?xui64>) {
  call @t64(%s, %n, %v) : (memref<2xui64>, memref<2xui64>, memref<?xui64>) -> ()
  return
}
func.func @threefry_16(%s: memref<2xui64>, %n: memref<2xui64>, %v: memref<?xui16>) {
  call @t16(%s, %n, %v) : (memref<2xui64>, memref<2xui64>, memref<?xui16>) -> ()
  return
}
func.func @threefry_8(%s: memref<4xui32>, %n: memref<4xui32>, %v: memref<?xui8>) {
  call @t8(%s, %n, %v) : (memref<4xui32>, memref<4xui32>, memref<?xui8>) -> ()
  return
}
func.func @threefry_carry(%s: memref<2xui64>, %n: memref<2xui64>, %v: memref<?xui32>) {
  call @t6432(%s, %n, %v) : (memref<2xui64>, memref<2xui64>, memref<?xui32>) -> ()
  return
}
func.func @philox_32(%s: memref<4xui32>, %n: memref<4xui32>, %v: memref<?xui32>) {
  call @p32(%s, %n, %v) : (memref<4xui32>, memref<4xui32>, memref<?xui32>) -> ()
  return
}
func.func @philox_64(%s: memref<2xui64>, %n: memref<2xui64>, %v: memref<?xui64>) {
  call @p64(%s, %n, %v) : (memref<2xui64>, memref<2xui64>, memref<?xui64>) -> ()
  return
}
func.func @philox_16(%s: memref<2xui64>, %n: memref<2xui64>, %v: memref<?xui16>) {
  call @p16(%s, %n, %v) : (memref<2xui64>, memref<2xui64>, memref<?xui16>) -> ()
  return
}
func.func @philox_8(%s: memref<4xui32>, %n: memref<4xui32>, %v: memref<?xui8>) {
  call @p8(%s, %n, %v) : (memref<4xui32>, memref<4xui32>, memref<?xui8>) -> ()
  return
}
func.func @philox_carry(%s: memref<2xui64>, %n: memref<2xui64>, %v: memref<?xui32>) {
  call @p6432(%s, %n, %v) : (memref<2xui64>, memref<2xui64>, memref<?xui32>) -> ()
  return
}
func.func @known(%s: memref<4xui32>, %n: memref<4xui32>, %v: memref<?xui32>) {
  call @t32(%s, %n, %v) : (memref<4xui32>, memref<4xui32>, memref<?xui32>) -> ()
  return
}
func.func @nothing(%s: memref<4xui32>, %n: memref<4xui32>, %v: memref<?xui32>) {
  call @t32(%s, %n, %v) : (memref<4xui32>, memref<4xui32>, memref<?xui32>) -> ()
  return
}
func.func @known4(%s: memref<6xui32>, %n: memref<6xui32>, %v: memref<4xui32>) {
  call @long(%s, %n, %v) : (memref<6xui32>, memref<6xui32>, memref<4xui32>) -> ()
  return
}
func.func @xla_32(%s: memref<4xui32>, %v: memref<5xui32>) {
  call @x32(%s, %s, %v) : (memref<4xui32>, memref<4xui32>, memref<5xui32>) -> ()
  return
}
func.func @xla_8(%s: memref<4xui32>, %v: memref<5xui8>) {
  call @x8(%s, %s, %v) : (memref<4xui32>, memref<4xui32>, memref<5xui8>) -> ()
  return
}
func.func @xla_16(%s: memref<2xui64>, %v: memref<5xui16>) {
  call @x16(%s, %s, %v) : (memref<2xui64>, memref<2xui64>, memref<5xui16>) -> ()
  return
}
func.func @gaps(%s: memref<4x2xui32>, %n: memref<4x2xui32>, %v: memref<2x3xui32>) {
  %a = memref.subview %s[0, 0] [4, 1] [1, 1] : memref<4x2xui32> to memref<4xui32, strided<[2]>>
  %b = memref.subview %n[0, 0] [4, 1] [1, 1] : memref<4x2xui32> to memref<4xui32, strided<[2]>>
  %c = memref.subview %v[0, 0] [2, 2] [1, 1] : memref<2x3xui32> to memref<2x2xui32, strided<[3, 1]>>
  call @tgaps(%a, %b, %c) : (memref<4xui32, strided<[2]>>, memref<4xui32, strided<[2]>>, memref<2x2xui32, strided<[3, 1]>>) -> ()
  return
}
//--- short.mlir
func.func private @random(memref<3xui32>, memref<4xui32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.threefry"}
func.func @main(%s: memref<3xui32>, %n: memref<4xui32>, %v: memref<2xf32>) {
  call @random(%s, %n, %v) : (memref<3xui32>, memref<4xui32>, memref<2xf32>) -> ()
  return
}
//--- long.mlir
func.func private @random(memref<6xui32>, memref<4xui32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.philox"}
func.func @main(%s: memref<6xui32>, %n: memref<4xui32>, %v: memref<2xf32>) {
  call @random(%s, %n, %v) : (memref<6xui32>, memref<4xui32>, memref<2xf32>) -> ()
  return
}
//--- dynamic.mlir
func.func private @random(memref<?xui32>, memref<4xui32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.philox"}
func.func @main(%s: memref<?xui32>, %n: memref<4xui32>, %v: memref<2xf32>) {
  call @random(%s, %n, %v) : (memref<?xui32>, memref<4xui32>, memref<2xf32>) -> ()
  return
}
//--- type.mlir
func.func private @random(memref<4xf32>, memref<4xui32>, memref<2xf32>) attributes {rt.custom_call = "jitrun.threefry"}
func.func @main(%s: memref<4xf32>, %n: memref<4xui32>, %v: memref<2xf32>) {
  call @random(%s, %n, %v) : (memref<4xf32>, memref<4xui32>, memref<2xf32>) -> ()
  return
}

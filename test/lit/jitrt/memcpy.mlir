// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.memcpy.d2d, .h2d and .d2h: one copy on the host, of any layout, and
// what does not fit.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/copy.mlir --input=2x3xf32=1,2,3,4,5,6 --input=2x3xf32 --input=2x3xf32 --input=2x3xf32 --input=3x4xi16=1,2,3,4,5,6,7,8,9,10,11,12 --input=3x4xi16 | %FileCheck %s --check-prefix=COPY
// RUN: %jitrun %t.d/copy.mlir --executor=jit --input=2x3xf32=1,2,3,4,5,6 --input=2x3xf32 --input=2x3xf32 --input=2x3xf32 --input=3x4xi16=1,2,3,4,5,6,7,8,9,10,11,12 --input=3x4xi16 | %FileCheck %s --check-prefix=COPY
// RUN: %jitrun compile %t.d/copy.mlir -o %t.so
// RUN: %jitrun %t.so --input=2x3xf32=1,2,3,4,5,6 --input=2x3xf32 --input=2x3xf32 --input=2x3xf32 --input=3x4xi16=1,2,3,4,5,6,7,8,9,10,11,12 --input=3x4xi16 | %FileCheck %s --check-prefix=COPY
// COPY: arg[1]: 2x3xf32={{\[\[}}1 2 3][4 5 6]]
// COPY-NEXT: arg[2]: 2x3xf32={{\[\[}}1 2 3][4 5 6]]
// COPY-NEXT: arg[3]: 2x3xf32={{\[\[}}1 2 3][4 5 6]]
// COPY-NEXT: arg[4]
// COPY-NEXT: arg[5]: 3x4xi16={{\[\[}}0 0 0 0][0 6 7 0][0 10 11 0]]
//
// RUN: not %jitrun %t.d/sizes.mlir --input=2x3xf32 --input=3x2xf32 2>&1 | %FileCheck %s --check-prefix=SIZES
// SIZES: jitrun: error: {{.*}}sizes.mlir:3:3: Source memref sizes do not match destination memref sizes: 3x2xf32 and 2x3xf32
// SIZES-NEXT: note: while instantiating custom call 'xla.gpu.memcpy.h2d'
// RUN: not %jitrun %t.d/rank.mlir --input=6xf32 --input=3x2xf32 2>&1 | %FileCheck %s --check-prefix=RANK
// RANK: Source memref sizes do not match destination memref sizes: 3x2xf32 and 6xf32
// RUN: not %jitrun %t.d/strides.mlir --input=2x3xf32 --input=2x3xf32 2>&1 | %FileCheck %s --check-prefix=STRIDES
// STRIDES: jitrun: error: {{.*}}strides.mlir:3:3: Source memref strides do not match destination memref strides: 2x3xf32 and 2x3xf32, strides [1, 2]
// RUN: not %jitrun %t.d/bytes.mlir --input=2xf32 --input=2xf64 2>&1 | %FileCheck %s --check-prefix=BYTES
// BYTES: xla.gpu.memcpy.d2h: elements of the source have 8 bytes, those of the destination 4
// RUN: not %jitrun %t.d/dynamic.mlir --input=2xf32 --input=3xf32 2>&1 | %FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: jitrun: error: {{.*}}dynamic.mlir:3:3: Source memref sizes do not match destination memref sizes: 3xf32 and 2xf32
// DYNAMIC-NEXT: note: in custom call 'xla.gpu.memcpy.d2d'

//--- copy.mlir
func.func private @d2d(memref<2x3xf32>, memref<2x3xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.d2d"}
func.func private @h2d(memref<2x3xf32>, memref<2x3xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.h2d"}
func.func private @d2h(memref<2x3xf32>, memref<2x3xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.d2h"}
func.func private @part(memref<2x2xi16, strided<[4, 1], offset: 5>>, memref<2x2xi16, strided<[4, 1], offset: 5>>) attributes {rt.custom_call = "xla.gpu.memcpy.d2d"}
func.func @main(%a: memref<2x3xf32>, %b: memref<2x3xf32>, %c: memref<2x3xf32>, %d: memref<2x3xf32>, %e: memref<3x4xi16>, %f: memref<3x4xi16>) {
  call @h2d(%b, %a) : (memref<2x3xf32>, memref<2x3xf32>) -> ()
  call @d2d(%c, %b) : (memref<2x3xf32>, memref<2x3xf32>) -> ()
  call @d2h(%d, %c) : (memref<2x3xf32>, memref<2x3xf32>) -> ()
  %from = memref.subview %e[1, 1] [2, 2] [1, 1] : memref<3x4xi16> to memref<2x2xi16, strided<[4, 1], offset: 5>>
  %to = memref.subview %f[1, 1] [2, 2] [1, 1] : memref<3x4xi16> to memref<2x2xi16, strided<[4, 1], offset: 5>>
  call @part(%to, %from) : (memref<2x2xi16, strided<[4, 1], offset: 5>>, memref<2x2xi16, strided<[4, 1], offset: 5>>) -> ()
  return
}
//--- sizes.mlir
func.func private @copy(memref<2x3xf32>, memref<3x2xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.h2d"}
func.func @main(%a: memref<2x3xf32>, %b: memref<3x2xf32>) {
  call @copy(%a, %b) : (memref<2x3xf32>, memref<3x2xf32>) -> ()
  return
}
//--- rank.mlir
func.func private @copy(memref<6xf32>, memref<3x2xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.h2d"}
func.func @main(%a: memref<6xf32>, %b: memref<3x2xf32>) {
  call @copy(%a, %b) : (memref<6xf32>, memref<3x2xf32>) -> ()
  return
}
//--- strides.mlir
func.func private @copy(memref<2x3xf32, strided<[1, 2]>>, memref<2x3xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.d2d"}
func.func @main(%a: memref<2x3xf32, strided<[1, 2]>>, %b: memref<2x3xf32>) {
  call @copy(%a, %b) : (memref<2x3xf32, strided<[1, 2]>>, memref<2x3xf32>) -> ()
  return
}
//--- bytes.mlir
func.func private @copy(memref<2xf32>, memref<2xf64>) attributes {rt.custom_call = "xla.gpu.memcpy.d2h"}
func.func @main(%a: memref<2xf32>, %b: memref<2xf64>) {
  call @copy(%a, %b) : (memref<2xf32>, memref<2xf64>) -> ()
  return
}
//--- dynamic.mlir
func.func private @copy(memref<?xf32>, memref<?xf32>) attributes {rt.custom_call = "xla.gpu.memcpy.d2d"}
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) {
  call @copy(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

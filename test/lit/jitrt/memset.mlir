// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xla.gpu.memset: 8 and 16 bits are repeated to 32, of 64 bits the low half
// counts, zero fits any size.
// REQUIRES: llvm
// RUN: split-file %s %t.d
// RUN: %jitrun %t.d/set.mlir --input=4xi8=9 --input=2xi16=9 --input=2xbf16=9 --input=2xf16=9 --input=2xf32=9 --input=2xi64=9 --input=4xi8=9 --input=3xi8=9 --input=2xui32=9 --input=2xf64=9 --input=2x4xi16=9 --input=4xi1=0 --executor=thunks | %FileCheck %s --check-prefix=SET
// RUN: %jitrun %t.d/set.mlir --input=4xi8=9 --input=2xi16=9 --input=2xbf16=9 --input=2xf16=9 --input=2xf32=9 --input=2xi64=9 --input=4xi8=9 --input=3xi8=9 --input=2xui32=9 --input=2xf64=9 --input=2x4xi16=9 --input=4xi1=0 --executor=jit | %FileCheck %s --check-prefix=SET
// SET: arg[0]: 4xi8=[-7 -7 -7 -7]
// SET-NEXT: arg[1]: 2xi16=[-300 -300]
// SET-NEXT: arg[2]: 2xbf16=[1.5 1.5]
// SET-NEXT: arg[3]: 2xf16=[-2 -2]
// SET-NEXT: arg[4]: 2xf32=[0.25 0.25]
// SET-NEXT: arg[5]: 2xi64=[-1 -1]
// SET-NEXT: arg[6]: 4xi8=[1 2 3 4]
// SET-NEXT: arg[7]: 3xi8=[0 0 0]
// SET-NEXT: arg[8]: 2xui32=[7 7]
// SET-NEXT: arg[9]: 2xf64=[0 0]
// SET-NEXT: arg[10]: 2x4xi16={{\[\[}}9 5 5 9][9 5 5 9]]
// SET-NEXT: arg[11]: 4xi1=[1 1 1 1]
//
// RUN: not %jitrun %t.d/size.mlir --input=3xi8 2>&1 | %FileCheck %s --check-prefix=SIZE
// SIZE: jitrun: error: {{.*}}size.mlir:4:3: Memref size is not divisible by 4: it is 3 bytes
// SIZE-NEXT: note: in custom call 'xla.gpu.memset'
// RUN: not %jitrun %t.d/type.mlir --input=4xi8 --input=f8E5M2 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: jitrun: error: {{.*}}type.mlir:3:3: Unsupported memset constant type f8E5M2
// RUN: not %jitrun %t.d/none.mlir --input=4xi8 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: custom call 'xla.gpu.memset' does not match its declared signature: missing argument 1 'constant': expected scalar

//--- set.mlir
func.func private @i8(memref<4xi8>, i8) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @i16(memref<2xi16>, i16) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @bf16(memref<2xbf16>, bf16) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @f16(memref<2xf16>, f16) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @f32(memref<2xf32>, f32) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @i64(memref<2xi64>, i64) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @bytes(memref<4xi8>, i32) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @zero(memref<3xi8>, i8) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @ui32(memref<2xui32>, i32) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @f64(memref<2xf64>, f64) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @part(memref<2x2xi16, strided<[4, 1], offset: 1>>, i16) attributes {rt.custom_call = "xla.gpu.memset"}
func.func private @i1(memref<4xi1>, i1) attributes {rt.custom_call = "xla.gpu.memset"}
func.func @main(%0: memref<4xi8>, %1: memref<2xi16>, %2: memref<2xbf16>, %3: memref<2xf16>, %4: memref<2xf32>, %5: memref<2xi64>, %6: memref<4xi8>, %7: memref<3xi8>, %8: memref<2xui32>, %9: memref<2xf64>, %10: memref<2x4xi16>, %11: memref<4xi1>) {
  %ci8 = arith.constant -7 : i8
  call @i8(%0, %ci8) : (memref<4xi8>, i8) -> ()
  %ci16 = arith.constant -300 : i16
  call @i16(%1, %ci16) : (memref<2xi16>, i16) -> ()
  %cbf16 = arith.constant 1.5 : bf16
  call @bf16(%2, %cbf16) : (memref<2xbf16>, bf16) -> ()
  %cf16 = arith.constant -2.0 : f16
  call @f16(%3, %cf16) : (memref<2xf16>, f16) -> ()
  %cf32 = arith.constant 0.25 : f32
  call @f32(%4, %cf32) : (memref<2xf32>, f32) -> ()
  %ci64 = arith.constant -1 : i64
  call @i64(%5, %ci64) : (memref<2xi64>, i64) -> ()
  %cbytes = arith.constant 0x04030201 : i32
  call @bytes(%6, %cbytes) : (memref<4xi8>, i32) -> ()
  %c0 = arith.constant 0 : i8
  call @zero(%7, %c0) : (memref<3xi8>, i8) -> ()
  %c7 = arith.constant 7 : i32
  call @ui32(%8, %c7) : (memref<2xui32>, i32) -> ()
  %cf64 = arith.constant 1.0 : f64
  call @f64(%9, %cf64) : (memref<2xf64>, f64) -> ()
  %c5 = arith.constant 5 : i16
  %part = memref.subview %10[0, 1] [2, 2] [1, 1] : memref<2x4xi16> to memref<2x2xi16, strided<[4, 1], offset: 1>>
  call @part(%part, %c5) : (memref<2x2xi16, strided<[4, 1], offset: 1>>, i16) -> ()
  %true = arith.constant true
  call @i1(%11, %true) : (memref<4xi1>, i1) -> ()
  return
}
//--- size.mlir
func.func private @set(memref<3xi8>, i8) attributes {rt.custom_call = "xla.gpu.memset"}
func.func @main(%a: memref<3xi8>) {
  %c = arith.constant 1 : i8
  call @set(%a, %c) : (memref<3xi8>, i8) -> ()
  return
}
//--- type.mlir
func.func private @set(memref<4xi8>, f8E5M2) attributes {rt.custom_call = "xla.gpu.memset"}
func.func @main(%a: memref<4xi8>, %c: f8E5M2) {
  call @set(%a, %c) : (memref<4xi8>, f8E5M2) -> ()
  return
}
//--- none.mlir
func.func private @set(memref<4xi8>) attributes {rt.custom_call = "xla.gpu.memset"}
func.func @main(%a: memref<4xi8>) {
  call @set(%a) : (memref<4xi8>) -> ()
  return
}

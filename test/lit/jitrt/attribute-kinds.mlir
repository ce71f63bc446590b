// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of every type, alone, in arrays and in dense tensors, as handlers get
// them; tensors of every rank, splats and tensors of no elements.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --executor=thunks | %FileCheck %s
// RUN: %jitrun %s --plugin=%plugins/testcalls.so --executor=jit | %FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --plugin=%plugins/testcalls.so | %FileCheck %s

// CHECK: {a = pred true, b = pred true, c = u8 1, d = s4 0xf8, e = u4 0xf, f = s4 0x7, g = s8 -128, h = s8 -1, i = s8 -8, j = u8 255,
// CHECK-SAME: {{^}} k = s16 -32768, l = u16 65535, m = s32 -2147483648, n = s32 -3, o = u32 4294967295, p = s64 9223372036854775807,
// CHECK-SAME: {{^}} q = s64 -9223372036854775808, r = u64 18446744073709551615, s = s64 -5, t = u8 3, u = s8 0}
// CHECK-NEXT: {a = bf16 0x3fc0, b = f16 0x3e00, c = f32 1.5, d = f64 1.5, e = f8E5M2 0x3e, f = f8E4M3FN 0x3c, g = f8E4M3B11FNUZ 0x5c, h = f32 nan, i = f32 inf, j = f64 -0}
// CHECK-NEXT: {a = array pred[true false], b = array s8[-1 2], c = array s16[-1], d = array s32[-1], e = array s64[-1], f = array f32[1.5], g = array f64[1.5],
// CHECK-SAME: {{^}} h = array bf16[0x3fc0 0x7fc0], i = array f16[0x3e00], j = array u8[255 1], k = array s16[-5], l = array u64[18446744073709551615], m = array f8E5M2[0x3c]}
// CHECK-NEXT: {a = array pred[true], b = array s64[1 2], c = array s64[1], d = array f64[1], e = array f16[0x3c00], f = array bf16[0x3f80], g = array f8E5M2[0x3c], h = array u8[255], i = array s4[0xff], j = array s32[-2 1]}
// CHECK-NEXT: {a = array none[], b = array s32[], c = array f16[], d = "", e = {}, f = array pred[]}
// CHECK-NEXT: {a = tensor 2xpred[true false], b = tensor 9xpred[true true true true true true true true true], c = tensor 3xs4[0xff 0x7 0xf8], d = tensor 2xu4[0xf 0x7],
// CHECK-SAME: {{^}} e = tensor 2xs8[-1 2], f = tensor 2xu8[255 0], g = tensor 2xs16[-1 7], h = tensor 2xu16[1 65535], i = tensor 2xs32[-1 7],
// CHECK-SAME: {{^}} j = tensor 2xu32[1 4294967295], k = tensor 2xs64[-1 7], l = tensor 1xu64[18446744073709551615], m = tensor 2xs64[1 2]}
// CHECK-NEXT: {a = tensor 2xf16[0x3e00 0x4000], b = tensor 2xbf16[0x3fc0 0x4000], c = tensor 2xf32[1 2], d = tensor 2xf64[1.5 2], e = tensor 2xf8E5M2[0x3e 0x40], f = tensor 2xf8E4M3FN[0x3c 0x40],
// CHECK-SAME: {{^}} g = tensor 2xf8E4M3B11FNUZ[0x5c 0x60], h = tensor c64[(1,-2)], i = tensor 2xc128[(1,-2) (3,4)], j = tensor 2xc64[(1,-2) (1,-2)]}
// CHECK-NEXT: {a = tensor s32[7], b = tensor 1x1x1x1xs32[1], c = tensor 0xf32[], d = tensor 0x3xpred[], e = tensor 2x0xs64[], f = tensor 2x2xf64[1.5 1.5 1.5 1.5], g = tensor 2xs32[1 2]}

func.func private @attrs() attributes {rt.custom_call = "test.read_attrs"}
func.func @main() {
  call @attrs() {a = true, b = 1 : i1, c = 1 : ui1, d = -8 : i4, e = 15 : ui4, f = 7 : si4, g = -128 : i8, h = 255 : i8, i = -8 : si8, j = 255 : ui8,
    k = -32768 : i16, l = 65535 : ui16, m = -2147483648 : i32, n = -3 : si32, o = 4294967295 : ui32, p = 9223372036854775807 : i64,
    q = -9223372036854775808 : si64, r = 18446744073709551615 : ui64, s = -5 : index, t = 3 : ui2, u = 0 : i0} : () -> ()
  call @attrs() {a = 1.5 : bf16, b = 1.5 : f16, c = 1.5 : f32, d = 1.5, e = 1.5 : f8E5M2, f = 1.5 : f8E4M3FN, g = 1.5 : f8E4M3B11FNUZ, h = 0x7FC00000 : f32, i = 0x7F800000 : f32, j = -0.0} : () -> ()
  call @attrs() {a = array<i1: true, false>, b = array<i8: -1, 2>, c = array<i16: -1>, d = array<i32: -1>, e = array<i64: -1>, f = array<f32: 1.5>, g = array<f64: 1.5>,
    h = array<bf16: 1.5, 0x7FC0>, i = array<f16: 1.5>, j = array<ui8: 255, 1>, k = array<si16: -5>, l = array<ui64: 18446744073709551615>, m = array<f8E5M2: 1.0>} : () -> ()
  call @attrs() {a = [true], b = [1, 2], c = [1 : index], d = [1.0], e = [1.0 : f16], f = [1.0 : bf16], g = [1.0 : f8E5M2], h = [255 : ui8], i = [-1 : i4], j = [-2 : i24, 1 : i24]} : () -> ()
  call @attrs() {a = [], b = array<i32>, c = array<f16>, d = "", e = {}, f = array<i1>} : () -> ()
  call @attrs() {a = dense<[true, false]> : tensor<2xi1>, b = dense<true> : tensor<9xi1>, c = dense<[-1, 7, -8]> : tensor<3xi4>, d = dense<[15, 7]> : tensor<2xui4>,
    e = dense<[-1, 2]> : tensor<2xi8>, f = dense<[255, 0]> : tensor<2xui8>, g = dense<[-1, 7]> : tensor<2xsi16>, h = dense<[1, 65535]> : tensor<2xui16>, i = dense<[-1, 7]> : tensor<2xi32>,
    j = dense<[1, 4294967295]> : tensor<2xui32>, k = dense<[-1, 7]> : tensor<2xi64>, l = dense<18446744073709551615> : tensor<1xui64>, m = dense<[1, 2]> : tensor<2xindex>} : () -> ()
  call @attrs() {a = dense<[1.5, 2.0]> : tensor<2xf16>, b = dense<[1.5, 2.0]> : tensor<2xbf16>, c = dense<"0x0000803F00000040"> : tensor<2xf32>, d = dense<[1.5, 2.0]> : tensor<2xf64>, e = dense<[1.5, 2.0]> : tensor<2xf8E5M2>, f = dense<[1.5, 2.0]> : tensor<2xf8E4M3FN>,
    g = dense<[1.5, 2.0]> : tensor<2xf8E4M3B11FNUZ>, h = dense<(1.0, -2.0)> : tensor<complex<f32>>, i = dense<[(1.0, -2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>, j = dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>} : () -> ()
  call @attrs() {a = dense<7> : tensor<i32>, b = dense<[[[[1]]]]> : tensor<1x1x1x1xi32>, c = dense<> : tensor<0xf32>, d = dense<> : tensor<0x3xi1>, e = dense<1> : tensor<2x0xi64>, f = dense<1.5> : tensor<2x2xf64>, g = dense<[1, 2]> : vector<2xi32>} : () -> ()
  return
}

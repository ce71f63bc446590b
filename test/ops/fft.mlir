// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// jitrun.fft: lengths of each kind, one to three dimensions, real numbers,
// views, sizes that only the execution knows.

func.func private @fft0(memref<1xcomplex<f32>>, memref<1xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_1(%a: memref<1xcomplex<f32>>, %b: memref<1xcomplex<f32>>) {
  call @fft0(%a, %b) {} : (memref<1xcomplex<f32>>, memref<1xcomplex<f32>>) -> ()
  return
}

func.func private @fft1(memref<2xcomplex<f32>>, memref<2xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_2(%a: memref<2xcomplex<f32>>, %b: memref<2xcomplex<f32>>) {
  call @fft1(%a, %b) {} : (memref<2xcomplex<f32>>, memref<2xcomplex<f32>>) -> ()
  return
}

func.func private @fft2(memref<15xcomplex<f32>>, memref<15xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_15(%a: memref<15xcomplex<f32>>, %b: memref<15xcomplex<f32>>) {
  call @fft2(%a, %b) {} : (memref<15xcomplex<f32>>, memref<15xcomplex<f32>>) -> ()
  return
}

func.func private @fft3(memref<56xcomplex<f32>>, memref<56xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_56(%a: memref<56xcomplex<f32>>, %b: memref<56xcomplex<f32>>) {
  call @fft3(%a, %b) {} : (memref<56xcomplex<f32>>, memref<56xcomplex<f32>>) -> ()
  return
}

func.func private @fft4(memref<61xcomplex<f32>>, memref<61xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_61(%a: memref<61xcomplex<f32>>, %b: memref<61xcomplex<f32>>) {
  call @fft4(%a, %b) {} : (memref<61xcomplex<f32>>, memref<61xcomplex<f32>>) -> ()
  return
}

func.func private @fft5(memref<67xcomplex<f32>>, memref<67xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_67(%a: memref<67xcomplex<f32>>, %b: memref<67xcomplex<f32>>) {
  call @fft5(%a, %b) {} : (memref<67xcomplex<f32>>, memref<67xcomplex<f32>>) -> ()
  return
}

func.func private @fft6(memref<300xcomplex<f32>>, memref<300xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_300(%a: memref<300xcomplex<f32>>, %b: memref<300xcomplex<f32>>) {
  call @fft6(%a, %b) {} : (memref<300xcomplex<f32>>, memref<300xcomplex<f32>>) -> ()
  return
}

func.func private @fft7(memref<1001xcomplex<f32>>, memref<1001xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_1001(%a: memref<1001xcomplex<f32>>, %b: memref<1001xcomplex<f32>>) {
  call @fft7(%a, %b) {} : (memref<1001xcomplex<f32>>, memref<1001xcomplex<f32>>) -> ()
  return
}

func.func private @fft8(memref<2048xcomplex<f32>>, memref<2048xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c64_2048(%a: memref<2048xcomplex<f32>>, %b: memref<2048xcomplex<f32>>) {
  call @fft8(%a, %b) {} : (memref<2048xcomplex<f32>>, memref<2048xcomplex<f32>>) -> ()
  return
}

func.func private @fft9(memref<8xcomplex<f64>>, memref<8xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c128_8(%a: memref<8xcomplex<f64>>, %b: memref<8xcomplex<f64>>) {
  call @fft9(%a, %b) {} : (memref<8xcomplex<f64>>, memref<8xcomplex<f64>>) -> ()
  return
}

func.func private @fft10(memref<128xcomplex<f64>>, memref<128xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c128_128(%a: memref<128xcomplex<f64>>, %b: memref<128xcomplex<f64>>) {
  call @fft10(%a, %b) {} : (memref<128xcomplex<f64>>, memref<128xcomplex<f64>>) -> ()
  return
}

func.func private @fft11(memref<202xcomplex<f64>>, memref<202xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c128_202(%a: memref<202xcomplex<f64>>, %b: memref<202xcomplex<f64>>) {
  call @fft11(%a, %b) {} : (memref<202xcomplex<f64>>, memref<202xcomplex<f64>>) -> ()
  return
}

func.func private @fft12(memref<1440xcomplex<f64>>, memref<1440xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @c128_1440(%a: memref<1440xcomplex<f64>>, %b: memref<1440xcomplex<f64>>) {
  call @fft12(%a, %b) {} : (memref<1440xcomplex<f64>>, memref<1440xcomplex<f64>>) -> ()
  return
}

func.func private @fft13(memref<36xcomplex<f32>>, memref<36xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @inverse_64(%a: memref<36xcomplex<f32>>, %b: memref<36xcomplex<f32>>) {
  call @fft13(%a, %b) {inverse = true} : (memref<36xcomplex<f32>>, memref<36xcomplex<f32>>) -> ()
  return
}

func.func private @fft14(memref<131xcomplex<f64>>, memref<131xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @inverse_128(%a: memref<131xcomplex<f64>>, %b: memref<131xcomplex<f64>>) {
  call @fft14(%a, %b) {inverse} : (memref<131xcomplex<f64>>, memref<131xcomplex<f64>>) -> ()
  return
}

// Lines next to each other, and rows; more than there are lanes.

func.func private @fft15(memref<37x19xcomplex<f32>>, memref<37x19xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @rows(%a: memref<37x19xcomplex<f32>>, %b: memref<37x19xcomplex<f32>>) {
  call @fft15(%a, %b) {} : (memref<37x19xcomplex<f32>>, memref<37x19xcomplex<f32>>) -> ()
  return
}

func.func private @fft16(memref<5x270xcomplex<f64>>, memref<5x270xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @rows_long(%a: memref<5x270xcomplex<f64>>, %b: memref<5x270xcomplex<f64>>) {
  call @fft16(%a, %b) {} : (memref<5x270xcomplex<f64>>, memref<5x270xcomplex<f64>>) -> ()
  return
}

func.func private @fft17(memref<21x50xcomplex<f32>>, memref<21x50xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @plane(%a: memref<21x50xcomplex<f32>>, %b: memref<21x50xcomplex<f32>>) {
  call @fft17(%a, %b) {dimensions = 2 : i64} : (memref<21x50xcomplex<f32>>, memref<21x50xcomplex<f32>>) -> ()
  return
}

func.func private @fft18(memref<2x6x9x10xcomplex<f64>>, memref<2x6x9x10xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @space(%a: memref<2x6x9x10xcomplex<f64>>, %b: memref<2x6x9x10xcomplex<f64>>) {
  call @fft18(%a, %b) {dimensions = 3 : i64, inverse = true} : (memref<2x6x9x10xcomplex<f64>>, memref<2x6x9x10xcomplex<f64>>) -> ()
  return
}

func.func private @fft19(memref<300x40xcomplex<f32>>, memref<300x40xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @columns(%a: memref<300x40xcomplex<f32>>, %b: memref<300x40xcomplex<f32>>) {
  call @fft19(%a, %b) {dimensions = 2 : i64} : (memref<300x40xcomplex<f32>>, memref<300x40xcomplex<f32>>) -> ()
  return
}

// Real numbers, even and odd.

func.func private @fft20(memref<1xf32>, memref<1xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_1(%a: memref<1xf32>, %b: memref<1xcomplex<f32>>) {
  call @fft20(%a, %b) {} : (memref<1xf32>, memref<1xcomplex<f32>>) -> ()
  return
}

func.func private @fft21(memref<1xcomplex<f64>>, memref<1xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_1(%a: memref<1xcomplex<f64>>, %b: memref<1xf64>) {
  call @fft21(%a, %b) {} : (memref<1xcomplex<f64>>, memref<1xf64>) -> ()
  return
}

func.func private @fft22(memref<2xf32>, memref<2xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_2(%a: memref<2xf32>, %b: memref<2xcomplex<f32>>) {
  call @fft22(%a, %b) {} : (memref<2xf32>, memref<2xcomplex<f32>>) -> ()
  return
}

func.func private @fft23(memref<2xcomplex<f64>>, memref<2xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_2(%a: memref<2xcomplex<f64>>, %b: memref<2xf64>) {
  call @fft23(%a, %b) {} : (memref<2xcomplex<f64>>, memref<2xf64>) -> ()
  return
}

func.func private @fft24(memref<9xf32>, memref<5xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_9(%a: memref<9xf32>, %b: memref<5xcomplex<f32>>) {
  call @fft24(%a, %b) {} : (memref<9xf32>, memref<5xcomplex<f32>>) -> ()
  return
}

func.func private @fft25(memref<5xcomplex<f64>>, memref<9xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_9(%a: memref<5xcomplex<f64>>, %b: memref<9xf64>) {
  call @fft25(%a, %b) {} : (memref<5xcomplex<f64>>, memref<9xf64>) -> ()
  return
}

func.func private @fft26(memref<62xf32>, memref<32xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_62(%a: memref<62xf32>, %b: memref<32xcomplex<f32>>) {
  call @fft26(%a, %b) {} : (memref<62xf32>, memref<32xcomplex<f32>>) -> ()
  return
}

func.func private @fft27(memref<32xcomplex<f64>>, memref<62xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_62(%a: memref<32xcomplex<f64>>, %b: memref<62xf64>) {
  call @fft27(%a, %b) {} : (memref<32xcomplex<f64>>, memref<62xf64>) -> ()
  return
}

func.func private @fft28(memref<134xf32>, memref<68xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_134(%a: memref<134xf32>, %b: memref<68xcomplex<f32>>) {
  call @fft28(%a, %b) {} : (memref<134xf32>, memref<68xcomplex<f32>>) -> ()
  return
}

func.func private @fft29(memref<68xcomplex<f64>>, memref<134xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_134(%a: memref<68xcomplex<f64>>, %b: memref<134xf64>) {
  call @fft29(%a, %b) {} : (memref<68xcomplex<f64>>, memref<134xf64>) -> ()
  return
}

func.func private @fft30(memref<260xf32>, memref<131xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_260(%a: memref<260xf32>, %b: memref<131xcomplex<f32>>) {
  call @fft30(%a, %b) {} : (memref<260xf32>, memref<131xcomplex<f32>>) -> ()
  return
}

func.func private @fft31(memref<131xcomplex<f64>>, memref<260xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_260(%a: memref<131xcomplex<f64>>, %b: memref<260xf64>) {
  call @fft31(%a, %b) {} : (memref<131xcomplex<f64>>, memref<260xf64>) -> ()
  return
}

func.func private @fft32(memref<201xf32>, memref<101xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_201(%a: memref<201xf32>, %b: memref<101xcomplex<f32>>) {
  call @fft32(%a, %b) {} : (memref<201xf32>, memref<101xcomplex<f32>>) -> ()
  return
}

func.func private @fft33(memref<101xcomplex<f64>>, memref<201xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_201(%a: memref<101xcomplex<f64>>, %b: memref<201xf64>) {
  call @fft33(%a, %b) {} : (memref<101xcomplex<f64>>, memref<201xf64>) -> ()
  return
}

func.func private @fft34(memref<20x12xf64>, memref<20x7xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_rows(%a: memref<20x12xf64>, %b: memref<20x7xcomplex<f64>>) {
  call @fft34(%a, %b) {} : (memref<20x12xf64>, memref<20x7xcomplex<f64>>) -> ()
  return
}

func.func private @fft35(memref<20x7xcomplex<f32>>, memref<20x13xf32>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_rows(%a: memref<20x7xcomplex<f32>>, %b: memref<20x13xf32>) {
  call @fft35(%a, %b) {} : (memref<20x7xcomplex<f32>>, memref<20x13xf32>) -> ()
  return
}

func.func private @fft36(memref<3x8x6x14xf32>, memref<3x8x6x8xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_space(%a: memref<3x8x6x14xf32>, %b: memref<3x8x6x8xcomplex<f32>>) {
  call @fft36(%a, %b) {dimensions = 3 : i64} : (memref<3x8x6x14xf32>, memref<3x8x6x8xcomplex<f32>>) -> ()
  return
}

func.func private @fft37(memref<7x6x71xcomplex<f64>>, memref<7x6x140xf64>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_space(%a: memref<7x6x71xcomplex<f64>>, %b: memref<7x6x140xf64>) {
  call @fft37(%a, %b) {dimensions = 3 : i64} : (memref<7x6x71xcomplex<f64>>, memref<7x6x140xf64>) -> ()
  return
}

// Views.

func.func private @fft38(memref<40x33xcomplex<f32>, strided<[1, 40]>>, memref<40x33xcomplex<f32>, strided<[1, 40]>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @turned(%a: memref<33x40xcomplex<f32>>, %b: memref<33x40xcomplex<f32>>) {
  %x = memref.transpose %a (i, j) -> (j, i) : memref<33x40xcomplex<f32>> to memref<40x33xcomplex<f32>, strided<[1, 40]>>
  %y = memref.transpose %b (i, j) -> (j, i) : memref<33x40xcomplex<f32>> to memref<40x33xcomplex<f32>, strided<[1, 40]>>
  call @fft38(%x, %y) {} : (memref<40x33xcomplex<f32>, strided<[1, 40]>>, memref<40x33xcomplex<f32>, strided<[1, 40]>>) -> ()
  return
}

func.func private @fft39(memref<64xcomplex<f64>, strided<[-2], offset: 127>>, memref<64xcomplex<f64>, strided<[3], offset: 1>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @steps(%a: memref<128xcomplex<f64>>, %b: memref<192xcomplex<f64>>) {
  %x = memref.reinterpret_cast %a to offset: [127], sizes: [64], strides: [-2] : memref<128xcomplex<f64>> to memref<64xcomplex<f64>, strided<[-2], offset: 127>>
  %y = memref.reinterpret_cast %b to offset: [1], sizes: [64], strides: [3] : memref<192xcomplex<f64>> to memref<64xcomplex<f64>, strided<[3], offset: 1>>
  call @fft39(%x, %y) {} : (memref<64xcomplex<f64>, strided<[-2], offset: 127>>, memref<64xcomplex<f64>, strided<[3], offset: 1>>) -> ()
  return
}

func.func private @fft40(memref<90xf32, strided<[2]>>, memref<46xcomplex<f32>, strided<[2]>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @real_steps(%a: memref<180xf32>, %b: memref<92xcomplex<f32>>) {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [90], strides: [2] : memref<180xf32> to memref<90xf32, strided<[2]>>
  %y = memref.reinterpret_cast %b to offset: [0], sizes: [46], strides: [2] : memref<92xcomplex<f32>> to memref<46xcomplex<f32>, strided<[2]>>
  call @fft40(%x, %y) {} : (memref<90xf32, strided<[2]>>, memref<46xcomplex<f32>, strided<[2]>>) -> ()
  return
}

func.func private @fft41(memref<46xcomplex<f32>, strided<[2]>>, memref<90xf32, strided<[2]>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @to_real_steps(%a: memref<92xcomplex<f32>>, %b: memref<180xf32>) {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [46], strides: [2] : memref<92xcomplex<f32>> to memref<46xcomplex<f32>, strided<[2]>>
  %y = memref.reinterpret_cast %b to offset: [0], sizes: [90], strides: [2] : memref<180xf32> to memref<90xf32, strided<[2]>>
  call @fft41(%x, %y) {} : (memref<46xcomplex<f32>, strided<[2]>>, memref<90xf32, strided<[2]>>) -> ()
  return
}

func.func private @fft42(memref<?x?xcomplex<f32>>, memref<?x?xcomplex<f32>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @dynamic(%a: memref<?x?xcomplex<f32>>, %b: memref<?x?xcomplex<f32>>) {
  call @fft42(%a, %b) {dimensions = 2 : i64} : (memref<?x?xcomplex<f32>>, memref<?x?xcomplex<f32>>) -> ()
  return
}

func.func private @fft43(memref<?xf64>, memref<?xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft"}
func.func @dynamic_real(%a: memref<?xf64>, %b: memref<?xcomplex<f64>>) {
  call @fft43(%a, %b) {} : (memref<?xf64>, memref<?xcomplex<f64>>) -> ()
  return
}

// In place, there and back.
func.func private @there(memref<6x70xcomplex<f64>>, memref<6x70xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft", dimensions = 2 : i64}
func.func private @back(memref<6x70xcomplex<f64>>, memref<6x70xcomplex<f64>>) attributes {rt.custom_call = "jitrun.fft", dimensions = 2 : i64, inverse}
func.func @in_place(%a: memref<6x70xcomplex<f64>>, %b: memref<6x70xcomplex<f64>>) {
  call @there(%b, %b) : (memref<6x70xcomplex<f64>>, memref<6x70xcomplex<f64>>) -> ()
  memref.copy %b, %a : memref<6x70xcomplex<f64>> to memref<6x70xcomplex<f64>>
  call @back(%b, %b) : (memref<6x70xcomplex<f64>>, memref<6x70xcomplex<f64>>) -> ()
  return
}

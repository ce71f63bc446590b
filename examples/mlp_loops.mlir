// The program of mlp.mlir with bias and relu as loops over memrefs: only the
// matrix products are custom calls, so no plug-in is needed, but code is. Takes
// the same inputs.

func.func private @gemm1(memref<8x32xf32>, memref<32x64xf32>, memref<8x64xf32>)
    attributes {rt.custom_call = "jitrun.gemm"}
func.func private @gemm2(memref<8x64xf32>, memref<64x64xf32>, memref<8x64xf32>)
    attributes {rt.custom_call = "jitrun.gemm"}
func.func private @gemm3(memref<8x64xf32>, memref<64x10xf32>, memref<8x10xf32>)
    attributes {rt.custom_call = "jitrun.gemm"}

func.func @main(%x: memref<8x32xf32>,
                %w1: memref<32x64xf32>, %b1: memref<64xf32>,
                %w2: memref<64x64xf32>, %b2: memref<64xf32>,
                %w3: memref<64x10xf32>, %b3: memref<10xf32>,
                %y: memref<8x10xf32> {jitrun.output}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32

  %h1 = memref.alloc() : memref<8x64xf32>
  call @gemm1(%x, %w1, %h1)
      : (memref<8x32xf32>, memref<32x64xf32>, memref<8x64xf32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %value = memref.load %h1[%i, %j] : memref<8x64xf32>
      %bias = memref.load %b1[%j] : memref<64xf32>
      %sum = arith.addf %value, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      memref.store %relu, %h1[%i, %j] : memref<8x64xf32>
    }
  }

  %h2 = memref.alloc() : memref<8x64xf32>
  call @gemm2(%h1, %w2, %h2)
      : (memref<8x64xf32>, memref<64x64xf32>, memref<8x64xf32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %value = memref.load %h2[%i, %j] : memref<8x64xf32>
      %bias = memref.load %b2[%j] : memref<64xf32>
      %sum = arith.addf %value, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      memref.store %relu, %h2[%i, %j] : memref<8x64xf32>
    }
  }
  memref.dealloc %h1 : memref<8x64xf32>

  call @gemm3(%h2, %w3, %y)
      : (memref<8x64xf32>, memref<64x10xf32>, memref<8x10xf32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      %value = memref.load %y[%i, %j] : memref<8x10xf32>
      %bias = memref.load %b3[%j] : memref<10xf32>
      %sum = arith.addf %value, %bias : f32
      memref.store %sum, %y[%i, %j] : memref<8x10xf32>
    }
  }
  memref.dealloc %h2 : memref<8x64xf32>
  return
}

// A perceptron of three layers over a batch of 8. Every step is a custom call:
// the matrix products are built in, bias and relu come from plugins/mlp.c. The
// program itself is data: buffers and the order of the calls.
//
//   jitrun examples/mlp.mlir --plugin=build/examples/mlp.so \
//     --input=@examples/data/x.npy \
//     --input=@examples/data/w1.npy --input=@examples/data/b1.npy \
//     --input=@examples/data/w2.npy --input=@examples/data/b2.npy \
//     --input=@examples/data/w3.npy --input=@examples/data/b3.npy \
//     --input=8x10xf32 --expect=@examples/data/y.npy

// One declaration for each list of types; the attribute names the custom call.
func.func private @gemm1(memref<8x32xf32>, memref<32x64xf32>, memref<8x64xf32>)
    attributes {rt.custom_call = "jitrun.gemm"}
func.func private @gemm2(memref<8x64xf32>, memref<64x64xf32>, memref<8x64xf32>)
    attributes {rt.custom_call = "jitrun.gemm"}
func.func private @gemm3(memref<8x64xf32>, memref<64x10xf32>, memref<8x10xf32>)
    attributes {rt.custom_call = "jitrun.gemm"}
func.func private @bias(memref<8x64xf32>, memref<64xf32>)
    attributes {rt.custom_call = "mlp.bias"}
func.func private @bias3(memref<8x10xf32>, memref<10xf32>)
    attributes {rt.custom_call = "mlp.bias"}
func.func private @relu(memref<8x64xf32>)
    attributes {rt.custom_call = "mlp.relu"}

func.func @main(%x: memref<8x32xf32>,
                %w1: memref<32x64xf32>, %b1: memref<64xf32>,
                %w2: memref<64x64xf32>, %b2: memref<64xf32>,
                %w3: memref<64x10xf32>, %b3: memref<10xf32>,
                %y: memref<8x10xf32> {jitrun.output}) {
  %h1 = memref.alloc() : memref<8x64xf32>
  call @gemm1(%x, %w1, %h1)
      : (memref<8x32xf32>, memref<32x64xf32>, memref<8x64xf32>) -> ()
  call @bias(%h1, %b1) : (memref<8x64xf32>, memref<64xf32>) -> ()
  call @relu(%h1) : (memref<8x64xf32>) -> ()

  %h2 = memref.alloc() : memref<8x64xf32>
  call @gemm2(%h1, %w2, %h2)
      : (memref<8x64xf32>, memref<64x64xf32>, memref<8x64xf32>) -> ()
  call @bias(%h2, %b2) : (memref<8x64xf32>, memref<64xf32>) -> ()
  call @relu(%h2) : (memref<8x64xf32>) -> ()
  memref.dealloc %h1 : memref<8x64xf32>

  call @gemm3(%h2, %w3, %y)
      : (memref<8x64xf32>, memref<64x10xf32>, memref<8x10xf32>) -> ()
  call @bias3(%y, %b3) : (memref<8x10xf32>, memref<10xf32>) -> ()
  memref.dealloc %h2 : memref<8x64xf32>
  return
}

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<?x3xf32>, %w: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x3xf32>
  %empty = tensor.empty(%rows) : tensor<?x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x2xf32>) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  %z = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?x2xf32>) outs(%empty : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %zero : f32
    linalg.yield %c : f32
  } -> tensor<?x2xf32>
  return %z : tensor<?x2xf32>
}

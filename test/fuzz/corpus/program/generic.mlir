"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x2xbf16>, memref<2xcomplex<f64>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x2xbf16>, %arg1: memref<2xcomplex<f64>>):
    "func.call"(%arg0) <{callee = @f}> {a = [1, 2], c = "s", e = {b = dense<1> : tensor<2xi8>}} : (memref<?x2xbf16>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x2xbf16>) -> (), sym_name = "f", sym_visibility = "private"}> ({
  }) {rt.custom_call = "test.f"} : () -> ()
}) : () -> ()

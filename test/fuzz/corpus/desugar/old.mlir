// CHECK: a comment with @main and "quotes"
module {
rt.export @a
rt.export @b ordinal 3
func.func @a(%arg0: !rt.execution_context, %m: memref<4xf32>, %h: !rt.opaque) attributes {rt.exported} {
  rt.trace #rt.hlo_trace<"op">, %arg0 {
    %0:2 = rt.custom_call %arg0["name"] (%m) {a = 1 : i32, "b c" = [1, 2]} : (memref<4xf32>) -> (f32, i1)
  }
  %s = rt.call %arg0["x"] (%h) : (!rt.opaque) -> ()
  rt.set_output %arg0, 0, %m : memref<4xf32>
  rt.unsigned_cast %0#0 : f32 to f32
  return
}
}

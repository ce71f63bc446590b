module {
rt.export @main ordinal 0
func.func @main(%ctx: !rt.execution_context, %m: memref<4xf32> {rt.constraint = "rank"}, %n: i32) {
  %s, %r = rt.call %ctx["test.sum"] (%m, %n) {scale = 2 : i32} : (memref<4xf32>, i32) -> f32
  %ok = rt.is_ok %s
  cf.cond_br %ok, ^bb1, ^bb2
^bb1:
  rt.set_output %ctx, 0, %r : f32
  return
^bb2:
  rt.set_error %ctx, "failed"
  return
}
}

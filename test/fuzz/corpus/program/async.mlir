func.func private @wait(i32) -> !async.token attributes {rt.custom_call = "test.wait"}
func.func @main(%m: memref<4xf32>, %a: f32) -> !async.value<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %a, %m[%i] : memref<4xf32>
  }
  %w = call @wait(%one) : (i32) -> !async.token
  %t, %r = async.execute [%w] -> !async.value<f32> {
    %x = memref.load %m[%c0] : memref<4xf32>
    async.yield %x : f32
  }
  async.await %t : !async.token
  return %r : !async.value<f32>
}

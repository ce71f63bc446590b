func.func private @sum(memref<?xf32>) -> f32 attributes {rt.custom_call = "test.sum", scale = 2 : i32}
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @main(%m: memref<?xf32>, %n: index, %f: i1) -> (f32, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.get_global @table : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    %j = arith.remui %i, %n : index
    %y = math.exp %x : f32
    memref.store %y, %m[%j] : memref<?xf32>
  }
  %r = scf.if %f -> (f32) {
    %s = func.call @sum(%m) : (memref<?xf32>) -> f32
    scf.yield %s : f32
  } else {
    %v = memref.load %t[%c1] : memref<4xf32>
    scf.yield %v : f32
  }
  cf.assert %f, "false"
  return %r, %m : f32, memref<?xf32>
}

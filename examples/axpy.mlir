// y[i] += a * x[i] for vectors of any length: a scalar argument, sizes known
// only at run time, and a check that becomes an error of the execution.
func.func @main(%a: f32, %x: memref<?xf32>,
                %y: memref<?xf32> {jitrun.output}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x_size = memref.dim %x, %c0 : memref<?xf32>
  %y_size = memref.dim %y, %c0 : memref<?xf32>
  %same = arith.cmpi eq, %x_size, %y_size : index
  cf.assert %same, "x and y must have the same size"
  scf.for %i = %c0 to %y_size step %c1 {
    %x_i = memref.load %x[%i] : memref<?xf32>
    %y_i = memref.load %y[%i] : memref<?xf32>
    %product = arith.mulf %a, %x_i : f32
    %sum = arith.addf %y_i, %product : f32
    memref.store %sum, %y[%i] : memref<?xf32>
  }
  return
}

func.func private @segv() attributes {rt.custom_call = "end.segv"}
func.func private @overflow() attributes {rt.custom_call = "end.overflow"}
func.func private @abort() attributes {rt.custom_call = "end.abort"}
func.func private @exit() attributes {rt.custom_call = "end.exit"}
func.func private @stop() attributes {rt.custom_call = "end.stop"}
func.func private @wait() attributes {rt.custom_call = "end.wait"}
func.func private @eat() attributes {rt.custom_call = "end.eat"}
func.func private @print(i32) attributes {rt.custom_call = "jitrun.print"}

func.func @do_segv(%n: i32) {
  call @print(%n) : (i32) -> ()
  call @segv() : () -> ()
  return
}
func.func @do_overflow() {
  call @overflow() : () -> ()
  return
}
func.func @do_abort() {
  call @abort() : () -> ()
  return
}
func.func @do_exit() {
  call @exit() : () -> ()
  return
}
func.func @do_stop(%n: i32) {
  call @stop() : () -> ()
  call @print(%n) : (i32) -> ()
  return
}
func.func @do_wait() {
  call @wait() : () -> ()
  return
}
func.func @do_wait_deaf() {
  call @wait() {deaf = true} : () -> ()
  return
}
func.func @do_eat() {
  call @eat() : () -> ()
  return
}
func.func private @smash() attributes {rt.custom_call = "end.smash"}
func.func @do_smash(%n: i32) {
  call @print(%n) : (i32) -> ()
  call @smash() : () -> ()
  return
}
func.func private @silent() attributes {rt.custom_call = "end.silent"}
func.func @do_silent() {
  call @silent() : () -> ()
  return
}
func.func private @measure() attributes {rt.custom_call = "end.measure"}
func.func @do_measure() {
  call @measure() : () -> ()
  return
}
func.func private @jump() attributes {rt.custom_call = "end.jump"}
func.func @do_jump() {
  call @jump() : () -> ()
  return
}
func.func @do_wild(%m: memref<?xi32>, %i: index, %n: i32) {
  call @print(%n) : (i32) -> ()
  memref.store %n, %m[%i] : memref<?xi32>
  return
}

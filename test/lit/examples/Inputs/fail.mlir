// The third call fails: on line 10, in column 3.
func.func private @noop() attributes {rt.custom_call = "jitrun.noop"}
func.func private @fail() attributes {rt.custom_call = "test.fail"}
func.func private @never()
    attributes {rt.custom_call = "jitrun.fail", message = "went on"}

func.func @main() {
  call @noop() : () -> ()
  call @noop() : () -> ()
  call @fail() {value = 7 : i64} : () -> ()
  call @never() : () -> ()
  return
}

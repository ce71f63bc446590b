// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func private @attrs() attributes {rt.custom_call = "test.read_attrs"}
func.func @main() {
  call @attrs() {x = VALUE} : () -> ()
  return
}
func.func private @hidden() {
  return
}

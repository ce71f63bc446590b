# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles a call with an operand, and one with a result, of each TYPE, and
# prints what is said of them: refused.sh JITRUN FOLDER TYPE...
jitrun=$1 folder=$2
shift 2
mkdir -p "$folder"
cd "$folder" || exit 1
for type in "$@"; do
  cat >argument.mlir <<END
func.func private @take(i32, $type) attributes {rt.custom_call = "test.kinds"}
func.func @main(%i: i32) {
  return
^never(%x: $type):
  call @take(%i, %x) : (i32, $type) -> ()
  return
}
END
  cat >result.mlir <<END
func.func private @give() -> (i32, $type) attributes {rt.custom_call = "test.kinds"}
func.func @main() {
  %i, %x = call @give() : () -> (i32, $type)
  return
}
END
  for what in argument result; do
    "$jitrun" compile $what.mlir -o out.o 2>&1 | head -n 1
  done
done

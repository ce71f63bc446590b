#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares what the docs promise with the tests there are.
#
#   test/coverage.sh jitrt   the behaviours of JitRt's own tests: every row of
#                            the table in docs/jitrt.md names a test file called
#                            after it, or a file and a name in it, or says why it
#                            is left out; these rows are printed. Exit 1 for any other row,
#                            and for a test of test/lit/jitrt/behaviours that no
#                            row names.
#   test/coverage.sh ops     the operations of MLIR's dialects that programs may
#                            be written in, as the installed .td files define
#                            them: prints those that occur neither in the
#                            programs of test/ops and test/lit nor in the table
#                            of docs/operations.md, and exits 1 when there are
#                            any, or when that table names one that is none.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly BEHAVIOURS=test/lit/jitrt/behaviours
FAILED=0

fail() {
  printf 'coverage: %s\n' "$1" >&2
  FAILED=1
}

# Rows between the marks, as "suite|behaviour|test".
jitrt_rows() {
  sed -n '/<!-- behaviours -->/,/<!-- end -->/p' docs/jitrt.md |
    sed -n 's/^| *\([a-z_]*\) *| *\([A-Za-z0-9]*\) *| *\(.*[^ ]\) *|$/\1|\2|\3/p' |
    grep -v '^suite|'
}

check_row() {
  local suite=$1 name=$2 test=$3 path
  if [[ $test == "left out: "* ]]; then
    printf '%s.%s: %s\n' "$suite" "$name" "$test"
    return
  fi
  path=test/${test%%:*}
  path=${path//\`/}
  if [ ! -f "$path" ]; then
    fail "$suite.$name: there is no $path"
  elif [[ $test == *": "* ]]; then
    grep -qw -- "${test##*: }" "$path" ||
      fail "$suite.$name: $path has no '${test##*: }'"
  elif [[ $(basename "$path") != "$suite.$name."* ]]; then
    fail "$suite.$name: $path is not named after it"
  fi
}

check_jitrt() {
  local rows suite name test file
  rows=$(jitrt_rows)
  [ -n "$rows" ] || fail "docs/jitrt.md has no table of behaviours"
  while IFS='|' read -r suite name test; do
    check_row "$suite" "$name" "$test"
  done <<<"$rows"
  for file in "$BEHAVIOURS"/*; do
    grep -qF "${file#test/}" <<<"$rows" || fail "no row names $file"
  done
}

# Files of operations, below mlir/Dialect.
readonly OP_FILES=(
  Affine/IR/AffineOps Arith/IR/ArithOps Async/IR/AsyncOps
  Bufferization/IR/BufferizationOps Complex/IR/ComplexOps
  ControlFlow/IR/ControlFlowOps Func/IR/FuncOps Index/IR/IndexOps
  Linalg/IR/LinalgOps Linalg/IR/LinalgRelayoutOps Linalg/IR/LinalgStructuredOps
  Math/IR/MathOps MemRef/IR/MemRefOps SCF/IR/SCFOps Tensor/IR/TensorOps
  Tosa/IR/TosaOps Tosa/IR/TosaUtilOps UB/IR/UBOps Vector/IR/VectorOps
)

# Names of all operations, sorted.
defined_ops() {
  local include file
  include=$(llvm-config-22 --includedir)
  for file in "${OP_FILES[@]}"; do
    mlir-tblgen-22 -gen-op-doc -I "$include" "$include/mlir/Dialect/$file.td" |
      sed -nE 's/^#+ `([a-z_]+\.[A-Za-z0-9_.]+)`.*/\1/p'
  done | sort -u
}

# Names that programs of tests have.
tested_ops() {
  find test/ops test/lit \( -name '*.mlir' -o -name '*.test' \) -print0 |
    xargs -0 grep -hvE '^ *(//|#)' |
    grep -oE '\b[a-z]+\.[a-z0-9_]+(\.[a-z0-9_]+)*' | sort -u
}

# Names in the table of operations that are refused, or that need no program.
listed_ops() {
  sed -n '/<!-- operations -->/,/<!-- end -->/p' docs/operations.md |
    sed -nE 's/^\| ([^|]*) \|.*/\1/p' | grep -oE '`[a-z]+\.[a-z0-9_.]+`' |
    tr -d '`' | sort -u
}

check_ops() {
  local defined name
  defined=$(defined_ops)
  [ -n "$defined" ] || fail "mlir-tblgen-22 lists no operation"
  while read -r name; do
    fail "$name is in no program, and not in docs/operations.md"
  done < <(comm -23 <(echo "$defined") <(sort -u <(tested_ops) <(listed_ops)))
  while read -r name; do
    fail "docs/operations.md lists $name, which is no operation"
  done < <(comm -13 <(echo "$defined") <(listed_ops))
}

case ${1-} in
jitrt) check_jitrt ;;
ops) check_ops ;;
*)
  echo "usage: test/coverage.sh jitrt|ops" >&2
  exit 2
  ;;
esac
exit "$FAILED"

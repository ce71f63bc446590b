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

case ${1-} in
jitrt) check_jitrt ;;
*)
  echo "usage: test/coverage.sh jitrt" >&2
  exit 2
  ;;
esac
exit "$FAILED"

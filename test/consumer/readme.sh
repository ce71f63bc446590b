#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the command blocks of README.md, or another file, in order, in one shell, in an empty folder
# that looks like a clone that was built, and compares what they print with the
# text blocks behind them:
#
#   readme.sh BUILD SCRATCH [FILE]
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
scratch=$2
document=${3:-$source/README.md}

rm -rf "$scratch"
mkdir -p "$scratch/clone"
ln -s "$build" "$scratch/clone/build"
ln -s "$source/examples" "$source/include" "$scratch/clone"

# Lines between ```KIND and ```.
blocks() {
  awk -v start="^[\`][\`][\`]$1\$" '
    /^```/ && inside { inside = 0; next }
    $0 ~ start { inside = 1; next }
    inside { print }' "$document"
}

blocks sh >"$scratch/commands"
blocks text >"$scratch/expected"
[ -s "$scratch/commands" ]
(cd "$scratch/clone" && bash -euo pipefail ../commands) >"$scratch/printed"
diff -u "$scratch/expected" "$scratch/printed"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `./do demo` shows: mlp.mlir on .npy files, compiled in memory and ahead of
# time, each time compared with the result that NumPy gave. Takes the folder of
# a build, build/ by default.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

jitrun=$build/bin/jitrun
data=examples/data
arguments=(--plugin="$build/examples/mlp.so")
for name in x w1 b1 w2 b2 w3 b3; do
  arguments+=("--input=@$data/$name.npy")
done
arguments+=(--input=8x10xf32 "--expect=@$data/y.npy")

say() {
  printf '\n-- %s\n' "$1"
}

say "examples/mlp.mlir, a perceptron of three layers: 3 matrix products that
   jitrun has built in; bias and relu from the plug-in examples/plugins/mlp.c.
   Its signature and call sites:"
"$jitrun" inspect examples/mlp.mlir --plugin="$build/examples/mlp.so"

say "Compile it in memory and run it on the arrays of $data/*.npy;
   its result, 8 rows of 10:"
"$jitrun" examples/mlp.mlir "${arguments[@]}" --output=-
echo "agrees with NumPy's result in $data/y.npy"

say "Compile it ahead of time, and run the shared library without the compiler:"
"$jitrun" compile examples/mlp.mlir -o "$scratch/mlp.so"
"$jitrun" "$scratch/mlp.so" "${arguments[@]}" --stats
echo "agrees with NumPy's result in $data/y.npy"

say "Next: the first program of your own, in README.md."

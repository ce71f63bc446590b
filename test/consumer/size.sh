#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Links hello.c with the image of hello.mlir and libjitrun.a, in the ways in
# which one does, and prints what each gives and how large it is, stripped:
# beside the limit of 300,000 bytes, for a static program over one that is empty.
#
#   size.sh BUILD SCRATCH
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 scratch=$2
readonly LIMIT=300000

rm -rf "$scratch"
mkdir -p "$scratch"
for kind in o h; do
  "$build/bin/jitrun" compile "$source/test/consumer/hello.mlir" \
    -o "$scratch/hello.$kind"
done

# link NAME FLAG...: the size of the program, which must run
link() {
  local name=$1
  shift
  cc -O2 -I"$source/include" -include "$scratch/hello.h" \
    "$source/test/consumer/hello.c" "$scratch/hello.o" \
    "$build/lib/libjitrun.a" -lm "$@" -o "$scratch/$name"
  strip "$scratch/$name"
  [ "$("$scratch/$name")" = "2 4 6 8" ]
  stat -c %s "$scratch/$name"
}

# compare NAME BYTES: to the limit
compare() {
  printf '%s %d: ' "$1" "$2"
  if [ "$2" -le $LIMIT ]; then echo "fits"; else echo "is over $LIMIT"; fi
}

compare dynamic "$(link dynamic)"
compare dynamic-gc "$(link dynamic-gc -Wl,--gc-sections)"
# empty NAME FLAG: the size of an empty program
empty() {
  echo 'int main(void) { return 0; }' |
    cc -O2 "$2" -x c - -o "$scratch/empty$1"
  strip "$scratch/empty$1"
  stat -c %s "$scratch/empty$1"
}

base=$(empty static -static)
compare static $(($(link static -static) - base))
compare static-gc $(($(link static-gc -static -Wl,--gc-sections) - base))
base=$(empty static-pie -static-pie)
compare static-pie $(($(link static-pie -static-pie) - base))

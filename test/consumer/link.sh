#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles a program ahead of time and links it into linked.c, with libjitrun.a
# and two plug-ins:
#
#   link.sh "CC" BUILD IN.mlir OUT
set -euo pipefail
read -ra cc <<<"$1"
build=$2 input=$3 output=$4
source=$(cd "$(dirname "$0")/../.." && pwd)

for kind in o h; do
  "$build/bin/jitrun" compile "$input" --prefix=linked -o "$output.$kind"
done
for plugin in examples/plugins/mlp test/plugins/testcalls; do
  name=$(basename "$plugin")
  "${cc[@]}" -g -D_GNU_SOURCE -Djitrun_plugin_query="query_$name" \
    -c "$source/$plugin.c" -o "$output.$name.o"
done
"${cc[@]}" -g -include "$output.h" "$source/test/consumer/linked.c" \
  "$output.o" "$output.mlp.o" "$output.testcalls.o" \
  "$build/lib/libjitrun.a" -lm -o "$output"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each public header compiles by itself, as C11 and as C++17.
set -euo pipefail
cd "$(dirname "$0")/../.."
flags=(-Iinclude -Wall -Wextra -Wpedantic -Werror -fsyntax-only)
status=0
for header in include/jitrun/*.h; do
  line="#include \"${header#include/}\""
  gcc -x c -std=c11 "${flags[@]}" - <<<"$line" || status=1
  clang++-22 -x c++ -std=c++17 "${flags[@]}" - <<<"$line" || status=1
done
exit $status

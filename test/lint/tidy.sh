#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang-tidy over every file of the dev build, the slowest check.
set -euo pipefail
cd "$(dirname "$0")/../.."
/usr/lib/llvm-22/bin/run-clang-tidy -quiet -j "$(nproc)" -p build-dev \
  -clang-tidy-binary "$(command -v clang-tidy-22)" >build-dev/tidy.log 2>&1 || {
  grep -vE '^\[|warnings? generated|^$' build-dev/tidy.log || true
  exit 1
}

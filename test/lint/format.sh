#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every C file is as clang-format writes it (`./do fmt`).
set -euo pipefail
cd "$(dirname "$0")/../.."
git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' |
  xargs -0 --no-run-if-empty clang-format-22 --dry-run -Werror

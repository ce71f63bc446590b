#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that includes go in one direction only.

Each folder may include what its row of ALLOWED lists; MLIR and LLVM belong to
lib/jit alone, and public headers stand on the C library."""
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "include/jitrun": {"jitrun"},
    "lib/base": {"jitrun", "base"},
    "lib/helpers": {"jitrun", "base", "helpers"},
    "lib/device": {"jitrun", "base", "device", "drivers"},
    "lib/drivers/host": {"jitrun", "base", "drivers"},
    "lib/customcalls": {"jitrun", "base", "helpers", "customcalls"},
    "lib/runtime": {"jitrun", "base", "helpers", "customcalls", "runtime"},
    "lib/client": {"jitrun", "base", "device", "customcalls", "runtime", "client"},
    "lib/jitrt": {"jitrun", "base", "jitrt"},
    "lib/jit": {"jitrun", "base", "customcalls", "runtime", "jit"},
    "tools": {"jitrun", "base", "tools"},
    "tools/opt": {"jitrun", "base", "runtime", "jit", "tools"},
    "examples": {"jitrun"},
    "test/plugins": {"jitrun"},
}
# Headers that plug-ins are built against.
ABI_HEADERS = {f"include/jitrun/{name}.h"
               for name in ("types", "attributes", "customcall", "driver")}
ABI_INCLUDES = {"stddef.h", "stdint.h", "stdbool.h", "jitrun/types.h",
                "jitrun/attributes.h"}
C11_HEADERS = set(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math "
    "setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio "
    "stdlib stdnoreturn string tgmath threads time uchar wchar wctype".split())
OURS = {"jitrun", "base", "helpers", "device", "drivers", "customcalls",
        "runtime", "client", "jitrt", "jit"}
COMPILER = {"mlir-c", "llvm-c", "mlir", "llvm"}

ROOT = pathlib.Path(__file__).resolve().parents[2]


def list_sources():
    output = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard",
         "--", "*.c", "*.h"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in output.split() if (ROOT / path).exists()]


def find_row(path):
    rows = [row for row in ALLOWED if path.startswith(row + "/")]
    return max(rows, key=len, default=None)


def check_include(path, name):
    """What is wrong with `path` including `name`, or None."""
    top = name.split("/")[0] if "/" in name else None
    if top in COMPILER and not path.startswith(("lib/jit/", "test/unit/jit_")):
        return "only lib/jit may include MLIR and LLVM"
    if path in ABI_HEADERS and name not in ABI_INCLUDES:
        return f"an ABI header includes only {', '.join(sorted(ABI_INCLUDES))}"
    if path.startswith("include/") and top != "jitrun":
        if name.removesuffix(".h") not in C11_HEADERS:
            return "a public header includes only C11's headers and jitrun/"
    row = find_row(path)
    if row and top in OURS and top not in ALLOWED[row]:
        return f"{row} may include only: {', '.join(sorted(ALLOWED[row]))}"
    return None


def main():
    problems = 0
    for path in list_sources():
        lines = (ROOT / path).read_text().splitlines()
        for number, line in enumerate(lines, 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            problem = match and check_include(path, match[1])
            if problem:
                print(f"{path}:{number}: includes {match[1]}: {problem}")
                problems += 1
    return 1 if problems else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what every file must have: a licence line, a bearable length, and no
mention of places outside the repository."""
import pathlib
import re
import subprocess
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# Files that carry the licence line, by ending or by whole path.
LICENSED = (".c", ".h", ".py", ".sh", ".cmake", ".map", ".supp", ".in",
            "CMakeLists.txt", ".clang-tidy", ".clang-format")
LICENSED_PATHS = {"do", ".ci/run"}
UNLICENSED = {"cmake/jitrun.pc.in"}
MAX_LINES = 700
# Written so that this file does not hold them.
OUTSIDE = re.compile(r"(?<![\w./-])/wo" + r"rk/|(?<![\w-])sha" + r"red/")

ROOT = pathlib.Path(__file__).resolve().parents[2]


def list_files():
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in output.split("\0")
            if path and (ROOT / path).is_file()]


def needs_licence(path):
    if path in UNLICENSED:
        return False
    return path.endswith(LICENSED) or path in LICENSED_PATHS


def check_file(path):
    """Yields what is wrong with a file."""
    try:
        lines = (ROOT / path).read_text().splitlines()
    except UnicodeDecodeError:
        return
    if needs_licence(path) and not any(SPDX in line for line in lines[:3]):
        yield f"{path}:1: has no line '{SPDX}'"
    if path.endswith((".c", ".h", ".py")) and len(lines) > MAX_LINES:
        yield f"{path}:1: has {len(lines)} lines; {MAX_LINES} at most"
    for number, line in enumerate(lines, 1):
        if OUTSIDE.search(line):
            yield f"{path}:{number}: names a place outside the repository"
        if re.search(r"[ \t]+$", line) and not path.endswith((".md", ".npy")):
            yield f"{path}:{number}: ends in blanks"


def main():
    problems = [problem for path in list_files() for problem in check_file(path)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


sys.exit(main())

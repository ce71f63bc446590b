# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How large things are: the libraries, and the source by folder."""
import collections
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARIES = ("bin/jitrun", "bin/jitrun-opt", "lib/libjitrun.so",
            "lib/libjitrun-jit.so", "lib/libjitrun.a",
            "lib/libjitrun-helpers.a")
SOURCES = (".c", ".h", ".py", ".sh", ".cmake", ".mlir", "CMakeLists.txt", "do")


def stripped_bytes(path):
    with tempfile.NamedTemporaryFile() as copy:
        result = subprocess.run(
            ["strip", "--strip-unneeded", "-o", copy.name, path],
            capture_output=True)
        if result.returncode != 0:
            return path.stat().st_size
        return pathlib.Path(copy.name).stat().st_size


def binaries(build):
    """Rows of the built libraries and programs that there are."""
    for name in BINARIES:
        path = build / name
        if path.exists():
            yield {"name": name, "bytes": stripped_bytes(path)}


def folder_of(path):
    parts = pathlib.PurePath(path).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def source_lines():
    """Rows of the folders: files, lines, and those neither blank nor only
    comment."""
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    totals = collections.defaultdict(lambda: [0, 0, 0])
    for path in output.split("\0"):
        if path.endswith(SOURCES) and (ROOT / path).is_file():
            lines = (ROOT / path).read_text(errors="replace").splitlines()
            total = totals[folder_of(path)]
            total[0] += 1
            total[1] += len(lines)
            total[2] += sum(is_code(line) for line in lines)
    for folder, (files, lines, code) in sorted(totals.items()):
        yield {"folder": folder, "files": files, "lines": lines, "code": code}


def is_code(line):
    line = line.strip()
    return bool(line) and not line.startswith(("//", "/*", "*/", "#:", "# "))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program in every way and shows what they have in common.

  ways.py JITRUN [--native] FILE ARGUMENT...

The ways: thunks (not with --native), native code at -O0 and -O2, a cache that the
latter was put in, an object, a shared library. All must write the same bytes to both streams and exit with the
same status; these are written, and the status is that of this script. Else the
differing way is named, and the status is 99.
"""
import os
import subprocess
import sys
import tempfile


def run(command):
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def compile_to(jitrun, path, output, plugins):
    status, _, errors = run([jitrun, "compile", path, "-o", output, *plugins])
    if status != 0:
        sys.stderr.buffer.write(errors)
        sys.exit(99)


def main():
    jitrun, *rest = sys.argv[1:]
    only_native = rest[0] == "--native"
    path, *arguments = rest[1:] if only_native else rest
    plugins = [a for a in arguments
               if a.startswith(("--plugin=", "--shared-libs=", "--check"))]
    with tempfile.TemporaryDirectory() as folder:
        images = [os.path.join(folder, f"program.{kind}") for kind in ("o", "so")]
        for image in images:
            compile_to(jitrun, path, image, plugins)
        ways = [] if only_native else [[path, "--executor=thunks"]]
        cached = [path, "--executor=jit", "-O2", f"--cache-dir={folder}/cache"]
        ways += [[path, "--executor=jit", "-O0"], cached, cached]
        ways += [[image, "--executor=jit"] for image in images]
        results = [run([jitrun, *way, *arguments]) for way in ways]
    for way, result in zip(ways, results):
        if result != results[0]:
            print(f"{way} gives {result}, {ways[0]} {results[0]}", file=sys.stderr)
            return 99
    sys.stdout.buffer.write(results[0][1])
    sys.stderr.buffer.write(results[0][2])
    return results[0][0]


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program in every way and shows what they have in common.

  ways.py JITRUN [--native] FILE ARGUMENT...

The ways: thunks (not with --native), native code at -O0 and -O2, a cache that
the latter was put in, an object, a shared library, and the object linked into
the tool (not with sanitizers). All must write the same bytes to both streams
and exit with the same status; these are written, and the status is that of this
script. Else the differing way is named, and the status is 99.
"""
import os
import shutil
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


def link_tool(build, image, output):
    """The tool with the image in it; None where its parts are not built."""
    parts = os.path.join(build, "test", "libjitrun-linked-tool.a")
    if not os.path.exists(parts):
        return None
    command = ["cc", image, parts, os.path.join(build, "lib", "libjitrun.a"),
               "-Wl,--wrap=jitrun_program_open_file", "-lpopt", "-lz", "-lm",
               "-o", output]
    if shutil.which("ld.lld"):
        command.append("-fuse-ld=lld")
    status, _, errors = run(command)
    if status != 0:
        sys.stderr.buffer.write(errors)
        sys.exit(99)
    return output


def main():
    jitrun, *rest = sys.argv[1:]
    only_native = rest[0] == "--native"
    path, *arguments = rest[1:] if only_native else rest
    plugins = [a for a in arguments
               if a.startswith(("--plugin=", "--shared-libs=", "--check"))]
    build = os.path.dirname(os.path.dirname(os.path.abspath(jitrun)))
    # Beside lib, where a linked program looks for other libraries of jitrun.
    with tempfile.TemporaryDirectory(dir=build) as folder:
        images = [os.path.join(folder, f"program.{kind}") for kind in ("o", "so")]
        for image in images:
            compile_to(jitrun, path, image, ["--prefix=linked", *plugins])
        linked = link_tool(build, images[0], os.path.join(folder, "jitrun"))
        ways = [] if only_native else [[path, "--executor=thunks"]]
        cached = [path, "--executor=jit", "-O2", f"--cache-dir={folder}/cache"]
        ways += [[path, "--executor=jit", "-O0"], cached, cached]
        ways += [[image, "--executor=jit"] for image in images]
        results = [run([jitrun, *way, *arguments]) for way in ways]
        if linked:
            ways.append([linked])
            results.append(run([linked, path, "--executor=jit", *arguments]))
    for way, result in zip(ways, results):
        if result != results[0]:
            print(f"{way} gives {result}, {ways[0]} {results[0]}", file=sys.stderr)
            return 99
    sys.stdout.buffer.write(results[0][1])
    sys.stderr.buffer.write(results[0][2])
    return results[0][0]


if __name__ == "__main__":
    sys.exit(main())

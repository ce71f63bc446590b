#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large images: a million calls, and a gibibyte of constants, which must take no
memory of the process's own.

  large.py BUILD
"""
import pathlib
import subprocess
import sys
import tempfile

CALLS = 1000000
MOST_MIB = {"constants": 16, "calls": 512}
CONSTANTS = pathlib.Path(__file__).parents[1] / "lit/image/Inputs/large.mlir"


def write_calls(path):
    with path.open("w") as out:
        out.write("""\
func.func private @noop(memref<4xf32>, i32) attributes {rt.custom_call = \
"jitrun.noop"}
memref.global "private" constant @a : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @main() {
  %b = memref.get_global @a : memref<4xf32>
  %c = arith.constant 7 : i32
""")
        for i in range(CALLS):
            out.write(f"  call @noop(%b, %c) {{n = {i} : i32}} : "
                      "(memref<4xf32>, i32) -> ()\n")
        out.write("  return\n}\n")


def main():
    build = pathlib.Path(sys.argv[1])
    status = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = {"constants": CONSTANTS, "calls": folder / "calls.mlir"}
        write_calls(sources["calls"])
        for what, source in sources.items():
            for options in (["-o", "large.o"], ["-o", "large.so"],
                            ["-o", "large.o", "--constants=large.constants"]):
                subprocess.run([build.resolve() / "bin/jitrun", "compile", source,
                                *options], cwd=folder, check=True)
                print(what, *options[1:], end=": ", flush=True)
                status |= subprocess.run(
                    [build / "test/image/large", folder / options[1],
                     str(MOST_MIB[what])], check=False).returncode
    return status


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has upstream's tools read all files of a folder: DIR MLIR-OPT OPT LLVM-MC."""
import pathlib
import subprocess
import sys

folder, mlir_opt, opt, llvm_mc = sys.argv[1:]
COMMANDS = {
    ".mlir": [mlir_opt, "--allow-unregistered-dialect"],
    ".ll": [opt, "-S", "-passes=verify"],
    ".s": [llvm_mc, "-filetype=null"],
}
files = sorted(pathlib.Path(folder).iterdir())
for file in files:
    subprocess.run([*COMMANDS[file.suffix], str(file)], check=True,
                   stdout=subprocess.DEVNULL)
print("read", len(files))

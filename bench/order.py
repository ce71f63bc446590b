#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds which functions of libjitrun-jit run when a smallest program is opened,
under callgrind, and writes their names to lib/libjitrun-jit.order. The linker puts
these first: the system maps code by the page, and they would be spread over all
of it. Needs a release build, which it links again, with symbols, to a file that
is thrown away.

  order.py BUILD

What the table needs comes first, what native code needs in addition after it.
Names that a build lacks do no harm, so that the file fits other versions as far
as it can; made anew, it fits the build again."""
import bisect
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import programs

ROOT = pathlib.Path(__file__).resolve().parents[1]
ORDER = ROOT / "lib" / "libjitrun-jit.order"
LICENCE = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
LIBRARY = "libjitrun-jit.so"
OBJECT = re.compile(r"(c?)ob=\((\d+)\)(?: (.*))?")
POSITION = re.compile(r"(0x|\+|-|\*)([0-9a-f]*) ")


def run(command, **options):
    command = [str(word) for word in command]
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"'{shlex.join(command)[:200]}' failed ({result.returncode}):\n"
                 f"{result.stderr.strip()}")
    return result.stdout


def link_with_symbols(build, output):
    """The library once more, laid out as it is, but with its symbols."""
    target = next((build / "lib").glob(LIBRARY + ".*.*.*"))
    name = str(target.relative_to(build))
    line = run(["ninja", "-C", build, "-t", "commands", name]).splitlines()[-1]
    words = [word for word in shlex.split(line) if word not in (":", "&&", "-s")]
    words[words.index("-o") + 1] = output
    run(words, cwd=build)


def read_functions(library):
    """Sorted addresses, and for each the name of the function there: where there
    are several, the shortest."""
    names = {}
    for line in run(["nm", "--defined-only", library]).splitlines():
        address, kind, name = line.split(maxsplit=2)
        if kind in "tTwW":
            known = names.setdefault(int(address, 16), name)
            names[int(address, 16)] = min(known, name,
                                          key=lambda text: (len(text), text))
    return sorted(names), names


def read_addresses(profile):
    """Where the library's code was executed, of a file of callgrind."""
    objects, addresses = {}, set()
    is_library, position = False, 0
    for line in profile.read_text(errors="replace").splitlines():
        found = OBJECT.match(line)
        if found:
            is_callee, number, name = found.groups()
            if name:
                objects[number] = name
            if not is_callee:
                is_library = LIBRARY in objects[number]
            continue
        found = POSITION.match(line)
        if found:
            sign, digits = found.groups()
            if sign == "0x":
                position = int(digits, 16)
            elif sign != "*":
                position += int(digits) * (1 if sign == "+" else -1)
            if is_library:
                addresses.add(position)
    return addresses


def executed_names(functions, build, folder, words):
    starts, names = functions
    profile = folder / "profile"
    run(["valgrind", "--tool=callgrind", "--dump-instr=yes",
         f"--callgrind-out-file={profile}", build / "bin" / "jitrun", *words])
    return {names[starts[bisect.bisect_right(starts, address) - 1]]
            for address in read_addresses(profile) if address >= starts[0]}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "hello.mlir"
        program.write_text(programs.HELLO)
        link_with_symbols(build, folder / LIBRARY)
        functions = read_functions(folder / LIBRARY)
        open_it = ["run", "--no-supervise", "--input=4xf32=1,2,3,4", program]
        first = executed_names(functions, build, folder,
                               [*open_it, "--executor=thunks"])
        others = executed_names(functions, build, folder,
                                [*open_it, "--executor=jit"])
        others |= executed_names(functions, build, folder,
                                 ["compile", "--no-supervise", program, "-o",
                                  folder / "hello.o"])
    lines = sorted(first) + sorted(others - first)
    ORDER.write_text("".join(f"{line}\n" for line in [LICENCE, *lines]))
    print(f"{ORDER.relative_to(ROOT)}: {len(lines)} functions")


main()

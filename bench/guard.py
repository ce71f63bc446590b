#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Guards speed without a clock: counts, under callgrind, the instructions of
compiling 1,000 custom calls and of executing them by both executors, and fails
when one of them has grown past its figure in guard.json by more than its
tolerance.

Counted is what does not depend on the machine: jitrun's programs and libraries,
the compiler's with the MLIR and LLVM in it, and the code made, which is for
x86-64-v2 whatever the processor. The C library is left out, since it picks its
functions by the processor, and so is the dynamic linker. Starting is a figure
of its own: a call costs the difference of programs with 1,000 calls and with
none, and an execution that of runs of unlike length. Another compiler, version
of LLVM or machine has other figures: then nothing is compared, with status 77,
by which ctest knows a skipped test.

  guard.py BUILD COMPILER [--write]

COMPILER is what built it, as in "GNU 12". --write keeps what was counted as the
figures, tolerances as they were."""
import argparse
import collections
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import programs

FIGURES = pathlib.Path(__file__).with_suffix(".json")
CALLS = 1000
EXECUTIONS = 100
SKIPPED = 77
DEFAULT_TOLERANCE = 0.03
NAME = re.compile(r"(c?(?:ob|fn))=\((\d+)\)(?: (.*))?")


class Failure(Exception):
    """Nothing can be counted; says why."""


def run(command):
    command = [str(word) for word in command]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise Failure(f"'{' '.join(command)}' failed ({result.returncode}):\n"
                      f"{result.stderr.strip()}")
    return result.stdout


def read_profile(path):
    """Instructions of each (object, function) alone, of a file of callgrind."""
    names = {"ob": {}, "fn": {}}
    current = {"ob": "", "fn": ""}
    counts = collections.Counter()
    is_call = False
    for line in path.read_text(errors="replace").splitlines():
        found = NAME.match(line)
        if found:
            key, number, name = found.groups()
            table = names[key[-2:]]
            if name:
                table[number] = name
            if not key.startswith("c"):
                current[key] = table[number]
        elif line.startswith("calls="):
            is_call = True  # the next line is what the callee took
        elif line[:1].isdigit() or line[:1] in ("+", "-", "*"):
            if not is_call:
                counts[current["ob"], current["fn"]] += int(line.split()[-1])
            is_call = False
    return counts


def is_counted(file):
    """Whether an object is jitrun's; code made at run time is "???"."""
    name = pathlib.PurePath(file).name
    return name.startswith(("jitrun", "libjitrun", "handlers", "???"))


def count(folder, command):
    """Instructions of a command."""
    out = folder / "callgrind.out"
    run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
         *command])
    return sum(instructions
               for (file, _), instructions in read_profile(out).items()
               if is_counted(file))


def count_compiling(build, folder, calls):
    """Instructions of compiling so many calls into calls.o."""
    source = folder / "calls.mlir"
    source.write_text(programs.calls(calls))
    return count(folder, [
        build / "bin" / "jitrun", "compile", source, "--cpu=x86-64-v2",
        "--no-supervise", "--source-name=calls.mlir", "-o",
        folder / "calls.o"])


def count_execution(build, folder, executor):
    """Instructions of one execution of calls.o, with its handlers."""
    bench = [build / "bin" / "jitrun", "bench", folder / "calls.o",
             f"--plugin={build}/bench/handlers.so", "--input=1024xi8",
             f"--executor={executor}", "--warm-up=1", "--no-supervise"]
    few, many = (count(folder, [*bench, f"--repeat={1 + runs}"])
                 for runs in (0, EXECUTIONS))
    return (many - few) / EXECUTIONS


def count_all(build, folder):
    """Name of a figure: instructions."""
    start = count_compiling(build, folder, 0)
    calls = count_compiling(build, folder, CALLS) - start
    counts = {"start and compile no calls": start,
              "compile a call": calls / CALLS}
    for executor in ("jit", "thunks"):
        counts[f"execute a call, {executor}"] = count_execution(
            build, folder, executor) / CALLS
    return {name: round(number, 2) for name, number in counts.items()}


def describe_tools(build, folder, compiler):
    source, image = folder / "none.mlir", folder / "none.o"
    source.write_text(programs.calls(0))
    tool = build / "bin" / "jitrun"
    run([tool, "compile", source, "-o", image])
    llvm = re.search(r"LLVM ([\d.]+)", run([tool, "inspect", image]))
    return {"machine": platform.machine(), "compiler": compiler,
            "llvm": llvm.group(1) if llvm else "none"}


def compare(counts, figures):
    """Prints a table; true when nothing has grown too much."""
    is_good = True
    print(f"{'instructions to':<28}{'figure':>14}{'counted':>14}"
          f"{'ratio':>8}{'at most':>9}")
    for name, counted in counts.items():
        figure = figures["instructions"][name]
        ratio, most = counted / figure["count"], 1 + figure["tolerance"]
        says = "ok" if ratio <= most else "FAIL"
        if ratio < 2 - most:
            says = "less: keep it with bench/guard.py --write"
        is_good = is_good and ratio <= most
        print(f"{name:<28}{figure['count']:>14,}{counted:>14,}{ratio:>8.3f}"
              f"{most:>9.2f}  {says}")
    return is_good


def write(counts, tools):
    old = {}
    if FIGURES.exists():
        old = json.loads(FIGURES.read_text())["instructions"]
    entries = {name: {"count": number,
                      "tolerance": old.get(name, {}).get("tolerance",
                                                         DEFAULT_TOLERANCE)}
               for name, number in counts.items()}
    text = json.dumps({"tools": tools, "instructions": entries}, indent=1)
    FIGURES.write_text(text + "\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jitrun-guard-") as folder:
        return guard(arguments, arguments.build.resolve(),
                     pathlib.Path(folder))


def guard(arguments, build, folder):
    tools = describe_tools(build, folder, arguments.compiler)
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    if not arguments.write and figures.get("tools") != tools:
        print(f"skipped: the figures are of {figures.get('tools')}, this is "
              f"{tools}")
        return SKIPPED
    counts = count_all(build, folder)
    if arguments.write:
        write(counts, tools)
        print(f"wrote {FIGURES.name}: {counts}")
        return 0
    return 0 if compare(counts, figures) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"guard: {failure}")

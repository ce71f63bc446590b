#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures jitrun beside its limits and peers, all in one run: `./do bench`.

  start     file to result, whole processes: hello as .mlir, .o and .so
  compile   microseconds a call to compile 1,000 and 10,000 custom calls
  dispatch  nanoseconds a call to execute 100 to 100,000 of them
  load      microseconds to load 10 to 1,000 functions, beside ORC
  kinds     nanoseconds a call with 1 and 12 arguments, attributes or results of
            each kind, beside JitRt's ABI
  execute   nanoseconds an execution of 1 and 1,000 calls takes by a client, above
            jitrun_program_run(), and beside JAX where python3 has it
  sizes     bytes of the libraries, lines of the source
  host      microseconds to compute products, layers, attention, softmax and a
            convolution, beside NumPy, JAX and IREE, on one core and on two
  peers     all of that but kinds, host and sizes, joined with what JAX, IREE, tvm-ffi
            and MLIR's tools take, each row with its aim and PASS or FAIL; makes
            a virtual environment of its own in the build's folder

Without names: the first three. What is not installed is left out. Everything
is repeated after a warm-up; tables show the least and the median, and ratios of
the least."""
import argparse
import json
import os
import pathlib
import platform
import sys
import tempfile

import host
import measure
import sizes
import table

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCHES = {"start": measure.start, "compile": measure.compile_calls,
           "dispatch": measure.dispatch, "kinds": measure.kinds,
           "load": measure.load, "execute": measure.execute,
           "host": host.run, "peers": table.run}
CHECKS = {"load": measure.check_load, "host": table.check,
          "peers": table.check}
USUAL = ("start", "compile", "dispatch")


def describe_machine():
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"cpu": model, "cores": len(os.sched_getaffinity(0)),
            "kernel": platform.release(), "load": round(os.getloadavg()[0], 2)}


def measure_sizes(bench):
    return {"binaries": list(sizes.binaries(bench.build)),
            "lines": list(sizes.source_lines())}


def format_cell(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        digits = 0 if value >= 1000 else 1 if value >= 100 else 2
        digits = 4 if 0 < value < 0.1 else digits
        return f"{value:,.{digits}f}"
    if isinstance(value, int):
        return f"{value:,}"
    return value


def print_table(title, rows):
    """Rows are dictionaries with the same keys; the first is a name."""
    print(f"\n{title}")
    if not rows:
        print("  nothing to show")
        return
    lines = [[key.replace("_", " ") for key in rows[0]]]
    lines += [[format_cell(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        first = line[0].ljust(widths[0])
        rest = [cell.rjust(width)
                for cell, width in zip(line[1:], widths[1:])]
        print("  " + "  ".join([first] + rest))


def print_results(results):
    machine = results["machine"]
    print(f"{machine['cpu']}, {machine['cores']} cores, Linux "
          f"{machine['kernel']}, load {machine['load']}")
    titles = {
        "start": "start: file to result, ms of a whole process",
        "compile": "compile: us a call (first run: makes the frames)",
        "dispatch": "dispatch: ns a call (net: without what executing the "
                    "program with no calls takes)",
        "load": "load: us to load code that is compiled (ratio: to ORC)",
        "kinds": "kinds: ns a call (ratio: to calls through JitRt's ABI)",
        "execute": "execute: ns an execution (above: the program's own run)",
    }
    for name, title in titles.items():
        if name in results:
            print_table(title, results[name])
    for name in ("host", "peers"):
        if name in results:
            print_peers(results[name])
    if "sizes" in results:
        print_table("sizes: stripped", results["sizes"]["binaries"])
        print_table("lines of source", results["sizes"]["lines"])


def print_peers(found):
    for title, rows in found["parts"].items():
        print_table(title, rows)
    judged = [row["result"] for rows in found["parts"].values() for row in rows]
    print(f"\n{judged.count('PASS')} PASS, {judged.count('FAIL')} FAIL")
    for note in found["notes"] + found["failures"]:
        print(f"note: {note}")


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="./do bench", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="WHAT",
                        help=", ".join([*BENCHES, "sizes"]))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--check", action="store_true",
                        help="fail when load, host or peers miss an aim")
    parser.add_argument("--full", action="store_true",
                        help="also compile 100,000 calls, and dispatch a "
                             "million")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                        help="folder of the build to measure")
    arguments = parser.parse_args()
    for name in arguments.what:
        if name not in BENCHES and name != "sizes":
            parser.error(f"there is no benchmark '{name}'; there are "
                         f"{', '.join([*BENCHES, 'sizes'])}")
    return arguments


def main():
    arguments = parse_arguments()
    results = {"machine": describe_machine()}
    with tempfile.TemporaryDirectory(prefix="jitrun-bench-") as folder:
        bench = measure.Bench(arguments.build.resolve(), pathlib.Path(folder),
                              arguments.full)
        for name in arguments.what or USUAL:
            run = BENCHES.get(name, measure_sizes)
            results[name] = run(bench)
    if arguments.json:
        print(json.dumps(results, indent=1))
    else:
        print_results(results)
    problems = [problem for name, check in CHECKS.items()
                if arguments.check and name in results
                for problem in check(results[name])]
    for problem in problems:
        print(f"bench: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except measure.Failure as failure:
        sys.exit(f"bench: {failure}")

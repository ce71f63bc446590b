#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a fuzz target for a while, from the inputs in corpus/.

  fuzz.py TARGET [--seconds=N] [--jobs=N | --seed=N]

What a target finds fails, with one exception: MLIR and LLVM crash on programs
that are wrong in ways they do not look for, and the tool is a supervisor for
that reason. So a target that compiles goes on after a crash, and the inputs are
sorted at the end. The crash is upstream's when a program was handed over as a
whole: to the parser, the verifier, passes, the code generator. Anywhere else,
in a function of ours or in one of MLIR's that was asked for something small, it
is ours. Crashes of upstream are listed once for each place: those of the parser
are for lib/jit/guard.c. Inputs that take more memory or time than they may end
at the tool's limits; they are counted.

With a seed, the inputs are the same each time, as far as the seconds go, and end
at the first crash: a change is not refused for what others left.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMPILING = ("program", "bytecode")
# What hands a whole program over.
HANDING = {
    "mlirModuleCreateParse", "mlirOperationVerify", "mlirPassManagerRunOnOp",
    "mlirApplyPatternsAndFoldGreedily", "mlirTranslateModuleToLLVMIR",
    "LLVMVerifyModule", "LLVMRunPasses", "LLVMTargetMachineEmitToMemoryBuffer",
}
FRAME = re.compile(r"^ +#\d+ 0x[0-9a-f]+ +(?:in (.*?) )?\(?((?:/|<)[^ )]*)",
                   re.MULTILINE)
LIMITS = ["-rss_limit_mb=4096", "-malloc_limit_mb=2048", "-timeout=20"]


def environment():
    return dict(os.environ, ASAN_OPTIONS="detect_leaks=0:abort_on_error=0:"
                "allocator_may_return_null=1:symbolize=1:handle_abort=1:"
                "detect_container_overflow=0")


def seeds_of(label, folder):
    """The folders of inputs to start from."""
    folders = [HERE / "corpus" / label]
    if label in ("program", "desugar"):
        folders.append(folder / "seeds")
        copy_programs(folders[-1])
    if label == "bytecode":
        folders.append(folder / "seeds")
        make_bytecode(folders[-1])
    return [path for path in folders if path.is_dir()]


def programs():
    paths = sorted(ROOT.glob("test/**/*.mlir")) + sorted(
        ROOT.glob("examples/*.mlir"))
    return [path for path in paths if path.stat().st_size < 12000]


def split(text):
    """A program of several functions as programs with one of them each: what
    is wrong with one then leaves the others out of it."""
    text = re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE)
    bodies = re.findall(r"^(?:func\.func|llvm\.func|async\.func) @.*?^}\n",
                        text, re.MULTILINE | re.DOTALL)
    rest = text
    for body in bodies:
        rest = rest.replace(body, "")
    return [rest + body for body in bodies[::max(1, len(bodies) // 8)]] or [
        text]


def copy_programs(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for path in programs():
        name = "_".join(path.relative_to(ROOT).parts)
        for number, text in enumerate(split(path.read_text())):
            (folder / f"{number}_{name}").write_text(text)


def make_bytecode(folder):
    folder.mkdir(parents=True, exist_ok=True)
    opt = shutil.which("mlir-opt") or shutil.which("mlir-opt-22")
    for path in programs()[::3] if opt else ():
        name = "_".join(path.relative_to(ROOT).parts) + "bc"
        subprocess.run([opt, "--emit-bytecode", "--allow-unregistered-dialect",
                        path, "-o", folder / name], capture_output=True,
                       check=False)


def frames_of(report):
    """(function, file or library) of the first stack in a report."""
    start = report.find("    #0 ")
    end = report.find("\n\n", start)
    return FRAME.findall(report[start:end]) if start >= 0 else []


def judge(report):
    """(whose, where): "ours" or "upstream", and what was called."""
    frames = frames_of(report)
    for number, (function, path) in enumerate(frames):
        is_ours = re.search(r"/(lib/(base|customcalls|jit|runtime)|"
                            r"tools/jitrun|test/fuzz)/[^/]*\.[ch]:", path)
        if not is_ours:
            continue
        inner = [name for name, _ in frames[:number] if "::" in name]
        where = f"{function}: {inner[0] if inner else path}"[:200]
        is_handed = number > 1 and frames[number - 1][0] in HANDING
        return ("upstream" if is_handed else "ours"), where
    # A stack that is full shows only what filled it.
    if any("libMLIR" in path or "libLLVM" in path for _, path in frames):
        return "upstream", "a stack of MLIR's alone"
    return "ours", "no stack"


def sort_crashes(target, paths):
    """Runs each once more; complaints, and how often what was upstream's."""
    complaints, upstream = [], collections.defaultdict(list)
    for path in paths:
        try:
            done = subprocess.run([target, path, *LIMITS], env=environment(),
                                  capture_output=True, check=False, timeout=60)
        except subprocess.TimeoutExpired:
            continue
        report = done.stderr.decode(errors="replace")
        if done.returncode == 0:
            upstream["does not come again"].append(path)
            continue
        whose, where = judge(report)
        if whose == "upstream":
            upstream[where].append(path)
        else:
            complaints.append(f"{path}: {where}")
    return complaints, upstream


def run(options, label, folder):
    command = [options.target, f"-max_total_time={options.seconds}",
               f"-artifact_prefix={folder}/found/", "-max_len=12000",
               "-mutate_depth=3", *LIMITS]
    if options.seed:
        command.append(f"-seed={options.seed}")
    elif label in COMPILING:
        command += [f"-fork={options.jobs}", "-ignore_crashes=1",
                    "-ignore_timeouts=1", "-ignore_ooms=1"]
    command += [folder / "corpus", *seeds_of(label, folder)]
    return subprocess.run(command, env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", type=os.path.abspath)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    label = pathlib.Path(options.target).name.removesuffix("_fuzz")
    folder = pathlib.Path(options.target + ".work")
    shutil.rmtree(folder / "found", ignore_errors=True)
    if options.seed:
        shutil.rmtree(folder / "corpus", ignore_errors=True)
    for name in ("corpus", "found"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    done = run(options, label, folder)
    (folder / "log").write_bytes(done.stdout)
    found = sorted((folder / "found").iterdir())
    crashes = [path for path in found if path.name.startswith("crash-")]
    if label not in COMPILING:
        if done.returncode != 0:
            print(done.stdout[-8000:].decode(errors="replace"))
        return done.returncode != 0
    complaints, upstream = sort_crashes(options.target, crashes)
    for where, paths in sorted(upstream.items()):
        print(f"fuzz: upstream, {len(paths)} inputs, {paths[0].name}: {where}")
    print(f"fuzz: {label}: {len(complaints)} of ours, "
          f"{sum(map(len, upstream.values()))} crashes of upstream, "
          f"{len(found) - len(crashes)} that took too much")
    for complaint in complaints:
        print("fuzz:", complaint)
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())

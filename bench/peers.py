# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peers that are Python packages: tvm-ffi, IREE and JAX, in a virtual environment
in the build's folder. What cannot be installed is left out and noted."""
import json
import pathlib
import statistics
import subprocess
import sys

import measure
import programs

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"
# Name of a peer and what its parts are to Python.
MODULES = {"tvm-ffi": ("tvm_ffi",), "IREE": ("iree.compiler", "iree.runtime"),
           "JAX": ("jax",)}
SAMPLES = 200
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
IREE_TARGET = ["--iree-hal-target-device=local",
               "--iree-hal-local-target-device-backends=llvm-cpu",
               "--iree-llvmcpu-target-cpu=host"]


def best(pairs):
    """(least, median of medians) of some (least, median)."""
    return min(pair[0] for pair in pairs), statistics.median(
        pair[1] for pair in pairs)


class Peers:
    """The environment, and what each peer takes for the same work."""

    def __init__(self, folder):
        self.python = folder / "bin" / "python"
        self.bin = self.python.parent
        self.notes = []
        self.install(folder)
        self.names = [name for name in MODULES if self.has(name)]
        self.notes += [f"{name} is left out: it is not installed in {folder}"
                       for name in MODULES if name not in self.names]
        if "IREE" in self.names:
            # What pip puts into bin/ is Python, and starts twenty times slower.
            self.iree = self.package("iree.compiler").parent / "_runtime_libs"

    def install(self, folder):
        """Makes the environment when it is not there for these versions."""
        wanted = REQUIREMENTS.read_text()
        stamp = folder / "requirements.txt"
        if stamp.exists() and stamp.read_text() == wanted:
            return
        print("bench: installing the peers", file=sys.stderr)
        made = subprocess.run([sys.executable, "-m", "venv", folder],
                              capture_output=True, text=True)
        if made.returncode != 0:
            self.notes.append("there is no virtual environment: "
                              f"{made.stdout.strip() or made.stderr.strip()}")
            return
        lines = [line for line in wanted.splitlines() if line[:1] != "#"]
        if self.pip(["-r", REQUIREMENTS]) or all(
                [self.pip([line]) for line in lines]):
            stamp.write_text(wanted)

    def pip(self, what):
        result = subprocess.run(
            [self.python, "-m", "pip", "install", "--quiet",
             "--disable-pip-version-check", *what],
            capture_output=True, text=True)
        return result.returncode == 0

    def has(self, name):
        return self.python.exists() and all(
            subprocess.run([self.python, "-c", f"import {module}"],
                           capture_output=True).returncode == 0
            for module in MODULES[name])

    def package(self, module):
        return pathlib.Path(measure.run(
            [self.python, "-c", f"import {module} as m; print(m.__path__[0])"]
        ).strip())

    def iree_compile(self, source, output, *flags):
        return [str(self.bin / "iree-compile"), str(source), *flags, "-o",
                str(output)]

    # Start.

    def start_commands(self, bench):
        if "IREE" not in self.names:
            return {}
        source = bench.write("hello.iree.mlir", programs.HELLO_IREE)
        module = bench.folder / "hello.vmfb"
        measure.run(self.iree_compile(source, module, *IREE_TARGET))
        return {"iree-run-module": [
            str(self.iree / "iree-run-module"), "--device=local-sync",
            f"--module={module}", "--function=main", "--input=4xf32=1,2,3,4"]}

    # Dispatch: (least, median) nanoseconds a call.

    def dispatch(self, bench, count):
        ways = {"tvm-ffi": self.dispatch_tvm, "IREE": self.dispatch_iree,
                "JAX": self.dispatch_jax}
        return {name: ways[name](bench, count) for name in self.names}

    def dispatch_tvm(self, bench, count):
        package, program = self.package("tvm_ffi"), bench.folder / "peer_tvm"
        library = package / "lib"
        measure.run(["cc", "-O2", f"-I{HERE}", f"-I{package}/include",
                     HERE / "peer_tvm.c", HERE / "samples.c", "-o", program,
                     f"-L{library}", "-ltvm_ffi", f"-Wl,-rpath,{library}"])
        return best([measure.numbers(measure.run([program, count, SAMPLES]))[0]
                     for _ in range(measure.PROCESSES)])

    def dispatch_iree(self, bench, count):
        """Calls to a function of IREE's own, for want of headers to write one:
        two arguments of the four that the others have."""
        times = {}
        for calls in (1, count + 1):
            source = bench.write("asks.mlir", programs.vm_asks(calls))
            module = bench.folder / "asks.vmfb"
            measure.run(self.iree_compile(source, module, "--compile-mode=vm"))
            output = measure.run([
                self.iree / "iree-benchmark-module", "--device=local-sync",
                f"--module={module}", "--function=main", "--input=4xf32=1",
                "--benchmark_format=json", "--benchmark_repetitions=20",
                "--benchmark_min_time=0.02s"])
            found = [run["real_time"] * UNITS[run["time_unit"]]
                     for run in json.loads(
                output[output.index("{"):])["benchmarks"]
                if run["run_type"] == "iteration"]
            times[calls] = min(found), statistics.median(found)
        return tuple((many - one) / count
                     for one, many in zip(times[1], times[count + 1]))

    def jax_library(self, bench):
        library = bench.folder / "peer_jax.so"
        if not library.exists():
            include = self.package("jaxlib") / "include"
            measure.run(["cc", "-O2", "-shared", "-fPIC", f"-I{include}",
                         HERE / "peer_jax.c", "-o", library])
        return library

    def jax(self, bench, calls, *samples):
        return measure.numbers(measure.run(
            [self.python, HERE / "peer_jax.py", self.jax_library(bench), calls,
             *samples]))

    def dispatch_jax(self, bench, count):
        runs = {calls: best([self.jax(bench, calls, SAMPLES)[1]
                             for _ in range(measure.PROCESSES)])
                for calls in (1, count + 1)}
        return tuple((many - one) / count
                     for one, many in zip(runs[1], runs[count + 1]))

    # Compile: (least, median) seconds, MiB.

    def compile_jax(self, bench, count):
        runs = [self.jax(bench, count)[0]
                for _ in range(measure.PROCESSES if count <= 1000 else 1)]
        seconds = [run[0] for run in runs]
        return min(seconds), statistics.median(seconds), min(
            run[1] for run in runs)

    def compile_command(self, bench, count):
        """IREE's compiler on these calls from its VM."""
        source = bench.write(f"vm{count}.mlir", programs.vm_calls(count))
        return self.iree_compile(source, bench.folder / "vm.vmfb",
                                 "--compile-mode=vm")

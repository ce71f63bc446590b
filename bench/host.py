# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./do bench host`: what programs compute on the host, beside NumPy, JAX and
IREE: in turns, on one core and on two. Results are compared with NumPy's."""
import json
import os
import statistics
import subprocess
import sys

import host_programs
import measure
import peers
import table

ROUNDS = 3
UNITS_US = {"ns": 1e-3, "us": 1, "ms": 1e3}
# Per case: the program, and what of a peer's time it may take.
EQUAL = {"NumPy": 1, "JAX": 1}
CASES = {
    **{f"matmul {size}": (host_programs.matmul(size, size, size), EQUAL)
       for size in (128, 256, 512, 1024, 2048)},
    "matmul 1x4096x4096": (host_programs.matmul(1, 4096, 4096), EQUAL),
    "MLP 32x1024, 3 layers": (host_programs.mlp(),
                              {"JAX": 1 / 1.3, "IREE": 1 / 1.6}),
    "attention S128 D256 H4": (host_programs.attention(),
                               {"JAX": 1, "IREE": 1}),
    "softmax 512x1024": (host_programs.softmax(), {"JAX": 1}),
    "layer norm 512x1024": (host_programs.layer_norm(), {"JAX": 1}),
    "conv 56x56x64, 3x3": (host_programs.convolution(), {"JAX": 1}),
}


def run_on(cores, command):
    """Standard output of a command that may use `cores`, and is told so."""
    words = [str(word) for word in command]
    count = str(len(cores))
    result = subprocess.run(
        words, capture_output=True, text=True, check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": count},
        preexec_fn=lambda: os.sched_setaffinity(0, cores))
    if result.returncode != 0:
        said = result.stderr.strip()[:1000]
        raise measure.Failure(f"'{' '.join(words)}' failed "
                              f"({result.returncode}):\n{said}")
    return result.stdout


class Case:
    """A program with its inputs, and the ways to run it, which give
    (least, median) microseconds."""

    def __init__(self, bench, name, text):
        self.bench, self.name = bench, name
        self.folder = bench.folder / name.replace(" ", "_").replace(",", "")
        self.folder.mkdir(exist_ok=True)
        self.program = self.folder / "program.mlir"
        self.program.write_text(text)
        measure.run([bench.peers.python, peers.HERE / "host_peers.py",
                     "inputs", name, self.folder])
        self.inputs = [f"--input=@{path}"
                       for path in sorted(self.folder.glob("in*.npy"))]
        measure.run([bench.tool(), "run", self.program, *self.inputs,
                     f"--expect=@{self.folder}/out.npy", "--rtol=1e-3",
                     "--atol=1e-4"])

    def ways(self, wanted):
        known = {"jitrun": self.jitrun, "NumPy": self.numpy, "JAX": self.jax,
                 "IREE": self.iree}
        names = ["jitrun", *(name for name in wanted if name == "NumPy"
                             or name in self.bench.peers.names)]
        return {name: known[name] for name in names}

    def jitrun(self, cores):
        found = json.loads(run_on(cores, [
            self.bench.tool(), "bench", self.program, *self.inputs,
            f"--threads={len(cores)}", "--json"]))["run_ns"]
        return found["min"] / 1e3, found["median"] / 1e3

    def python(self, way, cores):
        return tuple(ns / 1e3 for ns in measure.numbers(run_on(cores, [
            self.bench.peers.python, peers.HERE / "host_peers.py", way,
            self.name, self.folder]))[0])

    def numpy(self, cores):
        return self.python("numpy", cores)

    def jax(self, cores):
        return self.python("jax", cores)

    def iree(self, cores):
        module = self.folder / "program.vmfb"
        if not module.exists():
            measure.run(self.bench.peers.iree_compile(
                self.program, module, *peers.IREE_TARGET,
                "--iree-opt-level=O3"))
        device = "local-sync" if len(cores) == 1 else "local-task"
        output = run_on(cores, [
            self.bench.peers.iree / "iree-benchmark-module",
            f"--device={device}", f"--module={module}", "--function=main",
            *self.inputs, "--benchmark_format=json",
            "--benchmark_repetitions=10", "--benchmark_min_time=0.05s"])
        times = [one["real_time"] * UNITS_US[one["time_unit"]]
                 for one in json.loads(output[output.index("{"):])["benchmarks"]
                 if one["run_type"] == "iteration"]
        return min(times), statistics.median(times)


def compare(case, aims, cores):
    """Rows of a case: jitrun beside each peer, in turns."""
    ways = case.ways(aims)
    found = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            found[name].append(way(cores))
    best = {name: peers.best(times) for name, times in found.items()}
    least, median = best.pop("jitrun")
    shown = f"{case.name}, {len(cores)} core{'s' * (len(cores) > 1)}"
    for name, (peer_least, peer_median) in best.items():
        yield table.line(f"{shown}, {name}", peer_least, peer_median)
    for name, (peer_least, _) in best.items():
        yield table.line(shown, least, median, (name, peer_least), "ratio",
                         aims[name])


def run(bench):
    """Microseconds of an execution."""
    bench.peers = peers.Peers(bench.build / "peers")
    every = sorted(os.sched_getaffinity(0))
    notes, failures, parts = bench.peers.notes, [], {}
    if len(every) < 2:
        notes.append("there is one core: runs on two are left out")
    for count in range(1, min(len(every), 2) + 1):
        title = f"host: us an execution, {count} core{'s' * (count > 1)}"
        parts[title] = rows = []
        for name, (text, aims) in CASES.items():
            print(f"bench: {name}", file=sys.stderr)
            try:
                rows += compare(Case(bench, name, text), aims, every[-count:])
            except measure.Failure as failure:
                failures.append(f"{name}: {failure}")
    return {"notes": notes, "failures": failures, "parts": parts}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks: each returns rows for a table, made of what the C programs
beside this file print."""
import dataclasses
import pathlib
import statistics
import subprocess

import programs

ROOT = pathlib.Path(__file__).resolve().parents[1]
LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
LLVM_LIB = LLVM_BIN.parent / "lib"
TO_LLVM = ["-expand-strided-metadata", "-finalize-memref-to-llvm",
           "-convert-arith-to-llvm", "-convert-func-to-llvm",
           "-convert-cf-to-llvm", "-reconcile-unrealized-casts"]
START_ROUNDS = 30
DISPATCH_SAMPLES = 200
KIND_SAMPLES = 100
EXECUTE_SAMPLES = 200
PROCESSES = 3
LOAD_TURNS = 4
MOST_LOAD_RATIO = 0.25


class Failure(Exception):
    """A benchmark cannot run; says why."""


@dataclasses.dataclass
class Bench:
    """Where things are: the build, and a folder for files of this run."""
    build: pathlib.Path
    folder: pathlib.Path
    full: bool
    peers: object = None  # of peers.py: peers that are not of Debian

    def program(self, name):
        return str(self.build / "bench" / name)

    def tool(self):
        return str(self.build / "bin" / "jitrun")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)


def run(command):
    """Standard output of a command; it must succeed."""
    command = [str(word) for word in command]
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if result.returncode != 0:
        # The first lines say what is wrong; what may follow is the program.
        said = "\n".join(line[:200] for line in
                         result.stderr.strip().splitlines()[:10])
        raise Failure(f"'{' '.join(command)}' failed ({result.returncode}):\n"
                      f"{said}")
    return result.stdout


def numbers(text):
    return [[float(word) for word in line.split()]
            for line in text.splitlines()]


def has_peers():
    tools = ("mlir-opt", "mlir-runner", "mlir-translate", "llc")
    return all((LLVM_BIN / tool).exists() for tool in tools)


def spawn(bench, rounds, commands, is_cpu=False):
    """(min ms, median ms, MiB) of each command; if asked for, of processor time,
    which says more of long processes on a machine that does other things too."""
    line = [bench.program("spawn"), rounds]
    for command in commands:
        line += ["--", *command]
    first = 3 if is_cpu else 0
    return [(row[first] / 1e6, row[first + 1] / 1e6, row[2] / 2**20)
            for row in numbers(run(line))]


def start(bench):
    commands = {
        "empty C program": [bench.program("empty")],
        "dlopen, dlsym, call": [bench.program("dlopen_limit"),
                                bench.program("hello.so")],
        **start_commands(bench),
        **(start_peers(bench) if has_peers() else {}),
        **(bench.peers.start_commands(bench) if bench.peers else {}),
    }
    times = spawn(bench, START_ROUNDS, commands.values())
    limit_ms = times[1][0]
    return [{"name": name, "min": least, "median": median,
             "ratio": least / limit_ms, "MiB": mib}
            for name, (least, median, mib) in zip(commands, times)]


def start_commands(bench):
    mlir = bench.write("hello.mlir", programs.HELLO)
    made = {kind: str(bench.folder / f"hello.{kind}") for kind in ("o", "so")}
    for path in made.values():
        run([bench.tool(), "compile", mlir, "-o", path])
    tool = [bench.tool(), "run", "--input=4xf32=1,2,3,4"]
    return {
        "jitrun --version": [bench.tool(), "--version"],
        "jitrun .so": [*tool, made["so"]],
        "jitrun .o": [*tool, made["o"]],
        "jitrun .mlir, jit": [*tool, "--executor=jit", mlir],
        "jitrun .mlir, thunks": [*tool, "--executor=thunks", mlir],
        "jitrun .mlir, cached": [*tool, f"--cache-dir={bench.folder}/cache",
                                 mlir],
        "jitrun .so, --no-supervise": [*tool, "--no-supervise", made["so"]],
        "C program, .so": [bench.program("open"), made["so"], "jit", "1"],
        "C program, .o": [bench.program("open"), made["o"], "jit", "1"],
        "C program, .mlir": [bench.program("open"), mlir, "jit", "1"],
        "C program, linked": [linked_program(bench)],
        "C program, linked -static": [linked_program(bench, "-static")],
    }


def linked_program(bench, *flags):
    """hello, as an image that is linked with libjitrun.a."""
    consumer = ROOT / "test" / "consumer"
    image = bench.folder / "linked"
    for kind in ("o", "h"):
        run([bench.tool(), "compile", consumer / "hello.mlir",
             "--prefix=hello", "-o", f"{image}.{kind}"])
    output = bench.folder / ("linked" + "".join(flags))
    run(["cc", "-O2", f"-I{ROOT}/include", "-include", f"{image}.h",
         consumer / "hello.c", f"{image}.o",
         bench.build / "lib" / "libjitrun.a", "-lm", *flags, "-o", output])
    return str(output)


def start_peers(bench):
    source = bench.write("runner.mlir", programs.HELLO_RUNNER)
    lowered = bench.folder / "runner.lowered.mlir"
    run([LLVM_BIN / "mlir-opt", source, *TO_LLVM, "-o", lowered])
    runner = [str(LLVM_BIN / "mlir-runner"), "-O0", "-e", "main",
              "-entry-point-result=void",
              f"-shared-libs={LLVM_LIB}/libmlir_c_runner_utils.so"]
    pipe = " ".join([str(LLVM_BIN / "mlir-opt"), source, *TO_LLVM, "|",
                     *runner])
    return {"mlir-runner, lowered before": [*runner, str(lowered)],
            "mlir-opt | mlir-runner": ["sh", "-c", pipe]}


def compile_calls(bench):
    rows = []
    for count in [1000, 10000] + [100000] * bench.full:
        text = bench.write(f"calls{count}.mlir", programs.calls(count))
        total = None
        for form, path in compile_forms(bench, text):
            for executor in ("jit", "thunks"):
                row = compile_row(bench, path, executor, count)
                row = {"name": f"{count:,} calls, {form}, {executor}", **row}
                total = total or row["total"]
                row["ratio"] = row["total"] / total
                rows.append(row)
        if count == 10000 and has_peers():
            rows.append(compile_peer(bench, count, rows[0], total))
    return rows


def compile_forms(bench, text):
    yield "text", text
    if has_peers():
        bytecode = text.replace(".mlir", ".mlirbc")
        run([LLVM_BIN / "mlir-opt", "--allow-unregistered-dialect",
             "--emit-bytecode", text, "-o", bytecode])
        yield "bytecode", bytecode


def compile_row(bench, path, executor, count):
    """Microseconds a call of each stage once all is warm; memory, and the time
    of the process's first opening."""
    times = {1000: 8, 10000: 4}.get(count, 2)
    cold, warm, totals = [], [], None
    for _ in range(PROCESSES if count <= 10000 else 1):
        *openings, totals = numbers(
            run([bench.program("open"), path, executor, times + 1]))
        cold.append(openings[0][0] / 1e6)
        warm += openings[1:]
    least = [min(column) / 1e3 / count for column in zip(*warm)]
    middle = [statistics.median(column) / 1e3 / count
              for column in zip(*warm)]
    opened, parse, _, _, first_run = least
    return {"parse": parse, "compile": least[2], "load": least[3],
            "first_run": first_run,
            "no_parse": min(row[0] - row[1] for row in warm) / 1e3 / count,
            "total": opened, "median": middle[0], "cold_ms": min(cold),
            "MiB": totals[3] / 2**20, "code_B": totals[1] / count,
            "data_B": totals[2] / count}


def load(bench, counts=(10, 100, 1000)):
    """Microseconds to load the code of functions: through ORC, when it has been
    compiled in the process, and from the same code in files, with all that
    opening a file takes."""
    rows = []
    for count in counts:
        source = bench.write(f"functions{count}.mlir",
                             programs.functions(count))
        files = {kind: str(bench.folder / f"functions{count}.{kind}")
                 for kind in ("o", "so")}
        for path in files.values():
            run([bench.tool(), "compile", source, "--cpu=native", "-o", path])
        times = 3 if count == 1000 else 20
        found = load_in_turns(bench, source, times, files)
        orc = found["ORC"]
        rows.append({"name": f"{count:,} functions, ORC", "min": orc[0],
                     "median": orc[1], "ratio": 1.0})
        for kind in files:
            rows.append({"name": f"{count:,} functions, .{kind}",
                         "min": found[kind][0], "median": found[kind][1],
                         "ratio": found[kind][0] / orc[0]})
        limit = numbers(run([bench.program("dlopen_limit"), files["so"],
                             200]))[0]
        rows.append({"name": f"{count:,} functions, dlopen of the .so",
                     "min": limit[0] / 1e3, "median": limit[1] / 1e3,
                     "ratio": limit[0] / 1e3 / orc[0]})
    return rows


def load_in_turns(bench, source, times, files):
    """{"ORC", "o", "so": (least, median) microseconds}. In turns, so that what
    the machine does meanwhile meets all of them."""
    found = {"ORC": [], **{kind: [] for kind in files}}
    for _ in range(LOAD_TURNS):
        found["ORC"] += load_times(bench, source, times, column=3)
        for kind, path in files.items():
            found[kind] += load_times(bench, path, 200, column=0)
    return {name: (min(times), statistics.median(times))
            for name, times in found.items()}


def load_times(bench, path, times, column):
    """Microseconds of a column of `open`, once all is warm."""
    lines = run([bench.program("open"), path, "jit", times + 1]).splitlines()
    return [float(line.split()[column]) / 1e3 for line in lines[1:-1]]


def check_load(rows):
    """What is slower than it has to be."""
    row = next(row for row in rows if row["name"] == "1,000 functions, .o")
    if row["ratio"] > MOST_LOAD_RATIO:
        yield (f"loading 1,000 functions takes {row['ratio']:.2f} of ORC's "
               f"time, {MOST_LOAD_RATIO} at most")


def compile_peer(bench, count, like, total):
    """MLIR's own tools on the same calls, one after the other, by processor
    time."""
    steps = peer_steps(bench, programs.plain_calls(count))
    times = spawn(bench, 3, steps, is_cpu=True)
    least = sum(step[0] for step in times) * 1e3 / count
    row = dict.fromkeys(like)
    row.update(name=f"{count:,} calls, mlir-opt, mlir-translate, llc -O0",
               total=least, median=sum(step[1] for step in times) * 1e3 / count,
               cold_ms=least * count / 1e3, MiB=max(step[2] for step in times),
               code_B=None, ratio=least / total)
    return row


def peer_steps(bench, text):
    """Commands of MLIR's own tools that compile a program; each has run once."""
    source = bench.write("plain.mlir", text)
    lowered, ir, out = (str(bench.folder / name)
                        for name in ("plain.llvm.mlir", "plain.ll", "plain.o"))
    steps = [
        [str(LLVM_BIN / "mlir-opt"), source, "-convert-scf-to-cf", *TO_LLVM,
         "-o", lowered],
        [str(LLVM_BIN / "mlir-translate"), "--mlir-to-llvmir", lowered, "-o",
         ir],
        [str(LLVM_BIN / "llc"), "-O0", "-relocation-model=pic",
         "-filetype=obj", ir, "-o", out],
    ]
    for step in steps:
        run(step)
    return steps


def compile_loops(bench):
    """Microseconds a call of compiling calls with dynamic operands in loops, and
    of MLIR's own tools on the same."""
    count = 1000
    path = bench.write("loops.mlir", programs.loop_calls(count))
    row = compile_row(bench, path, "jit", count)
    rows = [{"name": f"{count:,} calls in loops, jit", "min": row["total"],
             "median": row["median"], "ratio": 1.0, "MiB": row["MiB"]}]
    if has_peers():
        steps = peer_steps(bench, programs.loop_calls(count, is_custom=False))
        times = spawn(bench, 3, steps, is_cpu=True)
        least = sum(step[0] for step in times) * 1e3 / count
        rows.append({"name": f"{count:,} calls in loops, mlir-opt, "
                             "mlir-translate, llc -O0", "min": least,
                     "median": sum(step[1] for step in times) * 1e3 / count,
                     "ratio": least / row["total"],
                     "MiB": max(step[2] for step in times)})
    return rows


def dispatch(bench):
    none = bench.write("none.mlir", programs.calls(0))
    rows = []
    for count in [100, 1000, 10000, 100000] + [1000000] * bench.full:
        calls = bench.write(f"dispatch{count}.mlir", programs.calls(count))
        ways = dispatch_ways(bench, calls, none)
        fixed = {"jit": ways[3], "thunks": ways[4]}
        limit = ways[0]
        rows.append(dispatch_row(f"{count:,} calls, C loop", count, limit,
                                 limit, (0.0, 0.0)))
        for index, name in ((1, "jit"), (2, "thunks")):
            rows.append(dispatch_row(f"{count:,} calls, {name}", count,
                                     ways[index], limit, fixed[name]))
    for index, name in ((3, "jit"), (4, "thunks")):
        rows.append(dispatch_row(f"no calls, {name}: ns an execution", 1,
                                 ways[index], None, (0.0, 0.0)))
    return rows


def dispatch_ways(bench, calls, none):
    """(min, median) ns of an execution each way, over several processes."""
    runs = [numbers(run([bench.program("dispatch"), calls, none,
                         DISPATCH_SAMPLES])) for _ in range(PROCESSES)]
    return [(min(way[0] for way in ways),
             statistics.median(way[1] for way in ways))
            for ways in zip(*runs)]


def dispatch_row(name, count, way, limit, fixed):
    return {"name": name, "min": way[0] / count, "median": way[1] / count,
            "ratio": way[0] / limit[0] if limit else None,
            "net": (way[0] - fixed[0]) / count,
            "net_ratio": (way[0] - fixed[0]) / limit[0] if limit else None}


EXECUTE_WAYS = ("jitrun_program_run", "client, donated", "client, output copied",
                "client, asynchronous")


def execute(bench):
    """Nanoseconds of an execution of programs of 1 and 1,000 calls."""
    rows = []
    for count in (1, 1000):
        calls = bench.write(f"execute{count}.mlir", programs.calls(count))
        runs = [numbers(run([bench.program("execute"), calls,
                             EXECUTE_SAMPLES])) for _ in range(PROCESSES)]
        ways = [best_of_runs(way) for way in zip(*runs)]
        for name, way in zip(EXECUTE_WAYS, ways):
            rows.append({"name": f"{count:,} calls, {name}", "min": way[0],
                         "median": way[1], "above": way[0] - ways[0][0]})
    if subprocess.run(["python3", "-c", "import jax"], capture_output=True,
                      check=False).returncode == 0:
        least, median = numbers(run(["python3", ROOT / "bench" / "jax_call.py"]))[0]
        rows.append({"name": "1 operation, JAX from Python", "min": least,
                     "median": median, "above": None})
    return rows


def best_of_runs(times):
    """(least, median of medians)."""
    return min(t[0] for t in times), statistics.median(t[1] for t in times)


def kinds(bench):
    """Nanoseconds of a call that reads one kind of value, or 12: through
    JitRt's ABI, with native code and with thunks."""
    rows = []
    for index, (name, kind, text) in enumerate(programs.kinds()):
        path = bench.write(f"kind{index}.mlir", text)
        command = [bench.program("kinds"), path, kind, KIND_SAMPLES]
        runs = [run(command).splitlines() for _ in range(PROCESSES)]
        ways = [best_of(lines) for lines in zip(*runs)]
        row = {"name": name}
        for way, times in zip(("JitRt_ABI", "jit", "thunks"), ways):
            row[way], row[f"{way}_median"] = times
        for way, times in zip(("jit", "thunks"), ways[1:]):
            row[f"{way}_ratio"] = (times[0] / ways[0][0]
                                   if times[0] and ways[0][0] else None)
        rows.append(row)
    return rows


def best_of(lines):
    """(least, median of medians) of a way's lines; "-" where there is none."""
    if "-" in lines:
        return None, None
    times = [numbers(line)[0] for line in lines]
    return min(t[0] for t in times), statistics.median(t[1] for t in times)

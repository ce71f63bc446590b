# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of `./do bench peers`: measurements of this folder joined with those
of peers, each beside its limit or peer of the same run and its aim."""
import sys

import measure
import peers

# Aims that were set as times became ratios to the limit or peer beside which
# they were set, so that neither the machine nor its load decides.
LOOP_RATIO = 1.15
TOOLS_US = 240  # a call of 10,000: mlir-opt, mlir-translate and llc -O0
TEXT, BYTECODE, NO_PARSE = 17 / TOOLS_US, 7 / TOOLS_US, 2.5 / TOOLS_US
GROWTH = 1.2  # what a call may cost more in a program ten times as large
LOOPS = 100 / 190  # of what MLIR's own passes took
MOST_MIB = {10000: 90, 100000: 300}
DLOPEN_MS = 0.58
START = {"jitrun .so": 0.9 / DLOPEN_MS, "jitrun .mlir, jit": 8 / DLOPEN_MS,
         "jitrun .mlir, thunks": 5 / DLOPEN_MS,
         "jitrun .mlir, cached": 1.0 / DLOPEN_MS}
LOAD = {".so": 60 / 45, ".o": 200 / 45}
EXECUTE_NS = 1000
SO_MIB = 3
TOOLS, IREE, JAX = "MLIR's tools", "IREE's VM", "JAX"


def line(name, least, median, against=None, aim=None, most=None):
    """A row. `against` is a name and the least that it took, for the ratio;
    `aim` says what is judged, "ratio" or "min", and `most` what it may be."""
    other, limit = against or ("", None)
    ratio = least / limit if limit else None
    judged = ratio if aim == "ratio" else least
    row = {"name": name, "min": least, "median": median, "against": other,
           "ratio": ratio, "aim": "", "result": "-"}
    if aim and judged is not None:
        row["aim"] = f"ratio <= {most:.3g}" if aim == "ratio" \
            else f"<= {most:,}"
        row["result"] = "PASS" if judged <= most else "FAIL"
    return row


def by_name(rows):
    return {row["name"]: row for row in rows}


def dispatch(bench):
    """Nanoseconds a call, without what executing no calls takes."""
    lines, jit_ns, limit_ns = [], None, None
    for row in measure.dispatch(bench):
        if row["net_ratio"] is None or row["name"].startswith("no calls"):
            continue
        if row["name"].endswith("C loop"):
            limit_ns = row["net"]
            lines.append(line(row["name"], row["net"], row["median"]))
            continue
        median = row["median"] - (row["min"] - row["net"])
        lines.append(line(row["name"], row["net"], median,
                          ("C loop", limit_ns), "ratio", LOOP_RATIO))
        if row["name"] == "1,000 calls, jit":
            jit_ns = row["net"]
    for name, (least, median) in bench.peers.dispatch(bench, 1000).items():
        lines.append(line(f"1,000 calls, {name}", least, median))
        lines.append(line("1,000 calls, jit", jit_ns, None, (name, least),
                          "ratio", 1))
    return lines


def execute(bench):
    """Nanoseconds of an execution above the program's own."""
    lines = []
    rows = measure.execute(bench)
    for row in rows:
        if "program_run" in row["name"]:
            direct = row
        elif row["above"] is not None:
            is_judged = "donated" in row["name"]
            lines.append(line(f"{row['name']}: above a direct run",
                              row["above"], row["median"] - direct["median"],
                              aim="min" if is_judged else None,
                              most=EXECUTE_NS))
    if "JAX" in bench.peers.names:
        ones = by_name(rows)["1 calls, client, donated"]
        least, median = measure.numbers(measure.run(
            [bench.peers.python, peers.HERE / "jax_call.py"]))[0]
        lines.append(line("1 operation, JAX from Python", least, median))
        lines.append(line("1 call, client, donated", ones["min"],
                          ones["median"], ("JAX", least), "ratio", 1))
    return lines


def compile_calls(bench):
    """Microseconds a call from file to ready in a process that is warm."""
    lines, first = [], {}
    rows = measure.compile_calls(bench)
    tools = next((row for row in rows if "mlir-opt" in row["name"]), None)
    against = (TOOLS, tools["total"]) if tools else None
    for row in rows:
        if row is tools:
            continue
        shown, form, executor = row["name"].rsplit(", ", 2)
        count = int(shown.split()[0].replace(",", ""))
        lines.append(line(row["name"], row["total"], row["median"], against,
                          "ratio", TEXT if form == "text" else BYTECODE))
        lines.append(line(f"{row['name']}: without parsing", row["no_parse"],
                          None, against, "ratio", NO_PARSE))
        smaller = first.setdefault((form, executor), row["total"])
        if smaller != row["total"]:
            lines.append(line(f"{row['name']}: growth", row["total"], None,
                              ("1,000 calls", smaller), "ratio", GROWTH))
        if count in MOST_MIB:
            lines.append(line(f"{row['name']}: MiB", row["MiB"], None, None,
                              "min", MOST_MIB[count]))
    return lines


def compile_processes(bench):
    """Processor milliseconds of whole processes that compile: jitrun to an
    object, beside each peer; of several processes, their sum."""
    lines = []
    for count in [1000, 10000] + [100000] * bench.full:
        ways = process_commands(bench, count)
        commands = [step for steps in ways.values() for step in steps]
        times = iter(measure.spawn(bench, 3, commands, is_cpu=True))
        found = {}
        for name, steps in ways.items():
            parts = [next(times) for _ in steps]
            found[name] = (sum(part[0] for part in parts),
                           sum(part[1] for part in parts),
                           max(part[2] for part in parts))
        # JAX takes minutes for 10,000, and more memory than most have above.
        if JAX in bench.peers.names and count <= (10000 if bench.full
                                                  else 1000):
            least, median, mib = bench.peers.compile_jax(bench, count)
            found[JAX] = (least * 1e3, median * 1e3, mib)
        lines += compare_processes(count, found)
    return lines


def process_commands(bench, count):
    path = bench.write(f"calls{count}.mlir", measure.programs.calls(count))
    ways = {f"jitrun compile, .{kind}": [[
        bench.tool(), "compile", path, "-o", f"{bench.folder}/calls.{kind}"]]
        for kind in ("o", "so")}
    if measure.has_peers():
        ways[TOOLS] = measure.peer_steps(
            bench, measure.programs.plain_calls(count))
    if "IREE" in bench.peers.names:
        command = bench.peers.compile_command(bench, count)
        if succeeds(command):
            ways[IREE] = [command]
        else:
            bench.peers.notes.append(f"IREE is left out at {count:,} calls: "
                                     "its compiler fails")
    return ways


def succeeds(command):
    try:
        measure.run(command)
    except measure.Failure:
        return False
    return True


def compare_processes(count, found):
    """Rows of each way and of jitrun's time and memory against every peer's."""
    own = found["jitrun compile, .o"]
    for name, (least, median, mib) in found.items():
        shown = f"{count:,} calls, {name}"
        yield line(shown, least, median)
        yield line(f"{shown}: MiB", mib, None)
        if name.startswith("jitrun"):
            continue
        yield line(f"{count:,} calls, jitrun compile, .o", own[0], own[1],
                   (name, least), "ratio", 1)
        yield line(f"{count:,} calls, jitrun compile, .o: MiB", own[2], None,
                   (name, mib), "ratio", 1)


def loops(bench):
    """Microseconds a call whose operands only a loop knows."""
    rows = measure.compile_loops(bench)
    peer = rows[1] if len(rows) > 1 else None
    lines = [line(peer["name"], peer["min"], peer["median"])] if peer else []
    against = (TOOLS, peer["min"]) if peer else None
    return lines + [line(rows[0]["name"], rows[0]["min"], rows[0]["median"],
                         against, "ratio", LOOPS)]


def start(bench):
    """Milliseconds of whole processes from file to result, and MiB."""
    rows = by_name(measure.start(bench))
    limit = rows["dlopen, dlsym, call"]
    lines = [line(name, row["min"], row["median"], ("dlopen", limit["min"]),
                  "ratio" if name in START else None, START.get(name))
             for name, row in rows.items() if row is not limit]
    for name, row in rows.items():
        if name.startswith(("mlir-", "iree-")):
            own = rows["jitrun .so" if "iree" in name else "jitrun .mlir, jit"]
            lines.append(line(own["name"], own["min"], own["median"],
                              (name, row["min"]), "ratio", 1))
    lines += [line(f"{name}: MiB", rows[name]["MiB"], None,
                   ("dlopen", limit["MiB"]), "min", SO_MIB)
              for name in ("jitrun .so", "C program, .so")]
    return [line(limit["name"], limit["min"], limit["median"])] + lines


def load(bench):
    """Microseconds of loading code that is compiled."""
    rows = by_name(measure.load(bench, [1000]))
    limit = rows["1,000 functions, dlopen of the .so"]
    lines = [line(limit["name"], limit["min"], limit["median"])]
    for kind, most in LOAD.items():
        row = rows[f"1,000 functions, {kind}"]
        lines.append(line(row["name"], row["min"], row["median"],
                          ("dlopen", limit["min"]), "ratio", most))
        orc = rows["1,000 functions, ORC"]["min"]
        lines.append(line(row["name"], row["min"], row["median"], ("ORC", orc),
                          "ratio", 1))
    return lines


PARTS = {
    "dispatch: ns a call, without what an execution of none takes": dispatch,
    "execution by a client: ns": execute,
    "compile: us a call, warm, file to ready": compile_calls,
    "compile: ms of processor of whole processes": compile_processes,
    "compile calls with dynamic operands in loops: us a call": loops,
    "start: ms of whole processes, file to result": start,
    "load 1,000 functions: us": load,
}


def run(bench):
    """{"notes": what is left out, "failures": parts that could not be measured,
    "parts": {title: rows}}"""
    bench.peers = peers.Peers(bench.build / "peers")
    notes, failures, parts = bench.peers.notes, [], {}
    if not measure.has_peers():
        notes.append("MLIR's tools are left out: they are not installed")
    for title, part in PARTS.items():
        print(f"bench: {title}", file=sys.stderr)
        try:
            parts[title] = list(part(bench))
        except measure.Failure as failure:
            failures.append(f"{title}: {failure}")
    return {"notes": notes, "failures": failures, "parts": parts}


def check(results):
    """What fails its aim, or could not be measured."""
    yield from results["failures"]
    for title, rows in results["parts"].items():
        for row in rows:
            if row["result"] == "FAIL":
                against = f" {row['against']}" if row["against"] else ""
                ratio = f", {row['ratio']:.2f} of{against}" if row["ratio"] \
                    else ""
                yield (f"{title.split(':')[0]}: {row['name']}: "
                       f"{row['min']:.2f}{ratio}; aim: {row['aim']}")

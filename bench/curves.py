#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what a call costs over the number of calls, as docs/dispatch.svg and
docs/compile.svg, of what `./do bench peers --json` has printed.

  curves.py RESULTS.json"""
import json
import math
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 232, 48, 52
COLOURS = ("#0b5fa5", "#d1495b", "#2a7f3f", "#8a5a00", "#6a3d9a", "#444444",
           "#00798c")
NAME = re.compile(r"([\d,]+) calls, (.+)")


def collect(rows, labels, scale):
    """{label: [(calls, value), ...]} of rows that are not compared again."""
    series = {}
    for row in rows:
        found = NAME.fullmatch(row["name"])
        if not found or found.group(2) not in labels:
            continue
        calls = int(found.group(1).replace(",", ""))
        points = series.setdefault(labels[found.group(2)], {})
        points.setdefault(calls, row["min"] * scale(calls))
    return {label: sorted(points.items()) for label, points in series.items()}


def part(results, start):
    return next(rows for title, rows in results["peers"]["parts"].items()
                if title.startswith(start))


def dispatch_series(results):
    labels = {name: name for name in ("C loop", "tvm-ffi", "IREE", "JAX")}
    labels |= {"jit": "jitrun, native code", "thunks": "jitrun, thunks"}
    return collect(part(results, "dispatch"), labels, lambda calls: 1)


def compile_series(results):
    warm = {"text, jit": "jitrun, text, warm",
            "bytecode, jit": "jitrun, bytecode, warm"}
    whole = {"jitrun compile, .o": "jitrun compile, process",
             "MLIR's tools": "MLIR's tools, processes",
             "IREE's VM": "IREE, for its VM, process",
             "JAX": "JAX, warm"}
    return {
        **collect(part(results, "compile: us"), warm, lambda calls: 1),
        **collect(part(results, "compile: ms"), whole,
                  lambda calls: 1e3 / calls)}


class Axes:
    """Logarithmic both ways."""

    def __init__(self, series):
        points = [point for line in series.values() for point in line]
        self.x = self.bounds([point[0] for point in points], 10)
        self.y = self.bounds([point[1] for point in points], 10)

    @staticmethod
    def bounds(values, base):
        return (math.floor(math.log(min(values), base)),
                math.ceil(math.log(max(values), base) + 1e-9))

    def place(self, point):
        shares = [(math.log10(value) - low) / (high - low) for value, (low, high)
                  in zip(point, (self.x, self.y))]
        return (LEFT + shares[0] * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - shares[1] * (HEIGHT - TOP - BOTTOM))

    def grid(self):
        for power in range(self.x[0], self.x[1] + 1):
            x, _ = self.place((10 ** power, 10 ** self.y[0]))
            yield (f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" '
                   'stroke="#ddd"/>')
            yield text(x, HEIGHT - BOTTOM + 18, f"{10 ** power:,}", "middle")
        for power in range(self.y[0], self.y[1] + 1):
            _, y = self.place((10 ** self.x[0], 10 ** power))
            yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
            yield text(LEFT - 8, y + 4, f"{10.0 ** power:,g}", "end")


def text(x, y, content, anchor="start", more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>'
            f"{content}</text>")


def draw_line(axes, index, label, points):
    colour = COLOURS[index % len(COLOURS)]
    places = [axes.place(point) for point in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield (f'<polyline points="{path}" fill="none" stroke="{colour}" '
           'stroke-width="2"/>')
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
    y = TOP + 8 + 22 * index
    x = WIDTH - RIGHT + 16
    yield f'<circle cx="{x}" cy="{y}" r="5" fill="{colour}"/>'
    yield text(x + 12, y + 4, label)


def draw(title, series, machine):
    axes = Axes(series)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
             f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             text(LEFT, 24, title, more=' font-size="15"'), *axes.grid()]
    for index, (label, points) in enumerate(series.items()):
        parts += draw_line(axes, index, label, points)
    shown = f"calls; {machine['cpu']}, least of several times"
    parts += [text(LEFT, HEIGHT - 12, shown), "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: curves.py RESULTS.json, of ./do bench peers --json")
    results = json.loads(pathlib.Path(sys.argv[1]).read_text())
    for name, title, series in (
            ("dispatch", "ns to dispatch a call", dispatch_series(results)),
            ("compile", "us to compile a call", compile_series(results))):
        (DOCS / f"{name}.svg").write_text(
            draw(title, series, results["machine"]))


main()

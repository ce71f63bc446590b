# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares thunks with code on random programs of nested control flow.

  nests.py JITRUN FOLDER FIRST_SEED COUNT

Each seed is one program: loops, branches, cases, functions, loads and stores,
and integers of all widths, whose values are printed all along. Both executors
have to print the same; the program of a seed that differs stays in FOLDER.
"""
import random
import subprocess
import sys

WIDTHS = ["i1", "i8", "i16", "i32", "i64", "index"]
PLAIN = ["addi", "subi", "muli", "andi", "ori", "xori", "minsi", "minui",
         "maxsi", "maxui"]
DIVIDING = ["divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi",
            "ceildivui"]
COMPARISONS = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt",
               "uge"]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.names = 0
        self.functions = []
        self.budget = 0

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def bits(self, kind):
        return 64 if kind == "index" else int(kind[1:])

    def number(self, kind):
        bits = self.bits(kind)
        edge = [0, 1, 2, 3, -1, -(1 << (bits - 1)), (1 << (bits - 1)) - 1]
        return self.random.choice(edge + [self.random.getrandbits(bits - 1)
                                          if bits > 1 else 1])

    def constant(self, depth, kind, value=None):
        name = self.name()
        value = self.number(kind) if value is None else value
        if kind == "i1":
            value = "true" if value & 1 else "false"
            self.put(depth, f"{name} = arith.constant {value}")
        else:
            low = -(1 << (self.bits(kind) - 1))
            value = (value - low) % (1 << self.bits(kind)) + low
            self.put(depth, f"{name} = arith.constant {value} : {kind}")
        return name

    def pick(self, depth, scope, kind):
        known = [name for name, other in scope if other == kind]
        if known and self.random.random() < 0.8:
            return self.random.choice(known)
        return self.constant(depth, kind)

    def show(self, depth, value, kind):
        self.put(depth, f"func.call @print_{kind}({value}) : ({kind}) -> ()")

    def compute(self, depth, scope):
        kind = self.random.choice(WIDTHS)
        a, b = (self.pick(depth, scope, kind) for _ in range(2))
        name = self.name()
        choice = self.random.random()
        if choice < 0.4:
            op = self.random.choice(PLAIN)
            self.put(depth, f"{name} = arith.{op} {a}, {b} : {kind}")
        elif choice < 0.6 and kind != "i1":
            op = self.random.choice(DIVIDING)
            divisor = self.constant(depth, kind, self.random.choice([1, 2, 3, 7, 11]))
            self.put(depth, f"{name} = arith.{op} {a}, {divisor} : {kind}")
        elif choice < 0.7 and kind != "i1":
            op = self.random.choice(["shli", "shrsi", "shrui"])
            by = self.constant(depth, kind, self.random.randrange(self.bits(kind)))
            self.put(depth, f"{name} = arith.{op} {a}, {by} : {kind}")
        elif choice < 0.85:
            op = self.random.choice(COMPARISONS)
            self.put(depth, f"{name} = arith.cmpi {op}, {a}, {b} : {kind}")
            kind = "i1"
        else:
            flag = self.pick(depth, scope, "i1")
            self.put(depth, f"{name} = arith.select {flag}, {a}, {b} : {kind}")
        scope.append((name, kind))

    def cast(self, depth, scope):
        source, target = self.random.choice(WIDTHS), self.random.choice(WIDTHS)
        if source == target:
            return
        value = self.pick(depth, scope, source)
        name = self.name()
        if "index" in (source, target):
            op = self.random.choice(["index_cast", "index_castui"])
        elif self.bits(source) > self.bits(target):
            op = "trunci"
        else:
            op = self.random.choice(["extsi", "extui"])
        self.put(depth, f"{name} = arith.{op} {value} : {source} to {target}")
        scope.append((name, target))

    def access(self, depth, scope):
        at = self.name()
        index = self.pick(depth, scope, "index")
        eight = self.constant(depth, "index", 8)
        self.put(depth, f"{at} = arith.remui {index}, {eight} : index")
        if self.random.random() < 0.5:
            name = self.name()
            self.put(depth, f"{name} = memref.load %memory[{at}] : memref<8xi16>")
            scope.append((name, "i16"))
        else:
            value = self.pick(depth, scope, "i16")
            self.put(depth, f"memref.store {value}, %memory[{at}] : memref<8xi16>")

    def carried(self, depth, scope):
        kinds = [self.random.choice(WIDTHS) for _ in range(self.random.randrange(3))]
        return kinds, [self.pick(depth, scope, kind) for kind in kinds]

    def yield_values(self, depth, scope, kinds):
        values = [self.pick(depth, scope, kind) for kind in kinds]
        self.put(depth, "scf.yield" + (f" {', '.join(values)} : {', '.join(kinds)}"
                                       if kinds else ""))

    def loop(self, depth, scope):
        kinds, values = self.carried(depth, scope)
        low = self.constant(depth, "index", self.random.randrange(-3, 3))
        high = self.constant(depth, "index", self.random.randrange(-3, 6))
        step = self.constant(depth, "index", self.random.randrange(1, 4))
        counter, result = self.name(), self.name()
        inner = scope + [(counter, "index")]
        head = f"scf.for {counter} = {low} to {high} step {step}"
        if kinds:
            names = [self.name() for _ in kinds]
            inner += zip(names, kinds)
            pairs = ", ".join(f"{n} = {v}" for n, v in zip(names, values))
            head = (f"{result}:{len(kinds)} = {head} iter_args({pairs}) -> "
                    f"({', '.join(kinds)})")
        self.put(depth, head + " {")
        self.block(depth + 1, inner)
        self.yield_values(depth + 1, inner, kinds)
        self.put(depth, "}")
        scope += [(f"{result}#{i}", kind) for i, kind in enumerate(kinds)]

    def repeat(self, depth, scope):
        rounds = self.constant(depth, "i32", self.random.randrange(4))
        zero, one = (self.constant(depth, "i32", n) for n in (0, 1))
        kind = self.random.choice(WIDTHS)
        start = self.pick(depth, scope, kind)
        result, a, b, c, d, go, less = (self.name() for _ in range(7))
        self.put(depth, f"{result}:2 = scf.while ({a} = {rounds}, {b} = {start}) :"
                        f" (i32, {kind}) -> ({kind}, i32) {{")
        inner = scope + [(a, "i32"), (b, kind)]
        self.compute(depth + 1, inner)
        value = self.pick(depth + 1, inner, kind)
        self.put(depth + 1, f"{go} = arith.cmpi sgt, {a}, {zero} : i32")
        self.put(depth + 1, f"scf.condition({go}) {value}, {a} : {kind}, i32")
        self.put(depth, "} do {")
        self.put(depth, f"^bb0({c}: {kind}, {d}: i32):")
        inner = scope + [(c, kind), (d, "i32")]
        self.block(depth + 1, inner)
        self.put(depth + 1, f"{less} = arith.subi {d}, {one} : i32")
        value = self.pick(depth + 1, inner, kind)
        self.put(depth + 1, f"scf.yield {less}, {value} : i32, {kind}")
        self.put(depth, "}")
        scope += [(f"{result}#0", kind), (f"{result}#1", "i32")]

    def branch(self, depth, scope):
        kinds, _ = self.carried(depth, scope)
        flag = self.pick(depth, scope, "i1")
        result = self.name()
        left = f"{result}:{len(kinds)} = " if kinds else ""
        types = f" -> ({', '.join(kinds)})" if kinds else ""
        self.put(depth, f"{left}scf.if {flag}{types} {{")
        for text in ("} else {", "}"):
            inner = list(scope)
            self.block(depth + 1, inner)
            self.yield_values(depth + 1, inner, kinds)
            self.put(depth, text)
        scope += [(f"{result}#{i}", kind) for i, kind in enumerate(kinds)]

    def switch(self, depth, scope):
        kind = self.random.choice(WIDTHS)
        value = self.pick(depth, scope, "index")
        result = self.name()
        self.put(depth, f"{result} = scf.index_switch {value} -> {kind}")
        cases = self.random.sample(range(-3, 5), self.random.randrange(4))
        for case in [f"case {n}" for n in cases] + ["default"]:
            self.put(depth, case + " {")
            inner = list(scope)
            self.block(depth + 1, inner)
            self.yield_values(depth + 1, inner, [kind])
            self.put(depth, "}")
        scope.append((result, kind))

    def call(self, depth, scope):
        if not self.functions:
            return
        name, kinds, result = self.random.choice(self.functions)
        values = [self.pick(depth, scope, kind) for kind in kinds]
        types = ", ".join(kinds + ["memref<8xi16>"])
        target = self.name()
        self.put(depth, f"{target} = func.call @{name}("
                        f"{', '.join(values + ['%memory'])}) : ({types}) -> {result}")
        scope.append((target, result))

    def block(self, depth, scope):
        for _ in range(self.random.randrange(1, 5)):
            self.budget -= 1
            nests = [self.loop, self.repeat, self.branch, self.switch]
            steps = [self.compute, self.compute, self.cast, self.access, self.call]
            deep = depth > 5 or self.budget < 0
            self.random.choice(steps if deep else steps + nests)(depth, scope)
        value, kind = self.random.choice(scope)
        self.show(depth, value, kind)

    def function(self, name, kinds, result, is_entry):
        params = [(self.name(), kind) for kind in kinds]
        text = ", ".join(f"{n}: {kind}" for n, kind in params)
        self.budget = 60 if is_entry else 12
        head = "" if is_entry else "private "
        self.put(0, f"func.func {head}@{name}({text}, %memory: memref<8xi16>) "
                    f"-> {result} {{")
        scope = list(params)
        for _ in range(4 if is_entry else 1):
            self.block(1, scope)
        self.put(1, f"return {self.pick(1, scope, result)} : {result}")
        self.put(0, "}")

    def text(self):
        for kind in WIDTHS:
            self.put(0, f"func.func private @print_{kind}({kind}) "
                        'attributes {rt.custom_call = "jitrun.print"}')
        for i in range(self.random.randrange(4)):
            kinds = [self.random.choice(WIDTHS) for _ in range(2)]
            result = self.random.choice(WIDTHS)
            self.function(f"part{i}", kinds, result, False)
            self.functions.append((f"part{i}", kinds, result))
        self.function("main", ["i32", "index"], "i64", True)
        return "\n".join(self.lines) + "\n"


def run(jitrun, path, executor):
    done = subprocess.run(
        [jitrun, path, f"--executor={executor}", "-O0", "--input=i32=-7",
         "--input=index=3", "--input=8xi16=1,-2,3,-4,5,-6,7,-8"],
        capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    jitrun, folder, first, count = sys.argv[1:]
    lines = 0
    for seed in range(int(first), int(first) + int(count)):
        path = f"{folder}/nests-{seed}.mlir"
        with open(path, "w", encoding="ascii") as file:
            file.write(Program(seed).text())
        code, thunks = (run(jitrun, path, way) for way in ("jit", "thunks"))
        if code != thunks or code[0] != 0:
            print(f"{path}: code gives {code}, thunks {thunks}")
            return 1
        lines += code[1].count(b"\n")
    print(f"{count} programs agree, {lines} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program that calls with every kind of argument, attribute and
result, and what its handlers must have seen:

    program.py FOLDER [--trace] [--step=N]

FOLDER gets two programs of one entry each: thunks.mlir has what both executors
can do, native.mlir what only native code can; and of each the arguments in a
flag file, and the text that a right execution prints. With --trace every call
prints the digest after it, to find the first that differs; with --step only
one of N pairs is there, for slow builds."""
import argparse
import dataclasses
import itertools
import pathlib

import digest
import native
import tables
from digest import BUFFER, DYNAMIC, SCALAR, Type, Value

TARGETS = ("test.kinds", "test.kinds_state", "test.kinds_declared")
NATIVE_STEP = 5  # native code takes a compiler a millisecond a call
OTHER_ENTRY = 1  # the second of a program


@dataclasses.dataclass
class Arg:
    """A row of the table of arguments: one value, or the latest result of a
    type."""
    group: str
    text: str
    name: str = ""
    value: Value = None
    declared: Type = None  # where it is not what the text says


class Program:
    """The text of one entry, and the digest of what its handlers see."""

    def __init__(self, name, params, results, trace):
        self.name = name
        self.params = params
        self.trace = trace
        self.declarations = {}
        self.lines = []
        self.declared = {param.text: param.declared for param in params}
        self.declared |= {text: declared for result in results
                          for text, declared in result.types}
        self.declared |= {dtype.name: Type(SCALAR, dtype)
                          for dtype in digest.SCALARS}
        self.latest = {}  # text of type: (SSA name, Value)
        self.triples = set()
        self.digest = 0
        self.call_count = 0
        self.traced = []

    def add(self, line):
        self.lines.append(f"  {line}")

    def resolve(self, arg):
        return self.latest[arg.text] if arg.value is None else (arg.name,
                                                                arg.value)

    def call(self, args, attrs, result):
        """Appends a call. `args`: of Arg, `attrs`: of (name, Attr)."""
        found = [self.resolve(arg) for arg in args]
        target = TARGETS[self.call_count % (3 if len(result.types) == 1
                                            else 2)]
        types = [text for text, _ in result.types]
        inputs = ", ".join(arg.text for arg in args)
        callee = self.declare(target, inputs, types)
        names = [f"%r{self.call_count}_{i}" for i in range(len(types))]
        operands = ", ".join(name for name, _ in found)
        before = ", ".join(names) + " = " if names else ""
        shown = [name if attr.kind == digest.KIND_UNIT
                 else f"{name} = {attr.text}" for name, attr in attrs]
        shown += ["trace"] * self.trace
        self.add(f"{before}func.call @{callee}({operands}) "
                 f"{{{', '.join(shown)}}} : ({inputs}) -> "
                 f"({', '.join(types)})")
        self.fold(target, args, found, attrs, result)
        for i, (text, declared) in enumerate(result.types):
            made = digest.make_result(declared, self.digest, i)
            self.latest[text] = (names[i], made)
        self.call_count += 1

    def fold(self, target, args, found, attrs, result):
        """Types of arguments at a site are those the program declares."""
        declared = [arg.declared or self.declared[arg.text] for arg in args]
        words = digest.site_words(target, declared,
                                  [kind for _, kind in result.types], attrs)
        self.digest = digest.fold(self.digest, words)
        for _, value in found:
            self.digest = digest.fold(self.digest, value.words)
        self.traced.append(f"{self.digest:016x}")

    def declare(self, target, inputs, types):
        key = (target, inputs, tuple(types))
        if key not in self.declarations:
            self.declarations[key] = f"f{len(self.declarations)}"
        return self.declarations[key]

    def text(self):
        params = ", ".join(f"%{param.name}: {param.text}"
                           for param in self.params)
        rows = sorted(self.latest.items())
        names = ", ".join(["%digest", *(name for _, (name, _) in rows)])
        types = ", ".join(["i64", *(text for text, _ in rows)])
        return "\n".join([
            *self.header(),
            f"func.func @{self.name}({params}) -> ({types}) {{",
            *self.lines,
            "  %digest = func.call @digest() : () -> i64",
            f"  return {names} : {types}", "}",
            "func.func @other() {", "  return", "}", ""])

    def header(self):
        """Declarations of targets, and constants."""
        for (target, inputs, types), name in self.declarations.items():
            yield (f"func.func private @{name}({inputs}) -> "
                   f"({', '.join(types)}) attributes "
                   f'{{rt.custom_call = "{target}"}}')
        yield ("func.func private @digest() -> i64 attributes "
               '{rt.custom_call = "test.digest"}')
        for row in tables.globals_of():
            yield (f'memref.global "private" constant @{clean(row.name)} : '
                   f"{row.text} = {row.elements}")

    def flags(self):
        return "".join(f"--input={param.spec}\n" for param in self.params)

    def expected(self):
        """Lines of the output that are known: the digest, integers, opaque
        values. The first of results is the digest as a number."""
        signed = self.digest - ((self.digest >> 63) << 64)
        lines = [f"call: {text}" for text in self.traced if self.trace]
        lines += [f"digest: {self.digest:016x}", f"result[0]: i64={signed}"]
        for number, (_, (_, value)) in enumerate(sorted(self.latest.items())):
            dtype, bits = value.type.dtype, value.bits
            if value.type.kind == BUFFER or dtype.layout:
                continue
            shown = bits[0]
            if dtype.is_signed and shown >> (8 * dtype.size - 1):
                shown -= 1 << (8 * dtype.size)
            # What signs there are in the program is not in a dtype.
            name = {"index": "i64"}.get(dtype.name, dtype.name.lstrip("s"))
            lines.append(f"result[{number + 1}]: {name}={shown}")
        return lines


def constant_args(program):
    """Constants; those of types with a sign are casts of constants."""
    for index, dtype in enumerate(digest.SCALARS):
        number = tables.sample(dtype, index + 2)
        name = f"%c_{dtype.name}"
        has_sign = dtype.name[0] in "us"
        bare = dtype.name.lstrip("us")
        if dtype.name.startswith("ui") and number >> (dtype.bits - 1):
            text = str(number - (1 << dtype.bits))
        else:
            text = tables.literal(dtype, number)
        suffix = "" if dtype.bits == 1 else f" : {bare}"
        program.add(f"{name}{'_bare' * has_sign} = arith.constant "
                    f"{text}{suffix}")
        if has_sign:
            program.add(f'{name} = "rt.unsigned_cast"({name}_bare) : '
                        f"({bare}) -> {dtype.name}")
        declared = Type(SCALAR, dtype)
        yield Arg("constant", dtype.name, name,
                  Value(declared, (dtype.encode(number),)))


def result_args(results):
    """Results of earlier calls, each type once."""
    seen = {}
    for result in results:
        for text, declared in result.types:
            group = {SCALAR: "scalar", BUFFER: "buffer"}.get(declared.kind,
                                                            "opaque")
            if DYNAMIC in declared.dims + declared.strides:
                group = "dynamic"
            seen[text] = Arg(f"result {group}", text)
    return list(seen.values())


def clean(name):
    return "".join(c if c.isalnum() else "_" for c in name)


def make_params():
    """Parameters of the entry `thunks`: of (group, Param)."""
    rows = [("scalar", param) for param in tables.scalar_params()]
    rows += tables.buffer_params()
    rows += [("opaque", param) for param in tables.opaque_params()]
    rows += [("source", param) for param in tables.view_sources()]
    for _, param in rows:
        param.name = clean(param.name)
    return rows


def thunks_args(program, rows, results):
    args = [*constant_args(program)]
    args += [Arg(f"param {group}", param.text, f"%{param.name}", param.value)
             for group, param in rows if group != "source"]
    sources = [param for group, param in rows if group == "source"]
    for view in tables.views(sources):
        name = clean(view.name)
        program.add(f"%{name} = {view.operation}")
        program.declared[view.text] = view.value.type
        args.append(Arg("view", view.text, f"%{name}", view.value))
    for row in tables.globals_of():
        name = clean(row.name)
        program.add(f"%{name} = memref.get_global @{name} : {row.text}")
        program.declared[row.text] = row.value.type
        args.append(Arg("global", row.text, f"%{name}", row.value))
    return args + result_args(results)


def call_pairs(program, args, attrs, results, step):
    """Each result alone, so that there is one of each; every pair of an
    argument and an attribute (with `step` only one of so many), two attributes
    a call, with results so that each argument and each attribute meets all of
    them; and all arguments and attributes at once."""
    for result in results:
        program.call([], [], result)
    pairs = list(itertools.zip_longest(attrs[::2], attrs[1::2],
                                       fillvalue=attrs[0]))
    assert len(results) <= min(len(args), len(pairs))
    for (i, arg), (j, pair) in itertools.product(enumerate(args),
                                                 enumerate(pairs)):
        if (i + j) % step:
            continue
        result = results[(i + j) // step % len(results)]
        names = (("b.c", "a"), ("a", "b.c"), ("_x", "b.c"))[j % 3]
        program.call([arg], list(zip(names, pair)), result)
        program.triples |= {(arg.group, attr.group, result.group)
                            for attr in pair}
    program.call(args, list(zip((f"n{i}" for i in range(len(attrs))), attrs)),
                 results[0])
    program.call([*args, *args[::-1]], [], results[-1])


def call_triples(program, args, attrs, results):
    """The triples of groups that the pairs have left."""
    for arg, attr, result in itertools.product(
            by_group(args), by_group(attrs), by_group(results)):
        if (arg.group, attr.group, result.group) not in program.triples:
            program.call([arg], [("a", attr)], result)


def by_group(rows):
    return list({row.group: row for row in rows}.values())


def make_programs(options):
    attrs = tables.attrs(OTHER_ENTRY)
    results = list(tables.results())
    rows = make_params()
    thunks = Program("thunks", [param for _, param in rows], results,
                     options.trace)
    args = thunks_args(thunks, rows, results)
    call_pairs(thunks, args, attrs, results, options.step)
    call_triples(thunks, args, attrs, results)
    code = Program("native", list(native.params()), results, options.trace)
    args = [Arg(*row) for row in native.values(code, code.params)]
    call_pairs(code, args + result_args(results), attrs, results,
               NATIVE_STEP * options.step)
    return thunks, code


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--step", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for program in make_programs(options):
        path = options.folder / program.name
        path.with_suffix(".mlir").write_text(program.text())
        path.with_suffix(".flags").write_text(program.flags())
        path.with_suffix(".expected").write_text(
            "\n".join(program.expected()) + "\n")
        print(f"{program.name}: {program.call_count} calls")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares docs/image-format.md with lib/runtime/table.h: the compiler checks
offset and size of every field and the value of every name, and nothing may be
left out."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/image-format.md").read_text()
HEADER = (ROOT / "lib/runtime/table.h").read_text()
# Not in files, or names for the same place.
NOT_STORED = {"jr_links", "jr_table"}
SAME_PLACE = {"from", "to", "bits", "a", "b", "c", "d"}


def declared_fields():
    """{structure: names of its fields}"""
    plain = re.sub(r"///?<?[^\n]*", "", HEADER)
    found = {}
    for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", plain,
                                 re.M | re.S):
        if name in NOT_STORED:
            continue
        for opening in ("union {", "struct {", "};"):
            body = body.replace(opening, "")
        names = set()
        for declaration in body.split(";"):
            words = re.sub(r"\[.*?\]", "", declaration).split(None, 1)
            if words and words[0] == "struct":
                words = words[1].split(None, 1)
            if len(words) == 2:
                names |= {name.strip() for name in words[1].split(",")}
        found[name] = names - SAME_PLACE
    return found


def declared_values():
    """Names of enumerators that stand in files."""
    names = set()
    for body in re.findall(r"^enum \w+ \{(.*?)^\};", HEADER, re.M | re.S):
        names |= set(re.findall(r"^  (JR_\w+)", body, re.M))
    return names - {"JR_SECTION_COUNT"}


def documented_fields():
    """(structure, its size, [(offset, size, field)])"""
    pattern = r"^`(\w+)`, (\d+) bytes.*?\n((?:^.*\n)*?)\n((?:^\|.*\n)+)"
    for name, size, _, table in re.findall(pattern, TEXT, re.M):
        rows = re.findall(r"^\| (\d+) \| (\d+) \| `(\w+)` \|", table, re.M)
        yield name, int(size), [(int(at), int(n), field)
                                for at, n, field in rows]


def documented_values():
    rows = re.findall(r"^\| (0x[0-9a-f]+|\d+) \| `(JR_\w+)` \|", TEXT, re.M)
    return {name: value for value, name in rows}


def compare(what, documented, declared):
    for name in sorted(declared - documented):
        yield f"{what} '{name}' is not in docs/image-format.md"
    for name in sorted(documented - declared):
        yield f"{what} '{name}' of docs/image-format.md is not in table.h"


def check_structure(name, size, rows):
    cursor = 0
    for offset, length, field in rows:
        if offset != cursor:
            yield f"'{name}.{field}' is at {offset}, the one before ends at {cursor}"
        cursor = offset + length
    if cursor != size:
        yield f"'{name}' has {size} bytes, its fields end at {cursor}"


def check_records(fields):
    sizes = {name: size for name, size, _ in fields}
    rows = re.findall(r"^\| \d+ \| `JR_SECTION_\w+` \| (\d+) \| `(\w+)`", TEXT,
                      re.M)
    for size, name in rows:
        if sizes.get(name) != int(size):
            yield f"the section of '{name}' has records of {size} bytes"


def assertions(fields, values):
    yield '#include "runtime/exec.h"\n#include "runtime/table.h"'
    yield "#include <stddef.h>"
    for name, size, rows in fields:
        yield f'_Static_assert(sizeof(struct {name}) == {size}, "{name}");'
        for offset, length, field in rows:
            yield (f"_Static_assert(offsetof(struct {name}, {field}) == {offset}"
                   f" && sizeof((struct {name} *)0)->{field} == {length},"
                   f' "{name}.{field}");')
    for name, value in values.items():
        yield f'_Static_assert({name} == {value}, "{name}");'
    for name, value in re.findall(r"`(JR_\w+)` \((\d+)\)", TEXT):
        yield f'_Static_assert({name} == {value}, "{name}");'
    version = re.search(r"This is version (\d+) of the format", TEXT)[1]
    yield f'_Static_assert(JR_TABLE_VERSION == {version}, "version");'


def main():
    fields, values = list(documented_fields()), documented_values()
    declared = declared_fields()
    problems = list(compare("structure", {name for name, _, _ in fields},
                            set(declared)))
    for name, size, rows in fields:
        problems += compare(f"{name}'s field", {row[2] for row in rows},
                            declared.get(name, set()))
        problems += check_structure(name, size, rows)
    problems += check_records(fields)
    problems += compare("value", set(values), declared_values())
    result = subprocess.run(
        ["cc", "-std=c11", "-fsyntax-only", "-x", "c", "-Iinclude", "-Ilib",
         "-"], cwd=ROOT, input="\n".join(assertions(fields, values)) + "\n",
        text=True, capture_output=True)
    problems += [line for line in result.stderr.splitlines() if "error" in line]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


sys.exit(main())

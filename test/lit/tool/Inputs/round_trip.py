#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What jitrun prints reads back as the same bits, whatever the element type,
value, rank and sizes.

  round_trip.py JITRUN DIR

Every pattern of one and two bytes, and random ones and the ends of larger types,
go in as raw bytes; the text that comes out goes in again."""
import os
import random
import struct
import subprocess
import sys

ONE = ("i8", "ui8", "f8E5M2", "f8E4M3FN", "f8E4M3B11FNUZ")
TWO = ("i16", "ui16", "f16", "bf16")
LARGE = {"i32": 4, "ui32": 4, "i64": 8, "ui64": 8, "f32": 4, "f64": 8,
         "complex<f32>": 8, "complex<f64>": 16}
SHAPES = ((), (0,), (1,), (1, 1), (0, 3), (3, 0), (2, 0, 2), (2, 3, 4),
          (1, 1, 1, 1, 1, 7))


def numbers(dtype, size):
    """Bytes of 2000 elements: random, and those at the ends."""
    rng = random.Random(dtype)
    part = 4 if dtype in ("f32", "complex<f32>") else 8
    ends = [0, 1, 2 ** (8 * part - 1), 2 ** (8 * part) - 1,
            2 ** (8 * part - 1) - 1]
    if "f" in dtype:
        form = "<f" if part == 4 else "<d"
        reals = (0.0, -0.0, 1.0, 0.1, 1 / 3, float("inf"), float("-inf"),
                 float("nan"), 1e-38, 1.1754943508222875e-38, 5e-324,
                 3.4028234663852886e+38, 1e22, 123456789.0)
        parts = [struct.pack(form, value) for value in reals]
        parts += [end.to_bytes(part, "little") for end in ends]
        parts += [rng.randbytes(part) for _ in range(2000 * size // part)]
        return b"".join(parts)[:2000 * size]
    data = b"".join(end.to_bytes(size * 2, "little")[:size] for end in ends)
    return data + rng.randbytes(size * 1995)


def is_nan(dtype, data, at, size):
    """True when an element is NaN, or half of one is: its bits may change."""
    if dtype.startswith(("f8", "i", "u")) and not dtype.startswith("f8"):
        return False
    if dtype == "f8E5M2":
        return data[at] & 0x7f > 0x7c
    if dtype == "f8E4M3FN":
        return data[at] & 0x7f == 0x7f
    if dtype == "f8E4M3B11FNUZ":
        return data[at] == 0x80
    if dtype == "bf16":
        return int.from_bytes(data[at:at + 2], "little") & 0x7fff > 0x7f80
    form = {"f16": "<e", "f32": "<f", "f64": "<d", "complex<f32>": "<2f",
            "complex<f64>": "<2d"}[dtype]
    return any(x != x for x in struct.unpack(form, data[at:at + size]))


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)[:300]}: {result.stderr[:1000]}")
    return result.stdout


def compare(dtype, size, before, after):
    assert len(before) == len(after), dtype
    for at in range(0, len(before), size):
        if before[at:at + size] != after[at:at + size] and not (
                is_nan(dtype, before, at, size) and
                is_nan(dtype, after, at, size)):
            sys.exit(f"{dtype}: {before[at:at + size]} became "
                     f"{after[at:at + size]}")


class Way:
    def __init__(self, jitrun, folder):
        self.jitrun, self.folder, self.count = jitrun, folder, 0
        self.flags = os.path.join(folder, "flags")
        self.raw = os.path.join(folder, "raw.bin")
        self.out = os.path.join(folder, "out.bin")
        self.program = os.path.join(folder, "id.so")

    def compile(self, dtypes):
        source = os.path.join(self.folder, "id.mlir")
        with open(source, "w", encoding="utf-8") as file:
            for i, dtype in enumerate(dtypes):
                for rank in range(7):
                    kind = f"memref<{'?x' * rank}{dtype}>"
                    file.write(f"func.func @f{i}_{rank}(%x: {kind} "
                               f"{{jitrun.output}}) {{\n  return\n}}\n")
        run(self.jitrun, "compile", source, "-o", self.program)

    def check(self, entry, dtype, size, shape, data):
        kind = "".join(f"{dim}x" for dim in shape) + dtype
        with open(self.raw, "wb") as file:
            file.write(data)
        entry = f"--entry={entry}_{len(shape)}"
        text = run(self.jitrun, self.program, entry, "--full",
                   f"--input={kind}@{self.raw}").strip()
        assert text.startswith("arg[0]: "), text
        with open(self.flags, "w", encoding="utf-8") as file:
            file.write(f"--input={text[8:]}\n")
        again = run(self.jitrun, self.program, entry, "--full",
                    f"--flagfile={self.flags}", f"--output=@{self.out}",
                    f"--expect={kind}@{self.raw}", "--atol=0", "--rtol=0")
        assert again == "", again
        with open(self.out, "rb") as file:
            compare(dtype, size, data, file.read())
        self.count += 1


def main():
    way = Way(*sys.argv[1:])
    sizes = {**{name: 1 for name in ("i1", "i4", "ui4") + ONE},
             **{name: 2 for name in TWO}, **LARGE}
    way.compile(sizes)
    for i, (dtype, size) in enumerate(sizes.items()):
        limited = {"i1": bytes([0, 1] * 8), "ui4": bytes(range(16)),
                   "i4": bytes(range(8)) + bytes(range(248, 256))}
        if dtype in limited:
            data = limited[dtype]
        elif size == 1:
            data = bytes(range(256))
        elif size == 2:
            data = b"".join(struct.pack("<H", x) for x in range(65536))
        else:
            data = numbers(dtype, size)
        way.check(f"f{i}", dtype, size, (len(data) // size,), data)
        for shape in SHAPES:
            count = 1
            for dim in shape:
                count *= dim
            part = (data * (1 + count * size // len(data)))[:count * size]
            way.check(f"f{i}", dtype, size, shape, part)
    print(f"{way.count} values as they were")


main()

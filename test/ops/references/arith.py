# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of arith.mlir. Python's integers have no width, so they are computed
with and then wrapped."""
import math

import numpy as np

from values import bf16, entry, f32, i32


def wrap(values, dtype):
    """Exact integers, reduced to the width of a dtype."""
    bits = np.dtype(dtype).itemsize * 8
    low = [(int(v) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
           for v in values]
    return np.array(low, dtype)


def quotient(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def int_rows(a, b, dtype):
    bits = np.dtype(dtype).itemsize * 8
    s = [(int(x), int(y)) for x, y in zip(a, b)]
    u = [(x % (1 << bits), y % (1 << bits)) for x, y in s]
    rows = [
        [x + y for x, y in s], [x - y for x, y in s], [x * y for x, y in s],
        [quotient(x, y) for x, y in s], [x // y for x, y in u],
        [-(-x // y) for x, y in s], [-(-x // y) for x, y in u],
        [x // y for x, y in s],
        [x - quotient(x, y) * y for x, y in s], [x % y for x, y in u],
        [x & y for x, y in s], [x | y for x, y in s], [x ^ y for x, y in s],
        [max(x, y) for x, y in s], [max(x, y) for x, y in u],
        [min(x, y) for x, y in s], [min(x, y) for x, y in u],
    ]
    return np.stack([wrap(row, dtype) for row in rows])


for dtype in (np.int8, np.int16, np.int32, np.int64):
    ends = np.iinfo(dtype)
    a = np.array([7, -7, 7, -7, ends.min, ends.max, ends.min, 0, ends.max, -1,
                  6, -6, 1], dtype)
    b = np.array([2, 2, -2, -2, 2, -1, ends.max, ends.min, ends.max, ends.max,
                  3, 3, ends.min], dtype)
    name = np.dtype(dtype).name.replace("int", "i")
    entry(f"int_{name}", [a, b, np.zeros((17, a.size), dtype)],
          [a, b, int_rows(a, b, dtype)])

for dtype in (np.int8, np.int32, np.int64):
    bits = np.dtype(dtype).itemsize * 8
    ends = np.iinfo(dtype)
    a = np.array([1, -1, ends.min, ends.max, 5, -5, 0, 100], dtype)
    b = np.array([0, 1, bits - 1, bits - 1, 2, 2, 3, 4], dtype)
    pairs = [(int(x), int(y)) for x, y in zip(a, b)]
    rows = [[x << y for x, y in pairs], [x >> y for x, y in pairs],
            [(x % (1 << bits)) >> y for x, y in pairs]]
    entry(f"shift_i{bits}", [a, b, np.zeros((3, 8), dtype)],
          [a, b, np.stack([wrap(row, dtype) for row in rows])])

a = i32(1, -1, -2**31, 2**31 - 1, 65536, -65536, 123456789, 0)
b = i32(2, -1, -2**31, 2**31 - 1, 65536, 65536, -987654321, -5)
s = [(int(x), int(y)) for x, y in zip(a, b)]
u = [(x % 2**32, y % 2**32) for x, y in s]
entry("extended",
      [a, b, np.zeros((3, 8), np.int32), np.zeros((2, 8), np.int32),
       np.zeros(8, bool)],
      [a, b,
       np.stack([wrap([x + y for x, y in u], np.int32),
                 wrap([x * y for x, y in s], np.int32),
                 wrap([x * y for x, y in u], np.int32)]),
       np.stack([wrap([x * y >> 32 for x, y in s], np.int32),
                 wrap([x * y >> 32 for x, y in u], np.int32)]),
       np.array([x + y >= 2**32 for x, y in u])])

nan, inf = float("nan"), float("inf")
for dtype in (np.float64, np.float32, np.float16, bf16):
    a = np.array([1.5, -1.5, 3, nan, 2, inf, -inf, 0.25, -7, nan], dtype)
    b = np.array([2, 4, -0.5, 1, nan, 2, 2, 0.125, 3, nan], dtype)
    with np.errstate(all="ignore"):
        x, y = a.astype(np.float64), b.astype(np.float64)
        rows = [x + y, x - y, x * y, x / y, np.fmod(x, y),
                np.maximum(x, y), np.minimum(x, y), np.fmax(x, y),
                np.fmin(x, y), -x, np.where(x < y, x, y)]
    name = {"float64": "f64", "float32": "f32", "float16": "f16",
            "bfloat16": "bf16"}[np.dtype(dtype).name]
    entry(f"float_{name}", [a, b, np.zeros((11, a.size), dtype)],
          [a, b, np.stack(rows).astype(dtype)])

a = i32(1, -1, 5, -2**31, 2**31 - 1, 0, -7, 3)
b = i32(2, 1, 5, 2**31 - 1, -2**31, -1, -7, -3)
ua, ub = a.view(np.uint32), b.view(np.uint32)
entry("cmpi", [a, b, np.zeros((10, 8), bool)],
      [a, b, np.stack([a == b, a != b, a < b, a <= b, a > b, a >= b,
                       ua < ub, ua <= ub, ua > ub, ua >= ub])])

a = f32(1, 2, 3, nan, 0.0, inf, -inf, nan)
b = f32(2, 2, 1, 1, -0.0, inf, 0, nan)
either = np.isnan(a) | np.isnan(b)
no = np.zeros(8, bool)
entry("cmpf", [a, b, np.zeros((16, 8), bool)],
      [a, b, np.stack([
          no, a == b, a > b, a >= b, a < b, a <= b, (a != b) & ~either,
          ~either, (a == b) | either, (a > b) | either, (a >= b) | either,
          (a < b) | either, (a <= b) | either, a != b, either, ~no])])

a = np.array([0, 1, -1, 127, -128, 64, -65, 3], np.int8)
wide = a.astype(np.int64)
byte = a.view(np.uint8).astype(np.int64)
results = [a, wide.astype(np.int32), byte.astype(np.int32),
           wide.astype(np.int16), (wide & 1).astype(bool), wide, byte, a]
entry("int_casts", [a] + [np.zeros_like(r) for r in results[1:]], results)

a = i32(0, 1, -1, 100, -100, 2**31 - 1, -2**31, 16777217)
results = [a, a.astype(np.float32), a.view(np.uint32).astype(np.float64),
           a.astype(np.float32).astype(np.int64),
           a.view(np.uint32).astype(np.int64),
           a.astype(np.float32).astype(bf16), a]
entry("int_float", [a] + [np.zeros_like(r) for r in results[1:]], results)

a = np.arange(-8, 8).astype(np.int8)
b = np.array([1, 3, -8, 7, 2, -1, 5, 5, -3, 7, -8, 0, 1, 6, -7, 7], np.int8)


def nibble(values):
    return ((values.astype(np.int32) + 8) % 16 - 8).astype(np.int8)


product = nibble(a.astype(np.int32) * b)
entry("int_i4",
      [a, b] + [np.zeros(16, np.int8)] * 2 + [np.zeros(16, np.int32)] * 2,
      [a, b, nibble(a.astype(np.int32) + b), product, product.astype(np.int32),
       (product.astype(np.int32) % 16)])

a = np.array([False, False, True, True])
b = np.array([False, True, False, True])
# As signed numbers, true is -1.
entry("int_i1", [a, b] + [np.zeros(4, bool)] * 7,
      [a, b, a ^ b, a & b, a ^ b, a | b, a & b, a & b, a & b])

a = i32(7, -7, 7, -7, 100, 0, -1, 2**31 - 1)
b = i32(2, 2, -2, -2, 7, 5, 5, 3)
floor = [int(x) // int(y) for x, y in zip(a, b)]
rem = [int(math.fmod(x, y)) for x, y in zip(a, b)]
entry("vectors", [a, b, i32(*[0] * 8)],
      [a, b, i32(*[min(q, r) + 7 for q, r in zip(floor, rem)])])

entry("scalars", [np.int64(-5), np.float32(2.5), np.bool_(True)],
      [np.int64(25), np.float32(-2.5), np.bool_(False), np.int64(-5)])

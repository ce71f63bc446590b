# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of index.mlir: index is 64 bits wide."""
import numpy as np

from values import entry

ENDS = np.iinfo(np.int64)


def wrap(values):
    return [(int(v) + 2**63) % 2**64 - 2**63 for v in values]


def quotient(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


a = np.array([7, -7, 7, -7, ENDS.min, ENDS.max, 0, 6, -6])
b = np.array([2, 2, -2, -2, 2, -1, ENDS.min, 3, 3])
s = [(int(x), int(y)) for x, y in zip(a, b)]
u = [(x % 2**64, y % 2**64) for x, y in s]
rows = [
    [x + y for x, y in s], [x - y for x, y in s], [x * y for x, y in s],
    [x & y for x, y in s], [x | y for x, y in s], [x ^ y for x, y in s],
    [quotient(x, y) for x, y in s], [x // y for x, y in u],
    [-(-x // y) for x, y in s], [-(-x // y) for x, y in u],
    [x // y for x, y in s], [x - quotient(x, y) * y for x, y in s],
    [x % y for x, y in u], [max(x, y) for x, y in s], [max(x, y) for x, y in u],
    [min(x, y) for x, y in s], [min(x, y) for x, y in u],
]
entry("binary", [a, b, np.zeros((17, 9), np.int64)],
      [a, b, np.array([wrap(row) for row in rows])])

a = np.array([1, -1, ENDS.min, ENDS.max, 5, -5, 0, 100])
b = np.array([0, 1, 63, 63, 2, 2, 3, 4])
s = [(int(x), int(y)) for x, y in zip(a, b)]
rows = [[x << y for x, y in s], [x >> y for x, y in s],
        [x % 2**64 >> y for x, y in s]]
entry("shifts", [a, b, np.zeros((3, 8), np.int64)],
      [a, b, np.array([wrap(row) for row in rows])])

a = np.array([1, -1, 5, ENDS.min, ENDS.max, 0, -7, 3])
b = np.array([2, 1, 5, ENDS.max, ENDS.min, -1, -7, -3])
ua, ub = a.view(np.uint64), b.view(np.uint64)
entry("cmp", [a, b, np.zeros((10, 8), bool)],
      [a, b, np.stack([a == b, a != b, a < b, a <= b, a > b, a >= b,
                       ua < ub, ua <= ub, ua > ub, ua >= ub])])

entry("casts", [np.int32(-3), np.int64(-2**40 - 5)],
      [np.int64(-3), np.int64(2**32 - 3), np.int32(-5), np.int64(-2**40 - 5),
       np.int8(-5), np.int64(64), np.bool_(True)])

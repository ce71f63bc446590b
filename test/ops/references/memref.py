# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of memref.mlir."""
import numpy as np

from values import entry, f32, i32, noise, ramp

entry("globals", [np.int64(1), np.int64(2)], [np.int32(6), np.int64(7)])
i = np.arange(5)
entry("alloc", [np.int64(5), np.zeros(5, np.int64)],
      [np.int64(5), i * i + i])
entry("alloca_scope", [np.int64(1000)], [np.int64(499500)])
a, b = noise(8), noise(8, seed=1)
entry("assume", [a, b, np.zeros_like(a)], [a, b, a * b])

a = i32(5, -3, 12, 7, -9, 2)
f = f32(0.5, -2, 8, 1, -0.25, 4)
u = a.view(np.uint32)
entry("atomic", [a, f, i32(0, -1, 0, 0, 0, -1, 0, 0, 1),
                 f32(0, 0, 0, 0, 0, 1)],
      [a, f,
       i32(a.sum(), np.bitwise_and.reduce(a), 12,
           u.max().view(np.int32), -9, u.min().view(np.int32),
           np.bitwise_or.reduce(a), a[-1],
           1 ^ np.bitwise_xor.reduce(a)),
       f32(f.sum(), 8, -2, 8, -2, f[-1])])

total = 1
for x in i32(1, -2, 3, 0, -1, 2):
    total = total * total + int(x)
entry("generic_atomic", [i32(1, -2, 3, 0, -1, 2), i32(1)],
      [i32(1, -2, 3, 0, -1, 2),
       i32((total + 2**31) % 2**32 - 2**31)])

a = noise(4, 6)
entry("casts", [a, np.zeros_like(a)], [np.int64(2), np.int64(6), np.int64(4)])

a, b = ramp(2, 3, 4), ramp(12, 4)
results = [a, b, np.int64(6), a.reshape(24), a.reshape(2, 3, 2, 2),
           b.reshape(2, 6, 4)]
entry("reshapes", results[:3] + [np.zeros_like(r) for r in results[3:]],
      results)
a = ramp(4, 6)
shape = np.array([2, 3, 4])
entry("reshape_shape", [a, shape, np.zeros((2, 3, 4), np.float32)],
      [a, shape, a.reshape(2, 3, 4)])

a = ramp(6, 8)
results = [a, np.int64(3), a[1:5:2, 2:8:2], a[3, 0:8:2],
           np.stack([a[3, 3:5], a[0, 0:2]])]
results[4] = np.stack([a[2, 2:4], a[4, 2:4]])
results[1], results[3] = np.int64(2), a[2, 0:8:2]
entry("subviews", results[:2] + [np.zeros_like(r) for r in results[2:]],
      results)

a = ramp(16)
i, j = np.indices((2, 3))
entry("reinterpret",
      [a, np.zeros((2, 3), np.float32), np.zeros((2, 2), np.float32),
       np.int64(5)],
      [a, a[10 - 3 * i - j], np.array([a[5:7], a[10:12]])])

a = ramp(3, 5)
entry("transpose", [a, np.zeros((5, 3), np.float32)], [a, a.T])
a = noise(16)
entry("view", [a.view(np.int8), np.int64(8), np.zeros((2, 3), np.float32)],
      [a.view(np.int8), np.int64(8), a[2:8].reshape(2, 3)])
a = ramp(3, 5, start=7)
entry("metadata", [a],
      [np.int64(3), np.int64(5), np.int64(5), np.int64(1), np.float32(7)])
entry("address", [noise(4)], [np.int64(0)])
entry("realloc", [np.int64(4), np.int64(100)], [np.int32(42)])
a = noise(4)
entry("memory_space", [a, np.zeros_like(a)], [a, a])
values = [np.zeros((0, 3), np.float32), np.float64(2.5),
          np.array([True, False, True]), np.array([-8, 7, 1], np.int8)]
entry("sizes", values, values)
entry("returned", [np.int64(4)],
      [np.repeat(np.arange(4, dtype=np.int32), 2).reshape(4, 2), i32(0, 1, 2)])

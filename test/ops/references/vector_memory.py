# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of vector_memory.mlir."""
import numpy as np

from values import entry, noise, ramp

a = noise(3, 5) > 0
some = np.zeros(8, bool)
some[1:5] = a[1, 1:5]
loaded = np.where(a[0], a[1], [True, False, True, False, True])
packed = np.zeros(8, bool)
packed[:a[0].sum()] = loaded[a[0]]
entry("bits", [a, np.zeros((5, 3), bool), np.zeros(8, bool), np.zeros(8, bool)],
      [a, ~a.T, some, packed])

a = noise(2, 4, dtype=np.int8, low=-40, high=40)
entry("nibbles", [a, np.zeros_like(a)],
      [a, (((a & 15) ^ 8) - 8).astype(np.int8)])

m = np.array([1, 0, 1, 1, 0, 0, 1, 0], bool)
x = ramp(2, 4, start=1)
mask = np.array([[1, 1, 0, 1], [0, 1, 1, 0]], bool)
entry("masks", [m, x, np.zeros_like(x)],
      [m, x, np.where(mask, 2 * np.where(m.reshape(2, 4), x, -1), 0)
       .astype(np.float32)])

a = ramp(3, 2, start=1)
mask = np.array([[1, 0, 1], [1, 1, 0]], bool)
out = np.zeros((2, 2, 3), np.float32)
out[:, 1] = np.where(mask, a.T, 0)
entry("skip", [a, mask, np.zeros_like(out)], [a, mask, out])

a = ramp(3, 2, 4, start=1)
i, j, k = 2, 1, 3
out = a.copy()
out[0, j, k] = a[i, j, k]
out[j, 0] = a[i, 1]
out[i] = a[j]
row, plane = a[i, 1].copy(), a[j].copy()
at = np.int64(i), np.int64(j), np.int64(k)
results = [a[i:i + 1, j, k].copy(), row, plane, out]
entry("positions", [a, *at] + [np.zeros_like(r) for r in results],
      [a, *at] + results)

a = ramp(4, 8)
entry("affine", [a, np.zeros_like(a)], [a, 2 * a])

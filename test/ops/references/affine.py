# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of affine.mlir."""
import numpy as np

from values import entry, noise

a, b = noise(5, 7), noise(7, 3, seed=1)
entry("matmul", [a, b, np.zeros((5, 3), np.float32)], [a, b, a @ b])

out = np.full(10, -1)
out[[0, 2, 4]] = [0, 2, 4]
entry("bounds", [np.int64(3), np.full(10, -1)], [np.int64(3), out])

i, n = 7, 20
d = i - n
entry("apply", [np.int64(i), np.int64(n)],
      [np.int64(v) for v in (4 * i + n, min(i, n - i, 100),
                             max(i % 3, n // 2, -(-i // 5)),
                             d // 4 + d % 4 * 10 - (-d // 4) * 100)])

a = noise(4, 4)
i, j = np.indices((4, 4))
entry("if", [a, np.zeros_like(a)],
      [a, np.where((i - j >= 0) & (i + j - 2 >= 0), a, -a)])

a = noise(6, 8)
entry("parallel", [a, np.zeros_like(a)], [a.sum(), a.max()])

entry("linear", [np.int64(100), np.int64(6)],
      [np.int64(v) for v in (3, 1, 4, 100, 10)])

a = noise(4, 8)
entry("vectors", [a, np.zeros_like(a)], [a, 2 * a[::-1]])

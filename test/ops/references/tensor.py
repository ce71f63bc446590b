# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of tensor.mlir."""
import numpy as np

from values import entry, f32, i32, noise, ramp

a = np.float32(2.5)
two = np.full((2, 3), a, np.float32)
two[1, 0] = 5
entry("elements", [a, np.int64(1)],
      [f32(a, 5, 5, a).reshape(2, 2), two, np.float32(5), np.int64(2),
       np.int64(3)])
i, j = np.indices((4, 3))
entry("generate", [np.int64(4)], [10 * i + j, f32(2, 2, 2, 2)])
a, b = noise(2, 3), noise(4)
entry("casts", [a, b.view(np.int32)], [a, b])

a, b = ramp(6, 8), noise(2, 3)
row = a[2, :8:2]
scattered, column = a.copy(), a.copy()
scattered[2:6:2, 2:5] = b
column[:4, 2] = row
entry("slices", [a, b, np.int64(2)], [a[1:5:2, 2:8:2], row, scattered, column])

a, b = ramp(2, 3, 4), ramp(10, 4)
entry("shapes", [a, b, np.int64(5), np.array([4, 2, 3])],
      [a.reshape(6, 4), a.reshape(2, 3, 2, 2), b.reshape(2, 5, 4),
       a.reshape(4, 2, 3)])

a, b = ramp(2, 3), ramp(3, 3)
dynamic = np.repeat(np.arange(5, dtype=np.float32)[:, None], 4, 1)
dynamic[2:, :3] = b
entry("pad", [a, b, np.int64(2)],
      [np.pad(a, ((1, 1), (2, 1)), constant_values=-1), dynamic])
a, b, c = ramp(2, 3), noise(2, 1), noise(5, 3)
entry("concat", [a, b, c], [np.hstack([a, b]), np.vstack([a, c])])
entry("empty", [np.int64(7)], [np.zeros((0, 3), np.float32), np.int64(7)])
entry("constants", [np.int64(1)],
      [i32(1, 2, 3, 4, 5, 6).reshape(2, 3), np.full(3, 0.5), np.int32(5),
       np.int64(-7)])
a, b = noise(5), noise(5, seed=1)
entry("elementwise", [a, b], [np.where(a < b, np.abs(a + b), b), a < b])
a = noise(4)
entry("buffers", [a, np.zeros_like(a)], [2 * a])
entry("to_buffer", [a], [a[2]])
entry("dealloc", [np.bool_(True), a], [np.float32(3)])

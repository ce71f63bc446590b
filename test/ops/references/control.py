# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of control.mlir."""
import numpy as np

from values import entry, f32, i32, noise

entry("calls", [np.int64(15)], [np.int64(610), np.int64(225)])
entry("branches", [np.int64(1071), np.int64(462)], [np.int64(21)])
entry("switches", [i32(3, -7, 0, 5, -2), i32(*[9] * 5)],
      [i32(3, -7, 0, 5, -2), i32(100, 10000, 0, 25, 4)])
entry("asserts", [np.int32(5)], [np.int32(5)])
entry("unreachable", [np.int32(5)], [np.int32(5)])
entry("poison", [np.int32(5), np.bool_(True)], [np.int32(5)])
entry("for", [np.int64(20), np.int64(3)], [np.int64(63), np.int64(7)])
entry("for_i32", [np.int32(-3), np.int32(5)], [np.int32(0)])
entry("while", [np.int64(27)], [np.int64(111)])
entry("execute_region", [np.int64(-8)], [np.int64(8)])
entry("index_switch", [np.array([5, 2, 3, -1]), i32(0, 0, 0, 0)],
      [np.array([5, 2, 3, -1]), i32(50, 20, -1, -1)])

a = noise(4, 6)
out = np.zeros_like(a)
out[:, ::2] = 2 * a[:, ::2]
entry("parallel", [a, np.zeros_like(a)], [a[:, 1].sum()])
out = -a
out[1::2, 0] = a[1::2, 0]
entry("forall", [a, np.zeros_like(a)], [a, out])
entry("forall_tensor", [a], [2 * a])
a = f32(1, -2, 3)
entry("loop_tensor", [a, np.int64(4), np.bool_(True)], [5 * a])

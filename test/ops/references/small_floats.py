# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of small_floats.mlir."""
import ml_dtypes
import numpy as np

from values import bf16, entry, f32, f8e4m3, f8e5m2

inf = float("inf")
np.seterr(all="ignore")

a = np.array([0, 1, -1.5, 0.1, 300, -17.3, 2**-10, 448, 1e-9, 65504, inf,
              1 + 2**-11 + 2**-40])
small = [a.astype(t) for t in (np.float32, np.float16, bf16, f8e4m3, f8e5m2)]
# What does not fit: MLIR's f8E4M3FN has no infinity, large values become NaN.
back = [s.astype(np.float64) for s in small]
entry("float_casts",
      [a] + [np.zeros_like(s) for s in small + back], [a] + small + back)

a = f32(1, -3, 24, 0.5, 448, 0)
scale = np.array([127, 128, 130, 120, 127, 127], np.uint8)
power = 2.0 ** (scale.astype(np.float64) - 127)
small = (a / power).astype(f8e4m3)
entry("scaling",
      [a, scale.view(np.int8), np.zeros(6, f8e4m3), np.zeros(6, np.float32)],
      [a, scale.view(np.int8), small, (small.astype(np.float64) * power).astype(np.float32)])

a = np.array([1, 2, -3, 0.5, 448, 0.01, 100, -8], f8e4m3)
b = np.array([3, 0.125, 7, 9, 448, 0.02, 13, 1], f8e4m3)
x, y = a.astype(np.float32), b.astype(np.float32)
out = [x + y, x * np.float32(1.5), np.maximum(x, y), np.sqrt(y),
       np.where(x < y, x, y)]
entry("arithmetic", [a, b, np.zeros((5, 8), f8e4m3)],
      [a, b, np.stack(out).astype(f8e4m3)])

a = np.array([[1, 2.6, -3.1, 1e9], [0, 1e-5, -60000, 5]], np.float32)
small = a.astype(f8e5m2)
entry("vectors", [a, np.zeros((2, 4), f8e5m2), np.zeros_like(a)],
      [a, small, small.astype(np.float32)])

a = np.arange(256, dtype=np.uint8)
fn, ieee = a.view(f8e4m3), a.view(f8e5m2)
zeros = np.zeros(256, np.float32)
entry("all_bits",
      [a.view(np.int8), zeros, zeros, zeros.astype(f8e4m3),
       zeros.astype(f8e5m2)],
      [a.view(np.int8), fn.astype(np.float32), ieee.astype(np.float32), fn,
       ieee])

f8b11 = ml_dtypes.float8_e4m3b11fnuz
steps = [2.0**-17, 2.0**-10, 2.0**-9, 2.0**-7, 1, 16, 30, 256, 448, 464, 57344,
         61440, 1e300]
a = np.array([s * f for s in steps
              for f in (1, 1.0625, 1.0625 + 2**-40, 1.1875, 1.125, -1.3125)])
results = [a, a.astype(f8e4m3), a.astype(f8e5m2), a.astype(f8b11)]
entry("rounding", [a] + [np.zeros_like(r) for r in results[1:]], results)

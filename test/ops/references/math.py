# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of math.mlir."""
import math

import numpy as np

from values import bf16, entry, f32

inf, nan = float("inf"), float("nan")
np.seterr(all="ignore")

UNARY = [np.abs, np.arccos, np.arcsin, np.arctan, np.cbrt, np.ceil, np.cos,
         np.vectorize(math.erf), np.vectorize(math.erfc), np.exp, np.exp2,
         np.expm1, np.floor, np.log1p,
         lambda x: np.trunc(x + np.copysign(0.5, x)), np.round, np.sin, np.sinh,
         np.cosh, np.arcsinh, np.arctanh, np.tan, np.tanh, np.trunc]
POSITIVE = [np.arccosh, np.log, np.log10, np.log2, lambda x: 1 / np.sqrt(x),
            np.sqrt]
KINDS = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": bf16}


def rows(functions, *values):
    wide = [v.astype(np.float64) for v in values]
    return np.stack([f(*wide) for f in functions]).astype(values[0].dtype)


for name, dtype in KINDS.items():
    a = np.array([0, 0.5, -0.5, 0.25, -0.875, 0.0625], dtype)
    entry(f"unary_{name}", [a, np.zeros((24, 6), dtype)], [a, rows(UNARY, a)])
    a = np.array([1, 2, 10, 100], dtype)
    entry(f"positive_{name}", [a, np.zeros((6, 4), dtype)],
          [a, rows(POSITIVE, a)])

for name in ("f64", "f32"):
    a = np.array([0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, -0.0, 8388609,
                  -8388608.5, inf, -inf, nan, 3], KINDS[name])
    wide = a.astype(np.float64)
    up = np.array([v if not math.isfinite(v) else
                   math.copysign(math.floor(abs(v) + 0.5), v) for v in wide])
    up[6] = 0  # 0.49999997 + 0.5 is below 1 in f64
    out = [np.ceil(wide), np.floor(wide), up, np.round(wide), np.trunc(wide),
           np.abs(wide)]
    entry(f"round_{name}", [a, np.zeros((6, 14), a.dtype)],
          [a, np.stack(out).astype(a.dtype)])

for dtype in (np.int8, np.int32, np.int64):
    bits = np.dtype(dtype).itemsize * 8
    ends = np.iinfo(dtype)
    a = np.array([0, 1, -1, ends.max, ends.min + 1, 40, -40, 6], dtype)
    texts = [f"{int(v) % (1 << bits):0{bits}b}" for v in a]
    out = [np.abs(a),
           [len(t) - len(t.lstrip("0")) for t in texts],
           [t.count("1") for t in texts],
           [len(t) - len(t.rstrip("0")) for t in texts]]
    entry(f"bits_i{bits}", [a, np.zeros((4, 8), dtype)],
          [a, np.array(out).astype(dtype)])

for name in ("f64", "f32", "f16"):
    a = np.array([0.5, 1, 2, 3, 1.5, 0.25], KINDS[name])
    b = np.array([2, -1, 0.5, -2, 0, 3], KINDS[name])
    functions = [np.arctan2, np.copysign, np.power, lambda x, y: x * y + x]
    entry(f"binary_{name}", [a, b, np.zeros((4, 6), a.dtype)],
          [a, b, rows(functions, a, b)])

a = f32(-5, -1, 0, 1.5, 2, 7)
entry("clamp", [a, np.zeros_like(a)], [a, np.clip(a, -1, 2)])

a = np.array([2, -2, 0.5, 3, 1, -1, 10, 1.5])
b = np.array([10, 3, -4, 0, -7, 7, -2, 5], np.int32)
c = np.array([2, -2, 1, 3, -1, -1, -1, 7])
# Whole numbers: a negative power is 1, -1, or 0.
whole = [int(x) ** int(y) if y >= 0 else int(x) ** int(-y % 2 + 2)
         for x, y in zip(c, b)]
whole[2], whole[4], whole[6] = 1, -1, 1
power = [float(x) ** int(y) for x, y in zip(a, b)]
entry("powers",
      [a, b, c, np.zeros(8), np.zeros(8, np.float32), np.zeros(8, np.int64)],
      [a, b, c, np.array(power), f32(*power), np.array(whole)])

a = f32(0, 1, -1, 2.5, 100, -0.01)
entry("sincos", [a, np.zeros_like(a), np.zeros_like(a)],
      [a, np.sin(a), np.cos(a)])

a = f32(1, 0, -inf, inf, nan, 1e-40, -2, 1e-38)
normal = np.isfinite(a) & (np.abs(a) >= np.finfo(np.float32).tiny)
entry("classes", [a, np.zeros((4, 8), bool)],
      [a, np.stack([np.isfinite(a), np.isinf(a), np.isnan(a), normal])])

a = f32(0, 0.5, -0.5, 0.9)
entry("vectors", [a, np.zeros((24, 4), np.float32)], [a, rows(UNARY, a)])

a = np.array([[1, 2, 3, 4], [0.5, 7, 8, 9.0]])
b = np.array([[2, -1, 0.5, 3], [0, 1, -2, 0.25]])
entry("more_vectors", [a, b, np.zeros((4, 2, 4))],
      [a, b, np.stack([a ** b, np.log(a), 1 / np.sqrt(a), a * b + a])])

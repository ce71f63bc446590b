# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of complex.mlir."""
import numpy as np

from values import entry, f32, i32

UNARY = [np.conj, np.cos, np.exp, np.expm1, np.log, np.log1p, np.negative,
         lambda z: 1 / np.sqrt(z), lambda z: z / np.abs(z), np.sin, np.sqrt,
         np.tan, np.tanh]


def atan2(y, x):
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


BINARY = [np.add, np.subtract, np.multiply, np.divide, np.power, atan2]

for name, dtype, part in (("f32", np.complex64, np.float32),
                          ("f64", np.complex128, np.float64)):
    a = np.array([1 + 1j, 0.5 - 2j, -1 + 0.25j, 2, 1.5j, -0.75 - 0.5j], dtype)
    z = a.astype(np.complex128)
    entry(f"unary_{name}",
          [a, np.zeros((13, 6), dtype), np.zeros((4, 6), part)],
          [a, np.stack([f(z) for f in UNARY]).astype(dtype),
           np.stack([np.abs(z), np.angle(z), z.real, z.imag]).astype(part)])
    b = np.array([2 - 1j, 0.5 - 2j, 1j, 0.5, -1 + 1j, 3], dtype)
    w = b.astype(np.complex128)
    entry(f"binary_{name}",
          [a, b, np.zeros((6, 6), dtype), np.zeros((2, 6), bool)],
          [a, b, np.stack([f(z, w) for f in BINARY]).astype(dtype),
           np.stack([a == b, a != b])])

a = np.array([1 + 1j, 0.5 - 2j, 2, 1.5j])
b = i32(3, -2, 0, 5)
entry("powi", [a, b, np.zeros(4, complex)],
      [a, b, np.array([x ** int(y) for x, y in zip(a, b)])])

re, im = f32(1, -2, 0.5), f32(0, 3, -7)
whole = (re + 1j * im).astype(np.complex64)
entry("make", [re, im, np.zeros(3, np.complex64), np.zeros(3, np.int64)],
      [re, im, whole + np.complex64(1 - 2j), whole.view(np.int64)])

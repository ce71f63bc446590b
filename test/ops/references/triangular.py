# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

from values import entry

random = np.random.RandomState(0)


def numbers(*shape, dtype):
    a = random.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * random.standard_normal(shape)
    return a.astype(dtype)


def triangle(*shape, dtype):
    """Easy to solve, whichever triangle is taken."""
    return (numbers(*shape, dtype=dtype) / shape[-1] +
            2 * np.eye(shape[-1])).astype(dtype)


def wide(a):
    return a.astype(np.complex128 if np.iscomplexobj(a) else np.float64)


def solve(name, a, b, left=True, lower=True, transpose="none", unit=False):
    op = np.tril(wide(a)) if lower else np.triu(wide(a))
    if unit:
        op = op - op * np.eye(a.shape[-1]) + np.eye(a.shape[-1])
    if transpose != "none":
        op = np.swapaxes(op, -1, -2)
    if transpose == "adjoint":
        op = np.conj(op)
    if left:
        x = np.linalg.solve(op, wide(b))
    else:
        x = np.swapaxes(np.linalg.solve(np.swapaxes(op, -1, -2),
                                        np.swapaxes(wide(b), -1, -2)), -1, -2)
    entry(name, [a, b], [a, b, np.ascontiguousarray(x).astype(a.dtype)])


dtypes = (np.float32, np.complex128, np.float64, np.complex64)
index = 0
for left in (True, False):
    for lower in (True, False):
        for transpose in ("none", "transpose", "adjoint"):
            dtype = dtypes[index % 4]
            solve(f"{'left' if left else 'right'}_"
                  f"{'lower' if lower else 'upper'}_{transpose}",
                  triangle(9, 9, dtype=dtype),
                  numbers(*((9, 5) if left else (5, 9)), dtype=dtype),
                  left, lower, transpose, index % 3 == 1)
            index += 1

solve("blocks", triangle(150, 150, dtype=np.float64),
      numbers(150, 7, dtype=np.float64), lower=False)
solve("wide", triangle(66, 66, dtype=np.float32),
      numbers(66, 270, dtype=np.float32))
solve("complex_blocks", triangle(70, 70, dtype=np.complex128),
      numbers(3, 70, dtype=np.complex128), left=False)
solve("batch", triangle(2, 3, 4, 4, dtype=np.float64),
      numbers(2, 3, 4, 2, dtype=np.float64))
solve("dynamic", triangle(11, 11, dtype=np.float32),
      numbers(11, 3, dtype=np.float32))

a, b = triangle(6, 6, dtype=np.float64), numbers(4, 6, dtype=np.float64)
entry("turned", [a, b],
      [a, b, np.ascontiguousarray(np.linalg.solve(np.tril(a.T), b.T).T)])

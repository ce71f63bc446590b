# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

from values import entry

random = np.random.RandomState(0)


def positive(*shape, dtype):
    a = random.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * random.standard_normal(shape)
    a = a @ np.conj(np.swapaxes(a, -1, -2)) / shape[-1] + np.eye(shape[-1])
    return a.astype(dtype)


def wide(a):
    return a.astype(np.complex128 if np.iscomplexobj(a) else np.float64)


def factor(name, a, upper=False):
    lower = np.linalg.cholesky(wide(a))
    result = np.conj(np.swapaxes(lower, -1, -2)) if upper else lower
    entry(name, [a], [a, result.astype(a.dtype)])


factor("f32", positive(5, 5, dtype=np.float32))
factor("f64", positive(130, 130, dtype=np.float64))
factor("large", positive(270, 270, dtype=np.float32))
factor("c64", positive(2, 3, 7, 7, dtype=np.complex64))
factor("c128", positive(66, 66, dtype=np.complex128))
factor("one", positive(1, 1, dtype=np.float64))
factor("upper", positive(2, 66, 66, dtype=np.float64), upper=True)
factor("upper_complex", positive(9, 9, dtype=np.complex64), upper=True)

a = positive(6, 6, dtype=np.complex128)
entry("turned", [a], [a, np.linalg.cholesky(a.T).T])

a = np.stack([positive(3, 3, dtype=np.float32),
              -np.eye(3, dtype=np.float32)])
b = np.linalg.cholesky(wide(a[:1])).astype(np.float32)
entry("indefinite", [a], [a, np.concatenate([b, np.full_like(b, np.nan)])])

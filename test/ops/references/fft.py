# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

from values import entry

random = np.random.RandomState(0)


def real(*shape, dtype):
    return random.standard_normal(shape).astype(dtype) / 8


def numbers(*shape, dtype=np.complex64):
    return (real(*shape, dtype=np.float64) +
            1j * real(*shape, dtype=np.float64)).astype(dtype)


def transform(name, a, function, dtype=None):
    """Computed in f64."""
    wide = a.astype(np.complex128 if np.iscomplexobj(a) else np.float64)
    entry(name, [a], [a, function(wide).astype(dtype or a.dtype)])


def last(function, count):
    return lambda a: function(a, axes=tuple(range(a.ndim - count, a.ndim)))


def to_real(count, length):
    def function(a):
        sizes = a.shape[a.ndim - count:-1] + (length,)
        return np.fft.irfftn(a, sizes, tuple(range(a.ndim - count, a.ndim)))
    return function


for size in (1, 2, 15, 56, 61, 67, 300, 1001, 2048):
    transform(f"c64_{size}", numbers(size), np.fft.fft)
for size in (8, 128, 202, 1440):
    transform(f"c128_{size}", numbers(size, dtype=np.complex128), np.fft.fft)
transform("inverse_64", numbers(36), np.fft.ifft)
transform("inverse_128", numbers(131, dtype=np.complex128), np.fft.ifft)

transform("rows", numbers(37, 19), np.fft.fft)
transform("rows_long", numbers(5, 270, dtype=np.complex128), np.fft.fft)
transform("plane", numbers(21, 50), np.fft.fft2)
transform("space", numbers(2, 6, 9, 10, dtype=np.complex128),
          last(np.fft.ifftn, 3))
transform("columns", numbers(300, 40), np.fft.fft2)

for size in (1, 2, 9, 62, 134, 260, 201):
    transform(f"real_{size}", real(size, dtype=np.float32), np.fft.rfft,
              np.complex64)
    transform(f"to_real_{size}", numbers(size // 2 + 1, dtype=np.complex128),
              to_real(1, size), np.float64)
transform("real_rows", real(20, 12, dtype=np.float64), np.fft.rfft,
          np.complex128)
transform("to_real_rows", numbers(20, 7), to_real(1, 13), np.float32)
transform("real_space", real(3, 8, 6, 14, dtype=np.float32),
          last(np.fft.rfftn, 3), np.complex64)
transform("to_real_space", numbers(7, 6, 71, dtype=np.complex128),
          to_real(3, 140), np.float64)

transform("turned", numbers(33, 40), lambda a: np.fft.fft(a, axis=0))


def steps(name, a, view, function, b, to):
    """Through views of both."""
    wide = a.astype(np.complex128 if np.iscomplexobj(a) else np.float64)
    b[to] = function(wide[view])
    entry(name, [a], [a, b])


steps("steps", numbers(128, dtype=np.complex128), slice(None, None, -2),
      np.fft.fft, np.zeros(192, np.complex128), slice(1, None, 3))
steps("real_steps", real(180, dtype=np.float32), slice(0, None, 2),
      np.fft.rfft, np.zeros(92, np.complex64), slice(0, None, 2))
steps("to_real_steps", numbers(92), slice(0, None, 2),
      to_real(1, 90), np.zeros(180, np.float32), slice(0, None, 2))
transform("dynamic", numbers(14, 33), np.fft.fft2)
transform("dynamic_real", real(50, dtype=np.float64), np.fft.rfft,
          np.complex128)

a = numbers(6, 70, dtype=np.complex128)
entry("in_place", [np.zeros_like(a), a], [np.fft.fft2(a), a])

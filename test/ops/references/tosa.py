# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of tosa.mlir."""
import math

import numpy as np

from values import entry, f32, i32, noise, ramp

a = f32(0.5, 1, 2, 1.5, 3, 0.25).reshape(2, 3)
entry("unary", [a], [v.astype(np.float32) for v in (
    np.abs(a), np.ceil(a), np.cos(a), np.vectorize(math.erf)(a), np.exp(a),
    np.floor(a), np.log(a), 1 / a, 1 / np.sqrt(a), 1 / (1 + np.exp(-a)),
    np.sin(a), np.tanh(a), a)])
b = f32(2, 1, 0.5).reshape(1, 3)
entry("binary", [a, b],
      [a + b, a - b, np.maximum(a, b), np.minimum(a, b), a ** b, a * b, a == b,
       a > b, a >= b])

a, b = i32(7, -7, 100, 0, 2**30, -1), i32(2, 3, 7, 5, 1, 31)
s = [(int(x), int(y)) for x, y in zip(a, b)]


def wrap(values):
    return i32(*[(v + 2**31) % 2**32 - 2**31 for v in values])


entry("integers", [a, b],
      [a + b, a - b, a & b, a | b, a ^ b,
       wrap([math.trunc(x / y) for x, y in s]), wrap([x << y for x, y in s]),
       wrap([x % 2**32 >> y for x, y in s]), np.maximum(a, b),
       np.minimum(a, b), wrap([x * y for x, y in s]), ~a,
       wrap([32 - (x % 2**32).bit_length() for x, _ in s]), a >> b])

a = np.array([False, False, True, True])
b = np.array([False, True, False, True])
entry("logical", [a, b],
      [a & b, a | b, a ^ b, ~a, np.array([False]), np.array([True])])

c = np.array([[True, False, True], [False, False, True]])
a, b = noise(2, 3), noise(2, 3, seed=1)
entry("choose", [c, a, b],
      [np.where(c, a, b), np.clip(a, -1, 2), -a,
       a.argmax(1).astype(np.int32)])

a = noise(2, 3, 4)
entry("reductions", [a],
      [a.sum(1, keepdims=True), a.max(2, keepdims=True),
       a.min(0, keepdims=True), a.prod(1, keepdims=True)])

# Halves are rounded to even.
a, b = f32(0.5, 1.5, -2.5, 3.7, -3.2, 3e9), i32(0, 1, -5, 1000, 7, 2)
c = np.array([0, 1, -128, 127, 5, -5], np.int8)
entry("casts", [a, b, c],
      [i32(0, 2, -2, 4, -3, 2**31 - 1), b.astype(np.float32),
       c.astype(np.int32), b != 0,
       np.array([0.5, 1.5, -2.5, 3.7, -3.2, np.inf], np.float16)])

a, b = ramp(2, 3), noise(2, 1)
entry("shapes", [a, b],
      [np.hstack([a, b]), a.reshape(3, 2), a[:, ::-1], a[1:2, :2],
       np.tile(a, (2, 2)), a.T,
       np.pad(a, ((0, 1), (1, 2)), constant_values=9)])

a = noise(2, 4, 3)
i = i32(3, 0, 1, 1, 2, 2, 2, 0, 3, 1).reshape(2, 5)
entry("gather", [a, i], [np.stack([a[n, i[n]] for n in range(2)])])
i, b = i32(3, 0, 1, 2).reshape(2, 2), noise(2, 2, 3, seed=1)
out = a.copy()
for n in range(2):
    out[n, i[n]] = b[n]
entry("scatter", [a, i, b], [out])

table = np.random.RandomState(3).randint(-128, 128, 256).astype(np.int8)
a = np.array([-128, 0, 127, -1], np.int8)
entry("table", [a, table], [table[a.astype(np.int32) + 128]])

a, b = noise(2, 3, 5), noise(2, 5, 4, seed=1)
entry("matmul", [a, b], [a @ b])


def conv2d(x, k, bias, stride):
    """x is padded; weights are [feature, height, width, channel]."""
    sizes = [(x.shape[d] - k.shape[d]) // stride[d - 1] + 1 for d in (1, 2)]
    out = np.zeros((x.shape[0], *sizes, k.shape[0]), x.dtype)
    for i, j in np.ndindex(*sizes):
        part = x[:, i * stride[0]:, j * stride[1]:]
        part = part[:, :k.shape[1], :k.shape[2]]
        out[:, i, j] = np.einsum("nhwc,fhwc->nf", part, k) + bias
    return out


x, k, bias = noise(1, 5, 7, 3), noise(2, 2, 3, 3, seed=1), noise(2, seed=2)
around = ((0, 0), (1, 1), (1, 1), (0, 0))
entry("conv2d", [x, k, bias], [conv2d(np.pad(x, around), k, bias, (1, 2))])
shifted = np.pad(x.astype(np.int32) - 3, around)
entry("conv2d_i8", [x.astype(np.int8), k.astype(np.int8),
                    bias.astype(np.int32)],
      [conv2d(shifted, k.astype(np.int32), bias.astype(np.int32), (1, 2))])

k, bias = noise(2, 3, 3, 2, seed=1), noise(6, seed=2)
out = np.zeros((1, 4, 5, 6), np.float32)
for i, j in np.ndindex(4, 5):
    part = np.einsum("hwc,hwcm->cm", x[0, i:i + 2, j:j + 3], k)
    out[0, i, j] = part.reshape(6) + bias
entry("depthwise", [x, k, bias], [out])

x, k = noise(1, 3, 4, 5, 2), noise(3, 2, 2, 2, 2, seed=1)
bias = noise(3, seed=2)
out = np.zeros((1, 2, 3, 4, 3), np.float32)
for d, i, j in np.ndindex(2, 3, 4):
    part = x[0, d:d + 2, i:i + 2, j:j + 2]
    out[0, d, i, j] = np.einsum("dhwc,fdhwc->f", part, k) + bias
entry("conv3d", [x, k, bias], [out])

x, k = noise(1, 3, 4, 2), noise(3, 2, 2, 2, seed=1)
out = np.zeros((1, 6, 8, 3), np.float32) + bias
for i, j in np.ndindex(3, 4):
    out[0, 2 * i:2 * i + 2, 2 * j:2 * j + 2] += np.einsum(
        "c,fhwc->hwf", x[0, i, j], k)
entry("transpose_conv2d", [x, k, bias], [out])

x = noise(1, 4, 6, 3)
parts = x.reshape(1, 2, 2, 3, 2, 3)
entry("pools", [x], [parts.max((2, 4)), parts.mean((2, 4))])

x = noise(1, 2, 3, 1)
# The place of output i is i / 2; the nearest of a half is the upper one.
rows, columns = [0, 1, 1, 1], [0, 1, 1, 2, 2, 2]
nearest = x[:, rows][:, :, columns]
tall = np.stack([x[:, 0], (x[:, 0] + x[:, 1]) / 2, x[:, 1]], 1)
both = np.stack([tall[:, :, 0], (tall[:, :, 0] + tall[:, :, 1]) / 2,
                 tall[:, :, 1], (tall[:, :, 1] + tall[:, :, 2]) / 2,
                 tall[:, :, 2]], 2)
entry("resize", [x], [nearest, both])

a = i32(0, 2, -2, 10, 100, -100)
entry("rescale", [a],
      [np.clip(a * 1.5 + 7, -128, 127).astype(np.int8),
       (a * 1.5).astype(np.int32)])

re, im = noise(1, 4, 8), noise(1, 4, 8, seed=1)
whole = np.fft.fft2(re + 1j * im)
half = np.fft.rfft2(re)
entry("fft", [re, im], [v.astype(np.float32) for v in (
    whole.real, whole.imag, half.real, half.imag)])

a, b = noise(4), noise(4, seed=1)
entry("cond_if", [np.bool_(False), a, b], [a - b])
entry("while_loop", [i32(3)], [i32(192)])

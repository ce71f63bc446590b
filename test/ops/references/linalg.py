# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of linalg.mlir."""
import math

import numpy as np

from values import bf16, entry, f32, i32, noise, ramp

erf = np.vectorize(math.erf)

a = f32(0.5, 1, 2, 1.5, 3, 0.25).reshape(2, 3)
entry("unary", [a], [v.astype(np.float32) for v in (
    np.exp(a), np.log(a), np.abs(a), np.ceil(a), np.floor(a), -a, 1 / a,
    np.floor(a + 0.5), np.sqrt(a), 1 / np.sqrt(a), a * a, np.tanh(a), erf(a))])
b = f32(2, -1, 0.5, 3, 0, 4).reshape(2, 3)
with np.errstate(all="ignore"):
    entry("binary", [a, b], [a + b, a - b, a * b, a / b, np.maximum(a, b),
                             np.minimum(a, b), a ** b])

a, b = i32(7, -7, 7, -7, 100, 0), i32(2, 2, -2, -2, 7, 5)
signed = [int(math.trunc(x / y)) for x, y in zip(a, b)]
unsigned = (a.view(np.uint32) // b.view(np.uint32)).view(np.int32)
entry("integers", [a, b], [a + b, a - b, a * b, i32(*signed), unsigned,
                           np.maximum(a, b), np.minimum(a, b)])

c = np.array([[True, False, True], [False, False, True]])
a, b, row = noise(2, 3), noise(2, 3, seed=1), noise(2, seed=2)
entry("choose", [c, a, b, row],
      [np.where(c, a, b), a, np.full_like(a, 2.5), a.T * row])

a, b, c = noise(3, 5), noise(5, 4, seed=1), noise(3, 4, seed=2)
entry("matmul", [a, b, c], [a @ b + c])
entry("matmul_dynamic", [a.astype(np.float64), b.astype(np.float64)],
      [(a @ b).astype(np.float64)])
entry("matmul_transposed", [a.T, b.T, c], [a @ b + c])
a8, b8, c32 = a.astype(np.int8), b.astype(np.int8), c.astype(np.int32)
wide = a8.astype(np.int32), b8.astype(np.int32)
bytes_ = [v.view(np.uint8).astype(np.int32) for v in (a8, b8)]
entry("matmul_i8", [a8, b8, c32],
      [wide[0] @ wide[1] + c32, bytes_[0] @ bytes_[1] + c32])
entry("matmul_halves",
      [a.astype(np.float16), b.astype(np.float16), c, a.astype(bf16),
       b.astype(bf16), c.astype(bf16)], [a @ b + c, (a @ b + c).astype(bf16)])
entry("quantized_matmul", [a8, b8, c32],
      [(wide[0] - 3) @ (wide[1] + 2) + c32])

a, b, c = noise(2, 3, 5), noise(2, 5, 4, seed=1), noise(2, 3, 4, seed=2)
d = noise(3, 4, seed=3)
entry("batches", [a, b, c, d], [a @ b + c, (a @ b).sum(0) + d])
a8, b8, c32 = a.astype(np.int8), b.astype(np.int8), c.astype(np.int32)
entry("quantized_batch", [a8, b8, c32],
      [(a8.astype(np.int32) - 3) @ (b8.astype(np.int32) + 2) + c32])

a, x, y = noise(3, 5), noise(5, seed=1), noise(3, seed=2)
entry("vectors", [a, x, y, np.float32(2)], [a @ x + y, y @ a + x, x @ x + 2])
a, x, y = noise(2, 3, 5), noise(2, 5, seed=1), noise(2, 3, seed=2)
entry("batch_vectors", [a, x, y],
      [np.einsum("bij,bj->bi", a, x) + y, np.einsum("bi,bij->bj", y, a) + x])

a, b = noise(2, 2, 3, 2, 4), noise(2, 2, 3, 3, 4, seed=1)
c = noise(2, 2, 2, 2, 3, seed=2)
product = np.einsum("bmkij,bnklj->bmnil", a, b) + c
entry("tiles", [a[0], b[0], c[0]], [product[0]])
entry("batch_tiles", [a, b, c], [product])
a, b, c = noise(3, 5, 2), noise(2, 4, 5, seed=1), noise(4, 3, seed=2)
entry("contract", [a, b, c], [np.einsum("mkl,lnk->nm", a, b) + c])

a = noise(3, 4)
i, j = np.indices((3, 4))
entry("generic", [a], [np.maximum(a, (i + j).astype(np.float32)).sum(1)])

a, b = noise(2, 3, 4), noise(3, seed=1)
wide = np.broadcast_to(b[None, :, None], a.shape)
entry("shapes", [a, b],
      [a.transpose(2, 0, 1), wide, a.sum((1, 2)) + 1,
       np.maximum(a.max((0, 2)), b), a * wide + a])

a = noise(3, 5)
power = np.exp(a - a.max(1, keepdims=True))
entry("softmax", [a], [power / power.sum(1, keepdims=True)])

a = noise(3, 4, 2, dtype=np.float64)
a[1, 2] = 800
power = np.exp(a - a.max(0, keepdims=True))
other = np.exp(a - a.max(1, keepdims=True))
entry("softmax_dynamic", [a], [power / power.sum(0, keepdims=True),
                               other / other.sum(1, keepdims=True)])
# Quotients by 4 of equal elements are exact in any order.
a = np.full(6, 3, np.float16)
a[4:] = -np.inf
entry("softmax_row", [a], [np.array([.25] * 4 + [0] * 2, np.float16)])
a = np.zeros((0, 3), np.float32)
entry("softmax_empty", [a], [a.copy()])

a = ramp(5, 7)
padded = np.full((6, 9), -1, np.float32)
padded[:5, :7] = a
tiles = padded.reshape(3, 2, 3, 3).transpose(0, 2, 1, 3)
entry("pack", [a], [tiles, a, tiles.transpose(1, 0, 3, 2)])


def random(i, j, low, high, seed):
    """The definition of fill_rng_2d: a step of a congruential generator for
    each index."""
    def step(value, add):
        value = (value + add) * 1103515245 + 12345
        return (value + 2**31) % 2**32 - 2**31
    number = step(step(i, seed), j)
    scale = (high - low) * 2.3283064e-10
    return (number + 2147483647.0) * scale + low


entry("random", [], [np.array([[random(i, j, 2.0, 5.0, 7) for j in range(2)]
                               for i in range(2)])])

x, k = noise(1, 6, 6, 2), noise(3, 3, 3, 2, seed=1)
out = np.zeros((1, 4, 4, 3), np.float32)
for i, j in np.ndindex(4, 4):
    out[0, i, j] = np.einsum("hwc,fhwc->f", x[0, i:i + 3, j:j + 3], k)
entry("winograd", [x, k], [out])

a, b = noise(4, 6), noise(3, 4, seed=1)
product = a[::2, ::2] @ b
entry("memory",
      [a, b, np.zeros((2, 4), np.float32), np.zeros((4, 2), np.float32),
       f32(1, 2)],
      [a, b, 2 * product, product.T, product.sum(1) + f32(1, 2)])
a, b, row = noise(2, 3), noise(2, 3, seed=1), noise(3, seed=2)
wide = np.broadcast_to(row, a.shape)
entry("memory_named", [a, b, np.zeros_like(a), row],
      [wide, wide, np.exp(a + b), row])
entry("nothing", [np.zeros((0, 3), np.float32), np.zeros((3, 0), np.float32),
                  np.zeros((0, 0), np.float32)],
      [np.zeros((0, 0), np.float32), np.zeros((3, 3), np.float32)])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of vector.mlir."""
import numpy as np

from values import entry, f32, i32, noise, ramp

a = ramp(4, 8, start=1)
out = np.zeros_like(a)
out[0] = 9
out[0, :3] = a[1, :3]
out[1] = a[0]
out[2, 2:5] = a[0, :3]
out[3, 1:5] = a[2, :4]
entry("memory", [a, np.zeros_like(a)], [a, out])

a = noise(16)
index = i32(3, 15, 0, 8, 9, 1, 2, 4)
out = np.zeros((2, 16), np.float32)
out[0, :8] = np.where(np.arange(8) < 6, a[index], -1)
out[1, index[:6]] = out[0, :6]
entry("gather", [a, index, np.zeros((2, 16), np.float32)], [a, index, out])
index = np.array([[3, 15, 0, 8], [9, 1, 2, 4]])
out = a[index].copy()
out[:, 3] = -1
entry("gather_2d", [a, index, np.zeros((2, 4), np.float32)], [a, index, out])

a = ramp(4, 8)
out = np.full((4, 6), 7, np.float32)
out[:3, :5] = a[1:, 3:]
turned = np.zeros((6, 4), np.float32)
turned[1:] = out.T[:5]
row = np.zeros((4, 4), np.float32)
row[:3, :3] = a[1, :3]
entry("transfers", [a] + [np.zeros_like(r) for r in (out, turned, row)],
      [a, out, turned, row])

a, b = noise(4), ramp(2, 4)
out = np.zeros((8, 4), np.float32)
out[0:2] = a
out[2:4] = b.reshape(4, 2).T
out[4], out[5] = a, b[1]
out[6] = a
out[6, 1] = b[1, 2]
out[7] = [a[0], b[1, 0], b[1, 3], a[2]]
deep = np.full((2, 2, 4), b[1, 2], np.float32)
deep[1, 1] = b[:, 1:3].reshape(4)
entry("shapes", [a, b, np.zeros_like(out), np.zeros_like(deep)],
      [a, b, out, deep])

a, b = np.float32(1.5), np.float32(-2)
entry("elements", [a, b, np.zeros((4, 4), np.float32), np.zeros(4, np.int64)],
      [a + b, b])

a = f32(1, -2, 0.5, 4, 3, -1, 2, 8)
k = i32(3, -5, 7, 1, 9, -2, 6, 12)
u = k.view(np.uint32)
entry("reduction", [a, k],
      [a.sum(), a.prod(), a.max(), a.min(), a.max(), a.min(), a.sum() + 100,
       np.int32(k.sum()), np.int32(k.prod()), k.min(), u.min().view(np.int32),
       k.max(), u.max().view(np.int32), np.bitwise_and.reduce(k),
       np.bitwise_or.reduce(k), np.bitwise_xor.reduce(k)])

a = noise(3, 4)
entry("multi_reduction", [a, f32(1, 2, 3), f32(0, 2, -9, 1)], [a.sum()])

a = noise(3, 4, dtype=np.int32)
start = np.full(4, 10, np.int32)
out = np.stack([start, start + a[0], start + a[0] + a[1]])
entry("scan", [a, np.zeros_like(a), np.zeros(4, np.int32)], [a, out, out[2]])

a, b, c = noise(3, 5), noise(5, 4, seed=1), noise(3, 4, seed=2)
entry("contract", [a, b, c], [(a[0] * a[0]).sum()])

a, b, c = noise(3), noise(4, seed=1), noise(3, 4, seed=2)
product = np.outer(a, b) + c
entry("outerproduct", [a, b, c, np.zeros_like(c)],
      [a, b, product, c * product + np.maximum(np.outer(a, b), product)])

a = noise(8)
out = np.zeros_like(a)
out[:5] = a[:5]
entry("masks", [a, np.int64(5), np.zeros_like(a)],
      [a[:5].sum() + max(a[:5].max(), 0)])
a = noise(2, 4)
entry("type_cast", [a, np.zeros_like(a)], [a, 2 * a])

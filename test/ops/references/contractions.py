# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

from values import entry, noise

a, b, c = noise(20, 30), noise(30, 25, seed=1), noise(20, 25, seed=2)
d = noise(25, 20, seed=3)
entry("matmul", [a, b, c], [a @ b + c])
entry("matmul_f64", [a.astype(np.float64), b.astype(np.float64)],
      [(a @ b).astype(np.float64)])
at, bt = np.ascontiguousarray(a.T), np.ascontiguousarray(b.T)
entry("transposed", [at, bt, c, d], [at, bt, a @ b + c, (a @ b).T + d])

a, b, c = noise(45, 24), noise(22, 45, seed=1), noise(24, 24, seed=2)
size = 20
result = c.copy()
for i in range(3):
    result[i:i + size, i:i + size] += (
        a[i:i + 2 * size:2, 1:1 + size] @ b[1:1 + size, i:i + 2 * size:2])
entry("windows", [a, b, c, np.int64(size)], [a, b, result])

a, b, c = noise(3, 20, 18), noise(3, 18, 17, seed=1), noise(3, 20, 17, seed=2)
d, e, f = noise(2, 20, 3, 18, seed=3), noise(2, 3, 17, 18, seed=4), \
    noise(18, 17, seed=5)
entry("batches", [a, b, c, d, e, f],
      [a @ b + c, np.einsum("pmqk,pqnk->pqmn", d, e), a @ f + c])

a, b, i = noise(20, 20), noise(20, 20, seed=1), noise(20, 20, seed=2,
                                                      dtype=np.int32)
c = noise(3, 20, 20, seed=3)
entry("no_products", [a, b, i, c],
      [-a @ b, np.maximum((a[:, :, None] + b[None]).max(1), 0), i @ i + i,
       a @ np.diag(b), (c @ c).sum(0),
       np.einsum("pmk,qkn->pqmn", c, c)])

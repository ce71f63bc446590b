# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JAX takes for an execution of a compiled program from Python, until its
result is ready: least and median nanoseconds."""
import os
import statistics
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import numpy as np

value = jnp.zeros((1024,), np.int8)
run = jax.jit(lambda x: x + np.int8(1), donate_argnums=0).lower(value).compile()
times = []
for i in range(3000):
    start = time.perf_counter_ns()
    value = run(value).block_until_ready()
    times.append(time.perf_counter_ns() - start)
print(min(times[500:]), statistics.median(times[500:]))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chained calls of peer_jax.c in one function that JAX compiles; run with the
peers' Python.

  peer_jax.py LIBRARY CALLS [SAMPLES]

Prints seconds of processor to trace, lower and compile, MiB of the process; then, with
SAMPLES, least and median nanoseconds of an execution of all calls from Python."""
import ctypes
import os
import resource
import statistics
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import numpy as np


def chain(count):
    """Each call gives its result to the next, in the same buffer where only the
    time of executing counts: aliases make compiling slower."""
    aliases = {1: 0} if count <= 1001 else None
    call = jax.ffi.ffi_call("peer_scale",
                            jax.ShapeDtypeStruct((16,), jnp.float32),
                            has_side_effect=True, input_output_aliases=aliases)

    def body(source, value):
        for i in range(count):
            value = call(source, value, k=np.int32(i), s=np.float32(0.5))
        return value
    return body


def main():
    library, count = ctypes.CDLL(sys.argv[1]), int(sys.argv[2])
    jax.ffi.register_ffi_target(
        "peer_scale", jax.ffi.pycapsule(library.peer_scale), platform="cpu")
    sys.setrecursionlimit(1000000)
    source = jnp.ones((16,), jnp.float32)
    jax.jit(lambda x: x + 1)(source).block_until_ready()  # the first is slow
    start = time.process_time()
    run = jax.jit(chain(count)).lower(source, source).compile()
    seconds = time.process_time() - start
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(seconds, mib)
    times = []
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 0):
        start = time.perf_counter_ns()
        run(source, source).block_until_ready()
        times.append(time.perf_counter_ns() - start)
    if times:
        print(min(times), statistics.median(times))


main()

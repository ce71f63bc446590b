#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of `./do bench host` by NumPy and JAX, in the peers' environment.

  host_peers.py inputs CASE FOLDER       writes in0.npy, ... and out.npy
  host_peers.py numpy|jax CASE FOLDER    prints least and median nanoseconds"""
import os
import pathlib
import statistics
import sys
import time

import numpy

SECONDS, LEAST_RUNS = 0.5, 20


def softmax(xp, x):
    powers = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return powers / xp.sum(powers, axis=-1, keepdims=True)


def matmul(xp, a, b):
    return xp.matmul(a, b)


def mlp(xp, x, *layers):
    last = len(layers) // 2 - 1
    for index in range(last + 1):
        x = xp.matmul(x, layers[2 * index]) + layers[2 * index + 1]
        x = x if index == last else xp.maximum(x, 0)
    return x


def attention(xp, x, w_in, w_out, heads=4):
    length, width = x.shape
    parts = xp.split(xp.matmul(x, w_in), 3, axis=1)
    q, k, v = (part.reshape(length, heads, width // heads) for part in parts)
    weights = softmax(xp, xp.einsum("ihd,jhd->hij", q, k) * 0.125)
    mixed = xp.einsum("hij,jhd->ihd", weights, v).reshape(length, width)
    return xp.matmul(mixed, w_out)


def layer_norm(xp, x, scale, bias):
    distance = x - xp.mean(x, axis=1, keepdims=True)
    variance = xp.mean(distance * distance, axis=1, keepdims=True)
    return distance / xp.sqrt(variance + 1e-5) * scale + bias


def convolution(xp, x, w):
    if xp is not numpy:
        import jax
        return jax.lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    padded = numpy.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    size = x.shape[1]
    return sum(numpy.matmul(padded[:, i:i + size, j:j + size], w[i, j])
               for i in range(3) for j in range(3))


CASES = {
    **{f"matmul {size}": (matmul, [(size, size)] * 2)
       for size in (128, 256, 512, 1024, 2048)},
    "matmul 1x4096x4096": (matmul, [(1, 4096), (4096, 4096)]),
    "MLP 32x1024, 3 layers": (mlp, [(32, 1024)] + [(1024, 1024), (1024,)] * 3),
    "attention S128 D256 H4": (attention,
                               [(128, 256), (256, 768), (256, 256)]),
    "softmax 512x1024": (lambda xp, x: softmax(xp, x), [(512, 1024)]),
    "layer norm 512x1024": (layer_norm, [(512, 1024), (1024,), (1024,)]),
    "conv 56x56x64, 3x3": (convolution, [(1, 56, 56, 64), (3, 3, 64, 64)]),
}


def write_inputs(function, shapes, folder):
    random = numpy.random.default_rng(0)
    arrays = [random.standard_normal(shape, dtype=numpy.float32) * 0.05
              for shape in shapes]
    for index, array in enumerate(arrays):
        numpy.save(folder / f"in{index}.npy", array.astype(numpy.float32))
    exact = function(numpy, *(array.astype(numpy.float64) for array in arrays))
    numpy.save(folder / "out.npy", exact.astype(numpy.float32))


def make_jax(function, arrays):
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    arrays = [jax.numpy.asarray(array) for array in arrays]
    compiled = jax.jit(lambda *args: function(jax.numpy, *args)).lower(
        *arrays).compile()
    return lambda: compiled(*arrays).block_until_ready()


def measure(run):
    times, end = [], time.perf_counter() + SECONDS
    run()
    while len(times) < LEAST_RUNS or time.perf_counter() < end:
        start = time.perf_counter_ns()
        run()
        times.append(time.perf_counter_ns() - start)
    print(min(times), statistics.median(times))


def main():
    way, (function, shapes), folder = (sys.argv[1], CASES[sys.argv[2]],
                                       pathlib.Path(sys.argv[3]))
    if way == "inputs":
        write_inputs(function, shapes, folder)
        return
    arrays = [numpy.load(folder / f"in{index}.npy")
              for index in range(len(shapes))]
    measure(make_jax(function, arrays) if way == "jax"
            else lambda: function(numpy, *arrays))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes data/: weights, input and expected result of mlp.mlir.

The result is computed in float64 and rounded to float32 at the end, so it does
not depend on the order in which anybody's gemm adds. What it makes is
committed; run it again only to change the network. Needs NumPy."""
import pathlib

import numpy

BATCH = 8
SIZES = [32, 64, 64, 10]
SEED = 20240229

DATA = pathlib.Path(__file__).resolve().parent / "data"


def save(name, array):
    numpy.save(DATA / f"{name}.npy", array.astype(numpy.float32))


def main():
    DATA.mkdir(exist_ok=True)
    random = numpy.random.default_rng(SEED)
    y = random.standard_normal((BATCH, SIZES[0])).astype(numpy.float32)
    save("x", y)
    y = y.astype(numpy.float64)
    layers = list(zip(SIZES, SIZES[1:]))
    for number, (rows, columns) in enumerate(layers, 1):
        w = random.standard_normal((rows, columns)) / numpy.sqrt(rows)
        b = random.standard_normal(columns) / 4
        w, b = w.astype(numpy.float32), b.astype(numpy.float32)
        save(f"w{number}", w)
        save(f"b{number}", b)
        y = y @ w.astype(numpy.float64) + b
        if number < len(layers):
            y = numpy.maximum(y, 0)
    save("y", y)


main()

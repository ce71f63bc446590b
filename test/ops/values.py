#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the values that test/ops/*.mlir are run with, and their results.

  values.py [NAME...]   test/ops/values/NAME/ from test/ops/references/NAME.py,
                        for all names by default

Needs numpy, and ml_dtypes for bf16 and f8 (numpy has no such types; what is
stored are unsigned integers of the same bits). Tests read the files alone, so
this runs only when a program or its values change. NAME.py calls entry() for
each function of NAME.mlir.
"""
import os
import runpy
import shutil
import sys

import ml_dtypes
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
_folder = None

bf16 = ml_dtypes.bfloat16
f8e4m3 = ml_dtypes.float8_e4m3fn
f8e5m2 = ml_dtypes.float8_e5m2


def _write(name, value):
    array = np.asarray(value)
    if array.dtype.isbuiltin != 1:
        array = array.view({1: np.uint8, 2: np.uint16}[array.dtype.itemsize])
    if not array.flags.c_contiguous and array.ndim > 0:
        array = np.ascontiguousarray(array)
    np.save(os.path.join(_folder, name + ".npy"), array)


def entry(name, inputs=(), results=()):
    """Stores the arguments of an entry and what it gives for them."""
    for i, value in enumerate(inputs):
        _write(f"{name}.in{i}", value)
    for i, value in enumerate(results):
        _write(f"{name}.out{i}", value)


def f32(*values):
    return np.array(values, np.float32)


def i32(*values):
    return np.array(values, np.int32)


def ramp(*shape, dtype=np.float32, start=0, step=1):
    """0, 1, 2, ... in a shape."""
    count = int(np.prod(shape))
    return (start + step * np.arange(count)).reshape(shape).astype(dtype)


def noise(*shape, seed=0, dtype=np.float32, low=-4, high=5):
    """Small whole numbers: sums of products of them are exact in f32."""
    values = np.random.RandomState(seed).randint(low, high, shape)
    return values.astype(dtype)


def main():
    global _folder
    sys.modules["values"] = sys.modules["__main__"]
    sys.path.append(os.path.join(HERE, "references"))
    names = sys.argv[1:] or sorted(
        file[:-5] for file in os.listdir(HERE) if file.endswith(".mlir"))
    for name in names:
        _folder = os.path.join(HERE, "values", name)
        shutil.rmtree(_folder, ignore_errors=True)
        os.makedirs(_folder)
        runpy.run_path(os.path.join(HERE, "references", name + ".py"))


if __name__ == "__main__":
    main()

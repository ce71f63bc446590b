#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the values that test/ops/*.mlir are run with, and their results.

  values.py [NAME...]   test/ops/values/NAME/ from test/ops/references/NAME.py,
                        for all names by default

`./do values [NAME...]` runs it with numpy, and ml_dtypes for bf16 and f8, in a
virtual environment that it makes in build-values (numpy has no such types; what is
stored are unsigned integers of the same bits). Tests read the files alone, so
this runs only when a program or its values change. NAME.py calls entry() for
each function of NAME.mlir.
"""
import os
import re
import runpy
import shutil
import sys

import ml_dtypes
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
_folder = _program = None

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
    """Stores the arguments of an entry, and what it returns for them or, when it
    returns nothing, what they have become. Left out are arguments that stay the
    same object, and zeros that become something else."""
    changes = not re.search(
        rf"^func.func @{name}\(.*\) -> ", _program, re.M)
    is_same = [i < len(inputs) and value is inputs[i]
               for i, value in enumerate(results)]
    for i, value in enumerate(inputs):
        is_made = changes and i < len(results) and not is_same[i]
        if not is_made or np.any(value) or np.size(value) == 0:
            _write(f"{name}.in{i}", value)
    for i, value in enumerate(results):
        if not changes or not is_same[i]:
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
    global _folder, _program
    sys.modules["values"] = sys.modules["__main__"]
    sys.path.append(os.path.join(HERE, "references"))
    names = sys.argv[1:] or sorted(
        file[:-5] for file in os.listdir(HERE) if file.endswith(".mlir"))
    for name in names:
        _folder = os.path.join(HERE, "values", name)
        with open(os.path.join(HERE, name + ".mlir")) as file:
            _program = file.read()
        shutil.rmtree(_folder, ignore_errors=True)
        os.makedirs(_folder)
        runpy.run_path(os.path.join(HERE, "references", name + ".py"))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of pooling.mlir."""
import numpy as np

from values import entry, noise
from windows import Windows

COMBINE = {"sum": np.add, "max": np.maximum, "min": np.minimum}

for inputs, kinds in (("nhwc", ("sum", "max", "max_unsigned", "min",
                                "min_unsigned")),
                      ("nchw", ("sum", "max")),
                      ("nwc", ("sum", "max", "max_unsigned", "min",
                               "min_unsigned")),
                      ("ncw", ("sum", "max")),
                      ("ndhwc", ("sum", "max", "min"))):
    for kind in kinds:
        windows = Windows(inputs, "".join(l for l in inputs if l in "dhw"),
                          inputs)
        is_unsigned = kind.endswith("unsigned")
        dtype = np.uint32 if is_unsigned else np.float32
        x = noise(*windows.input_shape(), dtype=np.int32).astype(dtype)
        start = noise(*windows.output_shape(), seed=1, dtype=np.int32)
        start = start.astype(dtype)
        result = windows.pool(x, start, COMBINE[kind.split("_")[0]])
        values = [v.view(np.int32) if is_unsigned else v
                  for v in (x, start, result)]
        entry(f"pooling_{inputs}_{kind}", values[:2], values[2:])

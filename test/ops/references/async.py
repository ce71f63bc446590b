# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of async.mlir."""
import numpy as np

from values import entry, f32

x = np.float32(1.5)
entry("functions", [x], [np.float32(3)])
entry("coroutines", [x, f32(0)], [np.float32(3), np.bool_(False)])
entry("runtime", [],
      [np.bool_(False), np.float32(2.5), np.bool_(True)])
entry("waiting", [x, f32(0)], [x])

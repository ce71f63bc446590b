# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of convolution.mlir."""
import numpy as np

from values import entry, noise
from windows import Windows

NAMES = """
conv_1d conv_2d conv_3d conv_1d_nwc_wcf conv_1d_ncw_fcw conv_2d_nhwc_hwcf
conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw_q
conv_2d_nchw_fchw conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_nhwgc_gfhwc
conv_2d_nhwgc_gfhwc_q conv_2d_ngchw_gfchw_q conv_3d_ndhwc_dhwcf
conv_3d_ndhwc_dhwcf_q conv_3d_ncdhw_fcdhw depthwise_conv_1d_nwc_wc
depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wcm depthwise_conv_2d_nhwc_hwc
depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc_q
depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q
depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ncdhw_cdhw
depthwise_conv_3d_ndhwc_dhwcm
"""


def windows_of(name):
    parts = name.replace("depthwise_", "").split("_")
    if len(parts) == 2:
        letters = {"1d": "w", "2d": "hw", "3d": "dhw"}[parts[1]]
        return Windows(letters, letters, letters, is_plain=True)
    inputs, kernel = parts[2], parts[3]
    if name.startswith("depthwise"):
        return Windows(inputs, kernel, inputs + ("m" if "m" in kernel else ""))
    if inputs == "ngchw":
        return Windows(inputs, kernel, "ngfhw")
    return Windows(inputs, kernel, inputs.replace("c", "f"))


for name in NAMES.split():
    windows = windows_of(name)
    is_quantized = name.endswith("_q")
    dtype = np.int8 if is_quantized else np.float32
    wide = np.int32 if is_quantized else np.float32
    x = noise(*windows.input_shape(), dtype=dtype)
    k = noise(*windows.kernel_shape(), seed=1, dtype=dtype)
    start = noise(*windows.output_shape(), seed=2, dtype=wide)
    if is_quantized:
        shifted = x.astype(wide) - 3, k.astype(wide) + 2
    else:
        shifted = x, k
    entry(name, [x, k, start], [windows.convolve(*shifted, start)])

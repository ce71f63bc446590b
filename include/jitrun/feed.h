/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Infeeds and outfeeds of a client's devices: what the calls `jitrun.infeed`
/// and `jitrun.outfeed`, and XLA's, of an executable take and give. A device
/// has one of each, whatever executable runs on it. Everything here is
/// thread-safe.
///
/// Channels belong to executables: see jitrun_executable_world() and the
/// channels in jitrun_execute_options_t.
#ifndef JITRUN_FEED_H
#define JITRUN_FEED_H

#include "jitrun/client.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives the device what one infeed call takes: as many tensors as the call has
/// buffers, of the same element types and numbers of elements, which are
/// copied. What does not fit is the error of the call, and stays. Waits while
/// the infeed has 64, at most `timeout_ns` (0: as long as the client's options
/// say; below 0: for ever), then DEADLINE_EXCEEDED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_device_infeed(jitrun_device_t *device, const jitrun_tensor_t *tensors,
                     size_t count, int64_t timeout_ns);

/// Takes what one outfeed call gave, into memory of the caller's: as many
/// tensors, of the same element types and numbers of elements, else
/// INVALID_ARGUMENT, and it stays. `timeout_ns` as above.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_device_outfeed(jitrun_device_t *device, const jitrun_tensor_t *tensors,
                      size_t count, int64_t timeout_ns);

#ifdef __cplusplus
}
#endif
#endif

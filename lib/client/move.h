/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Moving elements between the host's memory and that of devices that the host
/// cannot use, in whatever steps that takes.
#ifndef JR_CLIENT_MOVE_H
#define JR_CLIENT_MOVE_H

#include "client/client.h"
#include "customcalls/builtins.h"

/// Copies elements of `size_bytes` in all, and returns when that is done.
/// Devices are those of jr_device_apart(): NULL where the address is one of the
/// host. The side of a device is dense.
jitrun_error_t *jr_move_elements(const struct jr_copy *copy,
                                 uint64_t size_bytes, jitrun_device_t *to,
                                 jitrun_device_t *from)
    __attribute__((warn_unused_result));

/// The same of bytes that lie one after the other on both sides.
jitrun_error_t *jr_move_bytes(void *to, const void *from, uint64_t size_bytes,
                              jitrun_device_t *to_device,
                              jitrun_device_t *from_device)
    __attribute__((warn_unused_result));

#endif

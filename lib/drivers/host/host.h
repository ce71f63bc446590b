/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The driver of the host, which is built in.
#ifndef JR_DRIVERS_HOST_HOST_H
#define JR_DRIVERS_HOST_HOST_H

#include "jitrun/driver.h"

const jitrun_driver_t *jr_host_driver_query(uint32_t max_version);

#endif

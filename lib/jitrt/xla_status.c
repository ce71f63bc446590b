/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// XLA's names for telling the outcome of a classic custom call. The message
/// belongs to whoever made the status.
#include "jitrun/jitrt.h"

#include <stddef.h>
#include <string.h>

void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus *status) {
  status->set(status, NULL, 0);
}

void XlaCustomCallStatusSetFailure(XlaCustomCallStatus *status,
                                   const char *message, size_t message_len) {
  if (!message)
    message = "";
  status->set(status, message, strnlen(message, message_len));
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Calls that move data between a device and its infeed, its outfeed or a
/// channel: what XLA's and our own have in common.
#ifndef JR_CUSTOMCALLS_TRANSFERS_H
#define JR_CUSTOMCALLS_TRANSFERS_H

#include "customcalls/collective.h"

/// FAILED_PRECONDITION for an execution alone, which has none of these; says
/// how to give it a world.
jitrun_error_t *jr_transfer_place(const jitrun_call_t *call,
                                  struct jr_place *out_place) JITRUN_MUST_USE;

/// INVALID_ARGUMENT unless all arguments are buffers.
jitrun_error_t *jr_transfer_check(jitrun_call_t *call);

/// Puts the arguments of a call into a queue. `dtypes` (XLA's numbers, one an
/// argument) replace those of the buffers, which do not tell signs; NULL: not.
jitrun_error_t *jr_transfer_put(jitrun_call_t *call,
                                const struct jr_queue_key *key,
                                const int32_t *dtypes) JITRUN_MUST_USE;

/// Puts them into the outfeed of the device that the call runs on.
jitrun_error_t *jr_outfeed_put(jitrun_call_t *call,
                               const int32_t *dtypes) JITRUN_MUST_USE;

/// Takes them out of one.
jitrun_error_t *
jr_transfer_take(jitrun_call_t *call,
                 const struct jr_queue_key *key) JITRUN_MUST_USE;

/// A view of a buffer argument.
jitrun_tensor_t jr_arg_tensor(const jitrun_arg_t *arg);

#endif

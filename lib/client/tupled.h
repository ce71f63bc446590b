/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executables whose arguments or outputs are one tuple: launches of tuples are
/// turned into launches of their leaves.
#ifndef JR_CLIENT_TUPLED_H
#define JR_CLIENT_TUPLED_H

#include "client/executable.h"

struct jr_tupled;

/// Launches of leaves for `given`, of as many as the executable has devices.
/// NULL where neither arguments nor outputs are tuples.
jitrun_error_t *jr_tupled_begin(const jitrun_executable_t *executable,
                                const jitrun_launch_t *given,
                                struct jr_tupled **out_tupled)
    __attribute__((warn_unused_result));

const jitrun_launch_t *jr_tupled_launches(const struct jr_tupled *tupled);

/// Hands the outputs to the caller's launches, unless the execution failed, and
/// marks what was donated.
void jr_tupled_end(/*own*/ struct jr_tupled *tupled, bool has_failed);

/// Finds the tuple that the outputs make.
jitrun_error_t *jr_tuple_shape_read(jitrun_executable_t *executable)
    __attribute__((warn_unused_result));

/// Makes the tuple that `*next` begins in preorder, which is a number, without
/// its leaves; `*next` is behind it then. And puts leaves into one, which
/// `*next` has in order.
jitrun_error_t *jr_tuple_shape_make(jitrun_device_t *device,
                                    const int32_t **next,
                                    jitrun_buffer_t **out_tuple)
    __attribute__((warn_unused_result));
void jr_tuple_shape_fill(jitrun_buffer_t *tuple, jitrun_buffer_t ***next);

#endif

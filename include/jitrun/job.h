/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Jobs: asynchronous executions of an executable that can be waited for as a
/// whole, and cancelled.
///
/// Life: start -> wait or cancel -> release. Releasing a job does not end it.
/// Everything here is thread-safe.
#ifndef JITRUN_JOB_H
#define JITRUN_JOB_H

#include "jitrun/executable.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_job jitrun_job_t;

/// As jitrun_executable_execute() with is_async, which need not be set; gives
/// a job besides. Past the options' deadline, outputs that are not ready have
/// DEADLINE_EXCEEDED, and the devices are asked to stop.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_executable_start(jitrun_executable_t *executable,
                        const jitrun_launch_t *launches, size_t launch_count,
                        const jitrun_execute_options_t *options,
                        jitrun_job_t **out_job);

JITRUN_API void jitrun_job_retain(jitrun_job_t *job);
JITRUN_API void jitrun_job_release(/*own*/ jitrun_job_t *job);

/// Waits until all devices have ended: at most `timeout_ns`; 0: as long as the
/// client's options say; below 0: for ever. NULL, or a copy of the error that
/// jitrun_executable_execute() would return. DEADLINE_EXCEEDED names what is
/// outstanding; the job goes on. FAILED_PRECONDITION on the thread of a device
/// that has not ended: it would wait for itself.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *jitrun_job_wait(jitrun_job_t *job,
                                                           int64_t timeout_ns);

/// Asks all devices to stop, which they do at their next custom call, and does
/// not wait for that. Outputs that were not ready before are CANCELLED once it
/// returns, on all devices; those that were keep what they have. What was
/// donated is gone either way. Of a job that has ended or was cancelled, and of
/// NULL: nothing.
JITRUN_API void jitrun_job_cancel(jitrun_job_t *job);

/// A token that is set when all devices have ended, with or without an error.
/// Borrowed from the job.
JITRUN_API jitrun_async_t *jitrun_job_ended(const jitrun_job_t *job);

#ifdef __cplusplus
}
#endif
#endif

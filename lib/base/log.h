/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Log: short lines for the embedding program. The library itself never writes
/// to standard output or error; without a sink lines are dropped.
#ifndef JR_BASE_LOG_H
#define JR_BASE_LOG_H

#include "jitrun/types.h"

#include <stddef.h>

enum jr_log_level { JR_LOG_ERROR, JR_LOG_WARNING, JR_LOG_INFO, JR_LOG_DEBUG };

typedef void (*jr_log_sink_t)(void *context, enum jr_log_level level,
                              const char *line);

/// Sets where lines go and the highest level wanted; NULL drops them.
void jr_log_set_sink(jr_log_sink_t sink, void *context,
                     enum jr_log_level level);

/// One line, cut at 1023 bytes. Thread-safe.
void jr_log(enum jr_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Errors on standard error, and the exit statuses of the command.
#ifndef JR_TOOLS_REPORT_H
#define JR_TOOLS_REPORT_H

#include "base/bytes.h"
#include "base/error.h"
#include "options.h"

enum jr_exit {
  JR_EXIT_DONE = 0,
  JR_EXIT_FAILED = 1,   ///< the program or its file
  JR_EXIT_USAGE = 2,    ///< wrong from the command line alone
  JR_EXIT_DIFFERED = 3, ///< an --expect
  JR_EXIT_DEADLINE = 4,
  JR_EXIT_COUNT
};

/// Prints "jitrun: error: x.mlir:3:5: message" and a line "jitrun: note: ..."
/// for each note, and frees the error; --verbose adds the name of its code.
/// Returns the exit status that stands for it, DONE for NULL.
enum jr_exit jr_report(/*own*/ jitrun_error_t *error,
                       const struct jr_options *options);

/// Sees what is in stdout's buffer out; the status, or FAILED for DONE where
/// that could not be written, with an error.
enum jr_exit jr_report_output(enum jr_exit status);

/// Prints the note that memory was limited, if it was.
void jr_report_limit(const struct jr_options *options);

/// Prints "jitrun: stats: NAME 1.234 ms".
void jr_report_time(const char *name, uint64_t ns);

/// Prints "jitrun: stats: stage NAME 1.234 ms, memory +0.5 MiB".
void jr_report_stage(const jitrun_stage_cost_t *cost);

/// Appends what temporaries take: "848 bytes for 1744, 800 in use at once,
/// fragmentation 6.0 %"; only the first of it where no more is known.
void jr_report_temps(struct jr_bytes *text, const jitrun_program_info_t *info);

/// Prints "jitrun: error: " and a line.
void jr_report_line(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/// Prints "jitrun: note: " and a line.
void jr_report_note(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun, the command: parse the options, supervise a child that does the work
/// of the verb, exit with what came of it.
#include "options.h"
#include "report.h"
#include "supervise.h"
#include "verbs.h"

#include <stdbool.h>
#include <stdio.h>

static const jr_work_fn_t verbs[JR_VERB_COUNT] = {
    [JR_VERB_RUN] = jr_verb_run,         [JR_VERB_COMPILE] = jr_verb_compile,
    [JR_VERB_INSPECT] = jr_verb_inspect, [JR_VERB_BENCH] = jr_verb_bench,
    [JR_VERB_CALLS] = jr_verb_calls,     [JR_VERB_DEVICES] = jr_verb_devices,
};

int main(int argc, const char **argv) {
  struct jr_options options;
  jitrun_error_t *error = jr_options_parse(argc, argv, &options);
  if (error) { // a flag file that is not there is no wrong use
    jitrun_code_t code = jitrun_error_code(error);
    bool is_usage =
        code == JITRUN_INVALID_ARGUMENT || code == JITRUN_UNIMPLEMENTED;
    (void)jr_report(error, &options);
    return is_usage ? JR_EXIT_USAGE : JR_EXIT_FAILED;
  }
  enum jr_exit status = JR_EXIT_DONE;
  if (options.is_empty) {
    jr_options_print_usage();
    status = JR_EXIT_USAGE;
  } else if (options.version) {
    puts("jitrun " JITRUN_VERSION);
    status = jr_report_output(status);
  } else if (options.help) {
    jr_options_print_help(&options);
    status = jr_report_output(status);
  } else {
    status = jr_supervise(&options, verbs[options.verb]);
  }
  jr_options_deinit(&options);
  return (int)status;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The verbs of the command, one file each, all of type jr_work_fn_t.
#ifndef JR_TOOLS_VERBS_H
#define JR_TOOLS_VERBS_H

#include "options.h"
#include "report.h"
#include "watch.h"

enum jr_exit jr_verb_run(struct jr_options *options, struct jr_watch *watch);
enum jr_exit jr_verb_compile(struct jr_options *options,
                             struct jr_watch *watch);
enum jr_exit jr_verb_inspect(struct jr_options *options,
                             struct jr_watch *watch);
enum jr_exit jr_verb_bench(struct jr_options *options, struct jr_watch *watch);
enum jr_exit jr_verb_calls(struct jr_options *options, struct jr_watch *watch);
enum jr_exit jr_verb_devices(struct jr_options *options,
                             struct jr_watch *watch);

#endif

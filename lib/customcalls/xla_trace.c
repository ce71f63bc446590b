/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `xla.trace.activity_start` and `xla.trace.activity_end`: what a program is
/// doing, for a profiler, which looks at when they are called. The two fit each
/// other: an activity has the number of its execution.
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdint.h>

static const jitrun_param_t activity[] = {
    {.name = "activity", .kind = JITRUN_KIND_SCALAR, JR_XLA_OF(S64)}};

static const jitrun_attr_param_t start_attrs[] = {
    {.name = "annotation", .kind = JITRUN_ATTR_DICT}};

const jitrun_signature_t jr_xla_start_types = {.size =
                                                   sizeof(jitrun_signature_t),
                                               .results = activity,
                                               .result_count = 1,
                                               .attrs = start_attrs,
                                               .attr_count = 1};

const jitrun_signature_t jr_xla_end_types = {
    .size = sizeof(jitrun_signature_t), .args = activity, .arg_count = 1};

jitrun_error_t *jr_xla_start(jitrun_call_t *call) {
  uint64_t run = call->site->api->run_id(call);
  jitrun_call_results(call)->value.s64 = (int64_t)run;
  return NULL;
}

jitrun_error_t *jr_xla_end(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `replica_id` and `partition_id` of `xla.gpu`, which fill a buffer, and of
/// `xla.cpu`, which return a scalar.
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdint.h>

static const uint32_t device_id = 0;

static const jitrun_param_t gpu_args[] = {{.name = "result", JR_XLA_BUFFER}};

const jitrun_signature_t jr_xla_gpu_id_types = {
    .size = sizeof(jitrun_signature_t), .args = gpu_args, .arg_count = 1};

jitrun_error_t *jr_xla_gpu_id(jitrun_call_t *call) {
  return jr_xla_fill(call, jitrun_call_args(call), device_id);
}

static const jitrun_param_t cpu_results[] = {
    {.name = "id", .kind = JITRUN_KIND_SCALAR, JR_XLA_OF(S32)}};

const jitrun_signature_t jr_xla_cpu_id_types = {.size =
                                                    sizeof(jitrun_signature_t),
                                                .results = cpu_results,
                                                .result_count = 1};

jitrun_error_t *jr_xla_cpu_id(jitrun_call_t *call) {
  jitrun_call_results(call)->value.s32 = (int32_t)device_id;
  return NULL;
}

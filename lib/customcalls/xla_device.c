/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `replica_id` and `partition_id` of `xla.gpu`, which fill a buffer, and of
/// `xla.cpu`, which return a scalar.
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdint.h>

static const jitrun_param_t gpu_args[] = {{.name = "result", JR_XLA_BUFFER}};

const jitrun_signature_t jr_xla_gpu_id_types = {
    .size = sizeof(jitrun_signature_t), .args = gpu_args, .arg_count = 1};

jitrun_error_t *jr_xla_gpu_replica(jitrun_call_t *call) {
  uint32_t id = call->site->api->replica_id(call);
  return jr_xla_fill(call, jitrun_call_args(call), id);
}

jitrun_error_t *jr_xla_gpu_partition(jitrun_call_t *call) {
  uint32_t id = call->site->api->partition_id(call);
  return jr_xla_fill(call, jitrun_call_args(call), id);
}

static const jitrun_param_t cpu_results[] = {
    {.name = "id", .kind = JITRUN_KIND_SCALAR, JR_XLA_OF(S32)}};

const jitrun_signature_t jr_xla_cpu_id_types = {.size =
                                                    sizeof(jitrun_signature_t),
                                                .results = cpu_results,
                                                .result_count = 1};

jitrun_error_t *jr_xla_cpu_replica(jitrun_call_t *call) {
  jitrun_call_results(call)->value.s32 =
      (int32_t)call->site->api->replica_id(call);
  return NULL;
}

jitrun_error_t *jr_xla_cpu_partition(jitrun_call_t *call) {
  jitrun_call_results(call)->value.s32 =
      (int32_t)call->site->api->partition_id(call);
  return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The table of XLA's calls on the host.
#include "customcalls/registry.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"

#include <stddef.h>
#include <stdlib.h>

#define CALL(call_name)                                                        \
  .size = sizeof(jitrun_customcall_t), .name = (call_name), .platform = "host"
#define MEMCPY                                                                 \
  .summary = "copies src to dst, of the same sizes and strides",               \
  .signature = &jr_xla_memcpy_types, .instantiate = jr_xla_memcpy_check,       \
  .execute = jr_xla_memcpy
#define GPU_ID                                                                 \
  .summary = "fills the buffer with 0, the number of the one device",          \
  .signature = &jr_xla_gpu_id_types, .execute = jr_xla_gpu_id
#define CPU_ID                                                                 \
  .summary = "returns 0, the number of the one device",                        \
  .signature = &jr_xla_cpu_id_types, .execute = jr_xla_cpu_id
#define UNBUILT                                                                \
  .summary = "not built yet on the host", .instantiate = jr_xla_unbuilt,       \
  .execute = jr_xla_unbuilt

static const jitrun_customcall_t calls[] = {
    {CALL("xla.cpu.partition_id"), CPU_ID},
    {CALL("xla.cpu.replica_id"), CPU_ID},
    {CALL("xla.gpu.cholesky"), UNBUILT, .signature = &jr_xla_cholesky_types},
    {CALL("xla.gpu.conv.backward.filter"), UNBUILT,
     .signature = &jr_xla_conv_types},
    {CALL("xla.gpu.conv.backward.input"), UNBUILT,
     .signature = &jr_xla_conv_types},
    {CALL("xla.gpu.conv.forward"), UNBUILT, .signature = &jr_xla_conv_types},
    {CALL("xla.gpu.conv.forward.fused"), UNBUILT,
     .signature = &jr_xla_fused_types},
    {CALL("xla.gpu.conv.forward.fused.side_input"), UNBUILT,
     .signature = &jr_xla_side_types},
    {CALL("xla.gpu.conv.reorder.filter"), UNBUILT,
     .signature = &jr_xla_filter_types},
    {CALL("xla.gpu.conv.reorder.filter_and_bias"), UNBUILT,
     .signature = &jr_xla_bias_types},
    {CALL("xla.gpu.cublas.lt.matmul"), UNBUILT, .signature = &jr_xla_lt_types},
    {CALL("xla.gpu.cublas.lt.matmul.aux"), UNBUILT,
     .signature = &jr_xla_lt_aux_types},
    {CALL("xla.gpu.cublas.lt.matmul.bias"), UNBUILT,
     .signature = &jr_xla_lt_bias_types},
    {CALL("xla.gpu.cublas.lt.matmul.bias.aux"), UNBUILT,
     .signature = &jr_xla_lt_both_types},
    {CALL("xla.gpu.custom_call"), .summary = "not built yet on the host",
     .signature = &jr_xla_classic_types, .instantiate = jr_xla_classic_check,
     .execute = jr_xla_classic_check},
    {CALL("xla.gpu.fft"), UNBUILT, .signature = &jr_xla_fft_types},
    {CALL("xla.gpu.func.launch"), .summary = "not built yet on the host",
     .signature = &jr_xla_launch_types, .instantiate = jr_xla_launch_check,
     .execute = jr_xla_launch_check},
    {CALL("xla.gpu.gemm"),
     .summary = "out = alpha * lhs * rhs + beta * out, by a BLAS library",
     .signature = &jr_xla_gemm_types, .instantiate = jr_xla_gemm_create,
     .execute = jr_xla_gemm, .destroy_state = free},
    {CALL("xla.gpu.memcpy.d2d"), MEMCPY},
    {CALL("xla.gpu.memcpy.d2h"), MEMCPY},
    {CALL("xla.gpu.memcpy.h2d"), MEMCPY},
    {CALL("xla.gpu.memset"),
     .summary = "fills dst with the constant, 32 bits at a time",
     .signature = &jr_xla_memset_types, .instantiate = jr_xla_memset_check,
     .execute = jr_xla_memset},
    {CALL("xla.gpu.partition_id"), GPU_ID},
    {CALL("xla.gpu.replica_id"), GPU_ID},
    {CALL("xla.trace.activity_end"), .summary = "ends an activity",
     .signature = &jr_xla_end_types, .execute = jr_xla_end},
    {CALL("xla.trace.activity_start"), .summary = "begins an activity",
     .signature = &jr_xla_start_types, .execute = jr_xla_start},
};

const jitrun_plugin_t jr_xla_calls = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "xla",
    .calls = calls,
    .call_count = sizeof(calls) / sizeof(calls[0]),
};

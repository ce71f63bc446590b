/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The table of XLA's calls on the host.
#include "customcalls/collective.h"
#include "customcalls/parts.h"
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
#define COLLECTIVE(what, types, load)                                          \
  .summary = (what), .signature = &(types), .instantiate = (load),             \
  .execute = jr_collective_execute, .destroy_state = jr_collective_free
#define DONE                                                                   \
  .summary = "waits for what was started under uid",                           \
  .signature = &jr_xla_done_types, .instantiate = jr_xla_done_check,           \
  .execute = jr_xla_done
#define FEED(what, types, check, run)                                          \
  .summary = (what), .signature = &(types), .instantiate = (check),            \
  .execute = (run)
#define TRANSFER(what, types, run)                                             \
  .summary = (what), .signature = &(types),                                    \
  .instantiate = jr_xla_channel_read, .execute = (run), .destroy_state = free
#define GPU_ID(what, run)                                                      \
  .summary = "fills the buffer with the number of the " what,                  \
  .signature = &jr_xla_gpu_id_types, .execute = (run)
#define CPU_ID(what, run)                                                      \
  .summary = "returns the number of the " what,                                \
  .signature = &jr_xla_cpu_id_types, .execute = (run)
#define CLASSIC                                                                \
  .summary = "calls the classic handler named call_target_name",               \
  .destroy_state = free
#define FFT                                                                    \
  .summary = "Fourier transform of the last dimensions",                       \
  .execute = jr_xla_fft, .destroy_state = free
#define UNBUILT                                                                \
  .summary = "not built yet on the host", .instantiate = jr_xla_unbuilt,       \
  .execute = jr_xla_unbuilt

static const jitrun_customcall_t calls[] = {
    {CALL("__gpu$TopK"),
     .summary = "the largest elements of rows in order, and their indices",
     .signature = &jr_xla_top_k_types, .instantiate = jr_xla_top_k_check,
     .execute = jr_xla_top_k},
    {CALL("xla.cpu.all_reduce"),
     COLLECTIVE("reduces each source over the group", jr_xla_cpu_reduce_types,
                jr_xla_cpu_all_reduce)},
    {CALL("xla.cpu.collective_permute"),
     COLLECTIVE("copies sources to targets, zeros without one",
                jr_xla_cpu_permute_types, jr_xla_cpu_permute)},
    {CALL("xla.cpu.convolution"), UNBUILT, .signature = &jr_xla_cpu_conv_types},
    {CALL("xla.cpu.custom_call"), CLASSIC,
     .signature = &jr_xla_cpu_custom_types,
     .instantiate = jr_xla_cpu_custom_create, .execute = jr_xla_cpu_custom},
    {CALL("xla.cpu.fft"), FFT, .signature = &jr_xla_cpu_fft_types,
     .instantiate = jr_xla_cpu_fft_create},
    {CALL("xla.cpu.infeed"),
     FEED("takes the next of the infeed", jr_xla_cpu_infeed_types,
          jr_feed_check, jr_infeed_execute)},
    {CALL("xla.cpu.outfeed"),
     FEED("puts the buffers into the outfeed", jr_xla_cpu_outfeed_types,
          jr_xla_cpu_outfeed_check, jr_xla_cpu_outfeed)},
    {CALL("xla.cpu.partition_id"), CPU_ID("partition", jr_xla_cpu_partition)},
    {CALL("xla.cpu.replica_id"), CPU_ID("replica", jr_xla_cpu_replica)},
    {CALL("xla.cpu.rng.philox"), .summary = "fills values by Philox-4x32-10",
     .signature = &jr_random_signature, .instantiate = jr_philox_check,
     .execute = jr_xla_philox},
    {CALL("xla.cpu.rng.three_fry"),
     .summary = "fills values by Threefry-2x32-20",
     .signature = &jr_random_signature, .instantiate = jr_threefry_check,
     .execute = jr_xla_threefry},
    {CALL("xla.cpu.tuple_all_to_all"),
     COLLECTIVE("gives source I to member I of the group",
                jr_xla_cpu_swap_types, jr_xla_cpu_all_to_all)},
    {CALL("xla.gpu.all_gather"),
     COLLECTIVE("joins the sources of the group", jr_xla_gather_types,
                jr_xla_all_gather)},
    {CALL("xla.gpu.all_reduce"),
     COLLECTIVE("reduces each source over the group", jr_xla_reduce_types,
                jr_xla_all_reduce)},
    {CALL("xla.gpu.all_reduce_done"), DONE},
    {CALL("xla.gpu.all_reduce_start"),
     COLLECTIVE("starts a reduction of each source over the group",
                jr_xla_reduce_types, jr_xla_reduce_start)},
    {CALL("xla.gpu.all_to_all"),
     COLLECTIVE("exchanges sources, or parts of them, in the group",
                jr_xla_exchange_types, jr_xla_all_to_all)},
    {CALL("xla.gpu.cholesky"),
     .summary = "lower or upper Cholesky factors of matrices",
     .signature = &jr_xla_cholesky_types, .instantiate = jr_xla_cholesky_check,
     .execute = jr_xla_cholesky},
    {CALL("xla.gpu.collective_done"), DONE},
    {CALL("xla.gpu.collective_permute"),
     COLLECTIVE("copies sources to targets, zeros without one",
                jr_xla_permute_types, jr_xla_permute)},
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
    {CALL("xla.gpu.cublas.lt.matmul.f8"), UNBUILT,
     .signature = &jr_xla_lt_f8_types},
    {CALL("xla.gpu.cublas.lt.matmul.f8.d_amax"), UNBUILT,
     .signature = &jr_xla_lt_amax_types},
    {CALL("xla.gpu.cuda.graph.launch"), UNBUILT,
     .signature = &jr_xla_graph_types},
    {CALL("xla.gpu.custom_call"), CLASSIC, .signature = &jr_xla_classic_types,
     .instantiate = jr_xla_classic_create, .execute = jr_xla_classic},
    {CALL("xla.gpu.fft"), FFT, .signature = &jr_xla_fft_types,
     .instantiate = jr_xla_fft_create},
    {CALL("xla.gpu.func.launch"), .summary = "not built yet on the host",
     .signature = &jr_xla_launch_types, .instantiate = jr_xla_launch_check,
     .execute = jr_xla_launch_check},
    {CALL("xla.gpu.gemm"), .summary = "out = alpha * lhs * rhs + beta * out",
     .signature = &jr_xla_gemm_types, .instantiate = jr_xla_gemm_create,
     .execute = jr_xla_gemm, .destroy_state = free},
    {CALL("xla.gpu.infeed"),
     FEED("takes the next of the infeed", jr_xla_infeed_types, jr_feed_check,
          jr_infeed_execute)},
    {CALL("xla.gpu.memcpy.d2d"), MEMCPY},
    {CALL("xla.gpu.memcpy.d2h"), MEMCPY},
    {CALL("xla.gpu.memcpy.h2d"), MEMCPY},
    {CALL("xla.gpu.memset"),
     .summary = "fills dst with the constant, 32 bits at a time",
     .signature = &jr_xla_memset_types, .instantiate = jr_xla_memset_check,
     .execute = jr_xla_memset},
    {CALL("xla.gpu.outfeed"),
     FEED("puts the buffers into the outfeed", jr_xla_infeed_types,
          jr_feed_check, jr_outfeed_execute)},
    {CALL("xla.gpu.partition_id"), GPU_ID("partition", jr_xla_gpu_partition)},
    {CALL("xla.gpu.recv_done_host"),
     TRANSFER("waits until the channel's buffer is received",
              jr_xla_done_host_types, jr_xla_transfer_done)},
    {CALL("xla.gpu.recv_host"),
     TRANSFER("starts to receive the buffer from the embedding program",
              jr_xla_transfer_types, jr_xla_recv)},
    {CALL("xla.gpu.reduce_scatter"),
     COLLECTIVE("reduces over the group, one part for each member",
                jr_xla_reduce_types, jr_xla_reduce_scatter)},
    {CALL("xla.gpu.replica_id"), GPU_ID("replica", jr_xla_gpu_replica)},
    {CALL("xla.gpu.send_done_host"),
     TRANSFER("waits until the channel's buffer is sent",
              jr_xla_done_host_types, jr_xla_transfer_done)},
    {CALL("xla.gpu.send_host"),
     TRANSFER("starts to send the buffer to the embedding program",
              jr_xla_transfer_types, jr_xla_send)},
    {CALL("xla.trace.activity_end"), .summary = "ends an activity",
     .signature = &jr_xla_end_types, .execute = jr_xla_end},
    {CALL("xla.trace.activity_start"), .summary = "begins an activity",
     .signature = &jr_xla_start_types, .execute = jr_xla_start},
};

JR_PART(xla, calls, true);

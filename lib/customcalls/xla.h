/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The calls that XLA's lowerings name, on the host: what xla_table.c puts in
/// the registry, one file a family, and words for declaring them. All are
/// written as a plug-in would be, and thread-safe.
#ifndef JR_CUSTOMCALLS_XLA_H
#define JR_CUSTOMCALLS_XLA_H

#include "customcalls/builtins.h"

/// Fields of parameters: elements of one type.
#define JR_XLA_OF(dtype) .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_##dtype)
#define JR_XLA_SCALAR(dtype) .kind = JITRUN_ATTR_SCALAR, JR_XLA_OF(dtype)
#define JR_XLA_OPTIONAL .flags = JITRUN_OPTIONAL
#define JR_XLA_BUFFER                                                          \
  .kind = JITRUN_KIND_BUFFER, .max_rank = JR_MAX_RANK,                         \
  .dtypes = JITRUN_DTYPES_ANY

/// xla_memory.c
extern const jitrun_signature_t jr_xla_memcpy_types, jr_xla_memset_types;
jitrun_error_t *jr_xla_memcpy_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_memcpy(jitrun_call_t *call);
jitrun_error_t *jr_xla_memset_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_memset(jitrun_call_t *call);

/// xla_gemm.c
extern const jitrun_signature_t jr_xla_gemm_types;
jitrun_error_t *jr_xla_gemm_create(jitrun_call_t *call);
jitrun_error_t *jr_xla_gemm(jitrun_call_t *call);

/// xla_device.c
extern const jitrun_signature_t jr_xla_gpu_id_types, jr_xla_cpu_id_types;
jitrun_error_t *jr_xla_gpu_replica(jitrun_call_t *call);
jitrun_error_t *jr_xla_gpu_partition(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_replica(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_partition(jitrun_call_t *call);

/// xla_collective.c: the state of a site is a struct jr_collective, which
/// jr_collective_execute() runs.
extern const jitrun_signature_t jr_xla_reduce_types, jr_xla_gather_types,
    jr_xla_exchange_types, jr_xla_permute_types, jr_xla_done_types,
    jr_xla_cpu_reduce_types, jr_xla_cpu_swap_types, jr_xla_cpu_permute_types;
jitrun_error_t *jr_xla_all_reduce(jitrun_call_t *call);
jitrun_error_t *jr_xla_reduce_start(jitrun_call_t *call);
jitrun_error_t *jr_xla_reduce_scatter(jitrun_call_t *call);
jitrun_error_t *jr_xla_all_gather(jitrun_call_t *call);
jitrun_error_t *jr_xla_all_to_all(jitrun_call_t *call);
jitrun_error_t *jr_xla_permute(jitrun_call_t *call);
jitrun_error_t *jr_xla_done_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_done(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_all_reduce(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_all_to_all(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_permute(jitrun_call_t *call);

/// xla_transfers.c
extern const jitrun_signature_t jr_xla_infeed_types, jr_xla_cpu_infeed_types,
    jr_xla_cpu_outfeed_types, jr_xla_transfer_types, jr_xla_done_host_types;
jitrun_error_t *jr_xla_cpu_outfeed_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_outfeed(jitrun_call_t *call);
jitrun_error_t *jr_xla_channel_read(jitrun_call_t *call);
jitrun_error_t *jr_xla_send(jitrun_call_t *call);
jitrun_error_t *jr_xla_recv(jitrun_call_t *call);
jitrun_error_t *jr_xla_transfer_done(jitrun_call_t *call);

/// random.c
extern const jitrun_signature_t jr_random_signature;
jitrun_error_t *jr_threefry_check(jitrun_call_t *call);
jitrun_error_t *jr_philox_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_threefry(jitrun_call_t *call);
jitrun_error_t *jr_xla_philox(jitrun_call_t *call);

/// sort.c
extern const jitrun_signature_t jr_xla_top_k_types;
jitrun_error_t *jr_xla_top_k_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_top_k(jitrun_call_t *call);

/// fft.c: for both platforms.
extern const jitrun_signature_t jr_xla_fft_types, jr_xla_cpu_fft_types;
jitrun_error_t *jr_xla_fft_create(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_fft_create(jitrun_call_t *call);
jitrun_error_t *jr_xla_fft(jitrun_call_t *call);

/// cholesky.c
extern const jitrun_signature_t jr_xla_cholesky_types;
jitrun_error_t *jr_xla_cholesky_check(jitrun_call_t *call);
jitrun_error_t *jr_xla_cholesky(jitrun_call_t *call);

/// xla_trace.c
extern const jitrun_signature_t jr_xla_start_types, jr_xla_end_types;
jitrun_error_t *jr_xla_start(jitrun_call_t *call);
jitrun_error_t *jr_xla_end(jitrun_call_t *call);

/// xla_launch.c
extern const jitrun_signature_t jr_xla_launch_types;
jitrun_error_t *jr_xla_launch_check(jitrun_call_t *call);

/// xla_unbuilt.c: calls of libraries that the host has no counterpart of yet. A
/// program with one is refused when it is opened.
extern const jitrun_signature_t jr_xla_conv_types, jr_xla_fused_types,
    jr_xla_side_types, jr_xla_filter_types, jr_xla_bias_types, jr_xla_lt_types,
    jr_xla_lt_bias_types, jr_xla_lt_aux_types, jr_xla_lt_both_types,
    jr_xla_lt_f8_types, jr_xla_lt_amax_types, jr_xla_graph_types,
    jr_xla_cpu_conv_types;
jitrun_error_t *jr_xla_unbuilt(jitrun_call_t *call);

/// xla_custom.c: handlers of the classic API, for programs of either platform.
extern const jitrun_signature_t jr_xla_classic_types, jr_xla_cpu_custom_types;
jitrun_error_t *jr_xla_classic_create(jitrun_call_t *call);
jitrun_error_t *jr_xla_classic(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_custom_create(jitrun_call_t *call);
jitrun_error_t *jr_xla_cpu_custom(jitrun_call_t *call);

/// Fills a buffer with a value of 32 bits, whatever its element type.
/// INVALID_ARGUMENT unless its size is a multiple of 4 bytes; the value 0 fits
/// any.
jitrun_error_t *jr_xla_fill(const jitrun_call_t *call, const jitrun_arg_t *to,
                            uint32_t pattern) JITRUN_MUST_USE;

#endif

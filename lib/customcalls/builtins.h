/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The built-in calls, one file a family: what builtins.c puts in the table,
/// and what the families share. They are written as a plug-in would be: all
/// they know of the runtime is in the call. Everything here is thread-safe.
#ifndef JR_CUSTOMCALLS_BUILTINS_H
#define JR_CUSTOMCALLS_BUILTINS_H

#include "jitrun/customcall.h"

/// Largest rank that the calls on memory take.
#define JR_MAX_RANK 32

/// memory.c
extern const jitrun_signature_t jr_memcpy_signature, jr_memset_signature;
jitrun_error_t *jr_memcpy_instantiate(jitrun_call_t *call);
jitrun_error_t *jr_memcpy_execute(jitrun_call_t *call);
jitrun_error_t *jr_memset_instantiate(jitrun_call_t *call);
jitrun_error_t *jr_memset_execute(jitrun_call_t *call);

/// gemm.c
extern const jitrun_signature_t jr_gemm_signature;
jitrun_error_t *jr_gemm_instantiate(jitrun_call_t *call);
jitrun_error_t *jr_gemm_execute(jitrun_call_t *call);

/// print.c
extern const jitrun_signature_t jr_print_signature;
jitrun_error_t *jr_print_execute(jitrun_call_t *call);

/// control.c
extern const jitrun_signature_t jr_noop_signature, jr_fail_signature,
    jr_sleep_signature, jr_assert_signature;
jitrun_error_t *jr_noop_execute(jitrun_call_t *call);
jitrun_error_t *jr_fail_execute(jitrun_call_t *call);
jitrun_error_t *jr_sleep_instantiate(jitrun_call_t *call);
jitrun_error_t *jr_sleep_execute(jitrun_call_t *call);
jitrun_error_t *jr_assert_instantiate(jitrun_call_t *call);
jitrun_error_t *jr_assert_execute(jitrun_call_t *call);

/// collective_calls.c: the state of a site is a struct jr_collective, which
/// jr_collective_execute() runs.
extern const jitrun_signature_t jr_all_reduce_signature, jr_scatter_signature,
    jr_gather_signature, jr_exchange_signature, jr_permute_signature;
jitrun_error_t *jr_all_reduce_load(jitrun_call_t *call);
jitrun_error_t *jr_scatter_load(jitrun_call_t *call);
jitrun_error_t *jr_gather_load(jitrun_call_t *call);
jitrun_error_t *jr_exchange_load(jitrun_call_t *call);
jitrun_error_t *jr_permute_load(jitrun_call_t *call);

/// transfers.c
extern const jitrun_signature_t jr_feed_signature, jr_send_signature,
    jr_recv_signature;
jitrun_error_t *jr_feed_check(jitrun_call_t *call);
jitrun_error_t *jr_infeed_execute(jitrun_call_t *call);
jitrun_error_t *jr_outfeed_execute(jitrun_call_t *call);
jitrun_error_t *jr_channel_check(jitrun_call_t *call);
jitrun_error_t *jr_send_execute(jitrun_call_t *call);
jitrun_error_t *jr_recv_execute(jitrun_call_t *call);

/// An error of a handler with a formatted text, cut at 1023 bytes.
jitrun_error_t *jr_call_error(const jitrun_call_t *call, jitrun_code_t code,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4), warn_unused_result));

/// Elements to copy between two places of the same sizes.
struct jr_copy {
  char *to;
  const char *from;
  const int64_t *dims;
  const int64_t *to_strides, *from_strides; ///< in elements
  uint32_t rank;                            ///< up to JR_MAX_RANK
  size_t element_bytes;
};

/// Copies them; a source stride of 0 repeats an element. Where both places are
/// contiguous and laid out alike they may overlap.
void jr_copy_elements(const struct jr_copy *copy);

/// Copies a buffer into one of the same sizes and element size.
void jr_copy_buffer(const jitrun_arg_t *dst, const jitrun_arg_t *src);

/// Keeps a copy of `size` bytes as the state of the call's site, to be freed
/// with free(). RESOURCE_EXHAUSTED only.
jitrun_error_t *jr_call_keep(jitrun_call_t *call, const void *state,
                             size_t size) __attribute__((warn_unused_result));

#endif

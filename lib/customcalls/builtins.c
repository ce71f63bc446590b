/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The table of built-in calls: the same kind of table that a plug-in has.
#include "customcalls/builtins.h"

#include "base/alloc.h"
#include "customcalls/collective.h"
#include "customcalls/registry.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.all_gather",
     .platform = "host",
     .summary = "joins the sources of the group",
     .signature = &jr_gather_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_gather_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.all_reduce",
     .platform = "host",
     .summary = "reduces each source over the group",
     .signature = &jr_all_reduce_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_all_reduce_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.all_to_all",
     .platform = "host",
     .summary = "exchanges parts of the sources in the group",
     .signature = &jr_exchange_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_exchange_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.assert",
     .platform = "host",
     .summary = "fails with the message unless the condition is true",
     .signature = &jr_assert_signature,
     .execute = jr_assert_execute,
     .instantiate = jr_assert_instantiate},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.collective_permute",
     .platform = "host",
     .summary = "copies sources to targets, zeros without one",
     .signature = &jr_permute_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_permute_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.fail",
     .platform = "host",
     .summary = "fails with the message and the code",
     .signature = &jr_fail_signature,
     .execute = jr_fail_execute},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.gemm",
     .platform = "host",
     .summary = "c = alpha * op(a) * op(b) + beta * c, by a BLAS library",
     .signature = &jr_gemm_signature,
     .execute = jr_gemm_execute,
     .instantiate = jr_gemm_instantiate,
     .destroy_state = free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.infeed",
     .platform = "host",
     .summary = "takes the next of the infeed",
     .signature = &jr_feed_signature,
     .execute = jr_infeed_execute,
     .instantiate = jr_feed_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.memcpy",
     .platform = "host",
     .summary = "copies src to dst, of the same type and shape",
     .signature = &jr_memcpy_signature,
     .execute = jr_memcpy_execute,
     .instantiate = jr_memcpy_instantiate},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.memset",
     .platform = "host",
     .summary = "sets every element of dst to the value",
     .signature = &jr_memset_signature,
     .execute = jr_memset_execute,
     .instantiate = jr_memset_instantiate},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.noop",
     .platform = "host",
     .summary = "does nothing with any arguments and attributes",
     .signature = &jr_noop_signature,
     .execute = jr_noop_execute},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.outfeed",
     .platform = "host",
     .summary = "puts the buffers into the outfeed",
     .signature = &jr_feed_signature,
     .execute = jr_outfeed_execute,
     .instantiate = jr_feed_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.partition_id",
     .platform = "host",
     .summary = "returns the partition id",
     .signature = &jr_xla_cpu_id_types,
     .execute = jr_xla_cpu_partition},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.print",
     .platform = "host",
     .summary = "prints the label and every argument, one a line",
     .signature = &jr_print_signature,
     .execute = jr_print_execute},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.recv",
     .platform = "host",
     .summary = "takes the next of a channel",
     .signature = &jr_recv_signature,
     .execute = jr_recv_execute,
     .instantiate = jr_channel_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.reduce_scatter",
     .platform = "host",
     .summary = "reduces over the group, one part for each member",
     .signature = &jr_scatter_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_scatter_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.replica_id",
     .platform = "host",
     .summary = "returns the replica id",
     .signature = &jr_xla_cpu_id_types,
     .execute = jr_xla_cpu_replica},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.send",
     .platform = "host",
     .summary = "puts the buffers into a channel",
     .signature = &jr_send_signature,
     .execute = jr_send_execute,
     .instantiate = jr_channel_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.sleep",
     .platform = "host",
     .summary = "waits so many milliseconds, or until cancelled",
     .signature = &jr_sleep_signature,
     .execute = jr_sleep_execute,
     .instantiate = jr_sleep_instantiate},
};

const jitrun_plugin_t jr_builtin_calls = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "jitrun",
    .calls = calls,
    .call_count = sizeof(calls) / sizeof(calls[0]),
};

jitrun_error_t *jr_call_error(const jitrun_call_t *call, jitrun_code_t code,
                              const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  size_t size = length > 0 ? strlen(text) : 0;
  return call->site->api->error(call, code, text, size);
}

jitrun_error_t *jr_call_keep(jitrun_call_t *call, const void *state,
                             size_t size) {
  call->state = jr_malloc(size);
  if (!call->state)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  memcpy(call->state, state, size);
  return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// XLA's collective calls: what their attributes say, for the code that all
/// collective calls share. `xla.gpu` gives groups as values and ends,
/// `xla.cpu` as rows that are filled up with -1.
#include "customcalls/collective.h"
#include "customcalls/xla.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>

/// An array or a tensor.
#define LIST .kind = 0, JR_XLA_OF(S64)
#define UID                                                                    \
  {.name = "uid",                                                              \
   .kind = JITRUN_ATTR_SCALAR,                                                 \
   .dtypes =                                                                   \
       JITRUN_DTYPES(JITRUN_DTYPE_S32) | JITRUN_DTYPES(JITRUN_DTYPE_S64),      \
   JR_XLA_OPTIONAL}

/// What all collective calls of `xla.gpu` have, then what some have besides.
enum { MODE, IS_ASYNC, OP_ID, OFFSETS, VALUES, GPU_UID, OWN, MORE };

#define GPU_ATTRS                                                              \
  [MODE] = {.name = "group_mode", JR_XLA_SCALAR(S64)},                         \
  [IS_ASYNC] = {.name = "is_async", JR_XLA_SCALAR(PRED), JR_XLA_OPTIONAL},     \
  [OP_ID] = {.name = "op_id", JR_XLA_SCALAR(S64)},                             \
  [OFFSETS] = {.name = "replica_group_offsets", LIST},                         \
  [VALUES] = {.name = "replica_group_values", LIST}, [GPU_UID] = UID

static const jitrun_attr_param_t reduce_attrs[] = {
    GPU_ATTRS, [OWN] = {.name = "reduction_kind", JR_XLA_SCALAR(S64)}};
static const jitrun_attr_param_t exchange_attrs[] = {
    GPU_ATTRS, [OWN] = {.name = "has_split_dimension", JR_XLA_SCALAR(PRED)}};
static const jitrun_attr_param_t permute_attrs[] = {
    GPU_ATTRS, [OWN] = {.name = "source_peers", LIST},
    [MORE] = {.name = "target_peers", LIST}};

#define TYPES(list, number)                                                    \
  {.size = sizeof(jitrun_signature_t),                                         \
   .flags = JITRUN_VARIADIC_ARGS,                                              \
   .attrs = (list),                                                            \
   .attr_count = (number)}

const jitrun_signature_t jr_xla_reduce_types = TYPES(reduce_attrs, OWN + 1);
const jitrun_signature_t jr_xla_gather_types = TYPES(reduce_attrs, OWN);
const jitrun_signature_t jr_xla_exchange_types = TYPES(exchange_attrs, OWN + 1);
const jitrun_signature_t jr_xla_permute_types = TYPES(permute_attrs, MORE + 1);

static int64_t read_integer(const jitrun_attr_t *attr) {
  return attr->dtype == JITRUN_DTYPE_S32 ? attr->value.s32 : attr->value.s64;
}

static jitrun_error_t *read_reduction(const jitrun_call_t *call,
                                      const jitrun_attr_t *attr,
                                      struct jr_collective *collective) {
  int64_t number = read_integer(attr);
  if (number >= 0 && number < JR_REDUCTION_COUNT) {
    collective->reduction = (enum jr_reduction)number;
    return NULL;
  }
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: reduction_kind is %" PRId64
                       "; it is 0 for sum, 1 product, 2 min, 3 max",
                       call->site->target, number);
}

static jitrun_error_t *read_gpu(const jitrun_call_t *call,
                                struct jr_collective *collective) {
  const jitrun_attr_t *attrs = call->attrs;
  int64_t mode = attrs[MODE].value.s64;
  jitrun_error_t *error = jr_list_check(call, &attrs[VALUES]);
  if (!error)
    error = jr_list_check(call, &attrs[OFFSETS]);
  if (error)
    return error;
  if (mode < JR_CROSS_REPLICA || mode > JR_FLATTENED)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: group_mode is %" PRId64 "; it is 0 to 3",
                         call->site->target, mode);
  collective->mode = (enum jr_group_mode)mode;
  collective->space = JR_SPACE_OP;
  collective->id = attrs[OP_ID].value.s64;
  collective->dim = JR_ANY_DIM;
  collective->to_dim = JR_ANY_DIM;
  collective->is_async =
      collective->is_async || (attrs[IS_ASYNC].kind != JITRUN_ATTR_ABSENT &&
                               attrs[IS_ASYNC].value.pred);
  collective->uid = attrs[GPU_UID].kind != JITRUN_ATTR_ABSENT
                        ? read_integer(&attrs[GPU_UID])
                        : collective->id;
  // the attributes outlive the copy that is made of them
  collective->ids = (int64_t *)(uintptr_t)attrs[VALUES].value.data;
  collective->id_count = attrs[VALUES].count;
  collective->ends = (int64_t *)(uintptr_t)attrs[OFFSETS].value.data;
  collective->group_count = attrs[OFFSETS].count;
  return NULL;
}

static jitrun_error_t *keep_reduce(jitrun_call_t *call,
                                   struct jr_collective collective) {
  jitrun_error_t *error = read_gpu(call, &collective);
  if (!error)
    error = read_reduction(call, &call->attrs[OWN], &collective);
  return error ? error : jr_collective_keep(call, &collective);
}

jitrun_error_t *jr_xla_all_reduce(jitrun_call_t *call) {
  return keep_reduce(call, (struct jr_collective){.kind = JR_ALL_REDUCE});
}

jitrun_error_t *jr_xla_reduce_start(jitrun_call_t *call) {
  return keep_reduce(
      call, (struct jr_collective){.kind = JR_ALL_REDUCE, .is_async = true});
}

jitrun_error_t *jr_xla_reduce_scatter(jitrun_call_t *call) {
  return keep_reduce(call, (struct jr_collective){.kind = JR_REDUCE_SCATTER});
}

jitrun_error_t *jr_xla_all_gather(jitrun_call_t *call) {
  struct jr_collective collective = {.kind = JR_ALL_GATHER};
  jitrun_error_t *error = read_gpu(call, &collective);
  return error ? error : jr_collective_keep(call, &collective);
}

jitrun_error_t *jr_xla_all_to_all(jitrun_call_t *call) {
  struct jr_collective collective = {.kind = JR_TUPLE_ALL_TO_ALL};
  if (call->attrs[OWN].value.pred)
    collective.kind = JR_ALL_TO_ALL;
  jitrun_error_t *error = read_gpu(call, &collective);
  return error ? error : jr_collective_keep(call, &collective);
}

/// Keeps a permutation whose pairs are given as two lists.
static jitrun_error_t *keep_pairs(jitrun_call_t *call,
                                  struct jr_collective *collective) {
  const jitrun_attr_t *sources = &call->attrs[OWN];
  const jitrun_attr_t *targets = &call->attrs[MORE];
  jitrun_error_t *error = jr_list_check(call, sources);
  if (!error)
    error = jr_list_check(call, targets);
  if (error)
    return error;
  if (sources->count != targets->count)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: %" PRIu64 " source_peers have %" PRIu64
                         " target_peers; each needs one",
                         call->site->target, sources->count, targets->count);
  size_t count = sources->count;
  int64_t *pairs = jr_calloc(count, 2 * sizeof *pairs);
  if (!pairs)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  for (size_t i = 0; i < count; i++) {
    pairs[2 * i] = ((const int64_t *)sources->value.data)[i];
    pairs[2 * i + 1] = ((const int64_t *)targets->value.data)[i];
  }
  collective->ids = pairs;
  collective->id_count = 2 * count;
  error = jr_collective_keep(call, collective);
  free(pairs);
  return error;
}

jitrun_error_t *jr_xla_permute(jitrun_call_t *call) {
  struct jr_collective collective = {.kind = JR_PERMUTE};
  jitrun_error_t *error = read_gpu(call, &collective);
  if (error)
    return error;
  if (collective.mode != JR_CROSS_REPLICA)
    collective.mode = JR_CROSS_PARTITION;
  collective.group_count = 0;
  return keep_pairs(call, &collective);
}

static const jitrun_attr_param_t done_attrs[] = {
    UID, {.name = "done_type", .kind = JITRUN_ATTR_STRING, JR_XLA_OPTIONAL}};

/// The done of 2022 has the buffers as well.
const jitrun_signature_t jr_xla_done_types = TYPES(done_attrs, 2);

jitrun_error_t *jr_xla_done_check(jitrun_call_t *call) {
  if (call->attrs[0].kind != JITRUN_ATTR_ABSENT)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s needs attribute 'uid': what it finishes was "
                       "started under that",
                       call->site->target);
}

jitrun_error_t *jr_xla_done(jitrun_call_t *call) {
  return jr_collective_done(call, read_integer(&call->attrs[0]));
}

enum { CPU_GROUPS, CPU_OP_ID, CPU_CHANNEL, CPU_GLOBAL, CPU_REDUCTION };

static const jitrun_attr_param_t cpu_reduce_attrs[] = {
    [CPU_GROUPS] = {.name = "replica_groups", LIST},
    [CPU_OP_ID] = {.name = "op_id", JR_XLA_SCALAR(S64)},
    [CPU_CHANNEL] = {.name = "channel_handle", JR_XLA_SCALAR(S64)},
    [CPU_GLOBAL] = {.name = "use_global_device_ids", JR_XLA_SCALAR(S32)},
    [CPU_REDUCTION] = {.name = "reduction_kind", JR_XLA_SCALAR(S32)}};
static const jitrun_attr_param_t cpu_exchange_attrs[] = {
    [CPU_GROUPS] = {.name = "replica_groups", LIST},
    [CPU_OP_ID] = {.name = "op_id", JR_XLA_SCALAR(S64)},
    [CPU_CHANNEL] = {.name = "channel_id_present", JR_XLA_SCALAR(S32)}};
static const jitrun_attr_param_t cpu_permute_attrs[] = {
    {.name = "source_target_pairs", LIST},
    {.name = "channel_handle", JR_XLA_SCALAR(S64)}};

const jitrun_signature_t jr_xla_cpu_reduce_types = TYPES(cpu_reduce_attrs, 5);
const jitrun_signature_t jr_xla_cpu_swap_types = TYPES(cpu_exchange_attrs, 3);
const jitrun_signature_t jr_xla_cpu_permute_types = TYPES(cpu_permute_attrs, 2);

jitrun_error_t *jr_collective_keep_rows(jitrun_call_t *call,
                                        const jitrun_attr_t *rows,
                                        struct jr_collective *collective) {
  jitrun_error_t *error = jr_list_check(call, rows);
  if (error)
    return error;
  uint64_t count = rows->count;
  bool is_tensor = rows->kind == JITRUN_ATTR_TENSOR && rows->rank == 2;
  uint64_t width = is_tensor ? (uint64_t)rows->dims[1] : count;
  int64_t *ids = jr_calloc(count, sizeof *ids);
  int64_t *ends = jr_calloc(count, sizeof *ends);
  if (!ids || !ends) {
    free(ids);
    free(ends);
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  }
  for (uint64_t i = 0; i < count; i++) {
    int64_t id = ((const int64_t *)rows->value.data)[i];
    if (id != -1)
      ids[collective->id_count++] = id;
    if ((i + 1) % width == 0)
      ends[collective->group_count++] = (int64_t)collective->id_count;
  }
  collective->ids = ids;
  collective->ends = ends;
  error = jr_collective_keep(call, collective);
  free(ids);
  free(ends);
  return error;
}

static struct jr_collective begin_cpu(const jitrun_call_t *call,
                                      enum jr_collective_kind kind) {
  return (struct jr_collective){.kind = kind,
                                .space = JR_SPACE_OP,
                                .id = call->attrs[CPU_OP_ID].value.s64,
                                .dim = JR_ANY_DIM,
                                .to_dim = JR_ANY_DIM};
}

jitrun_error_t *jr_xla_cpu_all_reduce(jitrun_call_t *call) {
  struct jr_collective collective = begin_cpu(call, JR_ALL_REDUCE);
  int64_t channel = call->attrs[CPU_CHANNEL].value.s64;
  if (channel != 0) {
    collective.space = JR_SPACE_CHANNEL;
    collective.id = channel;
    collective.mode =
        call->attrs[CPU_GLOBAL].value.s32 != 0 ? JR_FLATTENED : JR_CROSS_BOTH;
  }
  jitrun_error_t *error =
      read_reduction(call, &call->attrs[CPU_REDUCTION], &collective);
  return error ? error
               : jr_collective_keep_rows(call, &call->attrs[CPU_GROUPS],
                                         &collective);
}

jitrun_error_t *jr_xla_cpu_all_to_all(jitrun_call_t *call) {
  struct jr_collective collective = begin_cpu(call, JR_TUPLE_ALL_TO_ALL);
  if (call->attrs[CPU_CHANNEL].value.s32 != 0)
    collective.mode = JR_CROSS_PARTITION;
  return jr_collective_keep_rows(call, &call->attrs[CPU_GROUPS], &collective);
}

jitrun_error_t *jr_collective_keep_pairs(jitrun_call_t *call,
                                         const jitrun_attr_t *pairs,
                                         struct jr_collective *collective) {
  jitrun_error_t *error = jr_list_check(call, pairs);
  if (error)
    return error;
  if (pairs->count % 2 != 0)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: attribute '%s' has %" PRIu64
                         " numbers; it is pairs of a source and a target",
                         call->site->target, pairs->name, pairs->count);
  collective->ids = (int64_t *)(uintptr_t)pairs->value.data;
  collective->id_count = pairs->count;
  return jr_collective_keep(call, collective);
}

jitrun_error_t *jr_xla_cpu_permute(jitrun_call_t *call) {
  int64_t channel = call->attrs[1].value.s64;
  struct jr_collective collective = {.kind = JR_PERMUTE,
                                     .space = JR_SPACE_CHANNEL,
                                     .id = channel,
                                     .mode = channel != 0 ? JR_CROSS_PARTITION
                                                          : JR_CROSS_REPLICA,
                                     .dim = JR_ANY_DIM,
                                     .to_dim = JR_ANY_DIM};
  return jr_collective_keep_pairs(call, &call->attrs[0], &collective);
}

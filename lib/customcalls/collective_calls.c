/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.all_reduce` and the other collective calls of ours. Groups and pairs
/// are of device numbers; calls without a channel meet in the order in which
/// they are made.
#include "customcalls/collective.h"
#include "customcalls/parts.h"
#include "customcalls/xla.h"

#include <inttypes.h>
#include <string.h>

#define SCALAR_S64                                                             \
  .kind = JITRUN_ATTR_SCALAR, .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64),       \
  .flags = JITRUN_OPTIONAL

/// What all have, then what some have besides.
enum { CHANNEL, GROUPS, OWN, MORE };

#define COMMON                                                                 \
  [CHANNEL] = {.name = "channel", SCALAR_S64}, [GROUPS] = {                    \
                                                   .name = "groups",           \
                                                   .dtypes = JITRUN_DTYPES(    \
                                                       JITRUN_DTYPE_S64),      \
                                                   .flags = JITRUN_OPTIONAL}

static const jitrun_attr_param_t reduce_attrs[] = {
    COMMON,
    [OWN] = {.name = "reduction",
             .kind = JITRUN_ATTR_STRING,
             .flags = JITRUN_OPTIONAL},
    [MORE] = {.name = "dimension", SCALAR_S64}};
static const jitrun_attr_param_t gather_attrs[] = {
    COMMON, [OWN] = {.name = "dimension", SCALAR_S64}};
static const jitrun_attr_param_t exchange_attrs[] = {
    COMMON, [OWN] = {.name = "split_dimension", SCALAR_S64},
    [MORE] = {.name = "concat_dimension", SCALAR_S64}};
static const jitrun_attr_param_t permute_attrs[] = {
    [CHANNEL] = {.name = "channel", SCALAR_S64},
    {.name = "pairs", .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};

#define TYPES(list, number)                                                    \
  {.size = sizeof(jitrun_signature_t),                                         \
   .flags = JITRUN_VARIADIC_ARGS,                                              \
   .attrs = (list),                                                            \
   .attr_count = (number)}

const jitrun_signature_t jr_all_reduce_signature = TYPES(reduce_attrs, MORE);
const jitrun_signature_t jr_scatter_signature = TYPES(reduce_attrs, MORE + 1);
const jitrun_signature_t jr_gather_signature = TYPES(gather_attrs, OWN + 1);
const jitrun_signature_t jr_exchange_signature =
    TYPES(exchange_attrs, MORE + 1);
const jitrun_signature_t jr_permute_signature = TYPES(permute_attrs, 2);

static int64_t read_or(const jitrun_attr_t *attr, int64_t otherwise) {
  return attr->kind == JITRUN_ATTR_ABSENT ? otherwise : attr->value.s64;
}

static struct jr_collective begin(const jitrun_call_t *call,
                                  enum jr_collective_kind kind) {
  return (struct jr_collective){.kind = kind,
                                .mode = JR_FLATTENED,
                                .space = JR_SPACE_JITRUN,
                                .id = read_or(&call->attrs[CHANNEL], 0)};
}

static jitrun_error_t *read_dim(const jitrun_call_t *call, uint32_t attr,
                                int64_t otherwise, int64_t *out_dim) {
  *out_dim = read_or(&call->attrs[attr], otherwise);
  if (*out_dim >= 0)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: attribute '%s' is %" PRId64
                       "; dimensions count from 0",
                       call->site->target, call->attrs[attr].name, *out_dim);
}

static jitrun_error_t *keep(jitrun_call_t *call,
                            struct jr_collective *collective) {
  if (call->attrs[GROUPS].kind == JITRUN_ATTR_ABSENT)
    return jr_collective_keep(call, collective);
  return jr_collective_keep_rows(call, &call->attrs[GROUPS], collective);
}

static jitrun_error_t *read_reduction(const jitrun_call_t *call,
                                      struct jr_collective *collective) {
  const jitrun_attr_t *attr = &call->attrs[OWN];
  if (attr->kind == JITRUN_ATTR_ABSENT)
    return NULL;
  for (int i = 0; i < JR_REDUCTION_COUNT; i++) {
    enum jr_reduction reduction = (enum jr_reduction)i;
    if (strcmp(attr->value.string, jr_reduction_name(reduction)) == 0) {
      collective->reduction = reduction;
      return NULL;
    }
  }
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: reduction \"%s\" is none of sum, product, min and "
                       "max",
                       call->site->target, attr->value.string);
}

jitrun_error_t *jr_all_reduce_load(jitrun_call_t *call) {
  struct jr_collective collective = begin(call, JR_ALL_REDUCE);
  jitrun_error_t *error = read_reduction(call, &collective);
  return error ? error : keep(call, &collective);
}

jitrun_error_t *jr_scatter_load(jitrun_call_t *call) {
  struct jr_collective collective = begin(call, JR_REDUCE_SCATTER);
  jitrun_error_t *error = read_reduction(call, &collective);
  if (!error)
    error = read_dim(call, MORE, 0, &collective.dim);
  return error ? error : keep(call, &collective);
}

jitrun_error_t *jr_gather_load(jitrun_call_t *call) {
  struct jr_collective collective = begin(call, JR_ALL_GATHER);
  jitrun_error_t *error = read_dim(call, OWN, 0, &collective.dim);
  return error ? error : keep(call, &collective);
}

jitrun_error_t *jr_exchange_load(jitrun_call_t *call) {
  struct jr_collective collective = begin(call, JR_ALL_TO_ALL);
  jitrun_error_t *error = read_dim(call, OWN, 0, &collective.dim);
  if (!error)
    error = read_dim(call, MORE, collective.dim, &collective.to_dim);
  return error ? error : keep(call, &collective);
}

jitrun_error_t *jr_permute_load(jitrun_call_t *call) {
  struct jr_collective collective = begin(call, JR_PERMUTE);
  return jr_collective_keep_pairs(call, &call->attrs[1], &collective);
}

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
     .name = "jitrun.collective_permute",
     .platform = "host",
     .summary = "copies sources to targets, zeros without one",
     .signature = &jr_permute_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_permute_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.reduce_scatter",
     .platform = "host",
     .summary = "reduces over the group, one part for each member",
     .signature = &jr_scatter_signature,
     .execute = jr_collective_execute,
     .instantiate = jr_scatter_load,
     .destroy_state = jr_collective_free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.partition_id",
     .platform = "host",
     .summary = "returns the partition id",
     .signature = &jr_xla_cpu_id_types,
     .execute = jr_xla_cpu_partition},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.replica_id",
     .platform = "host",
     .summary = "returns the replica id",
     .signature = &jr_xla_cpu_id_types,
     .execute = jr_xla_cpu_replica},
};

JR_PART(collective, calls, false);

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which devices a collective call is among. What a program says in groups is
/// checked and sorted when it is loaded; how many devices there are is known
/// only when it runs.
#include "customcalls/collective.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

jitrun_error_t *jr_list_check(const jitrun_call_t *call,
                              const jitrun_attr_t *attr) {
  if (attr->kind == JITRUN_ATTR_ARRAY || attr->kind == JITRUN_ATTR_TENSOR)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: attribute '%s' must be an array or a tensor of i64",
                       call->site->target, attr->name);
}

static int compare_ids(const void *a, const void *b) {
  const struct jr_group_id *left = a;
  const struct jr_group_id *right = b;
  return left->id < right->id ? -1 : left->id > right->id;
}

static jitrun_error_t *check_ends(const jitrun_call_t *call,
                                  const struct jr_collective *from) {
  int64_t last = 0;
  for (size_t i = 0; i < from->group_count; i++) {
    if (from->ends[i] < last || (uint64_t)from->ends[i] > from->id_count)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: group %zu ends at %" PRId64
                           ", which must be from %" PRId64 " to the %zu ids "
                           "there are",
                           call->site->target, i, from->ends[i], last,
                           from->id_count);
    last = from->ends[i];
  }
  if ((uint64_t)last == from->id_count)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: the groups end at %" PRId64
                       ", but there are %zu ids",
                       call->site->target, last, from->id_count);
}

/// No id may stand twice in sorted[first], sorted[first + step], ...
static jitrun_error_t *check_sorted(const jitrun_call_t *call,
                                    const struct jr_group_id *sorted,
                                    size_t count, const char *what) {
  for (size_t i = 0; i < count; i++) {
    if (sorted[i].id < 0)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: a %s is %" PRId64 "; they count from 0",
                           call->site->target, what, sorted[i].id);
    if (i > 0 && sorted[i].id == sorted[i - 1].id)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: %s %" PRId64 " appears more than once",
                           call->site->target, what, sorted[i].id);
  }
  return NULL;
}

static jitrun_error_t *sort_groups(const jitrun_call_t *call,
                                   struct jr_collective *collective) {
  size_t group = 0;
  size_t first = 0;
  for (size_t i = 0; i < collective->id_count; i++) {
    while ((uint64_t)collective->ends[group] <= i)
      first = (size_t)collective->ends[group++];
    collective->sorted[i] = (struct jr_group_id){.id = collective->ids[i],
                                                 .group = (uint32_t)group,
                                                 .rank = (uint32_t)(i - first)};
  }
  qsort(collective->sorted, collective->id_count, sizeof *collective->sorted,
        compare_ids);
  return check_sorted(call, collective->sorted, collective->id_count,
                      "member of a group");
}

/// The targets of a permutation, sorted; `rank` is the number of the pair.
static jitrun_error_t *sort_pairs(const jitrun_call_t *call,
                                  struct jr_collective *collective) {
  static const char *const ends[] = {"source", "target"};
  size_t count = collective->id_count / 2;
  jitrun_error_t *error = NULL;
  for (size_t end = 0; !error && end < 2; end++) {
    for (size_t i = 0; i < count; i++)
      collective->sorted[i] = (struct jr_group_id){
          .id = collective->ids[2 * i + end], .rank = (uint32_t)i};
    qsort(collective->sorted, count, sizeof *collective->sorted, compare_ids);
    error = check_sorted(call, collective->sorted, count, ends[end]);
  }
  return error;
}

jitrun_error_t *jr_groups_copy(jitrun_call_t *call,
                               struct jr_collective *collective,
                               const struct jr_collective *from) {
  bool is_pairs = from->kind == JR_PERMUTE;
  jitrun_error_t *error = is_pairs ? NULL : check_ends(call, from);
  if (error)
    return error;
  collective->ids = jr_calloc(from->id_count, sizeof(int64_t));
  collective->ends = jr_calloc(from->group_count, sizeof(int64_t));
  collective->sorted = jr_calloc(from->id_count, sizeof *collective->sorted);
  if (!collective->ids || !collective->ends || !collective->sorted)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  if (from->id_count > 0)
    memcpy(collective->ids, from->ids, from->id_count * sizeof(int64_t));
  for (size_t i = 0; i < from->id_count; i++)
    collective->largest_id = from->ids[i] > collective->largest_id
                                 ? from->ids[i]
                                 : collective->largest_id;
  if (from->id_count == 0)
    collective->group_count = 0;
  if (from->group_count > 0)
    memcpy(collective->ends, from->ends, from->group_count * sizeof(int64_t));
  return is_pairs ? sort_pairs(call, collective)
                  : sort_groups(call, collective);
}

static const struct jr_group_id *find_id(const struct jr_collective *collective,
                                         size_t count, int64_t id) {
  const struct jr_group_id key = {.id = id};
  if (count == 0)
    return NULL;
  return bsearch(&key, collective->sorted, count, sizeof key, compare_ids);
}

struct jr_place jr_call_place(const jitrun_call_t *call) {
  const jitrun_call_api_t *api = call->site->api;
  struct jr_place place = {.replica_count = 1, .partition_count = 1};
  place.world = api->world ? api->world(call) : NULL;
  if (!place.world)
    return place;
  place.replica_count = jitrun_world_replica_count(place.world);
  place.partition_count = jitrun_world_partition_count(place.world);
  place.replica = api->replica_id(call);
  place.partition = api->partition_id(call);
  place.device = place.replica * place.partition_count + place.partition;
  return place;
}

/// How many ids of a mode there are, and which the caller's is.
static uint32_t count_ids(const struct jr_place *place, enum jr_group_mode mode,
                          uint32_t *out_own) {
  switch (mode) {
  case JR_CROSS_PARTITION:
    *out_own = place->partition;
    return place->partition_count;
  case JR_FLATTENED:
    *out_own = place->device;
    return place->replica_count * place->partition_count;
  case JR_CROSS_REPLICA:
  case JR_CROSS_BOTH:
    break;
  }
  *out_own = place->replica;
  return place->replica_count;
}

static uint32_t device_of(const struct jr_place *place, enum jr_group_mode mode,
                          uint32_t id, uint32_t part) {
  switch (mode) {
  case JR_CROSS_PARTITION:
    return place->replica * place->partition_count + id;
  case JR_FLATTENED:
    return id;
  case JR_CROSS_BOTH:
    return id * place->partition_count + part;
  case JR_CROSS_REPLICA:
    break;
  }
  return id * place->partition_count + place->partition;
}

static const char *id_name(enum jr_group_mode mode) {
  static const char *const names[] = {"replica", "partition", "replica",
                                      "device"};
  return names[mode];
}

/// All ids must be those of devices that there are.
static jitrun_error_t *check_limit(const jitrun_call_t *call,
                                   const struct jr_collective *collective,
                                   uint32_t limit) {
  if (collective->id_count == 0 || collective->largest_id < limit)
    return NULL;
  const char *name = id_name(collective->mode);
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s names %s %" PRId64 ", but the program runs on %u "
                       "%s%s; run it with as many replicas and partitions as "
                       "it is made for",
                       call->site->target, name, collective->largest_id, limit,
                       name, limit == 1 ? "" : "s");
}

/// The ids of the caller's group: [*first, *first + *count), of all ids where
/// there are no groups.
static jitrun_error_t *find_ids(const jitrun_call_t *call,
                                const struct jr_collective *collective,
                                uint32_t own, const int64_t **out_ids,
                                size_t *count) {
  *out_ids = NULL;
  if (collective->group_count == 0 || collective->kind == JR_PERMUTE)
    return NULL;
  const struct jr_group_id *place =
      find_id(collective, collective->id_count, own);
  if (!place)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: %s %u is in none of its groups",
                         call->site->target, id_name(collective->mode), own);
  size_t group = place->group;
  size_t first = group > 0 ? (size_t)collective->ends[group - 1] : 0;
  *out_ids = collective->ids + first;
  *count = (size_t)collective->ends[group] - first;
  return NULL;
}

jitrun_error_t *jr_group_find(const jitrun_call_t *call,
                              const struct jr_collective *collective,
                              struct jr_group *out_group) {
  struct jr_place place = jr_call_place(call);
  enum jr_group_mode mode = collective->mode;
  uint32_t own = 0;
  size_t count = count_ids(&place, mode, &own);
  const int64_t *ids = NULL;
  jitrun_error_t *error = check_limit(call, collective, (uint32_t)count);
  if (!error)
    error = find_ids(call, collective, own, &ids, &count);
  if (error)
    return error;
  uint32_t each = mode == JR_CROSS_BOTH ? place.partition_count : 1;
  *out_group = (struct jr_group){.count = (uint32_t)count * each};
  out_group->members = jr_calloc(out_group->count, sizeof(uint32_t));
  if (!out_group->members)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                         call->site->target);
  for (uint32_t i = 0; i < out_group->count; i++) {
    uint32_t id = ids ? (uint32_t)ids[i / each] : i / each;
    out_group->members[i] = device_of(&place, mode, id, i % each);
    if (out_group->members[i] == place.device)
      out_group->rank = i;
  }
  return NULL;
}

/// The pairs are sorted by target; a permutation's ranks are its ids.
uint32_t jr_permute_source(const struct jr_collective *collective,
                           uint32_t rank) {
  const struct jr_group_id *pair =
      find_id(collective, collective->id_count / 2, rank);
  return pair ? (uint32_t)collective->ids[2 * (size_t)pair->rank] : UINT32_MAX;
}

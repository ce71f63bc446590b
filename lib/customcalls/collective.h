/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Collective calls: what XLA's and our own have in common. A site's attributes
/// become a struct jr_collective when the program is loaded. A call starts: its
/// sources go, packed, to the meeting of its group; and it finishes: once all
/// members are there, each works out its own destinations from what they
/// brought. A call that is not asynchronous does both.
#ifndef JR_CUSTOMCALLS_COLLECTIVE_H
#define JR_CUSTOMCALLS_COLLECTIVE_H

#include "customcalls/builtins.h"
#include "customcalls/reduce.h"
#include "customcalls/world.h"

enum jr_collective_kind {
  JR_ALL_REDUCE,
  JR_REDUCE_SCATTER,
  JR_ALL_GATHER,
  JR_ALL_TO_ALL,
  JR_TUPLE_ALL_TO_ALL, ///< source i goes to rank i as a whole
  JR_PERMUTE
};

/// What the numbers in groups and pairs are; with XLA's numbers.
enum jr_group_mode {
  JR_CROSS_REPLICA,   ///< replicas, of the caller's partition
  JR_CROSS_PARTITION, ///< partitions, of the caller's replica
  JR_CROSS_BOTH,      ///< replicas, all partitions of each
  JR_FLATTENED        ///< numbers of devices
};

/// A number in a group.
struct jr_group_id {
  int64_t id;
  uint32_t group, rank;
};

/// A dimension that is not named: found by the sizes.
#define JR_ANY_DIM (-1)

struct jr_collective {
  enum jr_collective_kind kind;
  enum jr_reduction reduction;
  enum jr_space space;
  int64_t id;
  enum jr_group_mode mode;
  bool is_async;
  int64_t uid;
  int64_t dim, to_dim; ///< that is split or joined; to_dim: by all_to_all
  /// Groups: the ids of group G are in [ends[G - 1], ends[G]); none: one of
  /// all. Of a permutation: none, and ids are pairs of source and target.
  int64_t *ids;
  int64_t *ends;
  struct jr_group_id *sorted; ///< the same, by id
  size_t id_count, group_count;
  int64_t largest_id;
};

/// The group of a call: device numbers by rank.
struct jr_group {
  uint32_t *members; ///< owned
  uint32_t count, rank;
};

/// Keeps a collective as the state of its site, to be freed with
/// jr_collective_free(). Checks groups or pairs, and buffers as far as their
/// types say. Ids and ends are copied.
jitrun_error_t *
jr_collective_keep(jitrun_call_t *call,
                   const struct jr_collective *collective) JITRUN_MUST_USE;
void jr_collective_free(void *state);

/// The same with groups as rows of a tensor, filled up with -1, and with pairs
/// of source and target.
jitrun_error_t *
jr_collective_keep_rows(jitrun_call_t *call, const jitrun_attr_t *rows,
                        struct jr_collective *collective) JITRUN_MUST_USE;
jitrun_error_t *
jr_collective_keep_pairs(jitrun_call_t *call, const jitrun_attr_t *pairs,
                         struct jr_collective *collective) JITRUN_MUST_USE;

/// INVALID_ARGUMENT unless an attribute is an array or a tensor: a signature
/// cannot say "one of two kinds".
jitrun_error_t *jr_list_check(const jitrun_call_t *call,
                              const jitrun_attr_t *attr) JITRUN_MUST_USE;

/// Runs the collective in the state of the call's site; only starts an
/// asynchronous one.
jitrun_error_t *jr_collective_execute(jitrun_call_t *call);

/// Finishes the one that was started under `uid`.
jitrun_error_t *jr_collective_done(jitrun_call_t *call,
                                   int64_t uid) JITRUN_MUST_USE;

/// collective_groups.c: the copies that jr_collective_keep() makes, and checks.
jitrun_error_t *
jr_groups_copy(jitrun_call_t *call, struct jr_collective *collective,
               const struct jr_collective *from) JITRUN_MUST_USE;

/// The group that the calling device is in. Free the members.
jitrun_error_t *jr_group_find(const jitrun_call_t *call,
                              const struct jr_collective *collective,
                              struct jr_group *out_group) JITRUN_MUST_USE;

/// The rank whose data a permutation gives to `rank`; UINT32_MAX: none.
uint32_t jr_permute_source(const struct jr_collective *collective,
                           uint32_t rank);

/// Where a call runs; an execution alone has world NULL and device 0.
struct jr_place {
  jitrun_world_t *world;
  uint32_t replica, partition, device;
  uint32_t replica_count, partition_count;
};
struct jr_place jr_call_place(const jitrun_call_t *call);

/// What the call's execution has started. NULL, and an error, without memory.
jitrun_error_t *jr_call_events(const jitrun_call_t *call,
                               struct jr_events **out_events) JITRUN_MUST_USE;

#endif

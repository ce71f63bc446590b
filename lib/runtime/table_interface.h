/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the records of an entry say of its allocations and outputs, read once
/// and compared with each other: by the compiler, which then knows the place of
/// what is wrong; when an image is checked; and when a program is opened.
#ifndef JR_RUNTIME_TABLE_INTERFACE_H
#define JR_RUNTIME_TABLE_INTERFACE_H

#include "base/arena.h"
#include "jitrun/allocation.h"
#include "runtime/table.h"

enum { JR_INDEX_MAX_COUNT = 32 }; ///< numbers of an index

/// Of one entry. The arrays are the arena's, what they refer to the table's.
struct jr_interface {
  jitrun_allocation_t *allocations; ///< one a parameter of the entry
  uint32_t allocation_count;
  uint32_t *inputs; ///< which of them the caller gives, in its order
  uint32_t input_count;
  jitrun_output_t *outputs;
  uint32_t output_count;
  bool is_described;        ///< by attributes: a caller does not give all
  const char *result_shape; ///< NULL: the program does not say
};

/// True for an entry that says nothing of its allocations and outputs, so that
/// nothing contradicts anything.
bool jr_entry_is_plain(const struct jr_table *table,
                       const struct jr_entry *entry);

/// What reading the interfaces of all such entries takes of an arena, at most;
/// those of others may take more, and can fail.
size_t jr_interfaces_bytes(const struct jr_table *table);

/// Reads the interface of entry `entry`; its records, strings and types were
/// checked, or are those of the compiler. INVALID_ARGUMENT: something in it
/// contradicts something else; the message names the argument.
jitrun_error_t *
jr_interface_read(const struct jr_table *table, uint32_t entry,
                  struct jr_arena *arena,
                  struct jr_interface *out_interface) JITRUN_MUST_USE;

/// Writes it as members of an open JSON object: the outputs, and what the
/// arguments are where that is said.
struct jr_json;
void jr_interface_print(const struct jr_table *table, uint32_t entry,
                        struct jr_json *json);

/// table_index.c: orders inputs and outputs by their indices, and finds those
/// that are missing or there twice; tells which are tables of tuples.
jitrun_error_t *jr_interface_order(struct jr_interface *interface,
                                   const struct jr_table *table,
                                   const struct jr_entry *entry,
                                   struct jr_arena *arena) JITRUN_MUST_USE;

#endif

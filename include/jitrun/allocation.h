/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Allocations and outputs of entries: what each parameter of an entry is to a
/// program whose own parameters and result are something else, as XLA's
/// compilers write them (`lmhlo.params`, `lmhlo.output_index` and so on; see
/// docs/client.md), and what becomes an output.
///
/// An entry without such attributes has an allocation of kind PARAMETER for
/// each of its parameters, in their order. All texts and lists are borrowed
/// from the program.
#ifndef JITRUN_ALLOCATION_H
#define JITRUN_ALLOCATION_H

#include "jitrun/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the memory of a parameter comes from.
typedef enum jitrun_allocation_kind {
  JITRUN_ALLOCATION_PARAMETER = 1, ///< the caller: an argument, or part of one
  JITRUN_ALLOCATION_CONSTANT = 2,  ///< a constant that has a name
  JITRUN_ALLOCATION_LIVE_OUT = 3,  ///< new for each execution: an output
  JITRUN_ALLOCATION_TEMP = 4,      ///< new for each execution, gone at its end
  JITRUN_ALLOCATION_TUPLE = 5 ///< for the table of a tuple; nobody reads it
} jitrun_allocation_kind_t;

/// Whether an output is in the memory of an argument.
typedef enum jitrun_alias {
  JITRUN_ALIAS_NONE = 0,
  JITRUN_ALIAS_MAY = 1, ///< of one that is donated; else it is a copy
  JITRUN_ALIAS_MUST = 2 ///< the argument has to be donated
} jitrun_alias_t;

/// What parameter of an entry is to the program.
typedef struct jitrun_allocation {
  jitrun_allocation_kind_t kind;
  jitrun_alias_t alias; ///< PARAMETER that is an output
  const char *name;     ///< CONSTANT; else NULL
  uint32_t number;      ///< PARAMETER: of the program's parameter
  uint32_t index_count;
  const int64_t *index; ///< PARAMETER: which part of that it is, where that is
                        ///< a tuple: its place in each, the outermost first
  uint64_t size_bytes;  ///< 0 when it is dynamic
  uint64_t alignment;
  uint32_t output_index_count;
  bool is_output;
  bool is_unused;              ///< the entry neither reads nor writes it
  bool is_thread_local;        ///< no executable has such memory
  const int64_t *output_index; ///< which part of the result it is
} jitrun_allocation_t;

/// One output of an entry.
typedef struct jitrun_output {
  bool is_result;    ///< of the entry's results; else of its parameters
  bool is_row_major; ///< as far as the shape tells
  bool is_bounded;   ///< the shape's sizes are the largest it may have
  uint32_t index;    ///< of which one of the results or parameters
  uint32_t shape_index_count;
  const int64_t *shape_index; ///< its place in the tuple that all outputs make
  const jitrun_type_t *type;  ///< its own, or what `result_xla_shape` says
} jitrun_output_t;

/// Allocation of the entry's parameter `index`; NULL past the last.
JITRUN_API const jitrun_allocation_t *
jitrun_entry_allocation(const jitrun_entry_t *entry, size_t index);

/// True when attributes describe the arguments: a caller of an executable does
/// not give all of them then, nor as they are.
JITRUN_API bool jitrun_entry_is_described(const jitrun_entry_t *entry);

/// How many of them a caller gives, and which parameter of the entry is the one
/// that the caller counts as `index`, in the order of parameters and their
/// parts; UINT32_MAX past the last.
JITRUN_API size_t jitrun_entry_input_count(const jitrun_entry_t *entry);
JITRUN_API uint32_t jitrun_entry_input(const jitrun_entry_t *entry,
                                       size_t index);

/// The outputs of an entry: its results, then the parameters that are marked as
/// outputs, in the order of their indices where they have some; where there is
/// neither, every parameter that is a memref. NULL past the last.
JITRUN_API size_t jitrun_entry_output_count(const jitrun_entry_t *entry);
JITRUN_API const jitrun_output_t *
jitrun_entry_output(const jitrun_entry_t *entry, size_t index);

/// The result's shape as XLA writes it, "(f32[2]{0}, s32[])"; NULL where the
/// program does not say.
JITRUN_API const char *jitrun_entry_result_shape(const jitrun_entry_t *entry);

/// What memory of a program is for.
typedef enum jitrun_memory_kind {
  JITRUN_MEMORY_PARAMETER = 1,
  JITRUN_MEMORY_CONSTANT = 2,
  JITRUN_MEMORY_TEMP = 3, ///< in the arena of an execution
  JITRUN_MEMORY_RESULT = 4,
  JITRUN_MEMORY_VARIABLE = 5,     ///< kept from one execution to the next
  JITRUN_MEMORY_CONSTANT_FILE = 6 ///< in the file of constants
} jitrun_memory_kind_t;

/// Memory that the code of a program refers to.
typedef struct jitrun_memory {
  size_t size; ///< sizeof(jitrun_memory_t), set by the caller
  jitrun_memory_kind_t kind;
  const char *name;          ///< of a global; else ""
  const jitrun_type_t *type; ///< of its elements
  uint64_t size_bytes;
  uint64_t offset_bytes; ///< in what its kind says
  uint64_t alignment;
} jitrun_memory_t;

/// Tells of memory `index` of the program; false past the last.
JITRUN_API bool jitrun_program_memory_get(const jitrun_program_t *program,
                                          size_t index,
                                          jitrun_memory_t *out_memory);

#ifdef __cplusplus
}
#endif
#endif

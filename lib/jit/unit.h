/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// One compile: everything that its stages share, created and disposed of in
/// compile.c. A stage is a function that takes the unit, reads what earlier
/// stages left in it and adds its own part:
///
///   parse -> rt -> check -> llvm entries -> specialize -> tensors -> async ->
///   plan -> lower -> imports -> emit -> optimise -> codegen
#ifndef JR_JIT_UNIT_H
#define JR_JIT_UNIT_H

#include "base/arena.h"
#include "jit/diagnostics.h"
#include "jit/memo.h"
#include "jit/names.h"
#include "jit/stages.h"
#include "runtime/compiler.h"
#include "runtime/table_write.h"

#include "llvm-c/Types.h"

/// A function of the program that has a body.
struct jr_function {
  MlirOperation op;
  const char *name;
  MlirLocation location;
  const char *symbol;  ///< in the object: "jitrun_<prefix>_<name>"
  uint32_t entry;      ///< index in SECTION_ENTRIES, or JR_NONE: not exported
  bool is_reached;     ///< an entry, or called from one
  bool is_part;        ///< split off a larger function: see outline.c
  bool is_dispatch;    ///< native, but only calls and the control around them
  bool is_coroutine;   ///< see async.h
  bool is_shared;      ///< may run on several threads of an execution at once
  bool native;         ///< needs code of its own; else it is a list of sites
  uint64_t first_site; ///< static list: its call sites
  uint64_t site_count;
};

/// Whether a program has calls that may use memory after they have returned.
enum jr_keeps { JR_KEEPS_UNKNOWN, JR_KEEPS_NONE, JR_KEEPS_SOME };

/// Types that were unpacked, by their address in the context.
struct jr_mlir_type;
struct jr_cached_type {
  const void *key;
  const struct jr_mlir_type *type;
};
struct jr_type_cache {
  struct jr_cached_type *places;
  size_t capacity, count;
};

/// Memory that values are, see jr_slice_find().
struct jr_slice_cache;

/// Attributes that were encoded, see attrs.c.
struct jr_attr_cache;

/// The function that a symbol names, and what its declaration says.
struct jr_callee {
  const void *symbol; ///< its address in the context; NULL: an empty place
  MlirOperation op;
  MlirStringRef target; ///< of a custom call; without data: it is none
  bool has_body;
  bool is_optional;
  bool has_attrs; ///< that custom calls are given
};

struct jr_unit {
  const struct jr_compile_input *input;
  const struct jr_compile_options *options;
  struct jr_arena arena;
  struct jr_desugared desugared; ///< the text that MLIR parsed
  struct jr_diagnostics diagnostics;

  MlirContext context;
  MlirModule module;
  struct jr_names names;
  MlirSymbolTable symbols;

  struct jr_function *functions; ///< in module order
  size_t function_count, function_capacity;
  size_t *reached; ///< indices of functions, in the order of planning
  size_t reached_count;
  struct jr_table_writer table;
  struct jr_type_cache types;
  struct jr_callee callees[JR_MEMO_PLACES]; ///< see jr_callee_find()
  struct jr_slice_cache *slices;            ///< NULL: none yet
  struct jr_attr_cache *attrs;              ///< NULL: none yet
  struct jr_memo strings;                   ///< see jr_name_add()
  struct jr_bytes image;                    ///< the finished table
  uint64_t image_bytes;                     ///< its size, once LLVM has it
  bool has_native;                          ///< some function is native
  bool has_dead_blocks; ///< some native code cannot be reached
  bool computes;        ///< there is code that is worth optimising
  bool has_async;       ///< there are tokens, values or coroutines
  bool is_plain;        ///< see survey.h
  bool has_marks;       ///< calls may have attributes of dialects, or of ours
  enum jr_keeps keeps;  ///< see lives.c
  struct jr_stages stages;

  LLVMContextRef llvm_context;
  struct jr_bytes llvm_report; ///< errors that LLVM reported
  LLVMModuleRef llvm_module;
  LLVMValueRef links; ///< struct jr_links in the module; NULL: none are needed
};

jitrun_error_t *jr_parse(struct jr_unit *unit) JITRUN_MUST_USE;
jitrun_error_t *jr_rt(struct jr_unit *unit) JITRUN_MUST_USE;
jitrun_error_t *jr_check(struct jr_unit *unit) JITRUN_MUST_USE;
jitrun_error_t *jr_tensors(struct jr_unit *unit) JITRUN_MUST_USE;
jitrun_error_t *jr_plan(struct jr_unit *unit) JITRUN_MUST_USE;
jitrun_error_t *jr_lower(struct jr_unit *unit) JITRUN_MUST_USE;

/// Attribute on functions with a body: their index in the unit.
#define JR_ATTR_FUNCTION "jitrun.function"

/// Adds a text that MLIR keeps one of to the strings of the table.
jr_str_t jr_name_add(struct jr_unit *unit, MlirStringRef text);

/// Where an operation is in the source: the first file location found in its
/// location, else a name, else the input with line 0.
struct jr_source_location {
  MlirStringRef file;
  uint32_t line, column;
};
struct jr_source_location jr_locate(const struct jr_unit *unit,
                                    MlirLocation location);

/// An error at an operation.
jitrun_error_t *jr_error_op(const struct jr_unit *unit, MlirOperation op,
                            jitrun_code_t code, const char *format, ...)
    __attribute__((format(printf, 4, 5), returns_nonnull, warn_unused_result));

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The seam between libjitrun and libjitrun-jit: one exported function, plain
/// data, no symbol of either in the other. Both are released together; a
/// library of another version is refused.
#ifndef JR_RUNTIME_COMPILER_H
#define JR_RUNTIME_COMPILER_H

#include "base/stages.h"
#include "jitrun/attributes.h"
#include "jitrun/error.h"
#include "jitrun/stages.h"

#include <stdbool.h>

#define JR_COMPILER_VERSION 1u
#define JR_COMPILER_QUERY_NAME "jitrun_jit_query"

/// What to make.
enum jr_form {
  JR_FORM_IMAGE = 1,  ///< the table alone, no code: for thunks
  JR_FORM_OBJECT = 2, ///< ELF object with image and code
  JR_FORM_LLVM = 3,   ///< LLVM IR text
  JR_FORM_ASM = 4,    ///< assembly text
  JR_FORM_MLIR = 5    ///< text of the program after `stage`
};

struct jr_compile_input {
  const void *data; ///< MLIR text or bytecode; a NUL follows the last byte
  size_t size;
  const char *name; ///< for locations
};

/// What is known of one argument of the entry that is specialised.
struct jr_known_arg {
  bool is_strided;     ///< buffer: its strides do not follow from its sizes
  uint32_t rank;       ///< of `dims`
  const int64_t *dims; ///< buffer: sizes; those from -2 downwards are not
                       ///< known, but alike where they are equal. NULL: nothing
  const void *value;   ///< scalar: its value, as large as its dtype; buffer:
                       ///< its elements, one after the other. NULL: not known
};

/// An entry and what is known of its arguments before it is compiled.
struct jr_specialization {
  const char *entry;
  const struct jr_known_arg *args;
  size_t arg_count;
  const void *key; ///< equal bytes where all of `args` are equal
  size_t key_bytes;
};

/// A name that generated code may take from outside, and its address.
struct jr_symbol {
  const char *name;
  void *address;
};

struct jr_compile_options {
  size_t size;
  enum jr_form form;
  int opt_level;      ///< 0..3
  bool check;         ///< add checks, see checks.h
  bool debug_info;    ///< line tables, from MLIR's locations
  bool no_code;       ///< FORM_IMAGE, _OBJECT: UNIMPLEMENTED when thunks do not
                      ///< do; the latter has the table alone
  bool bytecode;      ///< FORM_MLIR: not text
  const char *cpu;    ///< LLVM name, or NULL: this machine's, with its features
  const char *target; ///< LLVM triple, or NULL: this machine's
  const char *prefix; ///< of the symbols: jitrun_<prefix>_<entry>
  const char *stage;  ///< FORM_MLIR: one of base/stages.h
  const struct jr_specialization *specialization; ///< NULL: none
  const jitrun_attr_type_t *const *attr_types;    ///< that the program may use
  size_t attr_type_count;
  /// What stays undefined in the object: the closed list. NULL: everything that
  /// the program does not define does, whatever it is.
  const struct jr_symbol *symbols;
  size_t symbol_count;
  /// Whether a function of that name can be found when the program is opened;
  /// NULL: none can.
  bool (*is_known)(void *known_context, const char *name);
  void *known_context;
  const jitrun_observer_t *observer; ///< NULL: none
  const char *constants; ///< name of the file of constants; NULL: they stand in
                         ///< the image
};

/// What a stage took.
struct jr_stage_cost {
  uint64_t time_ns;
  uint64_t memory_bytes; ///< by which the peak of the process's memory grew
};

struct jr_compile_output {
  void *data; ///< freed with free()
  size_t size;
  void *constants; ///< content of the file of constants, freed with free();
                   ///< NULL: none is needed
  size_t constants_size;
  struct jr_stage_cost costs[JR_STAGE_COUNT];
  uint64_t code_bytes; ///< of machine code; 0 for forms without
};

/// Object code loaded in the process.
struct jr_loaded_code {
  const void *image; ///< address of the image symbol
  void *owner;       ///< passed to unload
};

struct jr_compiler {
  size_t size;
  uint32_t version;
  uint32_t sanitizer;   ///< JITRUN_SANITIZER it was built with
  const char *producer; ///< "jitrun 0.1.0 LLVM 22.1.8"

  /// Compiles. Thread-safe; one MLIR context a call.
  jitrun_error_t *(*compile)(const struct jr_compile_input *input,
                             const struct jr_compile_options *options,
                             struct jr_compile_output *out_output);

  /// Loads an object made by compile through ORC; undefined symbols are
  /// resolved in `symbols` alone, sorted by name. NOT_FOUND lists all that are
  /// missing. `image_symbol` is looked up. Thread-safe.
  jitrun_error_t *(*load)(const void *object, size_t size,
                          const char *image_symbol,
                          const struct jr_symbol *symbols, size_t symbol_count,
                          struct jr_loaded_code *out_code);
  void (*unload)(struct jr_loaded_code *code);
};

typedef const struct jr_compiler *(*jr_compiler_query_t)(uint32_t max_version);

/// Opens libjitrun-jit once in the process: beside libjitrun, else by the
/// system's search. UNIMPLEMENTED names what was tried and why it failed.
jitrun_error_t *jr_compiler_open(const struct jr_compiler **out_compiler)
    __attribute__((warn_unused_result));

/// The file that libjitrun-jit would be opened from, without opening it; false
/// when only the system's search knows.
bool jr_compiler_path(char *out_path, size_t size);

#endif

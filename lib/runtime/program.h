/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a loaded program is made of; see jitrun/program.h for its use.
/// Everything here is immutable after jr_program_create() but the pool of
/// contexts, the shared states and the reference count.
#ifndef JR_RUNTIME_PROGRAM_H
#define JR_RUNTIME_PROGRAM_H

#include "base/arena.h"
#include "base/stages.h"
#include "jitrun/program.h"
#include "runtime/constants.h"
#include "runtime/diagnostics.h"
#include "runtime/exec.h"
#include "runtime/globals.h"
#include "runtime/image.h"
#include "runtime/problems.h"
#include "runtime/states.h"
#include "runtime/table.h"
#include "runtime/table_interface.h"

#include <pthread.h>

struct jr_announced;
struct jr_context;
struct jr_module;

/// What an entry says of its allocations and outputs.
struct jr_details {
  const jitrun_program_t *program;
  struct jr_interface *interface; ///< atomic; NULL until somebody asks
};

struct jitrun_program {
  size_t reference_count; ///< atomic
  struct jr_image image;
  struct jr_table table;
  struct jr_constants constants;
  jitrun_registry_t *registry;          ///< retained
  const char *platform;                 ///< of the handlers; in the arena
  bool native;                          ///< entries run their code, not thunks
  bool inspect_only;                    ///< has no handlers
  struct jr_arena arena;                ///< owns what follows
  jitrun_entry_t *entries;              ///< see jr_program_entry()
  struct jr_details *details;           ///< one an entry, made with it
  jitrun_value_info_t *values;          ///< of entries, made with them
  bool *is_entry_made;                  ///< atomic, one an entry
  struct jr_arena interfaces;           ///< has room for all that is NULL there
  jitrun_attr_t *attrs;                 ///< one an attribute of the table
  jitrun_site_t *sites;                 ///< one a site
  const jitrun_attr_t **site_attrs;     ///< in declared order, one a site
  const jitrun_customcall_t **handlers; ///< one a site
  void **states;                        ///< one a site, from instantiate
  uint64_t *initialize;                 ///< sites with an initialize stage
  uint64_t initialize_count;
  struct jr_module *modules; ///< those that have a call here
  uint32_t module_count;
  struct jr_states shared; ///< states of the program's scope
  struct jr_state_sync state_sync;
  struct jr_diagnostics diagnostics; ///< of the instantiate stage
  struct jr_globals globals;
  void **functions;       ///< that the code takes from outside, in the arena
  struct jr_links *links; ///< of the code, where it has some
  jitrun_stats_t stats;
  uint64_t code_size; ///< of the code that is in use; 0: none, or not known
  int compiled_level; ///< 1 and the optimisation level, of a program that
                      ///< was compiled to be opened; 0: an image
  jitrun_stage_cost_t stages[JR_STAGE_COUNT + 1]; ///< and "load"
  /// Debuggers know of the code; see runtime/announce.h. A program with a
  /// linked image takes nothing of that with it.
  void (*withdraw)(struct jr_announced *announced);
  struct jr_announced *announced;
  pthread_mutex_t pool_lock;
  struct jr_context *pool; ///< contexts not in use
};

/// Makes a program of an image: checks the table, resolves the custom calls,
/// runs their instantiate stage. `image` is taken over, also on failure.
jitrun_error_t *jr_program_create(/*own*/ struct jr_image *image,
                                  const jitrun_open_options_t *options,
                                  jitrun_program_t **out_program)
    __attribute__((warn_unused_result));

/// Reads the caller's options, of whatever version, over the defaults.
jitrun_error_t *
jr_open_options_read(const jitrun_open_options_t *options,
                     jitrun_open_options_t *out_options) JITRUN_MUST_USE;

// The steps of jr_program_create(), in their order.

/// Finds what the code takes from outside: functions that are built in
/// (functions.h), else those of the registry's libraries. All that are missing
/// are one problem.
jitrun_error_t *
jr_program_find_imports(jitrun_program_t *program,
                        struct jr_problems *problems) JITRUN_MUST_USE;

/// Gives the code the addresses of its imports. FAILED_PRECONDITION for an
/// image that is linked into the process and open already, when both cannot be:
/// one with variables of its own, or whose functions are others now. The count
/// of uses that this needs is under a lock of the process.
jitrun_error_t *jr_program_link(jitrun_program_t *program) JITRUN_MUST_USE;

/// Gives the links up.
void jr_program_unlink(jitrun_program_t *program);

/// Public views of attributes, entries and sites; the latter without handlers.
jitrun_error_t *jr_program_build(jitrun_program_t *program) JITRUN_MUST_USE;

/// The public view of an entry that there is, made when it is first asked for;
/// thread-safe.
const jitrun_entry_t *jr_program_entry(const jitrun_program_t *program,
                                       uint32_t index);

/// Which call sites are compared with a registry.
enum jr_call_scope {
  JR_CALLS_ALL,
  JR_CALLS_BUILT_IN ///< those named jitrun.*
};

/// Finds the handler of every site of a scope and compares signatures. Missing
/// names and differences are problems; those of calls that are optional show
/// when they are run.
jitrun_error_t *
jr_program_find_calls(jitrun_program_t *program, enum jr_call_scope scope,
                      struct jr_problems *problems) JITRUN_MUST_USE;

/// The same for programs opened only to look at: the problems as an error.
jitrun_error_t *
jr_program_check_calls(jitrun_program_t *program,
                       enum jr_call_scope scope) JITRUN_MUST_USE;

/// Orders attributes as the handlers that were found declare them.
jitrun_error_t *jr_program_resolve(jitrun_program_t *program) JITRUN_MUST_USE;

/// Runs the instantiate stage.
jitrun_error_t *
jr_program_instantiate(jitrun_program_t *program) JITRUN_MUST_USE;

/// Frees what instantiate made, the last first.
void jr_program_drop_states(jitrun_program_t *program);

/// Adds to an error of a site's handler where it is, and a note, "<doing>
/// custom call 'target'".
jitrun_error_t *jr_error_in_site(/*own*/ jitrun_error_t *error,
                                 const jitrun_site_t *site,
                                 const char *doing) JITRUN_MUST_USE;

/// Appends what a program is known by, for a fingerprint.
void jr_program_identity(const jitrun_program_t *program,
                         struct jr_bytes *text);

/// Writes JITRUN_FINGERPRINT_BYTES for that.
void jr_fingerprint_text(const void *data, size_t size, char *out_text);

/// Appends an entry's signature, "(2x3xi32, i32) -> (i32)".
void jr_entry_format(struct jr_bytes *text, const jitrun_entry_t *entry);

#endif

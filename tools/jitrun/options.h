/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The command line: one table of options, from which parsing, --help and the
/// hints for wrong names come.
///
/// Life: parse -> read -> deinit. Whatever can be known from the command line
/// alone is checked by parse.
#ifndef JR_TOOLS_OPTIONS_H
#define JR_TOOLS_OPTIONS_H

#include "base/error.h"
#include "jitrun/compile.h"
#include "jitrun/platform.h"
#include "jitrun/program.h"
#include "spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jr_verb {
  JR_VERB_RUN,
  JR_VERB_COMPILE,
  JR_VERB_INSPECT,
  JR_VERB_BENCH,
  JR_VERB_CALLS,
  JR_VERB_DEVICES,
  JR_VERB_COUNT
};

/// When the entry is compiled for the arguments that it is given.
enum jr_specialize {
  JR_SPECIALIZE_AUTO, ///< when it asks for that
  JR_SPECIALIZE_ALWAYS,
  JR_SPECIALIZE_NEVER
};

/// How many kinds there are to write.
enum { JR_EMIT_COUNT = 8 };

/// The values of an option that may be repeated.
struct jr_texts {
  const char **items;
  size_t count;
};

struct jr_specs {
  struct jr_spec *items;
  size_t count;
};

enum { JR_PLATFORM_NAME_SIZE = 32 };

/// What --device names.
struct jr_platform_choice {
  char name[JR_PLATFORM_NAME_SIZE]; ///< "": not given
  bool is_one;                      ///< a number is given, too
  uint64_t ordinal;
};

struct jr_options {
  enum jr_verb verb;
  bool help, version, verbose;
  bool is_empty;            ///< no argument was given at all
  const char *file;         ///< NULL for verbs without one
  struct jr_texts prefixes; ///< of the calls to list
  struct jr_texts plugins, shared_libs;

  const char *entry;
  const char *signature; ///< NULL: not given
  jitrun_executor_t executor;
  enum jr_specialize specialize;
  int opt_level; ///< -1: not given
  const char *cpu, *target;

  struct jr_texts input_texts, output_texts, expect_texts;
  struct jr_specs inputs, outputs, expects; ///< the same, parsed
  uint64_t replicas, partitions;            ///< 0: not given
  struct jr_platform_choice platform;
  uint64_t device_count;         ///< 0: not given
  jitrun_platforms_t *platforms; ///< with drivers of --plugin once loaded
  unsigned collectives;          ///< 0: local
  uint64_t threads;              ///< 0: not given
  double atol, rtol;             ///< below 0: by dtype
  uint64_t repeat;               ///< 0: not given
  uint64_t warm_up, batch;       ///< of bench; 0: not given
  bool stats, full, check;
  bool profile;
  const char *profile_json, *trace; ///< NULL: not given

  const char *dump_dir;        ///< NULL: not given
  struct jr_texts print_after; ///< stages
  bool debug_info, perf;

  const char *cache_dir; ///< NULL: not given; "": do not use one
  uint64_t cache_limit;  ///< bytes; 0: not given

  const char *emit_text, *out_path, *prefix, *constants, *source_name, *depfile;
  bool trust_constants;
  jitrun_emit_t emits[JR_EMIT_COUNT]; ///< what compile writes
  size_t emit_count;
  bool json;

  uint64_t timeout_ns;   ///< 0: none
  uint64_t memory_limit; ///< bytes; 0: none
  bool no_supervise;

  struct jr_texts words; ///< all other arguments
  char **owned;          ///< texts that popt gave or that were made
  size_t owned_count;
};

/// INVALID_ARGUMENT: wrong use of the command. UNIMPLEMENTED: an option that is
/// documented but not built yet.
jitrun_error_t *jr_options_parse(int argc, const char **argv,
                                 struct jr_options *out_options)
    __attribute__((warn_unused_result));

/// Prints what `jitrun --help` says, or `jitrun VERB --help`.
void jr_options_print_help(const struct jr_options *options);

/// Prints to standard error what verbs there are.
void jr_options_print_usage(void);

/// How many devices the program runs on: 1 where none of the options is given.
uint64_t jr_options_devices(const struct jr_options *options);

const char *jr_verb_name(enum jr_verb verb);

/// Notes on an error, where FILE may be meant as a command, which one.
jitrun_error_t *jr_options_note_verb(const struct jr_options *options,
                                     /*own*/ jitrun_error_t *error);

/// Keeps a text that malloc() gave until the options are done with, or frees it
/// when there is no memory for that.
jitrun_error_t *jr_options_own(struct jr_options *options, /*own*/ char *text)
    __attribute__((warn_unused_result));

void jr_options_deinit(struct jr_options *options);

#endif

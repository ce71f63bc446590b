/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The table of options and verbs: the one place that says which there are.
/// Parsing, --help, the manual pages and the completion of shells come from it.
#ifndef JR_TOOLS_OPTION_TABLE_H
#define JR_TOOLS_OPTION_TABLE_H

#include "options.h"
#include "report.h"

#include <stdbool.h>
#include <stddef.h>

/// What an option's value is, and so the type of its field.
enum jr_option_kind {
  JR_OPTION_FLAG,    ///< bool
  JR_OPTION_TEXT,    ///< const char *
  JR_OPTION_LIST,    ///< struct jr_texts; may be repeated
  JR_OPTION_COUNT,   ///< uint64_t, at least 1
  JR_OPTION_LEVEL,   ///< int, 0 to 3
  JR_OPTION_REAL,    ///< double, not negative
  JR_OPTION_SECONDS, ///< uint64_t of nanoseconds; "2", "0.5"
  JR_OPTION_BYTES,   ///< uint64_t; "2G"
  JR_OPTION_CHOICE,  ///< an enum of the words in the metavar, "auto|jit"
  JR_OPTION_DEVICE,  ///< struct jr_platform_choice
  JR_OPTION_FLAGFILE ///< has been replaced by what the file holds
};

struct jr_option {
  const char *name; ///< long name; NULL: only a letter
  char letter;      ///< '\0': only a long name
  enum jr_option_kind kind;
  const char *metavar; ///< NULL: takes no value. "a|b": one of these words;
                       ///< FILE, @FILE, LIB, OUT, DIR, STAGE and SPEC are
                       ///< known to the completion
  const char *help;    ///< lines are broken by '\n'
  unsigned verbs;      ///< set of 1 << enum jr_verb
  size_t field;        ///< offset in struct jr_options
};

/// The table never has more rows.
#define JR_OPTION_LIMIT 64

extern const struct jr_option jr_option_table[];
extern const size_t jr_option_count;

struct jr_verb_row {
  const char *name;
  const char *usage; ///< what follows "jitrun "
  const char *help;
  bool takes_file;
  bool takes_prefixes; ///< of names, any number
};

/// By enum jr_verb.
extern const struct jr_verb_row jr_verb_table[JR_VERB_COUNT];

/// What the exit statuses mean, by enum jr_exit.
extern const char *const jr_exit_table[JR_EXIT_COUNT];

/// Options of jitrun-opt, which stores no fields and knows no verbs.
extern const struct jr_option jr_opt_table[];
extern const size_t jr_opt_count;

#endif

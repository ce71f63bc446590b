/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Parsing the command line: flag files are put in place, popt splits options
/// from their values as the table says, option_values.c reads these, and what
/// does not fit together is refused.
#include "options.h"

#include "flagfile.h"
#include "option_devices.h"
#include "option_emit.h"
#include "option_files.h"
#include "option_platform.h"
#include "option_table.h"
#include "option_values.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/stages.h"
#include "base/strings.h"

#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_LIMIT = 1024 };

jitrun_error_t *jr_options_own(struct jr_options *options, char *text) {
  char **owned =
      jr_realloc(options->owned, (options->owned_count + 1) * sizeof *owned);
  if (!owned) {
    free(text);
    return jr_error_no_memory();
  }
  options->owned = owned;
  options->owned[options->owned_count++] = text;
  return NULL;
}

/// What mlir-runner's options are here.
static const struct {
  const char *name, *advice;
} runner_options[] = {
    {"-e", "an entry is named with --entry=NAME"},
    {"--entry-point-result", "results are printed as the types they have"},
    {"-entry-point-result", "results are printed as the types they have"},
    {"-shared-libs", "libraries are named with --shared-libs=LIB"},
    {"--march", "give a processor with --cpu=NAME"},
    {"--mattr", "give a processor with --cpu=NAME"},
};

/// An option that popt does not know: says which one may be meant.
static jitrun_error_t *refuse_unknown(const char *text) {
  char names[JR_OPTION_LIMIT][JR_OPTION_NAME_SIZE];
  char wanted[JR_OPTION_NAME_SIZE];
  size_t size = strcspn(text, "=");
  (void)snprintf(
      wanted, sizeof wanted, "%.*s",
      (int)(size < JR_OPTION_NAME_SIZE ? size : JR_OPTION_NAME_SIZE - 1), text);
  for (size_t i = 0; i < sizeof runner_options / sizeof runner_options[0];
       i++) {
    if (strcmp(wanted, runner_options[i].name) == 0)
      return jr_error(JITRUN_INVALID_ARGUMENT, "unknown option '%s'; %s",
                      wanted, runner_options[i].advice);
  }
  struct jr_near_names near_names = {.wanted = wanted};
  for (size_t i = 0; i < jr_option_count; i++) {
    const struct jr_option *option = &jr_option_table[i];
    if (option->name)
      jr_near_names_offer(&near_names, jr_option_format_name(option, names[i]));
  }
  char hint[256];
  jr_near_names_hint(&near_names, hint, sizeof hint);
  return jr_error(JITRUN_INVALID_ARGUMENT, "unknown option '%.*s'%s%s",
                  (int)size, text, *hint ? "; " : "", hint);
}

static jitrun_error_t *refuse_popt(poptContext context, int result) {
  const char *text = poptBadOption(context, POPT_BADOPTION_NOALIAS);
  if (result == POPT_ERROR_BADOPT)
    return refuse_unknown(text);
  size_t size = strcspn(text, "=");
  if (result == POPT_ERROR_NOARG)
    return jr_error(JITRUN_INVALID_ARGUMENT, "'%.*s' needs a value", (int)size,
                    text);
  if (result == POPT_ERROR_UNWANTEDARG)
    return jr_error(JITRUN_INVALID_ARGUMENT, "'%.*s' takes no value", (int)size,
                    text);
  return jr_error(JITRUN_INVALID_ARGUMENT, "'%s': %s", text,
                  poptStrerror(result));
}

/// popt's form of the table: each row is returned by its number, from 1.
static struct poptOption *make_popt_table(void) {
  struct poptOption *rows = jr_calloc(jr_option_count + 1, sizeof *rows);
  for (size_t i = 0; rows && i < jr_option_count; i++) {
    const struct jr_option *option = &jr_option_table[i];
    rows[i].longName = option->name;
    rows[i].shortName = option->letter;
    rows[i].argInfo = option->metavar ? POPT_ARG_STRING : POPT_ARG_NONE;
    rows[i].val = (int)i + 1;
  }
  return rows;
}

/// Takes the words that are no options; the first may be a verb.
static jitrun_error_t *take_words(struct jr_options *options,
                                  poptContext context) {
  const char *word;
  while ((word = poptGetArg(context)) != NULL) {
    char *copy = strdup(word);
    if (!copy)
      return jr_error_no_memory();
    JITRUN_TRY(jr_options_own(options, copy));
    JITRUN_TRY(jr_texts_add(&options->words, copy));
  }
  return NULL;
}

/// Which options were given, by row, to compare them with the verb.
struct given {
  bool rows[JR_OPTION_LIMIT];
};

/// Takes the option of a row that popt has met.
static jitrun_error_t *take_option(struct jr_options *options,
                                   poptContext context, size_t row) {
  const struct jr_option *option = &jr_option_table[row];
  if (!option->metavar)
    return jr_option_store(options, option, "");
  char *value = poptGetOptArg(context);
  if (!value)
    return jr_error_no_memory();
  JITRUN_TRY(jr_options_own(options, value));
  return jr_option_store(options, option, value);
}

static jitrun_error_t *take_options(struct jr_options *options,
                                    poptContext context, struct given *given) {
  int number;
  while ((number = poptGetNextOpt(context)) > 0) {
    size_t row = (size_t)number - 1;
    given->rows[row] = true;
    JITRUN_TRY(take_option(options, context, row));
  }
  if (number < -1)
    return refuse_popt(context, number);
  return take_words(options, context);
}

/// Lets popt split `arguments` (the first is the command's name).
static jitrun_error_t *split_arguments(struct jr_options *options,
                                       const struct jr_texts *arguments,
                                       struct given *given) {
  struct poptOption *rows = make_popt_table();
  poptContext context = NULL;
  if (rows)
    context = poptGetContext("jitrun", (int)arguments->count, arguments->items,
                             rows, 0);
  jitrun_error_t *error =
      context ? take_options(options, context, given) : jr_error_no_memory();
  poptFreeContext(context);
  free(rows);
  return error;
}

const char *jr_verb_name(enum jr_verb verb) {
  return jr_verb_table[verb].name;
}

static bool find_verb(const char *word, enum jr_verb *out_verb) {
  for (int i = 0; i < JR_VERB_COUNT; i++) {
    if (strcmp(word, jr_verb_table[i].name) == 0) {
      *out_verb = (enum jr_verb)i;
      return true;
    }
  }
  return false;
}

/// The error for a word in the wrong place, with a verb that may be meant.
static jitrun_error_t *refuse_word(const char *problem, const char *word) {
  struct jr_near_names near_names = {.wanted = word};
  struct jr_bytes text = {0};
  jr_bytes_append_text(&text, problem);
  for (int i = 0; i < JR_VERB_COUNT; i++)
    jr_near_names_offer(&near_names, jr_verb_table[i].name);
  jr_near_names_append(&near_names, &text);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    error = jr_error_text(JITRUN_INVALID_ARGUMENT, (const char *)text.data,
                          text.size);
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jr_options_note_verb(const struct jr_options *options,
                                     jitrun_error_t *error) {
  struct jr_near_names near_names = {.wanted = options->file};
  char hint[256];
  if (!options->file || options->words.items[0] != options->file)
    return error;
  for (int i = 0; i < JR_VERB_COUNT; i++)
    jr_near_names_offer(&near_names, jr_verb_table[i].name);
  jr_near_names_hint(&near_names, hint, sizeof hint);
  return *hint ? jr_error_note(error, "'%s' is no command; %s", options->file,
                               hint)
               : error;
}

/// "help VERB", "help".
static jitrun_error_t *assign_help(struct jr_options *options) {
  struct jr_texts words = options->words;
  char problem[128];
  options->help = true;
  if (words.count < 2 || find_verb(words.items[1], &options->verb))
    return NULL;
  (void)snprintf(problem, sizeof problem,
                 "there is no command '%.40s' to help with", words.items[1]);
  return refuse_word(problem, words.items[1]);
}

/// More words than the verb takes.
static jitrun_error_t *refuse_extra(const struct jr_options *options,
                                    size_t next) {
  const char *word = options->words.items[next];
  if (!jr_verb_table[options->verb].takes_file)
    return jr_error(JITRUN_INVALID_ARGUMENT, "%s takes no FILE, '%s' is given",
                    jr_verb_name(options->verb), word);
  char problem[512];
  (void)snprintf(problem, sizeof problem,
                 "one FILE expected, '%.200s' and '%.200s' are given",
                 options->file, word);
  return refuse_word(problem, next == 1 ? options->words.items[0] : "");
}

/// Finds the verb and the file among the words.
static jitrun_error_t *assign_words(struct jr_options *options) {
  struct jr_texts words = options->words;
  if (words.count > 0 && strcmp(words.items[0], "help") == 0)
    return assign_help(options);
  size_t next = words.count > 0 && find_verb(words.items[0], &options->verb);
  if (options->help || options->version)
    return NULL;
  const struct jr_verb_row *row = &jr_verb_table[options->verb];
  if (row->takes_file && next == words.count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s needs a FILE; see 'jitrun help %s'", row->name,
                    row->name);
  if (row->takes_file)
    options->file = words.items[next++];
  while (row->takes_prefixes && next < words.count)
    JITRUN_TRY(jr_texts_add(&options->prefixes, words.items[next++]));
  return next == words.count ? NULL : refuse_extra(options, next);
}

/// An option of other verbs: says of which.
static jitrun_error_t *refuse_option(const struct jr_options *options,
                                     const struct jr_option *option) {
  char name[JR_OPTION_NAME_SIZE];
  char verbs[128] = "";
  bool is_write = option->field == offsetof(struct jr_options, out_path);
  for (int i = 0; i < JR_VERB_COUNT; i++) {
    size_t size = strlen(verbs);
    if (option->verbs & 1u << i)
      (void)snprintf(verbs + size, sizeof verbs - size, "%s%s",
                     size > 0 ? ", " : "", jr_verb_table[i].name);
  }
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "'%s' is no option of 'jitrun %s'; it is one of: %s%s",
                  jr_option_format_name(option, name),
                  jr_verb_name(options->verb), verbs,
                  is_write && options->verb == JR_VERB_RUN
                      ? "; --output=@FILE writes an output"
                      : "");
}

static jitrun_error_t *check_verb(const struct jr_options *options,
                                  const struct given *given) {
  for (size_t i = 0; i < jr_option_count; i++) {
    const struct jr_option *option = &jr_option_table[i];
    if (given->rows[i] && !(option->verbs & 1u << options->verb))
      return jr_options_note_verb(options, refuse_option(options, option));
  }
  return NULL;
}

static jitrun_error_t *parse_specs(struct jr_options *options,
                                   const char *option,
                                   const struct jr_texts *texts,
                                   struct jr_specs *out_specs) {
  out_specs->items = jr_calloc(texts->count, sizeof *out_specs->items);
  if (!out_specs->items)
    return jr_error_no_memory();
  for (size_t i = 0; i < texts->count; i++) {
    struct jr_spec *spec = &out_specs->items[i];
    JITRUN_TRY(jr_devices_parse(options, option, texts->items[i], spec));
    out_specs->count++;
  }
  return NULL;
}

uint64_t jr_options_devices(const struct jr_options *options) {
  uint64_t replicas = options->replicas ? options->replicas : 1;
  return replicas * (options->partitions ? options->partitions : 1);
}

static jitrun_error_t *check_devices(const struct jr_options *options) {
  if (options->replicas <= DEVICE_LIMIT &&
      options->partitions <= DEVICE_LIMIT &&
      jr_options_devices(options) <= DEVICE_LIMIT)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "--replicas and --partitions ask for more than %d devices, "
                  "each of which is a thread",
                  (int)DEVICE_LIMIT);
}

static jitrun_error_t *check_stages(const struct jr_texts *names) {
  uint32_t set = 0;
  for (size_t i = 0; i < names->count; i++)
    JITRUN_TRY(jr_error_note(jr_stage_add(names->items[i], &set),
                             "while reading --print-ir-after; 'all' stands for "
                             "all stages"));
  return NULL;
}

static jitrun_error_t *check_inputs(const struct jr_options *options) {
  for (size_t i = 0; i < options->inputs.count; i++) {
    const struct jr_spec *spec = &options->inputs.items[i];
    if (spec->kind == JR_SPEC_IGNORED)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "(ignored) is for --expect; --input needs a value");
    if (spec->has_slot && spec->slot_is_result)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "%s=%.80s: a result is no input; arg[%zu]= names an "
                      "argument",
                      spec->option, spec->text, spec->slot_index);
  }
  return NULL;
}

/// Sees that devices do not overwrite each other's file.
static jitrun_error_t *check_outputs(const struct jr_options *options) {
  const struct jr_specs *outputs = &options->outputs;
  for (size_t i = 0; i < outputs->count; i++) {
    const struct jr_spec *spec = &outputs->items[i];
    if (spec->kind == JR_SPEC_NPY && spec->device < 0 &&
        jr_options_devices(options) > 1)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "--output=%s: each of the %llu devices has this output; "
                      "--output.0=@FILE is for device 0 alone, and - prints "
                      "all",
                      spec->text,
                      (unsigned long long)jr_options_devices(options));
  }
  return NULL;
}

static jitrun_error_t *check_specs(struct jr_options *options) {
  JITRUN_TRY(
      parse_specs(options, "--input", &options->input_texts, &options->inputs));
  JITRUN_TRY(parse_specs(options, "--expect", &options->expect_texts,
                         &options->expects));
  JITRUN_TRY(parse_specs(options, "--output", &options->output_texts,
                         &options->outputs));
  JITRUN_TRY(check_inputs(options));
  return check_outputs(options);
}

static jitrun_error_t *check_values(struct jr_options *options) {
  JITRUN_TRY(check_devices(options));
  JITRUN_TRY(jr_platform_check(options));
  JITRUN_TRY(check_specs(options));
  JITRUN_TRY(check_stages(&options->print_after));
  if (options->signature)
    JITRUN_TRY(jitrun_signature_check(options->signature));
  if (options->no_supervise && options->timeout_ns > 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--timeout is kept by the supervisor that --no-supervise "
                    "turns off");
  if (options->memory_limit > 0 && JITRUN_SANITIZER != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--memory-limit: this build has a sanitizer, which takes "
                    "more address space than any limit");
  return NULL;
}

/// Everything after the arguments have been split.
static jitrun_error_t *check_options(struct jr_options *options,
                                     const struct given *given) {
  JITRUN_TRY(assign_words(options));
  if (options->help || options->version)
    return NULL;
  JITRUN_TRY(check_verb(options, given));
  JITRUN_TRY(check_values(options));
  if (options->verb == JR_VERB_COMPILE)
    JITRUN_TRY(jr_emit_choose(options));
  JITRUN_TRY(jr_option_files_check(options));
  return jitrun_platforms_create(&options->platforms);
}

jitrun_error_t *jr_options_parse(int argc, const char **argv,
                                 struct jr_options *out_options) {
  *out_options = (struct jr_options){.opt_level = -1, .atol = -1, .rtol = -1};
  struct given given = {{false}};
  struct jr_flags flags = {0};
  jitrun_error_t *error = jr_flags_expand(argc, argv, &flags);
  if (error)
    goto done;
  out_options->is_empty = flags.arguments.count == 1;
  if (out_options->is_empty)
    goto done;
  error = jr_devices_tag(out_options, &flags.arguments);
  if (!error)
    error = split_arguments(out_options, &flags.arguments, &given);
  if (!error)
    error = check_options(out_options, &given);
  error = jr_flags_locate(&flags, error);
done:
  jr_flags_deinit(&flags);
  if (error)
    jr_options_deinit(out_options);
  return error;
}

static void free_specs(struct jr_specs *specs) {
  for (size_t i = 0; i < specs->count; i++)
    jr_spec_close(&specs->items[i]);
  free(specs->items);
}

void jr_options_deinit(struct jr_options *options) {
  jitrun_platforms_release(options->platforms);
  free_specs(&options->inputs);
  free_specs(&options->expects);
  free_specs(&options->outputs);
  for (size_t i = 0; i < options->owned_count; i++)
    free(options->owned[i]);
  free(options->owned);
  free(options->plugins.items);
  free(options->shared_libs.items);
  free(options->input_texts.items);
  free(options->output_texts.items);
  free(options->expect_texts.items);
  free(options->print_after.items);
  free(options->words.items);
  free(options->prefixes.items);
  *options = (struct jr_options){0};
}

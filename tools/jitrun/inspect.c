/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun inspect: what is in a program.
#include "open.h"
#include "verbs.h"

#include "base/bytes.h"
#include "base/dtype.h"

#include <inttypes.h>
#include <stdio.h>

static void append_entry(struct jr_bytes *text, const jitrun_program_t *program,
                         const jitrun_entry_t *entry) {
  jr_bytes_appendf(text, "entry '%s'\n  takes ", entry->name);
  jr_format_values(text, "arg", entry->params, entry->param_count);
  jr_bytes_append_text(text, "\n  gives ");
  jr_format_values(text, "result", entry->results, entry->result_count);
  const char *refusal = jitrun_program_thunks_refusal(program, entry);
  jr_bytes_appendf(text, "\n  thunks: %s%s\n", refusal ? "no: " : "yes",
                   refusal ? refusal : "");
}

/// "(2x3xf32, i32) -> (f32)".
static void append_types(struct jr_bytes *text, const jitrun_site_t *site) {
  jr_bytes_append_text(text, "(");
  for (uint32_t i = 0; i < site->arg_count + site->result_count; i++) {
    bool is_first = i == 0 || i == site->arg_count;
    if (i == site->arg_count)
      jr_bytes_append_text(text, ") -> (");
    if (!is_first)
      jr_bytes_append_text(text, ", ");
    jr_type_format(text, site->types[i]);
  }
  jr_bytes_append_text(text, site->result_count > 0 ? ")" : ") -> ()");
}

static void append_site(struct jr_bytes *text, uint64_t index,
                        const jitrun_site_t *site) {
  jr_bytes_appendf(text, "call %" PRIu64 ": '%s' at %s", index, site->target,
                   site->file);
  if (site->line > 0)
    jr_bytes_appendf(text, ":%" PRIu32 ":%" PRIu32, site->line, site->column);
  jr_bytes_append_text(text, " ");
  append_types(text, site);
  for (uint32_t i = 0; i < site->attr_count; i++)
    jr_bytes_appendf(text, "%s%s", i == 0 ? " {" : ", ", site->attrs[i].name);
  jr_bytes_append_text(text, site->attr_count > 0 ? "}\n" : "\n");
}

static jitrun_error_t *print_text(const jitrun_program_t *program) {
  struct jr_bytes text = {0};
  for (size_t i = 0; i < jitrun_program_entry_count(program); i++)
    append_entry(&text, program, jitrun_program_entry_get(program, i));
  uint64_t sites = jitrun_program_site_count(program);
  jr_bytes_appendf(&text, "code: %s\ncalls: %" PRIu64 "\n",
                   jitrun_program_is_native(program) ? "native" : "none",
                   sites);
  for (uint64_t i = 0; i < sites; i++)
    append_site(&text, i, jitrun_program_site_get(program, i));
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    (void)fwrite(text.data, 1, text.size, stdout);
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *print_json(const jitrun_program_t *program) {
  char *text;
  JITRUN_TRY(jitrun_program_describe(program, &text));
  puts(text);
  jitrun_text_free(text);
  return NULL;
}

enum jr_exit jr_verb_inspect(struct jr_options *options,
                             struct jr_watch *watch) {
  jitrun_program_t *program = NULL;
  jitrun_error_t *error = jr_open_program(options, watch, &program);
  if (!error)
    error = options->json ? print_json(program) : print_text(program);
  jr_watch_program(NULL);
  jitrun_program_release(program);
  return jr_report(error, options);
}

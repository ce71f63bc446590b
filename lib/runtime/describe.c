/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a program is and what it took to open it, for people and scripts.
#include "base/json.h"
#include "customcalls/parts.h"
#include "runtime/program.h" // IWYU pragma: keep

#include <stdlib.h>
#include <string.h>

const char *jitrun_program_thunks_refusal(const jitrun_program_t *program,
                                          const jitrun_entry_t *entry) {
  for (uint32_t i = 0; i < program->table.entry_count; i++) {
    jr_str_t refusal = program->table.entries[i].thunks_refused;
    if (entry == &program->entries[i] && refusal != 0)
      return jr_table_string(&program->table, refusal);
  }
  return NULL;
}

const char *jitrun_program_entry_refusal(const jitrun_program_t *program,
                                         const char *name) {
  const struct jr_table *table = &program->table;
  for (uint32_t i = 0; name && i < table->skipped_count; i++) {
    const struct jr_skipped *skipped = &table->skipped[i];
    if (strcmp(jr_table_string(table, skipped->name), name) == 0)
      return jr_table_string(table, skipped->reason);
  }
  return NULL;
}

void jitrun_program_stats(const jitrun_program_t *program,
                          jitrun_stats_t *out_stats) {
  size_t size = out_stats ? out_stats->size : 0;
  if (size < sizeof out_stats->size)
    return;
  size_t known = size < sizeof *out_stats ? size : sizeof *out_stats;
  memcpy(out_stats, &program->stats, known);
  out_stats->size = size;
}

void jitrun_program_info(const jitrun_program_t *program,
                         jitrun_program_info_t *out_info) {
  const struct jr_table *table = &program->table;
  const struct jr_table_header *header = table->header;
  size_t size = out_info->size;
  const jitrun_program_info_t info = {
      .size = size,
      .producer = jr_table_string(table, header->producer),
      .source = jr_table_string(table, header->source),
      .triple = jr_table_string(table, header->triple),
      .cpu = jr_table_string(table, header->cpu),
      .features = jr_table_string(table, header->features),
      .format_version = header->version,
      .is_checked = header->flags & JR_TABLE_CHECKED,
      .has_variables = header->flags & JR_TABLE_OWN_DATA,
      .temp_bytes = header->temp_bytes,
      .import_count = table->import_count,
      .refused_count = table->skipped_count,
      .temp_sum_bytes = header->temp_sum_bytes,
      .temp_peak_bytes = header->temp_peak_bytes,
      .temp_alignment = header->temp_alignment,
      .loaded_bytes = program->code_size,
  };
  if (size >= sizeof info.size)
    memcpy(out_info, &info, size < sizeof info ? size : sizeof info);
}

const char *jitrun_program_import_get(const jitrun_program_t *program,
                                      size_t index) {
  const struct jr_table *table = &program->table;
  return index < table->import_count
             ? jr_table_string(table, table->imports[index].name)
             : NULL;
}

bool jitrun_import_is_builtin(const jitrun_program_t *program, size_t index) {
  const struct jitrun_part *part = jr_part_get(JR_PART_functions);
  const char *name = jitrun_program_import_get(program, index);
  return name && part && part->find_function(name);
}

const char *jitrun_program_refused_get(const jitrun_program_t *program,
                                       size_t index) {
  const struct jr_table *table = &program->table;
  return index < table->skipped_count
             ? jr_table_string(table, table->skipped[index].name)
             : NULL;
}

static void print_u64(struct jr_json *json, const char *key, uint64_t value) {
  jr_json_key(json, key);
  jr_json_u64(json, value);
}

static void print_code(struct jr_json *json, const jitrun_program_t *program) {
  const jitrun_stats_t *stats = &program->stats;
  jr_json_key(json, "code");
  jr_json_open_object(json);
  jr_json_key(json, "native");
  jr_json_bool(json, program->native);
  print_u64(json, "size_bytes", stats->code_bytes);
  print_u64(json, "parse_ns", stats->parse_ns);
  print_u64(json, "compile_ns", stats->compile_ns);
  print_u64(json, "load_ns", stats->load_ns);
  jr_json_close_object(json);
}

jitrun_error_t *jitrun_program_describe(const jitrun_program_t *program,
                                        char **out_text) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  JR_NEED(out_text);
  *out_text = NULL;
  JR_NEED(program);
  jr_json_open_object(&json);
  jr_table_print_json(&program->table, &json);
  print_code(&json, program);
  jr_json_close_object(&json);
  jr_bytes_append_text(&text, "\n");
  *out_text = jr_bytes_take_text(&text);
  jr_bytes_deinit(&text);
  return *out_text ? NULL : jr_error_no_memory();
}

jitrun_error_t *jitrun_entry_describe(const jitrun_entry_t *entry,
                                      char **out_text) {
  struct jr_bytes text = {0};
  JR_NEED(out_text);
  *out_text = NULL;
  JR_NEED(entry);
  jr_bytes_append_text(&text, entry->name);
  jr_entry_format(&text, entry);
  *out_text = jr_bytes_take_text(&text);
  jr_bytes_deinit(&text);
  return *out_text ? NULL : jr_error_no_memory();
}

void jitrun_text_free(char *text) {
  free(text);
}

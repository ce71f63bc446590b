/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Programs: from an image at an address to something that can be run, and
/// back. Whatever kind of file the image came from, this is the same.
#include "runtime/program.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/options.h"
#include "runtime/context.h"
#include "runtime/fit.h"
#include "runtime/modules.h"

#include <stdlib.h>
#include <string.h>

jitrun_error_t *jr_open_options_read(const jitrun_open_options_t *options,
                                     jitrun_open_options_t *out_options) {
  *out_options = (jitrun_open_options_t){.opt_level = -1};
  JITRUN_TRY(jr_options_read(options, "for opening", out_options,
                             sizeof *out_options));
  if (out_options->executor < JITRUN_EXECUTOR_AUTO ||
      out_options->executor > JITRUN_EXECUTOR_THUNKS)
    return jr_error(JITRUN_INVALID_ARGUMENT, "there is no executor %d",
                    (int)out_options->executor);
  if (out_options->opt_level < -1 || out_options->opt_level > 3)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "there is no optimisation level %d; it is 0 to 3, or -1",
                    out_options->opt_level);
  if (!out_options->registry)
    out_options->registry = jitrun_registry_default();
  if (!out_options->platform)
    out_options->platform = "host";
  return NULL;
}

/// The first entry, when thunks can run none.
static const struct jr_entry *find_refusal(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->entry_count; i++) {
    if (table->entries[i].thunks_refused == 0)
      return NULL;
  }
  return table->entry_count > 0 ? table->entries : NULL;
}

/// Decides between native code and thunks.
static void choose_executor(jitrun_program_t *program,
                            jitrun_executor_t executor,
                            struct jr_problems *problems) {
  const struct jr_table *table = &program->table;
  struct jr_problems found = {0};
  if (executor == JITRUN_EXECUTOR_THUNKS)
    return;
  jr_code_check(table, &found);
  program->native = found.count == 0;
  jitrun_error_t *err = jr_problems_take(&found);
  const struct jr_entry *refused =
      program->inspect_only ? NULL : find_refusal(table);
  if (executor != JITRUN_EXECUTOR_JIT && !refused) {
    jitrun_error_free(err);
    return;
  }
  if (executor != JITRUN_EXECUTOR_JIT)
    err = jr_error_note(err, "while thunks cannot run entry '%s': %s",
                        jr_table_string(table, refused->name),
                        jr_table_string(table, refused->thunks_refused));
  jr_problems_add(problems, err);
}

/// Checks what the image says.
static jitrun_error_t *check_image(jitrun_program_t *program) {
  const struct jr_image *image = &program->image;
  if ((uintptr_t)image->data % JR_TABLE_ALIGNMENT != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the image at %p is not aligned to %u bytes", image->data,
                    JR_TABLE_ALIGNMENT);
  JITRUN_TRY(jr_table_check(image->data, image->size_bytes, &program->table));
  if (image->code)
    jr_table_set_code(&program->table, image->code);
  return NULL;
}

/// Finds all that keeps a checked image from being what the caller asks for.
static jitrun_error_t *find_problems(jitrun_program_t *program,
                                     const jitrun_open_options_t *options,
                                     struct jr_problems *problems) {
  if (options->check && !(program->table.header->flags & JR_TABLE_CHECKED))
    jr_problems_add(problems,
                    jr_error(JITRUN_FAILED_PRECONDITION,
                             "the image was compiled without checks; compile "
                             "it with 'jitrun compile --check'"));
  choose_executor(program, options->executor, problems);
  if (program->inspect_only)
    return NULL;
  jr_problems_add(problems,
                  jr_constants_open(&program->table, options,
                                    program->image.path, &program->constants));
  JITRUN_TRY(jr_program_find_imports(program, problems));
  return jr_program_find_calls(program, JR_CALLS_ALL, problems);
}

static jitrun_error_t *check_program(jitrun_program_t *program,
                                     const jitrun_open_options_t *options) {
  struct jr_problems problems = {0};
  jitrun_error_t *err = find_problems(program, options, &problems);
  jitrun_error_t *found = jr_problems_take(&problems);
  if (!err)
    return found;
  jitrun_error_free(found);
  return err;
}

/// Makes the code executable, now that nothing is wrong with it.
static jitrun_error_t *load_code(jitrun_program_t *program) {
  struct jr_image *image = &program->image;
  if (!program->native || !image->activate)
    return NULL;
  JITRUN_TRY(image->activate(image));
  jr_table_set_code(&program->table, image->code);
  return NULL;
}

/// Takes a program that was checked to where it can be run.
static jitrun_error_t *start_program(jitrun_program_t *program) {
  JITRUN_TRY(load_code(program));
  JITRUN_TRY(jr_program_link(program));
  JITRUN_TRY(jr_globals_make(&program->globals, &program->table));
  JITRUN_TRY(jr_program_resolve(program));
  JITRUN_TRY(jr_modules_create(program));
  return jr_program_instantiate(program);
}

static jitrun_error_t *make_program(jitrun_program_t *program,
                                    const jitrun_open_options_t *options) {
  const char *platform = options->platform ? options->platform : "host";
  program->platform =
      jr_arena_copy_text(&program->arena, platform, strlen(platform));
  if (!program->platform)
    return jr_error_no_memory();
  JITRUN_TRY(check_image(program));
  JITRUN_TRY(jr_program_build(program));
  JITRUN_TRY(check_program(program, options));
  return program->inspect_only ? NULL : start_program(program);
}

static void fill_stats(jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  program->stats.size = sizeof program->stats;
  program->stats.call_sites = table->site_count;
  program->stats.data_bytes =
      table->header->size_bytes + (table->entry_count + 1) * sizeof(int64_t);
}

/// Undoes everything, the last first. States of call sites may hold shared
/// ones, and these what their module made.
static void destroy_program(jitrun_program_t *program) {
  while (program->pool) {
    struct jr_context *context = program->pool;
    program->pool = context->next;
    jr_context_destroy(context);
  }
  jr_program_drop_states(program);
  jr_states_clear(&program->shared);
  jr_modules_destroy(program);
  jr_state_sync_deinit(&program->state_sync);
  jr_diagnostics_deinit(&program->diagnostics);
  jr_globals_deinit(&program->globals);
  jr_arena_deinit(&program->interfaces);
  jr_arena_deinit(&program->arena);
  jr_program_unlink(program);
  jitrun_registry_release(program->registry);
  if (program->withdraw)
    program->withdraw(program->announced);
  jr_constants_close(&program->constants);
  jr_table_close(&program->table);
  jr_image_close(&program->image);
  (void)pthread_mutex_destroy(&program->pool_lock);
  free(program);
}

jitrun_error_t *jr_program_create(struct jr_image *image,
                                  const jitrun_open_options_t *options,
                                  jitrun_program_t **out_program) {
  *out_program = NULL;
  jitrun_program_t *program = jr_calloc(1, sizeof *program);
  if (!program) {
    jr_image_close(image);
    return jr_error_no_memory();
  }
  program->reference_count = 1;
  program->image = *image;
  *image = (struct jr_image){0};
  program->registry = options->registry;
  program->inspect_only = options->inspect_only;
  jitrun_registry_retain(program->registry);
  (void)pthread_mutex_init(&program->pool_lock, NULL);
  jr_state_sync_init(&program->state_sync);
  jr_diagnostics_init(&program->diagnostics);
  jr_globals_init(&program->globals);
  jitrun_error_t *err = make_program(program, options);
  if (err) {
    destroy_program(program);
    return err;
  }
  program->image.path = NULL;
  fill_stats(program);
  *out_program = program;
  return NULL;
}

jitrun_error_t *jitrun_program_open_image(const void *image,
                                          const jitrun_open_options_t *options,
                                          jitrun_program_t **out_program) {
  JR_NEED(out_program);
  *out_program = NULL;
  jitrun_open_options_t read_options;
  JITRUN_TRY(jr_open_options_read(options, &read_options));
  if (!image)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the address of the image is NULL");
  struct jr_image linked = {.data = image, .size_bytes = SIZE_MAX};
  return jr_program_create(&linked, &read_options, out_program);
}

void jitrun_program_retain(jitrun_program_t *program) {
  if (program)
    (void)__atomic_fetch_add(&program->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_program_release(jitrun_program_t *program) {
  if (program &&
      __atomic_fetch_sub(&program->reference_count, 1, __ATOMIC_ACQ_REL) == 1)
    destroy_program(program);
}

size_t jitrun_program_entry_count(const jitrun_program_t *program) {
  return program->table.entry_count;
}

const jitrun_entry_t *jitrun_program_entry_get(const jitrun_program_t *program,
                                               size_t index) {
  return index < program->table.entry_count
             ? jr_program_entry(program, (uint32_t)index)
             : NULL;
}

const jitrun_entry_t *jitrun_program_entry_find(const jitrun_program_t *program,
                                                const char *name) {
  size_t count = program->table.entry_count;
  if (!name && count == 1)
    return jr_program_entry(program, 0);
  const char *wanted = name ? name : "main";
  const struct jr_table *table = &program->table;
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(jr_table_string(table, table->entries[i].name), wanted) == 0)
      return jr_program_entry(program, i);
  }
  return NULL;
}

uint64_t jitrun_program_site_count(const jitrun_program_t *program) {
  return program->table.site_count;
}

const jitrun_site_t *jitrun_program_site_get(const jitrun_program_t *program,
                                             uint64_t site) {
  return site < program->table.site_count ? &program->sites[site] : NULL;
}

const char *jitrun_program_platform(const jitrun_program_t *program) {
  return program->platform;
}

bool jitrun_program_is_native(const jitrun_program_t *program) {
  return program->native;
}

static void format_values(struct jr_bytes *text,
                          const jitrun_value_info_t *values, size_t count) {
  jr_bytes_append_text(text, "(");
  for (size_t i = 0; i < count; i++) {
    jr_bytes_append_text(text, i > 0 ? ", " : "");
    jr_type_format(text, values[i].type);
  }
  jr_bytes_append_text(text, ")");
}

void jr_entry_format(struct jr_bytes *text, const jitrun_entry_t *entry) {
  format_values(text, entry->params, entry->param_count);
  jr_bytes_append_text(text, " -> ");
  format_values(text, entry->results, entry->result_count);
}

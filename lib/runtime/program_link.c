/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See jr_program_link(). Code from a file or from ORC is a copy of its own; an
/// image that is linked into the process is one for all programs opened of it.
#include "customcalls/parts.h"
#include "runtime/functions.h"
#include "runtime/missing.h"
#include "runtime/program.h"

/// Under which uses of links are counted.
static pthread_mutex_t use_lock = PTHREAD_MUTEX_INITIALIZER;

static bool has_own_data(const struct jr_table *table) {
  return (table->header->flags & JR_TABLE_OWN_DATA) != 0;
}

static jitrun_error_t *find_links(const struct jr_table *table,
                                  struct jr_links **out_links) {
  int64_t offset = table->code_offsets[table->entry_count];
  *out_links = NULL;
  if (offset == 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: its code takes %u functions from outside, "
                    "and has no place for their addresses",
                    table->import_count);
  *out_links = (struct jr_links *)((uintptr_t)table->code + (uintptr_t)offset);
  return NULL;
}

/// True for code that is written to by whoever opens it.
static bool is_linked(const jitrun_program_t *program) {
  return program->native &&
         (program->table.import_count > 0 || has_own_data(&program->table));
}

jitrun_error_t *jr_program_find_imports(jitrun_program_t *program,
                                        struct jr_problems *problems) {
  const struct jr_table *table = &program->table;
  struct jr_missing_names missing = {0};
  if (!is_linked(program))
    return NULL;
  program->functions =
      jr_arena_zalloc(&program->arena, table->import_count + (size_t)1,
                      sizeof *program->functions);
  if (!program->functions)
    return jr_error_no_memory();
  for (uint32_t i = 0; i < table->import_count; i++) {
    const char *name = jr_table_string(table, table->imports[i].name);
    program->functions[i] = jr_function_find(program->registry, name);
    if (!program->functions[i])
      jr_missing_add(&missing, name);
  }
  jitrun_error_t *error = jr_missing_report(&missing);
  if (error && !jr_part_get(JR_PART_functions))
    error = jr_error_note(error, "functions that print are not linked into "
                                 "this program: include the header that "
                                 "'jitrun compile -o NAME.h' makes of the "
                                 "image, or name jitrun_part_functions");
  jr_problems_add(
      problems,
      jr_error_note(error, "the program calls functions of other libraries; "
                           "give those that have them with "
                           "--shared-libs=LIB, or "
                           "jitrun_registry_add_library()"));
  return NULL;
}

/// Counts one more use; the first writes the addresses.
static jitrun_error_t *use_links(struct jr_links *links, void *const *functions,
                                 uint32_t count, bool is_exclusive) {
  if (links->use_count > 0 && is_exclusive)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the program has variables of its own, is linked into this "
                    "process once, and open already; release it first");
  for (uint32_t i = 0; i < count; i++) {
    if (links->use_count > 0 && links->functions[i] != functions[i])
      return jr_error(JITRUN_FAILED_PRECONDITION,
                      "the program is linked into this process once, and open "
                      "already with other functions than the registry's "
                      "libraries have; release it first");
  }
  for (uint32_t i = 0; i < count && links->use_count == 0; i++)
    links->functions[i] = functions[i];
  links->use_count++;
  return NULL;
}

jitrun_error_t *jr_program_link(jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  struct jr_links *links = NULL;
  if (!is_linked(program))
    return NULL;
  JITRUN_TRY(find_links(table, &links));
  (void)pthread_mutex_lock(&use_lock);
  jitrun_error_t *error = use_links(links, program->functions,
                                    table->import_count, has_own_data(table));
  (void)pthread_mutex_unlock(&use_lock);
  if (!error)
    program->links = links;
  return error;
}

void jr_program_unlink(jitrun_program_t *program) {
  if (!program->links)
    return;
  (void)pthread_mutex_lock(&use_lock);
  program->links->use_count--;
  (void)pthread_mutex_unlock(&use_lock);
  program->links = NULL;
}

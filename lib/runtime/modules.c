/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Modules of a program. They are few, so lists are searched from end to end;
/// which entries reach which module is found once, so that an execution only
/// looks at a row of flags.
#include "runtime/modules.h"

#include "runtime/context.h"
#include "runtime/table_query.h"

#include <string.h>

/// The place of a module in a program; module_count when it has no call there.
static uint32_t find_module(const jitrun_program_t *program,
                            const jitrun_module_t *record) {
  uint32_t i = 0;
  while (i < program->module_count && program->modules[i].record != record)
    i++;
  return i;
}

/// The number of modules, at most: where one follows another it counts.
static size_t count_modules(const jitrun_program_t *program) {
  const jitrun_module_t *last = NULL;
  size_t count = 0;
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    const jitrun_module_t *record = program->handlers[i]->module;
    count += record && record != last;
    last = record ? record : last;
  }
  return count;
}

static bool add_module(jitrun_program_t *program,
                       const jitrun_module_t *record) {
  struct jr_module *module = &program->modules[program->module_count];
  module->record = record;
  module->reached = jr_arena_zalloc(&program->arena, program->table.entry_count,
                                    sizeof *module->reached);
  program->module_count += module->reached != NULL;
  return module->reached != NULL;
}

/// A site with arguments of one entry is called there, others anywhere.
static void mark_reached(const jitrun_program_t *program,
                         struct jr_module *module, uint64_t site) {
  uint32_t owner = jr_table_site_entry(&program->table, site);
  if (owner != JR_NONE) {
    module->reached[owner] = true;
    return;
  }
  for (uint32_t i = 0; i < program->table.entry_count; i++)
    module->reached[i] = true;
}

static jitrun_error_t *list_modules(jitrun_program_t *program) {
  size_t count = count_modules(program);
  if (count == 0)
    return NULL;
  program->modules =
      jr_arena_zalloc(&program->arena, count, sizeof *program->modules);
  if (!program->modules)
    return jr_error_no_memory();
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    const jitrun_module_t *record = program->handlers[i]->module;
    if (!record)
      continue;
    uint32_t index = find_module(program, record);
    if (index == program->module_count && !add_module(program, record))
      return jr_error_no_memory();
    mark_reached(program, &program->modules[index], i);
  }
  return NULL;
}

jitrun_error_t *jr_modules_create(jitrun_program_t *program) {
  JITRUN_TRY(list_modules(program));
  for (uint32_t i = 0; i < program->module_count; i++) {
    struct jr_module *module = &program->modules[i];
    const jitrun_module_t *record = module->record;
    if (record->create) {
      jitrun_error_t *err = record->create(&jr_call_api, &module->state);
      if (err)
        return jr_error_note(err, "while creating module '%s'", record->name);
    }
    module->is_created = true;
  }
  return NULL;
}

void jr_modules_destroy(jitrun_program_t *program) {
  for (uint32_t i = program->module_count; i-- > 0;) {
    const struct jr_module *module = &program->modules[i];
    if (module->is_created && module->record->destroy)
      module->record->destroy(module->state);
  }
}

bool jr_modules_alloc(struct jr_context *context) {
  uint32_t count = context->program->module_count;
  if (count == 0)
    return true;
  context->modules =
      jr_arena_zalloc(&context->arena, count, sizeof *context->modules);
  return context->modules != NULL;
}

jitrun_error_t *jr_modules_begin(struct jr_context *context, uint32_t entry) {
  const jitrun_program_t *program = context->program;
  for (uint32_t i = 0; i < program->module_count; i++) {
    const struct jr_module *module = &program->modules[i];
    struct jr_begun *begun = &context->modules[i];
    if (!module->reached[entry])
      continue;
    if (module->record->begin) {
      jitrun_error_t *err =
          module->record->begin(&jr_call_api, module->state, &begun->state);
      if (err)
        return jr_error_note(err, "while beginning module '%s'",
                             module->record->name);
    }
    begun->is_begun = true;
  }
  return NULL;
}

void jr_modules_end(struct jr_context *context) {
  const jitrun_program_t *program = context->program;
  for (uint32_t i = program->module_count; i-- > 0;) {
    const struct jr_module *module = &program->modules[i];
    struct jr_begun *begun = &context->modules[i];
    if (begun->is_begun && module->record->end)
      module->record->end(module->state, begun->state);
    *begun = (struct jr_begun){0};
  }
}

void *jr_modules_find(const jitrun_call_t *call, jitrun_scope_t scope) {
  const jitrun_program_t *program = call->site->program;
  const struct jr_context *context =
      (const struct jr_context *)(const void *)call->exec;
  const jitrun_module_t *record = program->handlers[call->site->index]->module;
  uint32_t index = find_module(program, record);
  if (!record || index == program->module_count)
    return NULL;
  if (scope == JITRUN_SCOPE_PROGRAM)
    return program->modules[index].state;
  if (scope == JITRUN_SCOPE_EXECUTION && context)
    return context->modules[index].state;
  return NULL;
}

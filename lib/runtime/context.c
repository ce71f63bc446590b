/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Execution contexts: made once, kept in the program's pool, got ready for
/// each execution. Also the place where the layouts that generated code relies
/// on are fixed.
#include "runtime/context.h"

#include "base/alloc.h"
#include "runtime/frames.h"
#include "runtime/modules.h"
#include "runtime/profile.h"
#include "runtime/table_query.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ASSERT_OFFSET(type, field, offset)                                     \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field)

ASSERT_OFFSET(struct jr_exec, functions, JR_EXEC_FUNCTIONS);
ASSERT_OFFSET(struct jr_exec, bases, JR_EXEC_BASES);
ASSERT_OFFSET(struct jr_exec, slots, JR_EXEC_SLOTS);
ASSERT_OFFSET(struct jr_exec, scalars, JR_EXEC_SCALARS);
ASSERT_OFFSET(struct jr_exec, results, JR_EXEC_RESULTS);
ASSERT_OFFSET(struct jr_exec, cancel, JR_EXEC_CANCEL);
ASSERT_OFFSET(struct jr_exec, current_site, JR_EXEC_CURRENT_SITE);
ASSERT_OFFSET(struct jr_exec_functions, run, JR_FUNCTIONS_RUN);
ASSERT_OFFSET(struct jr_exec_functions, alloc, JR_FUNCTIONS_ALLOC);
ASSERT_OFFSET(struct jr_exec_functions, free, JR_FUNCTIONS_FREE);
ASSERT_OFFSET(struct jr_exec_functions, fail, JR_FUNCTIONS_FAIL);
ASSERT_OFFSET(struct jr_exec_functions, hold, JR_FUNCTIONS_HOLD);
ASSERT_OFFSET(struct jr_exec_functions, result, JR_FUNCTIONS_RESULT);
ASSERT_OFFSET(struct jr_exec_functions, call, JR_FUNCTIONS_CALL);
ASSERT_OFFSET(struct jr_exec_functions, async, JR_FUNCTIONS_ASYNC);
ASSERT_OFFSET(struct jr_exec_functions, fail_check, JR_FUNCTIONS_FAIL_CHECK);
ASSERT_OFFSET(struct jr_exec_functions, track, JR_FUNCTIONS_TRACK);
ASSERT_OFFSET(struct jr_async_functions, start, JR_ASYNC_START);
ASSERT_OFFSET(struct jr_async_functions, create_token, JR_ASYNC_CREATE_TOKEN);
ASSERT_OFFSET(struct jr_async_functions, create_value, JR_ASYNC_CREATE_VALUE);
ASSERT_OFFSET(struct jr_async_functions, create_group, JR_ASYNC_CREATE_GROUP);
ASSERT_OFFSET(struct jr_async_functions, set_available, JR_ASYNC_SET_AVAILABLE);
ASSERT_OFFSET(struct jr_async_functions, set_error, JR_ASYNC_SET_ERROR);
ASSERT_OFFSET(struct jr_async_functions, is_error, JR_ASYNC_IS_ERROR);
ASSERT_OFFSET(struct jr_async_functions, await, JR_ASYNC_AWAIT);
ASSERT_OFFSET(struct jr_async_functions, await_then, JR_ASYNC_AWAIT_THEN);
ASSERT_OFFSET(struct jr_async_functions, storage, JR_ASYNC_STORAGE);
ASSERT_OFFSET(struct jr_async_functions, add_to_group, JR_ASYNC_ADD_TO_GROUP);
ASSERT_OFFSET(struct jr_async_functions, execute, JR_ASYNC_EXECUTE);
ASSERT_OFFSET(struct jr_async_functions, change_count, JR_ASYNC_CHANGE_COUNT);
ASSERT_OFFSET(struct jr_async_functions, thread_count, JR_ASYNC_THREAD_COUNT);
ASSERT_OFFSET(struct jr_async_functions, keep, JR_ASYNC_KEEP);
ASSERT_OFFSET(struct jr_async_functions, check, JR_ASYNC_CHECK);
ASSERT_OFFSET(struct jr_slot, handler, JR_SLOT_HANDLER);
ASSERT_OFFSET(struct jr_slot, frame, JR_SLOT_FRAME);
ASSERT_OFFSET(jitrun_arg_t, value, 0);
ASSERT_OFFSET(jitrun_arg_t, type, JR_ARG_TYPE);
ASSERT_OFFSET(struct jr_context, exec, 0);
_Static_assert(sizeof(struct jr_slot) == JR_SLOT_BYTES, "jr_slot");
_Static_assert(sizeof(jitrun_call_t) == JR_FRAME_ARGS, "jitrun_call_t");
_Static_assert(sizeof(jitrun_arg_t) == JR_ARG_BYTES, "jitrun_arg_t");
_Static_assert(sizeof(jitrun_type_t) == JR_TYPE_EXTENTS, "jitrun_type_t");

enum { TEMP_ALIGNMENT = 64, MAP_FROM_BYTES = 1 << 20 };

/// Room for the run-time words of any entry.
static bool alloc_words(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  uint32_t scalars = 0;
  uint32_t results = 0;
  for (uint32_t i = 0; i < table->entry_count; i++) {
    const struct jr_entry *entry = &table->entries[i];
    scalars = entry->scalar_words > scalars ? entry->scalar_words : scalars;
    results = entry->result_words > results ? entry->result_words : results;
  }
  context->scalars =
      jr_arena_zalloc(&context->arena, scalars, sizeof(uint64_t));
  context->results =
      jr_arena_zalloc(&context->arena, results, sizeof(uint64_t));
  return context->scalars && context->results;
}

/// Constants stay where the image or their file is, globals where the program
/// has them.
static void bind_constants(struct jr_context *context) {
  const unsigned char *constants = context->program->constants.map.data;
  const struct jr_table *table = &context->program->table;
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    const struct jr_alloc *alloc = &table->allocs[i];
    if (alloc->kind == JR_ALLOC_CONSTANT)
      jr_context_rebase(context, i,
                        (void *)(uintptr_t)(table->data + alloc->offset));
    else if (alloc->kind == JR_ALLOC_FILE)
      jr_context_rebase(context, i,
                        (void *)(uintptr_t)(constants + alloc->offset));
    else if (alloc->kind == JR_ALLOC_GLOBAL)
      jr_context_rebase(context, i, context->program->globals.bases[i]);
  }
}

/// Points what uses temporaries to where they are.
static void bind_temps(struct jr_context *context, void *temp) {
  const struct jr_table *table = &context->program->table;
  if (temp == context->temp_base)
    return;
  context->temp_base = temp;
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    if (table->allocs[i].kind == JR_ALLOC_TEMP)
      jr_context_rebase(context, i,
                        (unsigned char *)temp + table->allocs[i].offset);
  }
}

/// Memory of the context's own, which its execution's meter counts.
static jitrun_error_t *make_temps(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  uint64_t size = table->header->temp_bytes;
  uint64_t alignment = table->header->temp_alignment;
  const struct jr_meter *meter = context->blocks.meter;
  void *temp = NULL;
  if (meter)
    JITRUN_TRY(meter->take(meter->context, size));
  if (size < MAP_FROM_BYTES) {
    temp = jr_malloc_aligned(
        alignment > TEMP_ALIGNMENT ? alignment : TEMP_ALIGNMENT, size);
  } else {
    temp = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
    temp = temp == MAP_FAILED ? NULL : temp;
  }
  context->temp = temp;
  context->is_temp_counted = meter && temp;
  if (temp)
    return NULL;
  if (meter)
    meter->give(meter->context, size);
  return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                  "no memory for the %llu bytes of the program's temporary "
                  "allocations",
                  (unsigned long long)size);
}

/// Temporary memory comes with the first execution: many contexts are only made
/// to look at a program.
static jitrun_error_t *alloc_temps(struct jr_context *context) {
  if (context->program->table.header->temp_bytes == 0)
    return NULL;
  if (!context->given_temp && !context->temp)
    JITRUN_TRY(make_temps(context));
  bind_temps(context,
             context->given_temp ? context->given_temp : context->temp);
  return NULL;
}

struct jr_async_memory *jr_context_take_memory(struct jr_context *context,
                                               const void *address) {
  size_t temp_bytes = context->program->table.header->temp_bytes;
  struct jr_async_memory *memory = jr_malloc(sizeof *memory);
  if (!memory)
    return NULL;
  *memory = (struct jr_async_memory){.references = 1};
  if (context->temp &&
      (uintptr_t)address - (uintptr_t)context->temp < temp_bytes) {
    memory->data = memory->start = context->temp;
    memory->size_bytes = temp_bytes;
    memory->is_mapped = temp_bytes >= MAP_FROM_BYTES;
    context->temp = NULL;
    context->temp_base = NULL;
    return memory;
  }
  const struct jr_block *block = jr_blocks_take(&context->blocks, address);
  if (!block) {
    free(memory);
    return NULL;
  }
  memory->data = block->data;
  memory->size_bytes = block->size_bytes;
  memory->start = block->start;
  return memory;
}

static void free_temps(struct jr_context *context) {
  uint64_t size = context->program->table.header->temp_bytes;
  if (context->temp && size >= MAP_FROM_BYTES)
    jr_unmap(context->temp, size);
  else
    free(context->temp);
  context->temp = NULL;
  context->temp_base = NULL;
}

/// What a meter counts does not stay from one execution to the next, which may
/// be another's.
static void stop_counting(struct jr_context *context) {
  const struct jr_meter *meter = context->blocks.meter;
  if (context->is_temp_counted) {
    meter->give(meter->context, context->program->table.header->temp_bytes);
    free_temps(context);
  }
  context->is_temp_counted = false;
  context->blocks.meter = NULL;
}

/// Runs the prepare stage of every site that has one.
static jitrun_error_t *prepare_sites(struct jr_context *context) {
  const jitrun_program_t *program = context->program;
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    if (!program->handlers[i]->prepare)
      continue;
    jitrun_error_t *err =
        program->handlers[i]->prepare(context->exec.slots[i].frame);
    if (err)
      return jr_error_in_site(err, &program->sites[i], "while preparing");
  }
  return NULL;
}

/// What an execution leaves behind, and what one starts with.
static void reset_context(struct jr_context *context) {
  static const volatile int32_t never = 0;
  context->exec.cancel = &never;
  context->exec.current_site = &context->own_site;
  context->own_site = JITRUN_NO_SITE;
  context->options = (jitrun_run_options_t){0};
  context->outermost = context;
  context->depth = 0;
  context->given_temp = NULL;
  context->run_id = 0;
  jr_async_error_release(context->held);
  context->held = NULL;
}

static jitrun_error_t *create_context(jitrun_program_t *program,
                                      struct jr_context **out_context) {
  struct jr_context *context = jr_calloc(1, sizeof *context);
  if (!context)
    return jr_error_no_memory();
  context->program = program;
  context->exec.size = sizeof context->exec;
  context->exec.functions = &jr_exec_functions;
  (void)pthread_mutex_init(&context->output_lock, NULL);
  jr_diagnostics_init(&context->diagnostics);
  (void)pthread_mutex_init(&context->blocks.lock, NULL);
  jr_async_work_init(&context->async);
  reset_context(context);
  jitrun_error_t *err = jr_frames_build(context);
  if (!err && (!alloc_words(context) || !jr_modules_alloc(context)))
    err = jr_error_no_memory();
  if (!err) {
    context->exec.scalars = context->scalars;
    context->exec.results = context->results;
    bind_constants(context);
    err = jr_thunks_prepare(context);
  }
  if (!err)
    err = prepare_sites(context);
  if (err) {
    err = jr_diagnostics_join(&context->diagnostics, err);
    jr_context_destroy(context);
    return err;
  }
  *out_context = context;
  return NULL;
}

void jr_context_destroy(struct jr_context *context) {
  if (!context)
    return;
  jr_blocks_free_all(&context->blocks);
  free_temps(context);
  free(context->frames);
  jr_arena_deinit(&context->arena);
  jr_async_work_deinit(&context->async);
  (void)pthread_mutex_destroy(&context->blocks.lock);
  jr_diagnostics_deinit(&context->diagnostics);
  (void)pthread_mutex_destroy(&context->output_lock);
  jr_profiling_free(context->profiling);
  jr_workspaces_free(context);
  free(context);
}

jitrun_error_t *jr_context_acquire(jitrun_program_t *program,
                                   struct jr_context **out_context) {
  (void)pthread_mutex_lock(&program->pool_lock);
  struct jr_context *context = program->pool;
  if (context)
    program->pool = context->next;
  (void)pthread_mutex_unlock(&program->pool_lock);
  *out_context = context;
  return context ? NULL : create_context(program, out_context);
}

void jr_context_give_back(struct jr_context *context) {
  jitrun_program_t *program = context->program;
  jr_states_clear(&context->states);
  jr_modules_end(context);
  jr_blocks_free_all(&context->blocks);
  stop_counting(context);
  jr_diagnostics_clear(&context->diagnostics);
  if (context->options.profile)
    jr_profile_end(context);
  reset_context(context);
  (void)pthread_mutex_lock(&program->pool_lock);
  context->next = program->pool;
  program->pool = context;
  (void)pthread_mutex_unlock(&program->pool_lock);
}

/// Runs the initialize stage of the sites that this entry may call: those that
/// have another entry's arguments do not hold valid pointers now.
static jitrun_error_t *initialize_sites(struct jr_context *context,
                                        uint32_t entry) {
  const jitrun_program_t *program = context->program;
  for (uint64_t i = 0; i < program->initialize_count; i++) {
    uint64_t index = program->initialize[i];
    uint32_t owner = jr_table_site_entry(&program->table, index);
    if (owner != JR_NONE && owner != entry)
      continue;
    jitrun_error_t *err =
        program->handlers[index]->initialize(context->exec.slots[index].frame);
    if (err)
      return jr_error_in_site(err, &program->sites[index],
                              "while initializing");
  }
  return NULL;
}

jitrun_error_t *jr_context_start(struct jr_context *context, uint32_t entry) {
  // Numbers of executions: the only state of the process here.
  static atomic_uint_fast64_t last_run_id;
  context->run_id = atomic_fetch_add(&last_run_id, 1) + 1;
  if (context->options.profile)
    JITRUN_TRY(jr_profile_begin(context, entry));
  JITRUN_TRY(alloc_temps(context));
  jr_frames_patch(context, entry);
  JITRUN_TRY(jr_modules_begin(context, entry));
  return initialize_sites(context, entry);
}

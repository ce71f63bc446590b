/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Frames: the call sites of a program with plain pointers, for one context.
/// Every pointer into an allocation is also listed under that allocation, and
/// every scalar parameter under its entry, so that the next execution touches
/// only what differs.
#include "runtime/frames.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/strings.h"
#include "runtime/table_query.h"

#include <string.h>

enum { FRAME_ALIGNMENT = 64 };

static bool is_pointer(const struct jr_arg *arg) {
  return arg->kind == JR_ARG_SLICE || arg->kind == JR_ARG_VIEW;
}

/// A list of ends from counts: afterwards element i holds where the items of i
/// begin; putting items there moves it to where they end.
static void sum_counts(uint32_t *counts, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t items = counts[i];
    counts[i] = sum;
    sum += items;
  }
}

/// The lists, still empty: how many items each will have is counted first.
static bool alloc_lists(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  struct jr_arena *arena = &context->arena;
  uint32_t *relocs = jr_arena_zalloc(arena, table->alloc_count, sizeof *relocs);
  uint32_t *patches =
      jr_arena_zalloc(arena, table->entry_count, sizeof *patches);
  if (!relocs || !patches)
    return false;
  uint32_t reloc_count = 0;
  uint32_t patch_count = 0;
  for (uint32_t i = 0; i < table->arg_count; i++) {
    const struct jr_arg *arg = &table->args[i];
    if (is_pointer(arg)) {
      relocs[arg->index]++;
      reloc_count++;
    } else if (arg->kind == JR_ARG_PARAM) {
      patches[jr_table_param_entry(table, arg->index)]++;
      patch_count++;
    }
  }
  sum_counts(relocs, table->alloc_count);
  sum_counts(patches, table->entry_count);
  context->reloc_ends = relocs;
  context->patch_ends = patches;
  context->relocs =
      jr_arena_zalloc(arena, reloc_count, sizeof *context->relocs);
  context->patches =
      jr_arena_zalloc(arena, patch_count, sizeof *context->patches);
  return context->relocs && context->patches;
}

/// Type records of the parameters whose types are dynamic, with sizes and
/// strides to be filled in by every execution.
static bool alloc_views(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  context->views = jr_arena_zalloc(&context->arena, table->alloc_count,
                                   sizeof *context->views);
  if (!context->views)
    return false;
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    const jitrun_type_t *type = jr_table_type(table, table->allocs[i].type);
    if (jr_type_is_static(type))
      continue;
    size_t size = jr_type_record_size(type->rank);
    context->views[i] = jr_arena_alloc(&context->arena, size);
    if (!context->views[i])
      return false;
    memcpy(context->views[i], type, size);
  }
  return true;
}

/// Memory for the frames, each on cache lines of its own.
static bool alloc_frames(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  uint64_t total = 0;
  for (uint64_t i = 0; i < table->site_count; i++) {
    uint64_t size = 0;
    if (!jr_align_u64(table->sites[i].frame_bytes, FRAME_ALIGNMENT, &size) ||
        !jr_add_u64(total, size, &total))
      return false;
  }
  context->frames = jr_malloc_aligned(FRAME_ALIGNMENT, total);
  if (!context->frames)
    return false;
  memset(context->frames, 0, total);
  return true;
}

static void add_reloc(struct jr_context *context, const struct jr_arg *record,
                      jitrun_arg_t *arg) {
  uint32_t place = context->reloc_ends[record->index]++;
  context->relocs[place] =
      (struct jr_reloc){.arg = arg, .offset = record->value};
}

static void add_patch(struct jr_context *context, const struct jr_arg *record,
                      jitrun_arg_t *arg) {
  const struct jr_table *table = &context->program->table;
  uint32_t entry = jr_table_param_entry(table, record->index);
  uint32_t place = context->patch_ends[entry]++;
  context->patches[place] = (struct jr_patch){
      .arg = arg, .word = table->params[record->index].first_word};
}

/// A type record inside of the frame, for native code to complete.
static const jitrun_type_t *copy_type(jitrun_call_t *frame, uint32_t offset,
                                      const jitrun_type_t *type) {
  void *copy = (unsigned char *)frame + offset;
  memcpy(copy, type, jr_type_record_size(type->rank));
  return copy;
}

static void fill_arg(struct jr_context *context, const struct jr_arg *record,
                     jitrun_call_t *frame, jitrun_arg_t *arg) {
  arg->type = jr_table_type(&context->program->table, record->type);
  switch (record->kind) {
  case JR_ARG_VIEW:
    arg->type = context->views[record->index];
    add_reloc(context, record, arg);
    break;
  case JR_ARG_SLICE:
    add_reloc(context, record, arg);
    break;
  case JR_ARG_CONST:
    arg->value.u64 = record->value;
    break;
  case JR_ARG_PARAM:
    add_patch(context, record, arg);
    break;
  case JR_ARG_BUFFER:
  case JR_ARG_RESULT:
    if (record->type_offset != 0)
      arg->type = copy_type(frame, record->type_offset, arg->type);
    break;
  default: // SCALAR: stored before the call
    break;
  }
}

static void fill_frame(struct jr_context *context, uint64_t index,
                       jitrun_call_t *frame) {
  const jitrun_program_t *program = context->program;
  const struct jr_site *site = &program->table.sites[index];
  *frame = (jitrun_call_t){
      .site = &program->sites[index],
      .attrs = program->site_attrs[index],
      .exec = (jitrun_exec_t *)(void *)context,
      .state = program->states[index],
  };
  jitrun_arg_t *args = jitrun_call_args(frame);
  for (uint32_t i = 0; i < site->arg_count + site->result_count; i++)
    fill_arg(context, &program->table.args[site->first_arg + i], frame,
             &args[i]);
}

/// Writes frames and slots, and with them the lists.
static void fill_frames(struct jr_context *context) {
  const jitrun_program_t *program = context->program;
  unsigned char *frame = context->frames;
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    jitrun_call_t *call = (jitrun_call_t *)(void *)frame;
    fill_frame(context, i, call);
    context->exec.slots[i] = (struct jr_slot){
        .handler = program->handlers[i]->execute, .frame = call};
    uint64_t frame_bytes = program->table.sites[i].frame_bytes;
    frame += (frame_bytes + FRAME_ALIGNMENT - 1) & ~UINT64_C(63);
  }
}

jitrun_error_t *jr_frames_build(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  struct jr_arena *arena = &context->arena;
  context->exec.bases =
      jr_arena_zalloc(arena, table->alloc_count, sizeof(void *));
  context->exec.slots =
      jr_arena_zalloc(arena, table->site_count, sizeof(struct jr_slot));
  if (!context->exec.bases || !context->exec.slots || !alloc_lists(context) ||
      !alloc_views(context) || !alloc_frames(context))
    return jr_error_no_memory();
  fill_frames(context);
  return NULL;
}

void jr_context_rebase(struct jr_context *context, uint32_t alloc, void *base) {
  if (context->exec.bases[alloc] == base)
    return;
  context->exec.bases[alloc] = base;
  uint32_t first = alloc > 0 ? context->reloc_ends[alloc - 1] : 0;
  for (uint32_t i = first; i < context->reloc_ends[alloc]; i++) {
    const struct jr_reloc *reloc = &context->relocs[i];
    reloc->arg->value.data = (void *)((uintptr_t)base + reloc->offset);
  }
}

void jr_frames_patch(struct jr_context *context, uint32_t entry) {
  uint32_t first = entry > 0 ? context->patch_ends[entry - 1] : 0;
  for (uint32_t i = first; i < context->patch_ends[entry]; i++) {
    const struct jr_patch *patch = &context->patches[i];
    patch->arg->value.u64 = context->scalars[patch->word];
  }
}

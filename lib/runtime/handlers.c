/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Connecting call sites with handlers. A program has many sites and few
/// targets, so each target is looked up once; the program keeps what it found,
/// whatever is registered later. Everything that does not fit is reported
/// together, so that a program is not mended one call at a time.
#include "base/alloc.h"
#include "base/strings.h"
#include "customcalls/registry.h"
#include "customcalls/signature.h"
#include "runtime/program.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TARGET_CAPACITY = 64 };

/// Targets that were looked up, by the reference to their name. A slot is empty
/// when its name is 0: that is "", which no call has.
struct target {
  jr_str_t name;
  bool is_told;                    ///< that it is not registered
  const jitrun_customcall_t *call; ///< NULL: not registered
};

struct targets {
  struct target *slots;
  size_t capacity, count;
  bool has_missing; ///< one was told that is not registered
};

/// The slot of a name, or the empty one where it belongs.
static struct target *find_target(const struct targets *targets,
                                  jr_str_t name) {
  size_t slot = (size_t)(name * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  while (true) {
    struct target *target = &targets->slots[slot & (targets->capacity - 1)];
    if (target->name == name || target->name == 0)
      return target;
    slot++;
  }
}

/// Keeps at least half of the slots empty; false without memory.
static bool reserve_target(struct targets *targets) {
  if (targets->count < targets->capacity / 2)
    return true;
  struct targets grown = {.count = targets->count};
  grown.capacity =
      targets->capacity ? 2 * targets->capacity : FIRST_TARGET_CAPACITY;
  grown.slots = jr_calloc(grown.capacity, sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (size_t i = 0; i < targets->capacity; i++) {
    const struct target *target = &targets->slots[i];
    if (target->name != 0)
      *find_target(&grown, target->name) = *target;
  }
  free(targets->slots);
  *targets = grown;
  return true;
}

/// Stands for an optional call whose target is not registered. What it runs for
/// is told by who called it.
static jitrun_error_t *fail_missing(jitrun_call_t *call) {
  (void)call;
  return jr_error(JITRUN_NOT_FOUND,
                  "an optional custom call is run, and was not registered when "
                  "the program was opened: register it, or load the plug-in "
                  "that has it, before");
}

static const jitrun_customcall_t missing_call = {
    .size = sizeof missing_call, .name = "", .execute = fail_missing};

/// The first is an error that says what to do, others are but named.
static void add_missing(const jitrun_program_t *program,
                        const jitrun_site_t *site, struct targets *targets,
                        struct jr_problems *problems) {
  jitrun_error_t *error;
  if (!jr_problems_is_open(problems)) {
    problems->count++;
    return;
  }
  if (targets->has_missing) {
    problems->count++;
    problems->error =
        jr_error_note(problems->error, "also not registered: '%s' at %s:%u:%u",
                      site->target, site->file, site->line, site->column);
    return;
  }
  targets->has_missing = true;
  error =
      jr_registry_missing(program->registry, site->target, program->platform);
  jr_problems_add(problems,
                  jr_error_at(error, site->file, site->line, site->column));
}

/// True for a call of another platform that has nothing to do with its memory.
static bool may_be_of_host(const jitrun_program_t *program,
                           const jitrun_site_t *site) {
  if (strcmp(program->platform, "host") == 0)
    return false;
  for (uint32_t i = 0; i < site->arg_count + site->result_count; i++) {
    if (site->types[i]->kind == JITRUN_KIND_BUFFER ||
        site->types[i]->kind == JITRUN_KIND_ASYNC_BUFFER)
      return false;
  }
  return true;
}

/// Looks up the target of a site, once for all sites that call it.
static jitrun_error_t *resolve_site(jitrun_program_t *program, uint64_t index,
                                    struct targets *targets,
                                    struct jr_problems *problems) {
  jr_str_t name = program->table.sites[index].target;
  jitrun_site_t *site = &program->sites[index];
  if (!reserve_target(targets))
    return jr_error_no_memory();
  struct target *target = find_target(targets, name);
  if (target->name == 0) {
    JITRUN_TRY(jr_registry_resolve(program->registry, site->target,
                                   program->platform, &target->call));
    target->name = name;
    targets->count++;
  }
  const jitrun_customcall_t *call = target->call;
  if (!call && may_be_of_host(program, site))
    JITRUN_TRY(
        jr_registry_resolve(program->registry, site->target, "host", &call));
  program->handlers[index] = call;
  if (!call && (program->table.sites[index].flags & JR_SITE_OPTIONAL)) {
    program->handlers[index] = &missing_call;
  } else if (!call && !target->is_told) {
    target->is_told = true;
    add_missing(program, site, targets, problems);
  }
  site->user_data = call ? call->user_data : NULL;
  return NULL;
}

static bool is_in_scope(const jitrun_site_t *site, enum jr_call_scope scope) {
  return scope == JR_CALLS_ALL || jr_text_has_prefix(site->target, "jitrun.");
}

static jitrun_error_t *resolve_sites(jitrun_program_t *program,
                                     enum jr_call_scope scope,
                                     struct jr_problems *problems) {
  struct targets targets = {0};
  jitrun_error_t *err = NULL;
  for (uint64_t i = 0; !err && i < program->table.site_count; i++) {
    if (is_in_scope(&program->sites[i], scope))
      err = resolve_site(program, i, &targets, problems);
  }
  free(targets.slots);
  return err;
}

static void check_signatures(const jitrun_program_t *program,
                             struct jr_problems *problems) {
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    const jitrun_customcall_t *call = program->handlers[i];
    if (!call || !call->signature)
      continue;
    jitrun_error_t *error = jr_signature_check(call, &program->sites[i]);
    if (error && jr_problems_is_open(problems)) {
      jr_problems_add(problems, error);
    } else if (error) {
      problems->count++;
      jitrun_error_free(error);
    }
  }
}

/// True when the site has just the declared attributes, in the same order. One
/// without a value may stand for another kind, so it is not taken as it is.
static bool is_in_order(const jitrun_signature_t *signature,
                        const jitrun_site_t *site) {
  if (signature->attr_count != site->attr_count)
    return false;
  for (uint32_t i = 0; i < site->attr_count; i++) {
    if (site->attrs[i].kind == JITRUN_ATTR_UNIT ||
        strcmp(signature->attrs[i].name, site->attrs[i].name) != 0)
      return false;
  }
  return true;
}

/// The attributes of a site as its handler declared them.
static jitrun_error_t *order_attrs(jitrun_program_t *program, uint64_t index) {
  const jitrun_signature_t *signature = program->handlers[index]->signature;
  const jitrun_site_t *site = &program->sites[index];
  program->site_attrs[index] = site->attrs;
  if (!signature || is_in_order(signature, site))
    return NULL;
  jitrun_attr_t *attrs =
      jr_arena_zalloc(&program->arena, signature->attr_count, sizeof *attrs);
  if (!attrs)
    return jr_error_no_memory();
  jr_signature_order_attrs(signature, site, attrs);
  program->site_attrs[index] = attrs;
  return NULL;
}

static jitrun_error_t *list_initialize(jitrun_program_t *program) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < program->table.site_count; i++)
    count += program->handlers[i]->initialize != NULL;
  program->initialize =
      jr_arena_zalloc(&program->arena, count, sizeof *program->initialize);
  if (!program->initialize)
    return jr_error_no_memory();
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    if (program->handlers[i]->initialize)
      program->initialize[program->initialize_count++] = i;
  }
  return NULL;
}

static jitrun_error_t *alloc_arrays(jitrun_program_t *program) {
  struct jr_arena *arena = &program->arena;
  size_t count = program->table.site_count;
  program->handlers =
      jr_arena_zalloc(arena, count, sizeof(const jitrun_customcall_t *));
  program->site_attrs =
      jr_arena_zalloc(arena, count, sizeof(const jitrun_attr_t *));
  program->states = jr_arena_zalloc(arena, count, sizeof(void *));
  if (!program->handlers || !program->site_attrs || !program->states)
    return jr_error_no_memory();
  return NULL;
}

jitrun_error_t *jr_program_find_calls(jitrun_program_t *program,
                                      enum jr_call_scope scope,
                                      struct jr_problems *problems) {
  JITRUN_TRY(alloc_arrays(program));
  JITRUN_TRY(resolve_sites(program, scope, problems));
  check_signatures(program, problems);
  return NULL;
}

jitrun_error_t *jr_program_check_calls(jitrun_program_t *program,
                                       enum jr_call_scope scope) {
  struct jr_problems problems = {0};
  jitrun_error_t *err = jr_program_find_calls(program, scope, &problems);
  jitrun_error_t *found = jr_problems_take(&problems);
  if (!err)
    return found;
  jitrun_error_free(found);
  return err;
}

jitrun_error_t *jr_program_resolve(jitrun_program_t *program) {
  for (uint64_t i = 0; i < program->table.site_count; i++)
    JITRUN_TRY(order_attrs(program, i));
  return list_initialize(program);
}

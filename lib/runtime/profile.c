/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Profiles as objects: what executions have put in, and what is asked of them.
/// Spans stand in chunks that are made when they are first needed and never
/// move, so that an index from a counter is all that a thread needs to write
/// one.
#include "runtime/profile.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SPANS = 262144 };

static jitrun_error_t *read_options(const jitrun_profile_options_t *options,
                                    jitrun_profile_options_t *out) {
  *out = (jitrun_profile_options_t){0};
  JITRUN_TRY(jr_options_read(options, "for a profile", out, sizeof *out));
  if (out->span_limit == 0)
    out->span_limit = DEFAULT_SPANS;
  return NULL;
}

jitrun_error_t *jitrun_profile_create(const jitrun_profile_options_t *options,
                                      jitrun_profile_t **out_profile) {
  jitrun_profile_options_t read;
  JR_NEED(out_profile);
  *out_profile = NULL;
  JITRUN_TRY(read_options(options, &read));
  jitrun_profile_t *profile = jr_calloc(1, sizeof *profile);
  size_t chunks = read.spans ? (read.span_limit - 1) / JR_SPANS_CHUNK + 1 : 0;
  if (profile && chunks > 0)
    profile->chunks = jr_calloc(chunks, sizeof *profile->chunks);
  if (!profile || (chunks > 0 && !profile->chunks)) {
    free(profile);
    return jr_error_no_memory();
  }
  profile->run = &jr_profiler;
  profile->reference_count = 1;
  profile->options = read;
  profile->chunk_count = chunks;
  profile->start_ns = jr_clock_ns();
  profile->thread = (uint64_t)pthread_self();
  (void)pthread_mutex_init(&profile->lock, NULL);
  *out_profile = profile;
  return NULL;
}

void jitrun_profile_retain(jitrun_profile_t *profile) {
  if (profile)
    (void)__atomic_fetch_add(&profile->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_profile_release(jitrun_profile_t *profile) {
  if (!profile ||
      __atomic_sub_fetch(&profile->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  for (struct jr_profiled *p = profile->programs; p; p = p->next) {
    free(p->times);
    jitrun_program_release(p->program);
  }
  for (size_t i = 0; i < profile->chunk_count; i++)
    free(atomic_load(&profile->chunks[i]));
  free((void *)profile->chunks);
  free(profile->calls);
  jr_arena_deinit(&profile->arena);
  (void)pthread_mutex_destroy(&profile->lock);
  free(profile);
}

uint64_t jitrun_profile_clock(void) {
  return jr_clock_ns();
}

/// "add: jitrun program" of a program of "models/add.mlir".
static const char *make_annotation(struct jr_arena *arena,
                                   const jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  const char *source = jr_table_string(table, table->header->source);
  const char *slash = strrchr(source, '/');
  const char *name = slash ? slash + 1 : source;
  const char *dot = strrchr(name, '.');
  size_t size = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  struct jr_bytes text = {0};
  jr_bytes_append(&text, name, size);
  jr_bytes_append_text(&text, size > 0 ? ": jitrun program" : "jitrun program");
  const char *copy =
      text.failed
          ? NULL
          : jr_arena_copy_text(arena, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return copy;
}

/// Lock held.
static struct jr_profiled *find_program(jitrun_profile_t *profile,
                                        jitrun_program_t *program) {
  struct jr_profiled *found = profile->programs;
  while (found && found->program != program)
    found = found->next;
  if (found)
    return found;
  uint64_t count = program->table.site_count;
  found = jr_arena_zalloc(&profile->arena, 1, sizeof *found);
  if (!found)
    return NULL;
  found->annotation = make_annotation(&profile->arena, program);
  if (profile->options.calls)
    found->times = jr_calloc(count + 1, sizeof *found->times);
  if (!found->annotation || (profile->options.calls && !found->times)) {
    free(found->times);
    return NULL;
  }
  jitrun_program_retain(program);
  found->program = program;
  found->next = profile->programs;
  profile->programs = found;
  return found;
}

/// Lock held.
static const struct jr_lane *find_lane(jitrun_profile_t *profile,
                                       const jitrun_program_t *program,
                                       const jitrun_run_options_t *options) {
  uint32_t replica = options->world ? options->replica_id : 0;
  uint32_t partition = options->world ? options->partition_id : 0;
  const jitrun_place_t *place = options->place;
  bool says_device =
      place && place->size >= offsetof(jitrun_place_t, replica_id);
  int64_t device = says_device ? place->device_id : -1;
  const char *platform = program->platform;
  struct jr_lane *lane = profile->lanes;
  while (lane &&
         (lane->replica_id != replica || lane->partition_id != partition ||
          lane->device_id != device || strcmp(lane->platform, platform) != 0))
    lane = lane->next;
  if (lane)
    return lane;
  lane = jr_arena_zalloc(&profile->arena, 1, sizeof *lane);
  const char *copy =
      jr_arena_copy_text(&profile->arena, platform, strlen(platform));
  if (!lane || !copy)
    return NULL;
  *lane = (struct jr_lane){
      .next = profile->lanes,
      .number = profile->lanes ? profile->lanes->number + 1 : 1,
      .replica_id = replica,
      .partition_id = partition,
      .device_id = device,
      .local_ordinal = says_device ? place->local_ordinal : 0,
      .platform = copy};
  profile->lanes = lane;
  return lane;
}

jitrun_error_t *jr_profile_enter(jitrun_profile_t *profile,
                                 const struct jr_context *context,
                                 struct jr_profiling *out) {
  (void)pthread_mutex_lock(&profile->lock);
  out->program = find_program(profile, context->program);
  out->lane = find_lane(profile, context->program, &context->options);
  (void)pthread_mutex_unlock(&profile->lock);
  return out->program && out->lane ? NULL : jr_error_no_memory();
}

static void add_time(struct jr_site_time *to, struct jr_site_time *from) {
  uint64_t count = atomic_load(&from->count);
  if (count == 0)
    return;
  uint64_t old_count = atomic_load(&to->count);
  uint64_t min = atomic_load(&from->min_ns);
  uint64_t max = atomic_load(&from->max_ns);
  if (old_count == 0 || min < atomic_load(&to->min_ns))
    atomic_store(&to->min_ns, min);
  if (max > atomic_load(&to->max_ns))
    atomic_store(&to->max_ns, max);
  atomic_store(&to->count, old_count + count);
  atomic_store(&to->total_ns,
               atomic_load(&to->total_ns) + atomic_load(&from->total_ns));
  memset(from, 0, sizeof *from);
}

void jr_profile_merge(jitrun_profile_t *profile, struct jr_profiled *program,
                      struct jr_site_time *times, uint64_t time_ns) {
  uint64_t count = times ? program->program->table.site_count : 0;
  (void)pthread_mutex_lock(&profile->lock);
  for (uint64_t i = 0; i < count; i++)
    add_time(&program->times[i], &times[i]);
  if (profile->execution_count == 0 || time_ns < profile->min_ns)
    profile->min_ns = time_ns;
  if (time_ns > profile->max_ns)
    profile->max_ns = time_ns;
  profile->execution_count++;
  profile->total_ns += time_ns;
  profile->last_ns = time_ns;
  (void)pthread_mutex_unlock(&profile->lock);
}

/// The chunk of an index, made if it is not there; NULL for want of memory.
static struct jr_span *get_chunk(jitrun_profile_t *profile, size_t number) {
  struct jr_span *chunk = atomic_load(&profile->chunks[number]);
  if (chunk)
    return chunk;
  struct jr_span *made = jr_calloc(JR_SPANS_CHUNK, sizeof *made);
  if (!made)
    return NULL;
  if (atomic_compare_exchange_strong(&profile->chunks[number], &chunk, made))
    return made;
  free(made);
  return chunk;
}

struct jr_span *jr_profile_keep(jitrun_profile_t *profile,
                                enum jr_span_kind kind,
                                const struct jr_span *span) {
  size_t index = atomic_fetch_add(&profile->span_next, 1);
  if (index >= profile->options.span_limit)
    return NULL;
  struct jr_span *chunk = get_chunk(profile, index / JR_SPANS_CHUNK);
  if (!chunk) {
    (void)atomic_fetch_add(&profile->span_failed, 1);
    return NULL;
  }
  struct jr_span *place = &chunk[index % JR_SPANS_CHUNK];
  place->lane = span->lane;
  place->thread = (uint64_t)pthread_self();
  place->start_ns = span->start_ns;
  place->run_id = span->run_id;
  place->site = span->site;
  place->name = span->name;
  atomic_store_explicit(&place->end_ns, atomic_load(&span->end_ns),
                        memory_order_relaxed);
  atomic_store_explicit(&place->kind, kind, memory_order_release);
  return place;
}

struct jr_span *jr_profile_wait(jitrun_profile_t *profile,
                                const jitrun_program_t *program,
                                const jitrun_run_options_t *options,
                                const char *name) {
  if (!profile->options.spans)
    return NULL;
  (void)pthread_mutex_lock(&profile->lock);
  const struct jr_lane *lane = find_lane(profile, program, options);
  (void)pthread_mutex_unlock(&profile->lock);
  return jr_profile_keep(
      profile, JR_SPAN_WAIT,
      &(struct jr_span){.lane = lane, .start_ns = jr_clock_ns(), .name = name});
}

size_t jr_profile_span_end(const jitrun_profile_t *profile) {
  size_t next = atomic_load(&profile->span_next);
  size_t limit = profile->options.spans ? profile->options.span_limit : 0;
  return next < limit ? next : limit;
}

const struct jr_span *jr_profile_span_at(const jitrun_profile_t *profile,
                                         size_t index) {
  if (index >= jr_profile_span_end(profile))
    return NULL;
  const struct jr_span *chunk =
      atomic_load(&profile->chunks[index / JR_SPANS_CHUNK]);
  const struct jr_span *span = chunk ? &chunk[index % JR_SPANS_CHUNK] : NULL;
  if (!span ||
      atomic_load_explicit(&span->kind, memory_order_acquire) == JR_SPAN_NONE)
    return NULL;
  return span;
}

void jitrun_profile_span(jitrun_profile_t *profile, const char *category,
                         const char *name, uint64_t start_ns, uint64_t end_ns) {
  if (!profile || !profile->options.spans || !category || !name)
    return;
  if (atomic_load(&profile->span_next) >= profile->options.span_limit) {
    (void)atomic_fetch_add(&profile->span_next, 1); // keeps no text either
    return;
  }
  size_t first = strlen(category) + 1;
  size_t second = strlen(name) + 1;
  (void)pthread_mutex_lock(&profile->lock);
  char *text = jr_arena_alloc(&profile->arena, first + second);
  (void)pthread_mutex_unlock(&profile->lock);
  if (!text) {
    (void)atomic_fetch_add(&profile->span_failed, 1);
    return;
  }
  memcpy(text, category, first);
  memcpy(text + first, name, second);
  (void)jr_profile_keep(
      profile, JR_SPAN_OTHER,
      &(struct jr_span){.start_ns = start_ns,
                        .end_ns = end_ns > start_ns ? end_ns : start_ns,
                        .name = text});
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What profiles tell of calls: the times of call sites, of whatever program,
/// that have one name and place, as one, in the order of what they took.
#include "runtime/profile.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void *a, const void *b) {
  const jitrun_call_time_t *left = a;
  const jitrun_call_time_t *right = b;
  int order = strcmp(left->file, right->file);
  if (order == 0)
    order = (left->line > right->line) - (left->line < right->line);
  if (order == 0)
    order = (left->column > right->column) - (left->column < right->column);
  return order ? order : strcmp(left->target, right->target);
}

/// Those that took most first.
static int compare_times(const void *a, const void *b) {
  const jitrun_call_time_t *left = a;
  const jitrun_call_time_t *right = b;
  int order =
      (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
  return order ? order : compare_places(a, b);
}

static size_t count_sites(const jitrun_profile_t *profile) {
  size_t count = 0;
  for (const struct jr_profiled *p = profile->programs; p; p = p->next)
    for (uint64_t i = 0; p->times && i < p->program->table.site_count; i++)
      count += atomic_load(&p->times[i].count) > 0;
  return count;
}

static jitrun_call_time_t read_site(const struct jr_profiled *program,
                                    uint64_t index) {
  const jitrun_site_t *site = &program->program->sites[index];
  struct jr_site_time *time = &program->times[index];
  return (jitrun_call_time_t){.size = sizeof(jitrun_call_time_t),
                              .target = site->target,
                              .file = site->file,
                              .line = site->line,
                              .column = site->column,
                              .count = atomic_load(&time->count),
                              .total_ns = atomic_load(&time->total_ns),
                              .min_ns = atomic_load(&time->min_ns),
                              .max_ns = atomic_load(&time->max_ns)};
}

static void join_call(jitrun_call_time_t *to, const jitrun_call_time_t *from) {
  to->count += from->count;
  to->total_ns += from->total_ns;
  if (from->min_ns < to->min_ns)
    to->min_ns = from->min_ns;
  if (from->max_ns > to->max_ns)
    to->max_ns = from->max_ns;
}

/// Makes one of each run of sorted calls at one place; how many are left.
static size_t join_calls(jitrun_call_time_t *calls, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept > 0 && compare_places(&calls[kept - 1], &calls[i]) == 0)
      join_call(&calls[kept - 1], &calls[i]);
    else
      calls[kept++] = calls[i];
  }
  return kept;
}

/// Lock held.
static jitrun_error_t *list_calls(jitrun_profile_t *profile) {
  size_t count = count_sites(profile);
  jitrun_call_time_t *calls = jr_calloc(count + 1, sizeof *calls);
  if (!calls)
    return jr_error_no_memory();
  size_t filled = 0;
  for (const struct jr_profiled *p = profile->programs; p; p = p->next) {
    for (uint64_t i = 0; p->times && i < p->program->table.site_count; i++) {
      if (atomic_load(&p->times[i].count) > 0)
        calls[filled++] = read_site(p, i);
    }
  }
  qsort(calls, count, sizeof *calls, compare_places);
  free(profile->calls);
  profile->calls = calls;
  profile->call_count = join_calls(calls, count);
  qsort(calls, profile->call_count, sizeof *calls, compare_times);
  return NULL;
}

static jitrun_profile_info_t read_info(const jitrun_profile_t *profile) {
  size_t next = atomic_load(&profile->span_next);
  size_t failed = atomic_load(&profile->span_failed);
  size_t end = jr_profile_span_end(profile);
  return (jitrun_profile_info_t){.execution_count = profile->execution_count,
                                 .total_ns = profile->total_ns,
                                 .min_ns = profile->min_ns,
                                 .max_ns = profile->max_ns,
                                 .last_ns = profile->last_ns,
                                 .call_count = profile->call_count,
                                 .span_count = end > failed ? end - failed : 0,
                                 .dropped_count = next - end + failed};
}

/// Copies what the caller's version of a structure has, behind its size.
static bool write_sized(void *out, const void *full, size_t full_size) {
  size_t size = 0;
  memcpy(&size, out, sizeof size);
  if (size < sizeof size || size > full_size)
    return false;
  memcpy((char *)out + sizeof size, (const char *)full + sizeof size,
         size - sizeof size);
  return true;
}

jitrun_error_t *jitrun_profile_info(jitrun_profile_t *profile,
                                    jitrun_profile_info_t *out_info) {
  JR_NEED(profile);
  JR_NEED(out_info);
  (void)pthread_mutex_lock(&profile->lock);
  jitrun_error_t *error = list_calls(profile);
  const jitrun_profile_info_t info = read_info(profile);
  (void)pthread_mutex_unlock(&profile->lock);
  if (error)
    return error;
  if (!write_sized(out_info, &info, sizeof info))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "jitrun_profile_info_t says that it has %zu bytes; set its "
                    "size to sizeof its type, at most %zu",
                    out_info->size, sizeof info);
  return NULL;
}

bool jitrun_profile_call_get(jitrun_profile_t *profile, uint64_t index,
                             jitrun_call_time_t *out_call) {
  if (!profile || !out_call)
    return false;
  (void)pthread_mutex_lock(&profile->lock);
  bool is_there =
      index < profile->call_count &&
      write_sized(out_call, &profile->calls[index], sizeof *profile->calls);
  (void)pthread_mutex_unlock(&profile->lock);
  return is_there;
}

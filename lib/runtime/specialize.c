/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening a specialiser: reads the entry's signature, decides what can be
/// specialised in it, and compiles the default program where there is one. Also
/// the calls that look at it as a whole.
#include "runtime/specialize.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/options.h"
#include "runtime/content.h"
#include "runtime/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 64 };

static jitrun_error_t *read_options(const jitrun_specialize_options_t *options,
                                    jitrun_specialize_options_t *out_options) {
  *out_options = (jitrun_specialize_options_t){.size = sizeof *out_options};
  JITRUN_TRY(jr_options_read(options, "for specialising", out_options,
                             sizeof *out_options));
  if (out_options->mode < JITRUN_SPECIALIZE_ENABLED ||
      out_options->mode > JITRUN_SPECIALIZE_ALWAYS)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "there is no mode %d of specialisation",
                    (int)out_options->mode);
  if (out_options->cache_limit == 0)
    out_options->cache_limit = DEFAULT_LIMIT;
  if (out_options->retry_ns == 0)
    out_options->retry_ns = JR_NS_PER_S;
  if (out_options->retry_ns > INT64_MAX >> 7)
    out_options->retry_ns = INT64_MAX >> 7;
  return NULL;
}

/// A copy of a text, NULL of NULL; clears `*ok` without memory.
static char *copy_text(const char *text, bool *ok) {
  size_t size = text ? strlen(text) + 1 : 0;
  char *copy = text ? jr_malloc(size) : NULL;
  if (copy)
    memcpy(copy, text, size);
  *ok = *ok && (copy || !text);
  return copy;
}

/// Takes what the specialiser needs of the caller's memory.
static jitrun_error_t *keep_source(jitrun_specializer_t *specializer,
                                   const char *name) {
  bool ok = jr_bytes_text(&specializer->text) != NULL;
  specializer->name = copy_text(name, &ok);
  specializer->cpu = copy_text(specializer->open_options.cpu, &ok);
  specializer->cache_dir = copy_text(specializer->open_options.cache_dir, &ok);
  specializer->open_options.cpu = specializer->cpu;
  specializer->open_options.cache_dir = specializer->cache_dir;
  return ok ? NULL : jr_error_no_memory();
}

static jitrun_error_t *
compile_program(const jitrun_specializer_t *specializer,
                const jitrun_open_options_t *open_options,
                jitrun_program_t **out_program) {
  const struct jr_compile_input input = {.data = specializer->text.data,
                                         .size = specializer->text.size,
                                         .name = specializer->name};
  return jr_program_compile(&input, open_options, NULL, out_program);
}

/// Only the table: neither code nor handlers.
static jitrun_error_t *open_signature(jitrun_specializer_t *specializer) {
  jitrun_open_options_t options = specializer->open_options;
  options.executor = JITRUN_EXECUTOR_THUNKS;
  options.inspect_only = true;
  options.observer = NULL;
  return compile_program(specializer, &options, &specializer->signature);
}

static jitrun_error_t *find_entry(jitrun_specializer_t *specializer) {
  const char *wanted = specializer->options.entry;
  const jitrun_program_t *program = specializer->signature;
  bool ok = true;
  specializer->entry = jitrun_program_entry_find(program, wanted);
  if (!specializer->entry && !wanted)
    specializer->entry = jitrun_program_entry_get(program, 0);
  if (!specializer->entry)
    return jr_error(JITRUN_NOT_FOUND,
                    "there is no entry '%s' to specialise in '%s'", wanted,
                    specializer->name);
  specializer->options.entry = NULL; /* the caller's memory */
  specializer->entry_name = copy_text(specializer->entry->name, &ok);
  return ok ? NULL : jr_error_no_memory();
}

static jitrun_error_t *make_resolver(jitrun_specializer_t *specializer) {
  const jitrun_entry_t *entry = specializer->entry;
  struct jr_shape_param *params = jr_calloc(entry->param_count, sizeof *params);
  if (!params)
    return jr_error_no_memory();
  for (size_t i = 0; i < entry->param_count; i++)
    params[i] =
        (struct jr_shape_param){.type = entry->params[i].type,
                                .constraint = entry->params[i].constraint};
  jitrun_error_t *err = jr_shape_resolver_init(params, entry->param_count,
                                               &specializer->resolver);
  free(params);
  return err;
}

/// True while the signature does not say what an argument's constraint asks.
static bool is_unresolved(const jitrun_specializer_t *specializer, size_t at) {
  jitrun_constraint_t constraint = specializer->entry->params[at].constraint;
  if (constraint != JITRUN_CONSTRAINT_SHAPE)
    return constraint == JITRUN_CONSTRAINT_VALUE;
  const struct jr_shape_resolver *resolver = &specializer->resolver;
  for (size_t i = 0; i < resolver->order_count; i++) {
    if (resolver->order[i] == at)
      return true;
  }
  return false;
}

static bool has_unresolved(const jitrun_specializer_t *specializer) {
  for (size_t i = 0; i < specializer->entry->param_count; i++) {
    if (is_unresolved(specializer, i))
      return true;
  }
  return false;
}

static jitrun_error_t *
refuse_disabled(const jitrun_specializer_t *specializer) {
  static const char *const names[] = {"resolved", "rank", "shape", "value"};
  struct jr_bytes text = {0};
  for (size_t i = 0; i < specializer->entry->param_count; i++)
    jr_bytes_appendf(&text, "%s%s", i > 0 ? ", " : "",
                     names[is_unresolved(specializer, i)
                               ? specializer->entry->params[i].constraint
                               : JITRUN_CONSTRAINT_NONE]);
  const char *list = jr_bytes_text(&text);
  jitrun_error_t *err =
      jr_error(JITRUN_FAILED_PRECONDITION,
               "compilation options disabled specialization, yet operands have "
               "unresolved constraints: [%s]",
               list ? list : "?");
  jr_bytes_deinit(&text);
  return jr_error_note(err, "while opening '%s'", specializer->name);
}

/// Makes the mode what the entry allows.
static jitrun_error_t *decide_mode(jitrun_specializer_t *specializer) {
  jitrun_specialize_options_t *options = &specializer->options;
  if (specializer->resolver.order_count == 0) {
    options->mode = JITRUN_SPECIALIZE_DISABLED;
    return NULL;
  }
  if (!has_unresolved(specializer))
    return NULL;
  if (options->mode == JITRUN_SPECIALIZE_DISABLED)
    return refuse_disabled(specializer);
  options->mode = JITRUN_SPECIALIZE_ALWAYS;
  return NULL;
}

static jitrun_error_t *open_fallback(jitrun_specializer_t *specializer) {
  if (specializer->options.mode == JITRUN_SPECIALIZE_ALWAYS)
    return NULL;
  JITRUN_TRY(compile_program(specializer, &specializer->open_options,
                             &specializer->fallback));
  specializer->fallback_entry =
      jitrun_program_entry_find(specializer->fallback, specializer->entry_name);
  return NULL;
}

static jitrun_error_t *prepare(jitrun_specializer_t *specializer,
                               const char *name) {
  JITRUN_TRY(keep_source(specializer, name));
  JITRUN_TRY(jr_source_check(specializer->text.data, specializer->text.size,
                             specializer->name));
  JITRUN_TRY(open_signature(specializer));
  JITRUN_TRY(find_entry(specializer));
  JITRUN_TRY(make_resolver(specializer));
  JITRUN_TRY(decide_mode(specializer));
  return open_fallback(specializer);
}

/// Frees what a specialiser has, none of which is in use.
static void destroy_specializer(jitrun_specializer_t *specializer) {
  jr_variant_cache_deinit(&specializer->cache);
  (void)pthread_cond_destroy(&specializer->done);
  (void)pthread_mutex_destroy(&specializer->lock);
  jr_shape_resolver_deinit(&specializer->resolver);
  jitrun_program_release(specializer->fallback);
  jitrun_program_release(specializer->signature);
  jitrun_registry_release(specializer->open_options.registry);
  free(specializer->entry_name);
  free(specializer->cpu);
  free(specializer->cache_dir);
  free(specializer->name);
  jr_bytes_deinit(&specializer->text);
  free(specializer);
}

/// Deadlines are on the clock that only goes forward.
static void init_locks(jitrun_specializer_t *specializer) {
  pthread_condattr_t attributes;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_mutex_init(&specializer->lock, NULL);
  (void)pthread_cond_init(&specializer->done, &attributes);
  (void)pthread_condattr_destroy(&attributes);
}

/// Takes `text` over when it succeeds in making a specialiser at all.
static jitrun_error_t *open_text(struct jr_bytes *text, const char *name,
                                 const jitrun_open_options_t *open_options,
                                 const jitrun_specialize_options_t *options,
                                 jitrun_specializer_t **out_specializer) {
  jitrun_open_options_t read_open;
  jitrun_specialize_options_t read;
  JITRUN_TRY(jr_open_options_read(open_options, &read_open));
  JITRUN_TRY(read_options(options, &read));
  enum jr_content_kind kind = jr_content_kind(text->data, text->size);
  if (kind != JR_CONTENT_MLIR && kind != JR_CONTENT_BYTECODE)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "'%s' is compiled already: specialisation needs the MLIR "
                    "that it was made of",
                    name);
  jitrun_specializer_t *specializer = jr_calloc(1, sizeof *specializer);
  if (!specializer)
    return jr_error_no_memory();
  specializer->open_options = read_open;
  specializer->options = read;
  specializer->cache.limit = read.cache_limit;
  specializer->text = *text;
  *text = (struct jr_bytes){0};
  jitrun_registry_retain(read_open.registry);
  init_locks(specializer);
  jitrun_error_t *err = prepare(specializer, name);
  if (err)
    destroy_specializer(specializer);
  else
    *out_specializer = specializer;
  return err;
}

jitrun_error_t *
jitrun_specializer_open_file(const char *path,
                             const jitrun_open_options_t *open_options,
                             const jitrun_specialize_options_t *options,
                             jitrun_specializer_t **out_specializer) {
  struct jr_bytes text = {0};
  JR_NEED(out_specializer);
  *out_specializer = NULL;
  if (!path)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "opening a specialiser needs a path, and it is NULL");
  JITRUN_TRY(jr_file_read(path, &text));
  jitrun_error_t *err =
      open_text(&text, path, open_options, options, out_specializer);
  jr_bytes_deinit(&text);
  return err;
}

jitrun_error_t *
jitrun_specializer_open_memory(const void *data, size_t size_bytes,
                               const char *name,
                               const jitrun_open_options_t *open_options,
                               const jitrun_specialize_options_t *options,
                               jitrun_specializer_t **out_specializer) {
  struct jr_bytes text = {0};
  JR_NEED(out_specializer);
  *out_specializer = NULL;
  if (!data && size_bytes > 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu bytes are to be specialised, and their address is "
                    "NULL",
                    size_bytes);
  jr_bytes_append(&text, data, size_bytes);
  jitrun_error_t *err = jr_bytes_check(&text);
  if (!err)
    err = open_text(&text, name ? name : "program", open_options, options,
                    out_specializer);
  jr_bytes_deinit(&text);
  return err;
}

void jitrun_specializer_close(jitrun_specializer_t *specializer) {
  if (!specializer)
    return;
  jitrun_error_free(jitrun_specializer_wait_all(specializer, -1));
  destroy_specializer(specializer);
}

const jitrun_entry_t *
jitrun_specializer_entry(const jitrun_specializer_t *specializer) {
  return specializer->entry;
}

jitrun_error_t *jitrun_specializer_default(jitrun_specializer_t *specializer,
                                           jitrun_program_t **out_program) {
  JR_NEED(out_program);
  *out_program = NULL;
  JR_NEED(specializer);
  *out_program = specializer->fallback;
  jitrun_program_retain(specializer->fallback);
  if (*out_program)
    return NULL;
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "default executable is not available: entry '%s' is compiled "
                  "for the arguments that it is run with",
                  specializer->entry_name);
}

/// The time `timeout_ns` from now.
static struct timespec find_deadline(int64_t timeout_ns) {
  uint64_t at_ns = jr_clock_ns() + (uint64_t)timeout_ns;
  return (struct timespec){.tv_sec = (time_t)(at_ns / JR_NS_PER_S),
                           .tv_nsec = (long)(at_ns % JR_NS_PER_S)};
}

jitrun_error_t *jitrun_specializer_wait_all(jitrun_specializer_t *specializer,
                                            int64_t timeout_ns) {
  struct timespec deadline = {0};
  int status = 0;
  if (timeout_ns >= 0)
    deadline = find_deadline(timeout_ns);
  (void)pthread_mutex_lock(&specializer->lock);
  while (specializer->compiling > 0 && status == 0)
    status = timeout_ns < 0
                 ? pthread_cond_wait(&specializer->done, &specializer->lock)
                 : pthread_cond_timedwait(&specializer->done,
                                          &specializer->lock, &deadline);
  size_t left = specializer->compiling;
  (void)pthread_mutex_unlock(&specializer->lock);
  if (left == 0)
    return NULL;
  return jr_error(JITRUN_DEADLINE_EXCEEDED,
                  "%zu program%s still being compiled", left,
                  left == 1 ? " is" : "s are");
}

void jitrun_specializer_stats(jitrun_specializer_t *specializer,
                              jitrun_specializer_stats_t *out_stats) {
  size_t size = out_stats ? out_stats->size : 0;
  if (size < sizeof out_stats->size)
    return;
  (void)pthread_mutex_lock(&specializer->lock);
  memcpy(out_stats, &specializer->stats,
         size < sizeof *out_stats ? size : sizeof *out_stats);
  (void)pthread_mutex_unlock(&specializer->lock);
  out_stats->size = size;
}

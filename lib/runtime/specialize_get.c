/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which program runs for a set of arguments. A variant that is not there yet
/// is compiled by whoever asked first, outside the lock; in mode ENABLED that
/// is left to a task, and the default program runs meanwhile.
#include "runtime/specialize.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/threads.h"
#include "runtime/open.h"

#include <stdlib.h>

enum { MOST_DOUBLINGS = 6 };

/// An error like another one, which stays.
static jitrun_error_t *copy_error(const jitrun_error_t *error) {
  jitrun_error_t *copy =
      jr_error(jitrun_error_code(error), "%s", jitrun_error_message(error));
  copy = jr_error_at(copy, jitrun_error_location(error), 0, 0);
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    copy = jr_error_note(copy, "%s", jitrun_error_note_get(error, i));
  return copy;
}

/// Tells the caller of a compile that failed in the background.
static void report_failure(const jitrun_specializer_t *specializer,
                           const jitrun_error_t *error) {
  const jitrun_specialize_options_t *options = &specializer->options;
  struct jr_bytes text = {0};
  if (!options->diagnostic)
    return;
  const char *location = jitrun_error_location(error);
  jr_bytes_appendf(&text, "%s%s%s", location ? location : "",
                   location ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    jr_bytes_appendf(&text, "; %s", jitrun_error_note_get(error, i));
  const char *line = jr_bytes_text(&text);
  if (line)
    options->diagnostic(options->diagnostic_context, line, text.size);
  jr_bytes_deinit(&text);
}

/// What the words of a key from `word` on say of an argument; returns where
/// those of the next one begin.
static const int64_t *read_arg(const struct jr_shape_param *param,
                               const int64_t *word,
                               struct jr_known_arg *out_arg) {
  bool is_value = param->constraint == JITRUN_CONSTRAINT_VALUE;
  bool is_buffer = param->type && param->type->kind == JITRUN_KIND_BUFFER;
  if (!is_buffer) { /* the compiler refuses what is no scalar */
    *out_arg = (struct jr_known_arg){.value = word};
    return word + 1;
  }
  *out_arg =
      (struct jr_known_arg){.is_strided = *word < 0,
                            .rank = (uint32_t)(*word < 0 ? ~*word : *word),
                            .dims = word + 1};
  word += 1 + out_arg->rank;
  if (is_value)
    out_arg->value = word;
  return word + jr_shape_content_words(param, out_arg->dims);
}

/// What a key says of each argument.
static void read_words(const struct jr_variant *variant,
                       struct jr_known_arg *args) {
  const struct jr_shape_resolver *resolver = &variant->specializer->resolver;
  const int64_t *word = variant->words;
  for (size_t i = 0; i < resolver->order_count; i++) {
    uint32_t at = resolver->order[i];
    word = read_arg(&resolver->params[at], word, &args[at]);
  }
}

static jitrun_error_t *compile_variant(const struct jr_variant *variant,
                                       jitrun_program_t **out_program) {
  jitrun_specializer_t *specializer = variant->specializer;
  size_t count = specializer->entry->param_count;
  struct jr_known_arg *args = jr_calloc(count, sizeof *args);
  if (!args)
    return jr_error_no_memory();
  read_words(variant, args);
  const struct jr_specialization specialization = {
      .entry = specializer->entry_name,
      .args = args,
      .arg_count = count,
      .key = variant->words,
      .key_bytes = variant->word_count * sizeof *variant->words};
  const struct jr_compile_input input = {.data = specializer->text.data,
                                         .size = specializer->text.size,
                                         .name = specializer->name};
  jitrun_error_t *err = jr_program_compile(&input, &specializer->open_options,
                                           &specialization, out_program);
  free(args);
  return jr_error_note(err, "while specialising entry '%s'",
                       specializer->entry_name);
}

/// Notes how a compile ended. Lock held.
static void finish_variant(struct jr_variant *variant,
                           /*own*/ jitrun_program_t *program,
                           /*own*/ jitrun_error_t *error) {
  jitrun_specializer_t *specializer = variant->specializer;
  uint32_t doublings = variant->failures;
  variant->program = program;
  variant->entry =
      program ? jitrun_program_entry_find(program, specializer->entry_name)
              : NULL;
  variant->error = error;
  variant->state = error ? JR_VARIANT_FAILED : JR_VARIANT_READY;
  variant->failures += error != NULL;
  if (doublings > MOST_DOUBLINGS)
    doublings = MOST_DOUBLINGS;
  if (error)
    variant->retry_at_ns =
        jr_clock_ns() + (specializer->options.retry_ns << doublings);
  specializer->stats.compiled += program != NULL;
  specializer->stats.failed += error != NULL;
  specializer->stats.kept += program != NULL;
  specializer->compiling--;
  (void)pthread_cond_broadcast(&specializer->done);
}

/// Gives up what is over the limit. Lock held, released on return.
static void trim_and_unlock(jitrun_specializer_t *specializer) {
  struct jr_variant *removed = jr_variant_trim(&specializer->cache);
  for (struct jr_variant *one = removed; one; one = one->chain) {
    specializer->stats.evicted += one->program != NULL;
    specializer->stats.kept -= one->program != NULL;
  }
  (void)pthread_mutex_unlock(&specializer->lock);
  jr_variant_free(removed);
}

/// Compiles a variant that nobody else does. Called without the lock; the
/// variant and the specialiser may be gone on return, unless they are in use.
static void run_compile(struct jr_variant *variant, bool is_task) {
  jitrun_specializer_t *specializer = variant->specializer;
  jitrun_program_t *program = NULL;
  jitrun_error_t *err = compile_variant(variant, &program);
  if (err && is_task)
    report_failure(specializer, err);
  (void)pthread_mutex_lock(&specializer->lock);
  finish_variant(variant, program, err);
  trim_and_unlock(specializer);
}

static void run_task(void *context) {
  run_compile(context, true);
}

/// Has a variant compiled by a task, by this thread when it cannot be queued.
static void start_task(jitrun_specializer_t *specializer,
                       struct jr_variant *variant) {
  const jitrun_specialize_options_t *options = &specializer->options;
  if (options->runner) {
    options->runner(options->runner_context, run_task, variant);
    return;
  }
  jitrun_error_t *err = jr_pool_submit(jr_pool_default(), run_task, variant);
  if (err)
    run_task(variant);
  jitrun_error_free(err);
}

/// True for a variant that failed and may be tried again.
static bool is_due(const struct jr_variant *variant) {
  return variant->state == JR_VARIANT_FAILED &&
         jr_clock_ns() >= variant->retry_at_ns;
}

/// Has a variant compiled; the lock is not held meanwhile.
static void start_compile(jitrun_specializer_t *specializer,
                          struct jr_variant *variant) {
  jitrun_error_t *old = variant->error;
  variant->error = NULL;
  variant->state = JR_VARIANT_COMPILING;
  specializer->compiling++;
  (void)pthread_mutex_unlock(&specializer->lock);
  jitrun_error_free(old);
  if (specializer->options.mode == JITRUN_SPECIALIZE_ALWAYS)
    run_compile(variant, false);
  else
    start_task(specializer, variant);
  (void)pthread_mutex_lock(&specializer->lock);
}

/// Hands the default program out.
static void take_fallback(const jitrun_specializer_t *specializer,
                          jitrun_program_t **out_program,
                          const jitrun_entry_t **out_entry) {
  jitrun_program_retain(specializer->fallback);
  *out_program = specializer->fallback;
  *out_entry = specializer->fallback_entry;
}

/// The variant for a key, in use; NULL when the default program is to run, or
/// without memory. Lock held.
static struct jr_variant *use_variant(jitrun_specializer_t *specializer,
                                      const int64_t *words, size_t count) {
  struct jr_variant *variant =
      jr_variant_find(&specializer->cache, words, count);
  bool is_hit = variant && variant->state == JR_VARIANT_READY;
  specializer->stats.hits += is_hit;
  specializer->stats.misses += !is_hit;
  bool is_bounded = specializer->options.mode == JITRUN_SPECIALIZE_ENABLED &&
                    specializer->compiling >= specializer->cache.limit;
  bool is_new = !variant;
  if (is_new && !is_bounded)
    variant = jr_variant_add(specializer, words, count);
  if (!variant)
    return NULL;
  variant->users++;
  jr_variant_touch(&specializer->cache, variant);
  if (is_new || (is_due(variant) && !is_bounded))
    start_compile(specializer, variant);
  return variant;
}

/// What a variant answers; waits for it where there is nothing else. Lock held.
static jitrun_error_t *answer_variant(jitrun_specializer_t *specializer,
                                      const struct jr_variant *variant,
                                      jitrun_program_t **out_program,
                                      const jitrun_entry_t **out_entry) {
  bool waits = specializer->options.mode == JITRUN_SPECIALIZE_ALWAYS;
  while (waits && variant->state == JR_VARIANT_COMPILING)
    (void)pthread_cond_wait(&specializer->done, &specializer->lock);
  if (variant->state == JR_VARIANT_READY) {
    jitrun_program_retain(variant->program);
    *out_program = variant->program;
    *out_entry = variant->entry;
    return NULL;
  }
  if (waits)
    return copy_error(variant->error);
  take_fallback(specializer, out_program, out_entry);
  return NULL;
}

static jitrun_error_t *get_variant(jitrun_specializer_t *specializer,
                                   const int64_t *words, size_t count,
                                   jitrun_program_t **out_program,
                                   const jitrun_entry_t **out_entry) {
  jitrun_error_t *err = NULL;
  (void)pthread_mutex_lock(&specializer->lock);
  struct jr_variant *variant = use_variant(specializer, words, count);
  if (variant) {
    err = answer_variant(specializer, variant, out_program, out_entry);
    variant->users--;
  } else if (specializer->fallback) {
    take_fallback(specializer, out_program, out_entry);
  } else {
    err = jr_error_no_memory();
  }
  trim_and_unlock(specializer);
  return err;
}

jitrun_error_t *jitrun_specializer_get(jitrun_specializer_t *specializer,
                                       const jitrun_tensor_t *args,
                                       size_t arg_count,
                                       jitrun_program_t **out_program,
                                       const jitrun_entry_t **out_entry) {
  enum { FEW_WORDS = 128 };
  int64_t few[FEW_WORDS];
  JR_NEED(out_program);
  *out_program = NULL;
  JR_NEED(out_entry);
  *out_entry = NULL;
  JR_NEED(specializer);
  if (arg_count != specializer->entry->param_count)
    return jr_error(JITRUN_INVALID_ARGUMENT, "expected %zu arguments, got: %zu",
                    specializer->entry->param_count, arg_count);
  if (specializer->options.mode == JITRUN_SPECIALIZE_DISABLED) {
    take_fallback(specializer, out_program, out_entry);
    return NULL;
  }
  const struct jr_shape_resolver *resolver = &specializer->resolver;
  size_t room = jr_shapes_room(resolver, args);
  int64_t *words = room <= FEW_WORDS ? few : jr_calloc(room, sizeof *words);
  size_t count = 0;
  if (!words)
    return jr_error_no_memory();
  jitrun_error_t *err = jr_shapes_resolve(resolver, args, words, &count);
  if (!err)
    err = get_variant(specializer, words, count, out_program, out_entry);
  if (words != few)
    free(words);
  return err;
}

jitrun_error_t *jitrun_specializer_run(jitrun_specializer_t *specializer,
                                       const jitrun_tensor_t *args,
                                       size_t arg_count,
                                       const jitrun_tensor_t *results,
                                       size_t result_count,
                                       const jitrun_run_options_t *options) {
  jitrun_program_t *program = NULL;
  const jitrun_entry_t *entry = NULL;
  JITRUN_TRY(
      jitrun_specializer_get(specializer, args, arg_count, &program, &entry));
  jitrun_error_t *err = jitrun_program_run(program, entry, args, arg_count,
                                           results, result_count, options);
  jitrun_program_release(program);
  return err;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening programs: what the bytes are decides the way to an image at an
/// address, and from there on all are alike:
///
///   MLIR: compiler -> object -> ORC, or compiler -> table (for thunks)
///   .o, .so, table: jr_image_open()
///   then: jr_program_create()
#include "runtime/open.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/usage.h"
#include "customcalls/attr_types.h"
#include "customcalls/parts.h"
#include "runtime/announce.h"
#include "runtime/cache.h"
#include "runtime/code_size.h"
#include "runtime/compiler.h"
#include "runtime/content.h"
#include "runtime/foreign.h"
#include "runtime/functions.h"
#include "runtime/program.h"
#include "runtime/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What is opened here may call anything that is built in.
JR_NEEDS_ALL_PARTS

/// The bytes to open, with what is needed to do so.
struct source {
  const unsigned char *data;
  size_t size;
  int descriptor; ///< the open file, or -1
  const char *name;
  jitrun_open_options_t options;
  const struct jr_specialization *specialization; ///< MLIR: NULL for none
};

/// Code that ORC holds.
struct orc_owner {
  const struct jr_compiler *compiler;
  struct jr_loaded_code code;
};

static void unload_orc(void *owner) {
  struct orc_owner *orc = owner;
  orc->compiler->unload(&orc->code);
  free(orc);
}

/// Loads an object that was just compiled.
static jitrun_error_t *load_orc(const struct jr_compiler *compiler,
                                const struct jr_compile_output *object,
                                const char *prefix,
                                struct jr_image *out_image) {
  struct jr_bytes symbol = {0};
  jr_bytes_appendf(&symbol, "%s%s", JR_IMAGE_SYMBOL_PREFIX, prefix);
  const char *name = jr_bytes_text(&symbol);
  struct orc_owner *orc = jr_malloc(sizeof *orc);
  jitrun_error_t *err = NULL;
  if (!name || !orc) {
    err = jr_error_no_memory();
    goto done;
  }
  *orc = (struct orc_owner){.compiler = compiler};
  size_t symbol_count = 0;
  const struct jr_symbol *symbols = jr_symbols(&symbol_count);
  err = compiler->load(object->data, object->size, name, symbols, symbol_count,
                       &orc->code);
  if (err)
    goto done;
  *out_image = (struct jr_image){.data = orc->code.image,
                                 .size_bytes = SIZE_MAX,
                                 .close = unload_orc,
                                 .owner = orc};
  orc = NULL;
done:
  free(orc);
  jr_bytes_deinit(&symbol);
  return err;
}

/// An image of its own from bytes of any alignment.
static jitrun_error_t *copy_table(const struct jr_compile_output *table,
                                  struct jr_image *out_image) {
  void *copy = jr_malloc_aligned(JR_TABLE_ALIGNMENT, table->size);
  if (!copy)
    return jr_error_no_memory();
  memcpy(copy, table->data, table->size);
  *out_image = (struct jr_image){
      .data = copy, .size_bytes = table->size, .close = free, .owner = copy};
  return NULL;
}

/// When loading began, and how much memory there was.
struct load_start {
  uint64_t ns, peak_bytes;
};

static struct load_start start_load(void) {
  return (struct load_start){.ns = jr_clock_ns(),
                             .peak_bytes = jr_peak_bytes()};
}

/// A compile of a source: what it is given.
struct compile {
  struct jr_compile_input input;
  struct jr_compile_options options; ///< its attr_types are freed with free()
  char prefix[256];
};

static jitrun_error_t *prepare_compile(const struct source *source,
                                       struct compile *out_compile) {
  const jitrun_open_options_t *options = &source->options;
  bool is_table = options->executor == JITRUN_EXECUTOR_THUNKS;
  bool is_native = !options->cpu || strcmp(options->cpu, "native") == 0;
  out_compile->input = (struct jr_compile_input){
      .data = source->data, .size = source->size, .name = source->name};
  out_compile->options = (struct jr_compile_options){
      .size = sizeof out_compile->options,
      .form = is_table ? JR_FORM_IMAGE : JR_FORM_OBJECT,
      .opt_level = options->opt_level < 0 ? 2 : options->opt_level,
      .cpu = is_native ? NULL : options->cpu,
      .prefix = jr_file_symbol_prefix(source->name, out_compile->prefix,
                                      sizeof out_compile->prefix),
      .specialization = source->specialization,
      .check = options->check,
      .observer = options->observer,
      .debug_info = options->debug_info,
      .is_known = jr_function_is_known,
      .known_context = options->registry};
  out_compile->options.symbols =
      jr_symbol_names(&out_compile->options.symbol_count);
  return jr_registry_attr_types(options->registry,
                                &out_compile->options.attr_types,
                                &out_compile->options.attr_type_count);
}

/// Compiles, and brings what comes out to an address; `out_start` is when the
/// latter began.
static jitrun_error_t *compile_source(const struct compile *compile,
                                      struct jr_compile_output *output,
                                      struct jr_image *out_image,
                                      struct load_start *out_start) {
  const struct jr_compiler *compiler = NULL;
  JITRUN_TRY(jr_compiler_open(&compiler));
  JITRUN_TRY(compiler->compile(&compile->input, &compile->options, output));
  *out_start = start_load();
  return compile->options.form == JR_FORM_IMAGE
             ? copy_table(output, out_image)
             : load_orc(compiler, output, compile->prefix, out_image);
}

/// Announces what was loaded from `object` (NULL: no object), and counts what
/// loading took. The program is released on failure.
static jitrun_error_t *finish_load(jitrun_program_t **program,
                                   const jitrun_open_options_t *options,
                                   const struct load_start *start,
                                   const void *object, size_t size) {
  jitrun_program_t *loaded = *program;
  jitrun_stats_t *stats = &loaded->stats;
  if (object && loaded->native) {
    jitrun_error_t *err = jr_code_announce(&loaded->table, object, size,
                                           options, &loaded->announced);
    loaded->withdraw = jr_code_withdraw;
    if (err) {
      jitrun_program_release(loaded);
      *program = NULL;
      return err;
    }
  }
  stats->load_ns = jr_clock_ns() - start->ns;
  stats->stages = loaded->stages;
  loaded->stages[stats->stage_count++] = (jitrun_stage_cost_t){
      "load", stats->load_ns, jr_peak_bytes() - start->peak_bytes};
  return NULL;
}

/// What compiling took.
static void count_stages(jitrun_program_t *program,
                         const struct jr_compile_output *output) {
  jitrun_stats_t *stats = &program->stats;
  stats->code_bytes = output->code_bytes;
  for (size_t i = 0; i < JR_STAGE_COUNT; i++) {
    const struct jr_stage_cost *cost = &output->costs[i];
    if (cost->time_ns == 0)
      continue;
    bool is_reading = i == JR_STAGE_PARSE || i == JR_STAGE_RT;
    *(is_reading ? &stats->parse_ns : &stats->compile_ns) += cost->time_ns;
    program->stages[stats->stage_count++] = (jitrun_stage_cost_t){
        jr_stage_table[i].name, cost->time_ns, cost->memory_bytes};
  }
}

/// What is known of the program's code, and of how it came to be.
static void note_code(jitrun_program_t *program, const void *data,
                      size_t size) {
  if (program->native)
    program->code_size = jr_code_size(data, size);
}

static void note_level(jitrun_program_t *program, int opt_level) {
  program->compiled_level = 1 + (opt_level < 0 ? 2 : opt_level);
}

static jitrun_error_t *open_image(const struct source *source,
                                  jitrun_program_t **out_program) {
  const jitrun_open_options_t options = source->options;
  bool with_code = options.executor != JITRUN_EXECUTOR_THUNKS;
  struct jr_image image = {0};
  struct load_start start = start_load();
  jitrun_error_t *err = jr_image_open(source->data, source->size,
                                      source->descriptor, with_code, &image);
  if (err)
    return jr_image_explain(err, source->data, source->size, source->name);
  image.path = source->descriptor >= 0 ? source->name : NULL;
  JITRUN_TRY(jr_program_create(&image, &options, out_program));
  note_code(*out_program, source->data, source->size);
  bool is_object =
      jr_content_kind(source->data, source->size) == JR_CONTENT_OBJECT;
  return finish_load(out_program, &options, &start,
                     is_object ? source->data : NULL, source->size);
}

static void note_failure(jitrun_program_t *program,
                         const jitrun_error_t *error) {
  const char *text = jitrun_error_message(error);
  program->stats.cache = JITRUN_CACHE_NOT_STORED;
  program->stats.cache_failure =
      jr_arena_copy_text(&program->arena, text, strlen(text));
}

/// Keeps what was compiled, and notes in the program whether that went well.
static void store_output(const struct jr_cache *cache,
                         const struct jr_compile_output *output,
                         jitrun_program_t *program) {
  jitrun_stats_t *stats = &program->stats;
  jr_image_settle(output->data, output->size);
  jitrun_error_t *err = jr_image_seal(output->data, output->size);
  if (!err)
    err = jr_cache_store(cache, output->data, output->size);
  stats->cache = JITRUN_CACHE_STORED;
  if (err)
    note_failure(program, err);
  jitrun_error_free(err);
}

/// Compiles and loads; `cache` (NULL: none) is where the image is kept.
static jitrun_error_t *open_compiled(const struct source *source,
                                     const struct compile *compile,
                                     const struct jr_cache *cache,
                                     jitrun_program_t **out_program) {
  struct jr_compile_output output = {0};
  struct jr_image image = {0};
  struct load_start start = {0};
  jitrun_error_t *err = compile_source(compile, &output, &image, &start);
  if (!err)
    err = jr_program_create(&image, &source->options, out_program);
  if (!err) {
    count_stages(*out_program, &output);
    note_code(*out_program, output.data, output.size);
    note_level(*out_program, source->options.opt_level);
    err = finish_load(out_program, &source->options, &start, output.data,
                      output.size);
  }
  if (!err && cache)
    store_output(cache, &output, *out_program);
  free(output.data);
  return err;
}

/// Whether a program was compiled from the source: a file may have been given
/// the name of another.
static bool is_made_of(const jitrun_program_t *program,
                       const struct jr_cache *cache) {
  return memcmp(program->table.header->source_hash, cache->source_hash,
                sizeof cache->source_hash) == 0;
}

/// Opens an image of the cache. Whatever is wrong with one, a program that is
/// compiled anew tells better, or does not have.
static bool open_kept(const struct source *source, const struct jr_cache *cache,
                      jitrun_program_t **out_program) {
  struct jr_file_map map;
  if (!jr_cache_find(cache, &map))
    return false;
  const struct source kept = {.data = map.data,
                              .size = map.size,
                              .descriptor = map.descriptor,
                              .name = source->name,
                              .options = source->options};
  jitrun_program_t *program = NULL;
  jitrun_error_t *err = open_image(&kept, &program);
  jr_file_map_close(&map);
  jitrun_error_free(err);
  if (program && !is_made_of(program, cache)) {
    jitrun_program_release(program);
    program = NULL;
  }
  if (!program)
    return false;
  program->stats.cache = JITRUN_CACHE_HIT;
  note_level(program, source->options.opt_level);
  *out_program = program;
  return true;
}

/// Compiles where the cache cannot be used, and keeps the reason.
static jitrun_error_t *open_uncached(const struct source *source,
                                     const struct compile *compile,
                                     /*own*/ jitrun_error_t *reason,
                                     jitrun_program_t **out_program) {
  jitrun_error_t *err = open_compiled(source, compile, NULL, out_program);
  if (!err)
    note_failure(*out_program, reason);
  jitrun_error_free(reason);
  return err;
}

static jitrun_error_t *open_cached(const struct source *source,
                                   const struct compile *compile,
                                   jitrun_program_t **out_program) {
  const jitrun_open_options_t *options = &source->options;
  const jitrun_observer_t *observer = options->observer;
  struct jr_cache cache = {0};
  jitrun_error_t *err = jr_cache_open(
      options->cache_dir, options->cache_limit_bytes, &compile->input,
      &compile->options, options->registry, &cache);
  if (err)
    return open_uncached(source, compile, err, out_program);
  bool is_read = observer && observer->text_count > 0;
  if (is_read || !open_kept(source, &cache, out_program))
    err = open_compiled(source, compile, &cache, out_program);
  jr_cache_close(&cache);
  return err;
}

static jitrun_error_t *open_mlir(const struct source *source,
                                 jitrun_program_t **out_program) {
  struct compile compile = {0};
  jitrun_error_t *err = prepare_compile(source, &compile);
  if (!err)
    err = source->options.cache_dir
              ? open_cached(source, &compile, out_program)
              : open_compiled(source, &compile, NULL, out_program);
  free((void *)compile.options.attr_types);
  return err;
}

jitrun_error_t *
jr_program_compile(const struct jr_compile_input *input,
                   const jitrun_open_options_t *options,
                   const struct jr_specialization *specialization,
                   jitrun_program_t **out_program) {
  const struct source source = {.data = input->data,
                                .size = input->size,
                                .descriptor = -1,
                                .name = input->name,
                                .options = *options,
                                .specialization = specialization};
  *out_program = NULL;
  return jr_error_note(open_mlir(&source, out_program), "while opening '%s'",
                       input->name);
}

/// MLIR is copied, to have a NUL behind it.
static jitrun_error_t *open_text(struct source *source,
                                 jitrun_program_t **out_program) {
  struct jr_bytes text = {0};
  JITRUN_TRY(jr_source_check(source->data, source->size, source->name));
  jr_bytes_append(&text, source->data, source->size);
  source->data = (const unsigned char *)jr_bytes_text(&text);
  jitrun_error_t *err = jr_bytes_check(&text);
  if (!err)
    err = open_mlir(source, out_program);
  jr_bytes_deinit(&text);
  return err;
}

/// A function of a file that says nothing of it.
static jitrun_error_t *open_foreign(const struct source *source,
                                    jitrun_program_t **out_program) {
  const struct jr_foreign_file file = {.data = source->data,
                                       .size = source->size,
                                       .name = source->name,
                                       .is_file = source->descriptor >= 0};
  return jr_foreign_open(&file, &source->options, out_program);
}

static jitrun_error_t *open_source(struct source *source,
                                   jitrun_program_t **out_program) {
  jitrun_error_t *err = NULL;
  if (source->options.signature)
    return jr_error_note(open_foreign(source, out_program),
                         "while opening '%s'", source->name);
  switch (jr_content_kind(source->data, source->size)) {
  case JR_CONTENT_MLIR:
  case JR_CONTENT_BYTECODE:
    err = open_text(source, out_program);
    break;
  case JR_CONTENT_OBJECT:
  case JR_CONTENT_SHARED:
  case JR_CONTENT_TABLE:
    err = open_image(source, out_program);
    break;
  }
  return jr_error_note(err, "while opening '%s'", source->name);
}

/// A pipe, as opposed to a file, cannot be mapped.
static jitrun_error_t *open_stream(const char *path, struct source *source,
                                   jitrun_program_t **out_program) {
  struct jr_bytes bytes;
  JITRUN_TRY(jr_file_read(path, &bytes));
  source->data = bytes.data;
  source->size = bytes.size;
  jitrun_error_t *err = open_source(source, out_program);
  jr_bytes_deinit(&bytes);
  return err;
}

jitrun_error_t *jitrun_program_open_file(const char *path,
                                         const jitrun_open_options_t *options,
                                         jitrun_program_t **out_program) {
  struct source source = {.descriptor = -1, .name = path};
  struct jr_file_map map;
  JR_NEED(out_program);
  *out_program = NULL;
  if (!path)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "opening a program needs a path, and it is NULL");
  JITRUN_TRY(jr_open_options_read(options, &source.options));
  if (strcmp(path, "-") == 0)
    return open_stream(path, &source, out_program);
  jitrun_error_t *err = jr_file_map_open(path, &map);
  if (jitrun_error_code(err) == JITRUN_INVALID_ARGUMENT) {
    jitrun_error_free(err);
    return open_stream(path, &source, out_program);
  }
  if (err)
    return err;
  source.data = map.data;
  source.size = map.size;
  source.descriptor = map.descriptor;
  err = open_source(&source, out_program);
  jr_file_map_close(&map);
  return err;
}

jitrun_error_t *jitrun_program_open_memory(const void *data, size_t size_bytes,
                                           const char *name,
                                           const jitrun_open_options_t *options,
                                           jitrun_program_t **out_program) {
  struct source source = {.data = data,
                          .size = size_bytes,
                          .descriptor = -1,
                          .name = name ? name : "program"};
  JR_NEED(out_program);
  *out_program = NULL;
  JITRUN_TRY(jr_open_options_read(options, &source.options));
  if (!data && size_bytes > 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu bytes of '%s' are to be opened, and their address is "
                    "NULL",
                    size_bytes, source.name);
  return open_source(&source, out_program);
}

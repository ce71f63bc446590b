/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiling to files. The compiler makes the bytes; here they are completed
/// (linked, sealed with a hash) and put in their place in one step.
#include "jitrun/compile.h"

#include "base/cpu.h"
#include "base/files.h"
#include "base/strings.h"
#include "customcalls/attr_types.h"
#include "runtime/compiler.h"
#include "runtime/content.h"
#include "runtime/functions.h"
#include "runtime/header.h"
#include "runtime/imports.h"
#include "runtime/link.h"
#include "runtime/program.h"
#include "runtime/symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX_SIZE = 256 };

/// One call of jitrun_compile_file().
struct job {
  const char *input_path, *output_path;
  const char *source_name; ///< of the input in what is made of it
  jitrun_compile_options_t options;
  char prefix[PREFIX_SIZE];
};

static bool is_text_form(jitrun_emit_t emit) {
  return emit == JITRUN_EMIT_LLVM || emit == JITRUN_EMIT_ASM ||
         emit == JITRUN_EMIT_HEADER || emit == JITRUN_EMIT_MLIR;
}

/// A prefix stands in symbols, and in C.
static bool is_identifier(const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char all[] = "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t size = strlen(text);
  return size > 0 && size < PREFIX_SIZE && strchr(letters, text[0]) &&
         strspn(text, all) == size;
}

static jitrun_error_t *check_options(const struct job *job) {
  const jitrun_compile_options_t *options = &job->options;
  if (options->emit < JITRUN_EMIT_OBJECT || options->emit > JITRUN_EMIT_IMAGE)
    return jr_error(JITRUN_INVALID_ARGUMENT, "there is no form %d to emit",
                    (int)options->emit);
  if (options->opt_level < -1 || options->opt_level > 3)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "there is no optimisation level %d; it is 0 to 3, or -1",
                    options->opt_level);
  if (options->prefix && (strcmp(options->prefix, "image") == 0 ||
                          jr_text_has_prefix(options->prefix, "image_")))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "prefix '%s' would give functions the names of images; use "
                    "another",
                    options->prefix);
  if (options->prefix && !is_identifier(options->prefix))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "prefix '%s' cannot be part of a symbol: use letters, "
                    "digits and '_'",
                    options->prefix);
  if (options->constants && options->emit != JITRUN_EMIT_OBJECT &&
      options->emit != JITRUN_EMIT_SHARED)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a file of constants goes with an object or a shared "
                    "library, not with what is to be emitted");
  if (!job->output_path || !job->output_path[0])
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the name of the output is empty; give that of a file");
  if (options->constants && !options->constants[0])
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the name of the file of constants is empty");
  if (strcmp(job->output_path, "-") == 0 && !is_text_form(options->emit))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "what is not text is not written to standard output; name "
                    "a file");
  return NULL;
}

static jitrun_error_t *read_job(struct job *job,
                                const jitrun_compile_options_t *options) {
  if (!options || options->size < offsetof(jitrun_compile_options_t, cpu))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "compiling needs options, with size set to sizeof their "
                    "type, that say what to emit");
  size_t size = options->size;
  memcpy(&job->options, options,
         size < sizeof job->options ? size : sizeof job->options);
  JITRUN_TRY(check_options(job));
  job->source_name = job->options.source_name;
  if (!job->source_name || !job->source_name[0])
    job->source_name = job->input_path;
  if (job->options.prefix)
    memcpy(job->prefix, job->options.prefix, strlen(job->options.prefix) + 1);
  else
    (void)jr_file_symbol_prefix(job->source_name, job->prefix,
                                sizeof job->prefix);
  return NULL;
}

/// The CPU to compile for: what most machines of the target have, unless one
/// was named. NULL is this machine's.
static const char *choose_cpu(const jitrun_compile_options_t *options) {
  const char *target = options->target;
  bool is_x86 = target ? jr_text_has_prefix(target, "x86_64")
                       : jr_cpu_machine() == EM_X86_64;
  if (!options->cpu)
    return is_x86 ? "x86-64-v3" : "generic";
  return strcmp(options->cpu, "native") == 0 ? NULL : options->cpu;
}

static enum jr_form choose_form(jitrun_emit_t emit) {
  switch (emit) {
  case JITRUN_EMIT_LLVM:
    return JR_FORM_LLVM;
  case JITRUN_EMIT_ASM:
    return JR_FORM_ASM;
  case JITRUN_EMIT_MLIR:
  case JITRUN_EMIT_BYTECODE:
    return JR_FORM_MLIR;
  case JITRUN_EMIT_IMAGE:
    return JR_FORM_IMAGE;
  default:
    return JR_FORM_OBJECT;
  }
}

static jitrun_error_t *compile_input(const struct job *job,
                                     struct jr_bytes *text,
                                     struct jr_compile_output *output) {
  const struct jr_compiler *compiler = NULL;
  JITRUN_TRY(jr_compiler_open(&compiler));
  struct jr_compile_input input = {.data = jr_bytes_text(text),
                                   .size = text->size,
                                   .name = job->source_name};
  if (!input.data)
    return jr_error_no_memory();
  const jitrun_compile_options_t *options = &job->options;
  jitrun_registry_t *registry =
      options->registry ? options->registry : jitrun_registry_default();
  struct jr_compile_options compile_options = {
      .size = sizeof compile_options,
      .form = choose_form(options->emit),
      .opt_level = options->opt_level < 0 ? 2 : options->opt_level,
      .cpu = choose_cpu(options),
      .target = options->target,
      .prefix = job->prefix,
      .stage = options->stage ? options->stage : "parse",
      .check = options->check,
      .observer = options->observer,
      .debug_info = options->debug_info,
      .constants = options->constants,
      .no_code = options->no_code || options->emit == JITRUN_EMIT_IMAGE,
      .bytecode = options->emit == JITRUN_EMIT_BYTECODE,
      .is_known = jr_function_is_known,
      .known_context = registry};
  compile_options.symbols = jr_symbol_names(&compile_options.symbol_count);
  JITRUN_TRY(jr_registry_attr_types(registry, &compile_options.attr_types,
                                    &compile_options.attr_type_count));
  jitrun_error_t *err = compiler->compile(&input, &compile_options, output);
  free((void *)compile_options.attr_types);
  if (err)
    return err;
  return compile_options.form == JR_FORM_OBJECT
             ? jr_imports_check(output->data, output->size)
             : NULL;
}

static jitrun_error_t *write_sealed(const struct job *job, void *data,
                                    size_t size) {
  jr_image_settle(data, size);
  JITRUN_TRY(jr_image_seal(data, size));
  return jr_file_write(job->output_path, data, size);
}

/// Where the libraries of another machine are found.
static const char *find_system(const char *target) {
  bool is_arm = target && jr_text_has_prefix(target, "aarch64");
  uint16_t machine = is_arm ? EM_AARCH64 : EM_X86_64;
  if (!target || machine == jr_cpu_machine())
    return NULL;
  return is_arm ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
}

static jitrun_error_t *write_shared(const struct job *job,
                                    const struct jr_compile_output *object) {
  struct jr_bytes linked = {0};
  struct jr_link_input input = {.object = object->data,
                                .size = object->size,
                                .output_path = job->output_path,
                                .system = find_system(job->options.target)};
  jitrun_error_t *err = jr_link_shared(&input, &linked);
  if (!err)
    err = write_sealed(job, linked.data, linked.size);
  jr_bytes_deinit(&linked);
  return err;
}

/// Opens what was compiled, an object or a table, to look at its table alone,
/// whatever machine it is for.
static jitrun_error_t *open_compiled(const struct job *job,
                                     const struct jr_compile_output *output,
                                     jitrun_program_t **out_program) {
  struct jr_image image = {0};
  jitrun_open_options_t options = {.executor = JITRUN_EXECUTOR_THUNKS,
                                   .registry = job->options.registry,
                                   .inspect_only = true};
  if (!options.registry)
    options.registry = jitrun_registry_default();
  JITRUN_TRY(jr_image_seal(output->data, output->size));
  JITRUN_TRY(jr_image_open(output->data, output->size, -1, false, &image));
  return jr_program_create(&image, &options, out_program);
}

/// Compares the call sites of what was compiled with what is registered.
static jitrun_error_t *check_calls(const struct job *job,
                                   const struct jr_compile_output *output) {
  jitrun_program_t *program = NULL;
  JITRUN_TRY(open_compiled(job, output, &program));
  jitrun_error_t *err = jr_program_check_calls(
      program, job->options.registry ? JR_CALLS_ALL : JR_CALLS_BUILT_IN);
  jitrun_program_release(program);
  return err;
}

static jitrun_error_t *write_header(const struct job *job,
                                    const struct jr_compile_output *output) {
  struct jr_bytes text = {0};
  jitrun_program_t *program = NULL;
  JITRUN_TRY(open_compiled(job, output, &program));
  jr_header_format(&text, job->prefix, &program->table);
  jitrun_program_release(program);
  jitrun_error_t *err = jr_bytes_check(&text);
  if (!err)
    err = jr_file_write(job->output_path, text.data, text.size);
  jr_bytes_deinit(&text);
  return err;
}

static bool is_checked(jitrun_emit_t emit) {
  return emit == JITRUN_EMIT_OBJECT || emit == JITRUN_EMIT_SHARED ||
         emit == JITRUN_EMIT_HEADER || emit == JITRUN_EMIT_IMAGE;
}

/// What is written must not be what was read.
static jitrun_error_t *check_target(const struct job *job, const char *path) {
  if (!jr_file_is_same(job->input_path, path))
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "'%s' is the program itself, and is not written over; give "
                  "the output another name",
                  path);
}

/// Writes the file of constants, in the folder of the output.
static jitrun_error_t *write_constants(const struct job *job,
                                       const struct jr_compile_output *output) {
  const char *name = job->options.constants;
  const char *slash = strrchr(job->output_path, '/');
  struct jr_bytes path = {0};
  if (!output->constants)
    return NULL;
  if (slash && name[0] != '/')
    jr_bytes_append(&path, job->output_path,
                    (size_t)(slash - job->output_path) + 1);
  jr_bytes_append_text(&path, name);
  const char *text = jr_bytes_text(&path);
  jitrun_error_t *err = text ? check_target(job, text) : jr_error_no_memory();
  if (!err && strcmp(text, job->output_path) == 0)
    err = jr_error(JITRUN_INVALID_ARGUMENT,
                   "'%s' cannot be both the output and its file of constants",
                   text);
  if (!err)
    err = jr_file_write(text, output->constants, output->constants_size);
  jr_bytes_deinit(&path);
  return err;
}

static jitrun_error_t *write_output(const struct job *job,
                                    const struct jr_compile_output *output) {
  switch (job->options.emit) {
  case JITRUN_EMIT_OBJECT:
  case JITRUN_EMIT_IMAGE:
    return write_sealed(job, output->data, output->size);
  case JITRUN_EMIT_SHARED:
    return write_shared(job, output);
  case JITRUN_EMIT_HEADER:
    return write_header(job, output);
  default:
    return jr_file_write(job->output_path, output->data, output->size);
  }
}

jitrun_error_t *jitrun_compile_file(const char *input_path,
                                    const char *output_path,
                                    const jitrun_compile_options_t *options) {
  struct job job = {.input_path = input_path, .output_path = output_path};
  struct jr_bytes text = {0};
  struct jr_compile_output output = {0};
  JITRUN_TRY(read_job(&job, options));
  JITRUN_TRY(check_target(&job, output_path));
  JITRUN_TRY(jr_file_read(input_path, &text));
  jitrun_error_t *err = jr_source_check(text.data, text.size, input_path);
  if (!err)
    err = compile_input(&job, &text, &output);
  if (!err && is_checked(job.options.emit))
    err = check_calls(&job, &output);
  if (!err)
    err = write_constants(&job, &output);
  if (!err)
    err = write_output(&job, &output);
  free(output.constants);
  free(output.data);
  jr_bytes_deinit(&text);
  return jr_error_note(err, "while compiling '%s'", input_path);
}

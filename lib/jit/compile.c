/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiling a program, from text to bytes. Read run_stages() first: it is the
/// table of contents of this folder.
#include "jit/compile.h"

#include "jit/async.h"
#include "jit/codegen.h"
#include "jit/emit.h"
#include "jit/imports.h"
#include "jit/llvm_entries.h"
#include "jit/skipped_entries.h"
#include "jit/specialize.h"
#include "jit/survey.h"
#include "jit/unit.h"

#include "runtime/exec.h"
#include "llvm-c/Core.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static jr_str_t add_text(struct jr_unit *unit, const char *text) {
  return jr_table_add_string(&unit->table, text, strlen(text));
}

/// Finishes the table. `target` is NULL when there is no code.
static jitrun_error_t *finish_image(struct jr_unit *unit,
                                    struct jr_target *target) {
  struct jr_table_header *header = &unit->table.header;
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash,
                           XXH3_128bits(unit->input->data, unit->input->size));
  memcpy(header->source_hash, hash.digest, sizeof header->source_hash);
  if (unit->options->check)
    header->flags |= JR_TABLE_CHECKED;
  header->producer = add_text(unit, JR_PRODUCER);
  header->source = add_text(unit, unit->input->name);
  if (unit->table.constants.size > 0)
    header->constants = add_text(unit, unit->options->constants);
  if (target) {
    header->exec_version = JR_EXEC_VERSION;
    header->machine = target->elf_machine;
    header->triple = add_text(unit, target->triple);
    header->data_layout = add_text(unit, target->layout);
    header->cpu = add_text(unit, target->cpu);
    const char *features = jr_bytes_text(&target->features);
    header->features = add_text(unit, features ? features : "");
  }
  return jr_table_finish(&unit->table, &unit->image);
}

/// Hands the unit's bytes over as the result.
static jitrun_error_t *take_bytes(struct jr_unit *unit,
                                  struct jr_compile_output *output) {
  output->size = unit->image.size;
  output->data = jr_bytes_take_text(&unit->image);
  return output->data ? NULL : jr_error_no_memory();
}

/// The content of the file of constants, if there is to be one.
static jitrun_error_t *take_constants(struct jr_unit *unit,
                                      struct jr_compile_output *output) {
  struct jr_bytes *constants = &unit->table.constants;
  if (constants->size == 0)
    return NULL;
  output->constants_size = constants->size;
  output->constants = jr_bytes_take_text(constants);
  return output->constants ? NULL : jr_error_no_memory();
}

/// Only the table: nothing of LLVM is touched.
static jitrun_error_t *make_image(struct jr_unit *unit,
                                  struct jr_compile_output *output) {
  JITRUN_TRY(finish_image(unit, NULL));
  return take_bytes(unit, output);
}

/// Machine code, and the constants that go with it.
static jitrun_error_t *generate_code(struct jr_unit *unit,
                                     struct jr_target *target,
                                     struct jr_compile_output *output) {
  JITRUN_TRY(jr_codegen(unit, target, output));
  return unit->stages.stopped ? take_bytes(unit, output)
                              : take_constants(unit, output);
}

static void drop_mlir(struct jr_unit *unit) {
  if (unit->symbols.ptr)
    mlirSymbolTableDestroy(unit->symbols);
  if (!mlirModuleIsNull(unit->module))
    mlirModuleDestroy(unit->module);
  jr_diagnostics_detach(&unit->diagnostics);
  if (!mlirContextIsNull(unit->context))
    mlirContextDestroy(unit->context);
  unit->symbols = (MlirSymbolTable){0};
  unit->module = (MlirModule){0};
  unit->context = (MlirContext){0};
}

/// Hands the image over to LLVM. A large program takes as much memory in each
/// form, so that what is behind it goes first; debug information is made of
/// MLIR's locations.
static jitrun_error_t *emit(struct jr_unit *unit, struct jr_target *target) {
  if (!unit->options->debug_info)
    drop_mlir(unit);
  JITRUN_TRY(jr_emit(unit, target));
  unit->image_bytes = unit->image.size;
  jr_bytes_deinit(&unit->image);
  return NULL;
}

/// What MLIR is done with becomes machine code.
static jitrun_error_t *make_object(struct jr_unit *unit,
                                   struct jr_target *target,
                                   struct jr_compile_output *output) {
  JITRUN_TRY(jr_imports(unit));
  JITRUN_TRY(jr_target_open(unit, target));
  JITRUN_TRY(finish_image(unit, unit->options->no_code ? NULL : target));
  JITRUN_TRY(emit(unit, target));
  JITRUN_TRY(jr_stage_end(unit, JR_STAGE_TRANSLATE));
  if (unit->stages.stopped)
    return take_bytes(unit, output);
  JITRUN_TRY(jr_optimise(unit, target));
  if (unit->stages.stopped)
    return take_bytes(unit, output);
  return generate_code(unit, target, output);
}

static jitrun_error_t *make_code(struct jr_unit *unit,
                                 struct jr_compile_output *output) {
  struct jr_target target = {0};
  JITRUN_TRY(jr_lower(unit));
  if (unit->stages.stopped)
    return take_bytes(unit, output);
  jitrun_error_t *error = make_object(unit, &target, output);
  jr_target_close(&target);
  return error;
}

/// To functions, memrefs and calls.
static jitrun_error_t *lower_rt(struct jr_unit *unit) {
  jr_survey(unit);
  if (!unit->is_plain)
    JITRUN_TRY(jr_async_entries(unit));
  JITRUN_TRY(jr_rt(unit));
  if (!unit->is_plain)
    JITRUN_TRY(jr_check(unit));
  JITRUN_TRY(jr_skip_entries(unit));
  return jr_llvm_entries(unit);
}

/// The stages before code is made.
static const struct {
  enum jr_stage stage;
  jitrun_error_t *(*run)(struct jr_unit *unit);
} steps[] = {
    {JR_STAGE_PARSE, jr_parse},           {JR_STAGE_RT, lower_rt},
    {JR_STAGE_SPECIALIZE, jr_specialize}, {JR_STAGE_TENSORS, jr_tensors},
    {JR_STAGE_ASYNC, jr_async},           {JR_STAGE_PLAN, jr_plan},
};

static const char *written_string(struct jr_table_writer *table, jr_str_t at) {
  return jr_table_at(table, JR_SECTION_STRINGS, at);
}

/// Leaves the functions to thunks.
static jitrun_error_t *drop_code(struct jr_unit *unit) {
  struct jr_table_writer *table = &unit->table;
  uint32_t count = jr_table_count(table, JR_SECTION_ENTRIES);
  for (uint32_t i = 0; i < count; i++) {
    const struct jr_entry *entry = jr_table_at(table, JR_SECTION_ENTRIES, i);
    if (entry->thunks_refused)
      return jr_error(JITRUN_UNIMPLEMENTED,
                      "entry '%s' cannot do without native code: %s",
                      written_string(table, entry->name),
                      written_string(table, entry->thunks_refused));
  }
  unit->has_native = false;
  return NULL;
}

static jitrun_error_t *run_stages(struct jr_unit *unit,
                                  struct jr_compile_output *output) {
  JITRUN_TRY(jr_stages_start(unit));
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    jr_stage_begin(unit, steps[i].stage);
    JITRUN_TRY(steps[i].run(unit));
    JITRUN_TRY(jr_stage_end(unit, steps[i].stage));
    if (unit->stages.stopped)
      return take_bytes(unit, output);
  }
  if (unit->options->no_code)
    JITRUN_TRY(drop_code(unit));
  return unit->options->form == JR_FORM_IMAGE ? make_image(unit, output)
                                              : make_code(unit, output);
}

/// Where memory was lacking, a later stage may have missed what is not there,
/// and said so: that is not the error.
static jitrun_error_t *blame_memory(const struct jr_unit *unit,
                                    /*own*/ jitrun_error_t *error) {
  bool lacked = unit->arena.failed || jr_table_lacks_memory(&unit->table);
  if (!error || !lacked)
    return error;
  jitrun_error_free(error);
  return jr_error_no_memory();
}

/// Disposes of everything, in reverse order of creation.
static void dispose(struct jr_unit *unit) {
  if (unit->llvm_module)
    LLVMDisposeModule(unit->llvm_module);
  if (unit->llvm_context)
    LLVMContextDispose(unit->llvm_context);
  jr_bytes_deinit(&unit->llvm_report);
  jr_bytes_deinit(&unit->stages.assembly);
  jr_bytes_deinit(&unit->image);
  free(unit->types.places);
  jr_table_writer_deinit(&unit->table);
  drop_mlir(unit);
  jr_desugar_deinit(&unit->desugared);
  jr_arena_deinit(&unit->arena);
}

jitrun_error_t *jr_compile(const struct jr_compile_input *input,
                           const struct jr_compile_options *options,
                           struct jr_compile_output *out_output) {
  *out_output = (struct jr_compile_output){0};
  struct jr_unit unit = {.input = input, .options = options};
  jr_table_writer_init(&unit.table);
  jitrun_error_t *error = blame_memory(&unit, run_stages(&unit, out_output));
  memcpy(out_output->costs, unit.stages.costs, sizeof out_output->costs);
  dispose(&unit);
  return error;
}

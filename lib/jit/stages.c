/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See stages.h. Printing is what an observer pays for: MLIR is printed with
/// its locations, and in generic form only where the program would not be read
/// again otherwise, which MLIR finds out by verifying it.
#include "jit/stages.h"

#include "base/clock.h"
#include "base/usage.h"
#include "jit/unit.h"

#include "llvm-c/Core.h"

#include <string.h>

void jr_stages_restart(struct jr_unit *unit) {
  unit->stages.peak_bytes = jr_peak_bytes();
  unit->stages.since_ns = jr_clock_ns();
}

static jitrun_error_t *read_observer(struct jr_stages *stages) {
  const jitrun_observer_t *observer = stages->observer;
  if (observer->size < sizeof *observer)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "an observer has size %zu; set it to sizeof its type",
                    observer->size);
  for (size_t i = 0; i < observer->text_count; i++)
    JITRUN_TRY(jr_stage_add(observer->texts[i], &stages->texts));
  return NULL;
}

jitrun_error_t *jr_stages_start(struct jr_unit *unit) {
  struct jr_stages *stages = &unit->stages;
  const struct jr_compile_options *options = unit->options;
  stages->observer = options->observer;
  stages->last = JR_STAGE_COUNT;
  if (options->form == JR_FORM_MLIR)
    JITRUN_TRY(
        jr_stage_find(options->stage ? options->stage : "", &stages->last));
  if (options->bytecode && stages->last > JR_STAGE_LLVM)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "after stage '%s' the program is not MLIR any more, and "
                    "has no bytecode",
                    options->stage);
  if (stages->observer)
    JITRUN_TRY(read_observer(stages));
  jr_stages_restart(unit);
  return NULL;
}

void jr_stage_begin(struct jr_unit *unit, enum jr_stage stage) {
  const jitrun_observer_t *observer = unit->stages.observer;
  if (observer && observer->begin)
    observer->begin(observer->context, jr_stage_table[stage].name);
}

bool jr_stage_is_read(const struct jr_unit *unit, enum jr_stage stage) {
  const struct jr_stages *stages = &unit->stages;
  return stages->last == stage || (stages->texts & 1u << stage);
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

static void print_mlir(const struct jr_unit *unit, bool with_locations,
                       struct jr_bytes *text) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, with_locations, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(unit->module), flags,
                              append_text, text);
  mlirOpPrintingFlagsDestroy(flags);
  if (text->size > 0 && text->data[text->size - 1] != '\n')
    jr_bytes_append_text(text, "\n");
}

static void print_program(struct jr_unit *unit, enum jr_stage stage,
                          bool with_locations, struct jr_bytes *text) {
  if (stage <= JR_STAGE_LLVM) {
    print_mlir(unit, with_locations, text);
  } else if (stage < JR_STAGE_CODEGEN) {
    char *printed = LLVMPrintModuleToString(unit->llvm_module);
    jr_bytes_append_text(text, printed);
    LLVMDisposeMessage(printed);
  } else {
    jr_bytes_append(text, unit->stages.assembly.data,
                    unit->stages.assembly.size);
  }
}

static jitrun_error_t *tell_observer(struct jr_unit *unit,
                                     enum jr_stage stage) {
  const struct jr_stages *stages = &unit->stages;
  const jitrun_observer_t *observer = stages->observer;
  struct jr_bytes text = {0};
  if (!observer->end)
    return NULL;
  bool is_read = stages->texts & 1u << stage;
  if (is_read)
    print_program(unit, stage, true, &text);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    observer->end(
        observer->context,
        &(jitrun_stage_t){.size = sizeof(jitrun_stage_t),
                          .name = jr_stage_table[stage].name,
                          .index = stage,
                          .time_ns = stages->costs[stage].time_ns,
                          .memory_bytes = stages->costs[stage].memory_bytes,
                          .text = is_read ? jr_bytes_text(&text) : NULL,
                          .text_bytes = text.size,
                          .suffix = jr_stage_table[stage].suffix});
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jr_stage_end(struct jr_unit *unit, enum jr_stage stage) {
  struct jr_stages *stages = &unit->stages;
  uint64_t since_ns = stages->since_ns;
  uint64_t before_bytes = stages->peak_bytes;
  jr_stages_restart(unit);
  stages->costs[stage] =
      (struct jr_stage_cost){.time_ns = stages->since_ns - since_ns,
                             .memory_bytes = stages->peak_bytes - before_bytes};
  if (stages->last == stage) {
    unit->image.size = 0;
    if (unit->options->bytecode)
      mlirOperationWriteBytecode(mlirModuleGetOperation(unit->module),
                                 append_text, &unit->image);
    else
      print_program(unit, stage, unit->options->debug_info, &unit->image);
    stages->stopped = true;
  }
  if (!stages->observer)
    return NULL;
  jitrun_error_t *error = tell_observer(unit, stage);
  jr_stages_restart(unit);
  return error;
}

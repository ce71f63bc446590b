/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the object loader: any bytes as an object of either machine. What is
/// loaded is never run.
#include "runtime/object_load.h"

#include "fuzz.h"

#include <string.h>

static void *resolve(void *context, const char *name) {
  // Names that begin alike differ in being known.
  return strlen(name) % 3 ? context : NULL;
}

static void load_as(const uint8_t *data, size_t size, uint16_t machine) {
  struct jr_elf elf;
  struct jr_elf_symbol symbol;
  struct jr_object *object = NULL;
  const struct jr_object_options options = {
      .resolve = resolve,
      .resolve_context = (void *)(uintptr_t)0x123456789abc,
      .machine = machine};
  jitrun_error_t *error = jr_elf_open(data, size, &elf);
  if (!error) {
    jitrun_error_free(jr_elf_find_prefix(&elf, "jitrun_", &symbol));
    error = jr_object_load(&elf, &options, &object);
  }
  if (object)
    (void)jr_object_find(object, "main");
  jitrun_error_free(error);
  jr_object_unload(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  load_as(data, size, EM_X86_64);
  load_as(data, size, EM_AARCH64);
  return 0;
}

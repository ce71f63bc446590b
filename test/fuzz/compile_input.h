/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiling an input as the compiler would be asked to, in one of several ways
/// that the input's bytes choose. What comes out has to be an image that
/// libjitrun takes.
#ifndef TEST_FUZZ_COMPILE_INPUT_H
#define TEST_FUZZ_COMPILE_INPUT_H

#include "jit/compile.h"
#include "runtime/image.h"
#include "runtime/symbols.h"
#include "runtime/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Opens the image in what the compiler made, without its code; aborts if that
/// is refused.
static inline void open_output(const struct jr_compile_output *output) {
  struct jr_image image;
  struct jr_table table;
  jitrun_error_t *error = jr_image_seal(output->data, output->size);
  if (!error)
    error = jr_image_open(output->data, output->size, -1, false, &image);
  if (!error)
    error = jr_table_check(image.data, image.size_bytes, &table);
  if (error) {
    fprintf(stderr, "the image is refused: %s\n", jitrun_error_message(error));
    abort();
  }
  jr_image_close(&image);
}

static inline void compile_input(const void *data, size_t size) {
  static const enum jr_form forms[] = {JR_FORM_IMAGE, JR_FORM_OBJECT};
  uint32_t choice = 2166136261u;
  for (size_t i = 0; i < size; i++)
    choice = (choice ^ ((const unsigned char *)data)[i]) * 16777619u;
  char *copy = malloc(size + 1);
  if (!copy)
    return;
  memcpy(copy, data, size);
  copy[size] = '\0';
  const struct jr_compile_input input = {
      .data = copy, .size = size, .name = "input"};
  struct jr_compile_options options = {.size = sizeof options,
                                       .form = forms[choice >> 4 & 1],
                                       .opt_level = (int)(choice >> 5 & 1),
                                       .cpu = "x86-64-v3",
                                       .check = choice >> 6 & 1,
                                       .prefix = "input"};
  struct jr_compile_output output;
  options.symbols = jr_symbols(&options.symbol_count);
  jitrun_error_t *error = jr_compile(&input, &options, &output);
  if (!error)
    open_output(&output);
  jitrun_error_free(error);
  free(output.data);
  free(copy);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Runs axpy.mlir, which jitrun_add_image() of CMake has linked into this
/// program; README.md has the few lines that this takes.
#include "axpy.h"

#include <jitrun/program.h>

#include <stdio.h>

int main(void) {
  float a = 2, x[] = {1, 2, 3}, y[] = {10, 20, 30};
  const int64_t dims[] = {3};
  const jitrun_tensor_t args[] = {
      {.dtype = JITRUN_DTYPE_F32, .data = &a},
      {.dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = x},
      {.dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = y}};
  jitrun_program_t *program = NULL;
  jitrun_error_t *error =
      jitrun_program_open_image(jitrun_image_axpy, NULL, &program);
  if (!error)
    error = jitrun_program_run(program, NULL, args, 3, NULL, 0, NULL);
  jitrun_program_release(program);
  if (error) {
    (void)fprintf(stderr, "error: %s\n", jitrun_error_message(error));
    jitrun_error_free(error);
    return 1;
  }
  printf("linked: %g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The least that a program with a linked image is: opens it, runs it, prints
/// what it left. The compiler is given its header with -include.
#include <jitrun/program.h>

#include <stdio.h>

int main(void) {
  float x[] = {1, 2, 3, 4};
  const int64_t dims[] = {4};
  const jitrun_tensor_t arg = {
      .dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = x};
  jitrun_program_t *program = NULL;
  jitrun_error_t *error =
      jitrun_program_open_image(jitrun_image_hello, NULL, &program);
  if (!error)
    error = jitrun_program_run(program, NULL, &arg, 1, NULL, 0, NULL);
  jitrun_program_release(program);
  if (error) {
    (void)fprintf(stderr, "error: %s\n", jitrun_error_message(error));
    jitrun_error_free(error);
    return 1;
  }
  printf("%g %g %g %g\n", (double)x[0], (double)x[1], (double)x[2],
         (double)x[3]);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Embedding: opens a program, prints its signature, runs it on memory of this
/// program. `./embed axpy.mlir`, or an image: `./embed axpy.so`.
#include <jitrun/program.h>

#include <stdio.h>

static int report(jitrun_error_t *error) {
  const char *where = jitrun_error_location(error);
  (void)fprintf(stderr, "error: %s: %s\n", where ? where : "embed",
                jitrun_error_message(error));
  jitrun_error_free(error);
  return 1;
}

int main(int argc, char **argv) {
  jitrun_program_t *program = NULL;
  jitrun_error_t *error =
      jitrun_program_open_file(argc > 1 ? argv[1] : "", NULL, &program);
  if (error)
    return report(error);
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "main");
  char *signature = NULL;
  if (entry && !jitrun_entry_describe(entry, &signature))
    printf("%s\n", signature);
  jitrun_text_free(signature);

  float a = 2, x[] = {1, 2, 3}, y[] = {10, 20, 30};
  const int64_t dims[] = {3};
  const jitrun_tensor_t args[] = {
      {.dtype = JITRUN_DTYPE_F32, .data = &a},
      {.dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = x},
      {.dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = y}};
  error = jitrun_program_run(program, entry, args, 3, NULL, 0, NULL);
  jitrun_program_release(program);
  if (error)
    return report(error);
  printf("y = %g %g %g\n", y[0], y[1], y[2]);
  return 0;
}

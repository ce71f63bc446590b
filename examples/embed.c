/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Embedding: opens a program, prints its signature, runs it on memory of this
/// program, and prints the result or what went wrong.
///
///   cc embed.c -I<prefix>/include -L<prefix>/lib -ljitrun -o embed
///   ./embed axpy.mlir     or an image: jitrun compile axpy.mlir -o axpy.so
#include <jitrun/program.h>

#include <stdio.h>

/// Prints an error and frees it; the exit status.
static int report(jitrun_error_t *error) {
  const char *where = jitrun_error_location(error);
  (void)fprintf(stderr, "error: %s%s%s\n", where ? where : "",
                where ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    (void)fprintf(stderr, "note: %s\n", jitrun_error_note_get(error, i));
  jitrun_error_free(error);
  return 1;
}

static void print_signature(const jitrun_entry_t *entry) {
  printf("'%s' takes %zu arguments\n", entry->name, entry->param_count);
  for (size_t i = 0; i < entry->param_count; i++) {
    const jitrun_type_t *type = entry->params[i].type;
    printf("  %zu: %s, element type %d, rank %d%s\n", i,
           type->kind == JITRUN_KIND_SCALAR ? "scalar" : "buffer", type->dtype,
           type->rank, entry->params[i].is_output ? ", output" : "");
  }
}

int main(int argc, char **argv) {
  jitrun_program_t *program = NULL;
  jitrun_error_t *error =
      jitrun_program_open_file(argc > 1 ? argv[1] : "", NULL, &program);
  if (error)
    return report(error);
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, NULL);
  if (entry)
    print_signature(entry);

  float a = 2;
  float x[] = {1, 2, 3};
  float y[] = {10, 20, 30};
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

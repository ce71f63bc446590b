/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Runs the image that it is linked with, jitrun_image_linked, whatever it is;
/// the compiler is given the header of that with -include:
///
///   linked OUT ARG...     each ARG a .npy file, or - for zeros
///
/// What the program prints goes to standard output, the argument marked as its
/// output to the file OUT as raw elements, an error to standard error as the
/// command jitrun words it. Custom calls are those of test/plugins/testcalls.c
/// and examples/plugins/mlp.c, whose query functions were given names of their
/// own by -Djitrun_plugin_query=...
#include <jitrun/program.h>

#include <stdio.h>
#include <stdlib.h>

enum { MAX_ARGS = 16 };

const jitrun_plugin_t *query_mlp(uint32_t max_version);
const jitrun_plugin_t *query_testcalls(uint32_t max_version);

static int report(jitrun_error_t *error) {
  const char *where = jitrun_error_location(error);
  (void)fprintf(stderr, "error: %s%s%s\n", where ? where : "",
                where ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    (void)fprintf(stderr, "note: %s\n", jitrun_error_note_get(error, i));
  jitrun_error_free(error);
  return 1;
}

static void print_text(void *context, const char *text, size_t size) {
  (void)context;
  (void)fwrite(text, 1, size, stdout);
}

/// Tests use f32 and f64 alone.
static size_t count_bytes(const jitrun_type_t *type) {
  size_t bytes = type->dtype == JITRUN_DTYPE_F32 ? 4 : 8;
  for (uint32_t i = 0; i < type->rank; i++)
    bytes *= (size_t)jitrun_type_dims(type)[i];
  return bytes;
}

/// Reads what stands at the end of a file: the elements of a .npy file.
static int read_end(const char *path, void *data, size_t bytes) {
  FILE *file = fopen(path, "rb");
  int is_read = file && fseek(file, -(long)bytes, SEEK_END) == 0 &&
                fread(data, 1, bytes, file) == bytes;
  if (file)
    (void)fclose(file);
  return is_read;
}

static int write_file(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  int is_written = file && fwrite(data, 1, bytes, file) == bytes;
  if (file && fclose(file) != 0)
    is_written = 0;
  return is_written;
}

static int bind_arg(const jitrun_type_t *type, const char *path,
                    jitrun_tensor_t *out_arg) {
  size_t bytes = count_bytes(type);
  *out_arg = (jitrun_tensor_t){.dtype = (jitrun_dtype_t)type->dtype,
                               .rank = type->rank,
                               .dims = jitrun_type_dims(type),
                               .data = calloc(1, bytes)};
  return out_arg->data &&
         (path[0] == '-' || read_end(path, out_arg->data, bytes));
}

static jitrun_error_t *open_linked(jitrun_program_t **out_program) {
  jitrun_registry_t *registry = jitrun_registry_default();
  jitrun_error_t *error = jitrun_registry_add(registry, query_mlp);
  if (!error)
    error = jitrun_registry_add(registry, query_testcalls);
  if (error)
    return error;
  return jitrun_program_open_image(jitrun_image_linked, NULL, out_program);
}

/// Runs the default entry; the exit status.
static int run_entry(jitrun_program_t *program, char **argv,
                     jitrun_tensor_t *args) {
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, NULL);
  for (size_t i = 0; i < entry->param_count; i++) {
    if (!bind_arg(entry->params[i].type, argv[2 + i], &args[i]))
      return 2;
  }
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .print = print_text};
  jitrun_error_t *error = jitrun_program_run(
      program, entry, args, entry->param_count, NULL, 0, &options);
  if (error)
    return report(error);
  for (size_t i = 0; i < entry->param_count; i++) {
    if (entry->params[i].is_output &&
        !write_file(argv[1], args[i].data, count_bytes(entry->params[i].type)))
      return 2;
  }
  return 0;
}

int main(int argc, char **argv) {
  jitrun_program_t *program = NULL;
  jitrun_tensor_t args[MAX_ARGS] = {{0}};
  jitrun_error_t *error = open_linked(&program);
  if (error)
    return report(error);
  int status = 2;
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, NULL);
  if (entry && entry->param_count <= MAX_ARGS &&
      (size_t)argc == 2 + entry->param_count)
    status = run_entry(program, argv, args);
  for (size_t i = 0; i < MAX_ARGS; i++)
    free(args[i].data);
  jitrun_program_release(program);
  return status;
}

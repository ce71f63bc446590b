/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// One executable that holds everything: the image of mlp.mlir, its plug-in and
/// libjitrun.a. It needs no file but its data, and no compiler.
///
///   jitrun compile mlp.mlir -o mlp.o
///   jitrun compile mlp.mlir -o mlp.h
///   cc static.c mlp.o plugins/mlp.c <prefix>/lib/libjitrun.a -lm -o mlp
///   (and -I. for mlp.h, -I<prefix>/include for the headers of jitrun)
///   ./mlp data
#include "mlp.h"
#include <jitrun/program.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int report(jitrun_error_t *error) {
  const char *where = jitrun_error_location(error);
  (void)fprintf(stderr, "error: %s%s%s\n", where ? where : "",
                where ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    (void)fprintf(stderr, "note: %s\n", jitrun_error_note_get(error, i));
  jitrun_error_free(error);
  return 1;
}

/// Reads the elements of one of our .npy files, which are dense float32: behind
/// 10 bytes stands a header whose length is in the last two of these.
static bool read_npy(const char *folder, const char *name, float *elements,
                     size_t count) {
  char path[4096];
  unsigned char start[10];
  (void)snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  FILE *file = fopen(path, "rb");
  bool is_read = file && fread(start, sizeof start, 1, file) == 1 &&
                 memcmp(start, "\x93NUMPY\x01", 7) == 0 &&
                 fseek(file, start[8] | start[9] << 8, SEEK_CUR) == 0 &&
                 fread(elements, sizeof *elements, count, file) == count;
  if (file)
    (void)fclose(file);
  if (!is_read)
    (void)fprintf(stderr, "error: cannot read %s\n", path);
  return is_read;
}

/// Opens the image that is linked in, with the calls of the plug-in beside it.
static jitrun_error_t *open_mlp(jitrun_program_t **out_program) {
  jitrun_error_t *error =
      jitrun_registry_add(jitrun_registry_default(), jitrun_plugin_query);
  if (error)
    return error;
  return jitrun_program_open_image(jitrun_image_mlp, NULL, out_program);
}

enum { BATCH = 8, IN = 32, HIDDEN = 64, OUT = 10, ARGS = 8 };

static float x[BATCH][IN], w1[IN][HIDDEN], b1[HIDDEN], w2[HIDDEN][HIDDEN],
    b2[HIDDEN], w3[HIDDEN][OUT], b3[OUT], y[BATCH][OUT], expected[BATCH][OUT];

/// The name of each argument's file and its memory, row-major.
static const struct {
  const char *name;
  float *data;
  int64_t dims[2];
  uint32_t rank;
} values[ARGS] = {
    {"x", x[0], {BATCH, IN}, 2}, {"w1", w1[0], {IN, HIDDEN}, 2},
    {"b1", b1, {HIDDEN}, 1},     {"w2", w2[0], {HIDDEN, HIDDEN}, 2},
    {"b2", b2, {HIDDEN}, 1},     {"w3", w3[0], {HIDDEN, OUT}, 2},
    {"b3", b3, {OUT}, 1},        {NULL, y[0], {BATCH, OUT}, 2}};

/// Reads every argument but the last, which is the output.
static bool read_args(const char *folder, jitrun_tensor_t *args) {
  for (size_t i = 0; i < ARGS; i++) {
    size_t count = 1;
    for (uint32_t d = 0; d < values[i].rank; d++)
      count *= (size_t)values[i].dims[d];
    if (values[i].name &&
        !read_npy(folder, values[i].name, values[i].data, count))
      return false;
    args[i] = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_F32,
                                .rank = values[i].rank,
                                .dims = values[i].dims,
                                .data = values[i].data};
  }
  return read_npy(folder, "y", expected[0], sizeof expected / sizeof(float));
}

/// Prints the first row and how far the result is from the expected one.
static int compare_result(void) {
  float largest = 0;
  for (int i = 0; i < BATCH; i++)
    for (int j = 0; j < OUT; j++)
      largest = fmaxf(largest, fabsf(y[i][j] - expected[i][j]));
  printf("y[0] =");
  for (int j = 0; j < OUT; j++)
    printf(" %.6f", (double)y[0][j]);
  printf("\n%s\n", largest <= 1e-5F ? "as expected" : "not as expected");
  return largest <= 1e-5F ? 0 : 1;
}

int main(int argc, char **argv) {
  jitrun_tensor_t args[ARGS];
  if (!read_args(argc > 1 ? argv[1] : "data", args))
    return 1;
  jitrun_program_t *program = NULL;
  jitrun_error_t *error = open_mlp(&program);
  if (!error)
    error = jitrun_program_run(program, NULL, args, ARGS, NULL, 0, NULL);
  jitrun_program_release(program);
  return error ? report(error) : compare_result();
}

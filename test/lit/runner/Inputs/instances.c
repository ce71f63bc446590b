/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Opens a file twice and runs each program in turn: every one has variables of
   its own. Without a file, the image that is linked in. */
#include <jitrun/program.h>

#include <stdio.h>

#ifdef LINKED
extern const unsigned char LINKED[];
#endif

static int fail(jitrun_error_t *error) {
  printf("error: %s\n", jitrun_error_message(error));
  jitrun_error_free(error);
  return 1;
}

static jitrun_error_t *open_one(const char *path, jitrun_program_t **program) {
#ifdef LINKED
  (void)path;
  return jitrun_program_open_image(LINKED, NULL, program);
#else
  return jitrun_program_open_file(path, NULL, program);
#endif
}

static int run(const char *name, jitrun_program_t *program) {
  int32_t value = 0;
  const jitrun_tensor_t result = {.data = &value, .dtype = JITRUN_DTYPE_S32};
  jitrun_error_t *error =
      jitrun_program_run(program, NULL, NULL, 0, &result, 1, NULL);
  if (error)
    return fail(error);
  printf("%s: %d\n", name, (int)value);
  return 0;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : NULL;
  jitrun_program_t *a = NULL;
  jitrun_program_t *b = NULL;
  jitrun_error_t *error = open_one(path, &a);
  if (error)
    return fail(error);
  int status = run("a", a) + run("a", a);
  error = open_one(path, &b);
  if (error) {
    (void)fail(error);
    jitrun_program_release(a);
    a = NULL;
    error = open_one(path, &b);
    if (error)
      return fail(error);
  }
  status += run("b", b);
  if (a)
    status += run("a", a);
  jitrun_program_release(a);
  jitrun_program_release(b);
  return status;
}

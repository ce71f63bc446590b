/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opens, runs and releases images again and again:
///
///   cycles A          3,000 times; between the 300th and the last at most 8
///                     mappings and 4 MiB more
///   cycles A B        the two in every order: each is opened, run twice and
///                     released, and gives what it gives alone
#include "run_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  CYCLES = 3000,
  FIRST_CYCLES = 300,
  MOST_MAPPINGS = 8,
  MOST_BYTES = 4 << 20,
  STEPS = 4 ///< of one image: open, run, run, release
};

struct usage {
  long mappings, bytes;
};

static struct usage read_usage(void) {
  struct usage usage = {0};
  FILE *file = fopen("/proc/self/maps", "re");
  for (int c = file ? fgetc(file) : EOF; c != EOF; c = fgetc(file))
    usage.mappings += c == '\n';
  if (file)
    (void)fclose(file);
  char text[128] = "";
  file = fopen("/proc/self/statm", "re");
  if (file && fgets(text, sizeof text, file)) {
    char *rest = NULL;
    (void)strtol(text, &rest, 10);
    usage.bytes = strtol(rest, NULL, 10) * sysconf(_SC_PAGESIZE);
  }
  if (file)
    (void)fclose(file);
  return usage;
}

/// One image, and how far it is.
struct side {
  const char *path;
  jitrun_program_t *program;
  struct jr_bytes text; ///< what it printed
  char *alone;          ///< what it prints where there is no other
};

static jitrun_error_t *do_step(struct side *side, int step) {
  if (step == 0)
    return jitrun_program_open_file(side->path, NULL, &side->program);
  if (step < STEPS - 1)
    return run_entry(side->program, &side->text);
  jitrun_program_release(side->program);
  side->program = NULL;
  return NULL;
}

static jitrun_error_t *cycle(struct side *side) {
  jitrun_error_t *err = NULL;
  side->text.size = 0;
  for (int step = 0; !err && step < STEPS; step++)
    err = do_step(side, step);
  return err;
}

static jitrun_error_t *cycle_often(struct side *side) {
  struct usage first = {0};
  for (int i = 1; i <= CYCLES; i++) {
    JITRUN_TRY(cycle(side));
    if (i == FIRST_CYCLES)
      first = read_usage();
  }
  struct usage last = read_usage();
  printf("cycles %d to %d: %ld mappings, %ld KiB more\n", FIRST_CYCLES, CYCLES,
         last.mappings - first.mappings, (last.bytes - first.bytes) / 1024);
  if (last.mappings - first.mappings <= MOST_MAPPINGS &&
      last.bytes - first.bytes <= MOST_BYTES)
    return NULL;
  return jr_error(JITRUN_INTERNAL,
                  "cycles leave more than %d mappings or %d "
                  "bytes",
                  MOST_MAPPINGS, MOST_BYTES);
}

static jitrun_error_t *compare(const struct side *side) {
  const char *text = (const char *)side->text.data;
  if (strlen(side->alone) == side->text.size &&
      memcmp(text, side->alone, side->text.size) == 0)
    return NULL;
  return jr_error(JITRUN_INTERNAL,
                  "'%s' prints '%.*s' beside another one, "
                  "'%s' alone",
                  side->path, (int)side->text.size, text, side->alone);
}

/// Runs the steps of both sides in the order that the bits say.
static jitrun_error_t *interleave(struct side sides[2], unsigned order) {
  int at[2] = {0, 0};
  sides[0].text.size = sides[1].text.size = 0;
  for (int i = 0; i < 2 * STEPS; i++) {
    int which = (int)(order >> i & 1);
    JITRUN_TRY(jr_error_note(do_step(&sides[which], at[which]++),
                             "while in order 0x%x", order));
  }
  JITRUN_TRY(compare(&sides[0]));
  return compare(&sides[1]);
}

static jitrun_error_t *try_orders(struct side sides[2]) {
  int count = 0;
  for (int i = 0; i < 2; i++) {
    JITRUN_TRY(cycle(&sides[i]));
    sides[i].alone = strdup(jr_bytes_text(&sides[i].text));
  }
  if (strcmp(sides[0].alone, sides[1].alone) == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT, "the images do the same");
  for (unsigned order = 0; order < 1u << 2 * STEPS; order++) {
    if (__builtin_popcount(order) != STEPS)
      continue;
    JITRUN_TRY(interleave(sides, order));
    count++;
  }
  printf("%d orders\n", count);
  return NULL;
}

int main(int argc, char **argv) {
  struct side sides[2] = {{.path = argc > 1 ? argv[1] : NULL},
                          {.path = argc > 2 ? argv[2] : NULL}};
  if (argc < 2 || argc > 3)
    return 2;
  jitrun_error_t *err = argc == 2 ? cycle_often(sides) : try_orders(sides);
  for (int i = 0; i < 2; i++) {
    jitrun_program_release(sides[i].program);
    jr_bytes_deinit(&sides[i].text);
    free(sides[i].alone);
  }
  if (!err)
    return 0;
  (void)fprintf(stderr, "cycles: %s\n", jitrun_error_message(err));
  jitrun_error_free(err);
  return 1;
}

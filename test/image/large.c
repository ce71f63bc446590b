/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opens an image with large constants, reads some of them, and tells what that
/// took:
///
///   large IMAGE MOST_MIB
///
/// prints milliseconds and MiB of the process's own memory; fails when that is
/// more than MOST_MIB.
#include "run_image.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A field of /proc/self/status, in KiB.
static long read_status(const char *field) {
  char line[256];
  long value = -1;
  FILE *file = fopen("/proc/self/status", "re");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, field, strlen(field)) == 0)
      value = strtol(line + strlen(field) + 1, NULL, 10);
  }
  if (file)
    (void)fclose(file);
  return value;
}

static jitrun_error_t *open_image(const char *path, long most_mib) {
  struct jr_bytes text = {0};
  jitrun_program_t *program = NULL;
  uint64_t start_ns = jr_clock_ns();
  JITRUN_TRY(jitrun_program_open_file(path, NULL, &program));
  uint64_t open_ns = jr_clock_ns() - start_ns;
  jitrun_error_t *err = run_entry(program, &text);
  long own_mib = read_status("RssAnon") / 1024;
  printf("%" PRIu64 " calls; %" PRIu64 " ms to open; %ld MiB own, %ld MiB in "
         "all at once, %ld MiB at most\n",
         jitrun_program_site_count(program), open_ns / 1000000, own_mib,
         read_status("VmRSS") / 1024, read_status("VmHWM") / 1024);
  jitrun_program_release(program);
  jr_bytes_deinit(&text);
  if (err || own_mib <= most_mib)
    return err;
  return jr_error(JITRUN_INTERNAL, "%ld MiB of own memory, %ld at most",
                  own_mib, most_mib);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  jitrun_error_t *err = open_image(argv[1], strtol(argv[2], NULL, 10));
  if (!err)
    return 0;
  (void)fprintf(stderr, "large: %s\n", jitrun_error_message(err));
  jitrun_error_free(err);
  return 1;
}

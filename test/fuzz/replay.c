/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Runs a fuzz target once on each file of the folders that are given: what was
/// found stays found, in builds that have no libFuzzer as well.
#include "fuzz.h"

#include "base/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
  (void)data;
  return size < max_size ? size : max_size;
}

static int run_file(const char *folder, const char *name) {
  char path[4096];
  struct jr_bytes bytes = {0};
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  jitrun_error_t *error = jr_file_read(path, &bytes);
  if (error) {
    (void)fprintf(stderr, "replay: %s\n", jitrun_error_message(error));
    jitrun_error_free(error);
    return 1;
  }
  (void)fprintf(stderr, "replay: %s\n", path);
  int status = LLVMFuzzerTestOneInput(bytes.data, bytes.size);
  jr_bytes_deinit(&bytes);
  return status;
}

static int run_folder(const char *folder) {
  int count = 0;
  DIR *entries = opendir(folder);
  if (!entries)
    return 1;
  for (struct dirent *entry; (entry = readdir(entries));) {
    if (entry->d_name[0] == '.')
      continue;
    if (run_file(folder, entry->d_name) != 0)
      count = -1;
    count += count >= 0;
  }
  (void)closedir(entries);
  return count > 0 ? 0 : 1;
}

int main(int count, char **folders) {
  for (int i = 1; i < count; i++) {
    if (run_folder(folders[i]) != 0) {
      (void)fprintf(stderr, "replay: nothing could be run in %s\n", folders[i]);
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}

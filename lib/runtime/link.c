/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Linking shared libraries: runs the first linker found, without a shell.
/// Everything must resolve, in our helpers, libm or libc, so that a missing
/// name shows now and not when the library is loaded; for another machine,
/// where its libraries are here.
#include "runtime/link.h"

#include "base/dylib.h"
#include "base/files.h"
#include "runtime/imports.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MAX_ARGUMENTS = 24, MAX_MESSAGE_BYTES = 2000 };

extern char **environ;

/// One run of the linker.
struct linking {
  char object_path[PATH_SIZE], library_path[PATH_SIZE];
  char helpers[PATH_SIZE], libm[PATH_SIZE], libc[PATH_SIZE];
  const char *arguments[MAX_ARGUMENTS];
  size_t argument_count;
  int messages; ///< what the linker writes, in memory
};

/// Creates an empty file of a new name beside `path`.
static jitrun_error_t *create_temp(const char *path, const char *suffix,
                                   char out_path[PATH_SIZE]) {
  int length = snprintf(out_path, PATH_SIZE, "%s.XXXXXX%s", path, suffix);
  int descriptor = -1;
  if (length > 0 && length < PATH_SIZE)
    descriptor = mkstemps(out_path, (int)strlen(suffix));
  if (descriptor < 0) {
    out_path[0] = '\0';
    return jr_error(JITRUN_PERMISSION_DENIED,
                    "cannot make a temporary file beside '%s': %s", path,
                    strerror(errno));
  }
  (void)close(descriptor);
  return NULL;
}

/// The file that a library of the system is in, as the loader finds it.
static void find_library(const char *name, char out_path[PATH_SIZE]) {
  struct jr_dylib library = {0};
  struct link_map *map = NULL;
  out_path[0] = '\0';
  jitrun_error_t *err = jr_dylib_open(name, &library);
  if (!err && dlinfo(library.handle, RTLD_DI_LINKMAP, (void *)&map) == 0)
    (void)snprintf(out_path, PATH_SIZE, "%s", map->l_name);
  jitrun_error_free(err);
  jr_dylib_close(&library);
}

/// The same of another system, where Debian's packages for cross compilation
/// put it.
static void find_foreign(const char *name, const char *system,
                         char out_path[PATH_SIZE]) {
  (void)snprintf(out_path, PATH_SIZE, "/usr/%s/lib/%s", system, name);
  if (access(out_path, R_OK) != 0)
    out_path[0] = '\0';
}

/// libjitrun-helpers.a, beside libjitrun or in the lib folder beside it; of
/// another system in a folder of its name there.
static void find_helpers(const char *system, char out_path[PATH_SIZE]) {
  static const char *const folders[] = {"", "/../lib"};
  static const char here = 0;
  char folder[PATH_SIZE / 2];
  out_path[0] = '\0';
  if (!jr_dylib_folder_of(&here, folder, sizeof folder))
    return;
  for (size_t i = 0; i < 2; i++) {
    (void)snprintf(out_path, PATH_SIZE, "%s%s/%s%slibjitrun-helpers.a", folder,
                   folders[i], system ? system : "", system ? "/" : "");
    if (access(out_path, R_OK) == 0)
      return;
  }
  out_path[0] = '\0';
}

static void add_argument(struct linking *linking, const char *argument) {
  // The last place stays NULL.
  if (*argument && linking->argument_count + 1 < MAX_ARGUMENTS)
    linking->arguments[linking->argument_count++] = argument;
}

/// The command line, but for the linker's own name in front. Nothing in it
/// gets into the output, which depends on the input alone.
static void add_arguments(struct linking *linking, const char *system) {
  static const char *const fixed[] = {"-shared",
                                      "-z",
                                      "now",
                                      "-z",
                                      "noexecstack",
                                      "-z",
                                      "relro",
                                      "--hash-style=gnu",
                                      "--build-id=none",
                                      "--as-needed",
                                      "--exclude-libs=ALL",
                                      "-o"};
  linking->argument_count = 1;
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
    add_argument(linking, fixed[i]);
  add_argument(linking, linking->library_path);
  add_argument(linking, linking->object_path);
  find_helpers(system, linking->helpers);
  if (system) {
    find_foreign("libm.so.6", system, linking->libm);
    find_foreign("libc.so.6", system, linking->libc);
  } else {
    find_library("libm.so.6", linking->libm);
    find_library("libc.so.6", linking->libc);
  }
  add_argument(linking, linking->helpers);
  add_argument(linking, linking->libm);
  add_argument(linking, linking->libc);
  if (*linking->libm && *linking->libc)
    add_argument(linking, "--no-undefined");
}

/// Starts the linker `name`; an errno value where it cannot be started.
static int start_linker(struct linking *linking, const char *name,
                        pid_t *out_process) {
  posix_spawn_file_actions_t actions;
  int cause = posix_spawn_file_actions_init(&actions);
  if (cause)
    return cause;
  linking->arguments[0] = name;
  cause = posix_spawn_file_actions_adddup2(&actions, linking->messages, 1);
  if (!cause)
    cause = posix_spawn_file_actions_adddup2(&actions, linking->messages, 2);
  if (!cause)
    cause = posix_spawnp(out_process, name, &actions, NULL,
                         (char *const *)(uintptr_t)linking->arguments, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  return cause;
}

/// The first linker there is.
static jitrun_error_t *spawn_linker(struct linking *linking,
                                    pid_t *out_process) {
  static const char *const names[] = {"ld.lld-22", "ld.lld", "ld"};
  int cause = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    cause = start_linker(linking, names[i], out_process);
    if (!cause)
      return NULL;
  }
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "making a shared library needs a linker: ld.lld-22, ld.lld "
                  "or ld in PATH (%s); emit an object instead",
                  strerror(cause));
}

/// Waits for the linker; its words become the error.
static jitrun_error_t *await_linker(const struct linking *linking,
                                    pid_t process) {
  int status = 0;
  pid_t ended = -1;
  do
    ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return NULL;
  char message[MAX_MESSAGE_BYTES];
  ssize_t size = pread(linking->messages, message, sizeof message, 0);
  while (size > 0 && message[size - 1] == '\n')
    size--;
  return jr_error(JITRUN_INTERNAL, "%s failed: %.*s", linking->arguments[0],
                  size > 0 ? (int)size : 0, message);
}

/// Where the helpers of another system are not here, none may be needed: the
/// library could not be opened there.
static jitrun_error_t *check_helpers(const struct jr_link_input *input) {
  char path[PATH_SIZE];
  const char *name = NULL;
  if (!input->system)
    return NULL;
  find_helpers(input->system, path);
  if (*path)
    return NULL;
  JITRUN_TRY(jr_imports_helper(input->object, input->size, &name));
  if (!name)
    return NULL;
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "the program needs '%s' of libjitrun-helpers.a, which is not "
                  "here for %s: emit an object, which finds it there, or put "
                  "the archive of a jitrun for %s into a folder of that name "
                  "beside this machine's",
                  name, input->system, input->system);
}

static jitrun_error_t *run_linker(struct linking *linking, const char *system) {
  pid_t process = 0;
  linking->messages = memfd_create("jitrun-linker", MFD_CLOEXEC);
  if (linking->messages < 0)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED, "no memory file: %s",
                    strerror(errno));
  add_arguments(linking, system);
  jitrun_error_t *err = spawn_linker(linking, &process);
  if (!err)
    err = await_linker(linking, process);
  (void)close(linking->messages);
  return err;
}

static void remove_temp(const char *path) {
  if (*path)
    (void)unlink(path);
}

jitrun_error_t *jr_link_shared(const struct jr_link_input *input,
                               struct jr_bytes *out_library) {
  struct linking linking = {.messages = -1};
  *out_library = (struct jr_bytes){0};
  JITRUN_TRY(check_helpers(input));
  jitrun_error_t *err =
      create_temp(input->output_path, ".o", linking.object_path);
  if (!err)
    err = create_temp(input->output_path, ".so", linking.library_path);
  if (!err)
    err = jr_file_write(linking.object_path, input->object, input->size);
  if (!err)
    err = run_linker(&linking, input->system);
  if (!err)
    err = jr_file_read(linking.library_path, out_library);
  remove_temp(linking.object_path);
  remove_temp(linking.library_path);
  return err;
}

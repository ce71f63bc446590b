/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shared libraries. dlsym() on a handle also looks into the libraries that one
/// depends on; a plug-in's entry point must be its own, so the owner of what
/// was found is compared.
#include "base/dylib.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The loaded object that holds an address, or NULL.
static struct link_map *find_owner(const void *address) {
  Dl_info info;
  void *owner = NULL;
  if (!dladdr1(address, &info, &owner, RTLD_DL_LINKMAP))
    return NULL;
  return owner;
}

static void *find_own(const struct jr_dylib *library, const char *name) {
  struct link_map *own = NULL;
  void *address = dlsym(library->handle, name);
  if (!address || dlinfo(library->handle, RTLD_DI_LINKMAP, (void *)&own) != 0)
    return NULL;
  return find_owner(address) == own ? address : NULL;
}

static void *find_function(const struct jr_dylib *library, const char *name) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  void *address = find_own(library, name);
  if (!address ||
      !dladdr1(address, &info, (void **)(void *)&symbol, RTLD_DL_SYMENT) ||
      !symbol || info.dli_saddr != address)
    return address;
  /* The low half of st_info, alike for both sizes of words. */
  unsigned type = symbol->st_info & 0xf;
  return type == STT_OBJECT || type == STT_COMMON ? NULL : address;
}

static void close_library(void *handle) {
  (void)dlclose(handle);
}

static jitrun_error_t *open_library(const char *path, int mode,
                                    struct jr_dylib *out_library) {
  *out_library = (struct jr_dylib){
      .find = find_own, .find_function = find_function, .close = close_library};
  if (path[0] == '\0') // the loader takes that for the program itself
    return jr_error(JITRUN_NOT_FOUND,
                    "cannot open library '': give the name of a file");
  out_library->handle = dlopen(path, mode);
  if (out_library->handle)
    return NULL;
  const char *cause = dlerror();
  if (!cause)
    cause = "no cause given";
  /* The loader begins with the path, mostly. */
  size_t size = strlen(path);
  if (strncmp(cause, path, size) == 0 && strncmp(cause + size, ": ", 2) == 0)
    cause += size + 2;
  return jr_error(JITRUN_NOT_FOUND, "cannot open library '%s': %s", path,
                  cause);
}

jitrun_error_t *jr_dylib_open(const char *path, struct jr_dylib *out_library) {
  return open_library(path, RTLD_NOW | RTLD_LOCAL, out_library);
}

jitrun_error_t *jr_dylib_open_global(const char *path,
                                     struct jr_dylib *out_library) {
  return open_library(path, RTLD_NOW | RTLD_GLOBAL, out_library);
}

bool jr_dylib_folder_of(const void *address, char *buffer, size_t size) {
  const struct link_map *owner = find_owner(address);
  if (!owner)
    return false;
  // The program itself has no name here, and argv[0] may be anything.
  const char *name = owner->l_name;
  char path[PATH_MAX];
  if (!realpath(name && name[0] ? name : "/proc/self/exe", path))
    return false;
  char *slash = strrchr(path, '/');
  if (!slash)
    return false;
  slash[slash == path ? 1 : 0] = '\0'; // keep the root's own slash
  int length = snprintf(buffer, size, "%s", path);
  return length >= 0 && (size_t)length < size;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See fault.h. The system's list of mappings tells what is at an address. Code
/// that a program was compiled to is in none of a file's, or in that of its
/// image, which whoever asks has to know. A signal handler may use neither
/// malloc nor stdio.
#include "fault.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { STACK_WORDS = 2048 };

/// The list, or as much of it as there is room for.
static char maps[1 << 17];

struct mapping {
  uintptr_t start, end;
  bool is_code;
  const char *path; ///< "" if it is no file's
  size_t path_size;
};

static bool read_maps(void) {
  size_t size = 0;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  while (size < sizeof maps - 1) {
    ssize_t count = read(file, maps + size, sizeof maps - 1 - size);
    if (count <= 0)
      break;
    size += (size_t)count;
  }
  maps[size] = '\0';
  (void)close(file);
  return size > 0;
}

static const char *read_hex(const char *at, uintptr_t *out_number) {
  static const char digits[] = "0123456789abcdef";
  const char *digit;
  *out_number = 0;
  while (*at && (digit = strchr(digits, *at)) != NULL) {
    *out_number = *out_number << 4 | (uintptr_t)(digit - digits);
    at++;
  }
  return at;
}

/// One line: `start-end rwxp offset device inode    path`. Behind it.
static const char *read_line(const char *at, struct mapping *mapping) {
  at = read_hex(at, &mapping->start);
  at = read_hex(at + (*at == '-'), &mapping->end);
  const char *line_end = strchr(at, '\n');
  if (!line_end)
    line_end = at + strlen(at);
  mapping->is_code = line_end - at > 3 && at[3] == 'x';
  for (int fields = 0; fields < 4 && at < line_end; fields++) {
    at += strspn(at, " ");
    at += strcspn(at, " \n");
  }
  at += strspn(at, " ");
  mapping->path = at < line_end ? at : "";
  mapping->path_size = at < line_end ? (size_t)(line_end - at) : 0;
  return *line_end ? line_end + 1 : line_end; // NOLINT: a NUL ends the list
}

static bool find_mapping(uintptr_t address, struct mapping *out_mapping) {
  for (const char *at = maps; *at;) {
    at = read_line(at, out_mapping);
    if (address >= out_mapping->start && address < out_mapping->end)
      return true;
  }
  return false;
}

static bool is_named(const struct mapping *mapping, const char *const *names,
                     size_t count) {
  size_t base = mapping->path_size;
  while (base > 0 && mapping->path[base - 1] != '/')
    base--;
  for (size_t i = 0; i < count; i++)
    if (strncmp(mapping->path + base, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

/// What is called by others, with what they give it.
static bool is_system(const struct mapping *mapping) {
  static const char *const names[] = {"libc.so", "libm.so",   "ld-linux",
                                      "[vdso",   "libgcc_s.", "libstdc++."};
  return is_named(mapping, names, sizeof names / sizeof names[0]);
}

static bool is_own(const struct mapping *mapping) {
  static const char *const names[] = {"libjitrun", "jitrun"};
  return mapping->path[0] != '/' ||
         strncmp(mapping->path, "/memfd:", strlen("/memfd:")) == 0 ||
         is_named(mapping, names, sizeof names / sizeof names[0]);
}

/// The innermost code that is not the system's: at `pc`, or where some word of
/// the stack would return to.
static bool find_code(uintptr_t pc, uintptr_t top, struct mapping *out_code) {
  struct mapping stack;
  if (find_mapping(pc, out_code) && out_code->is_code && !is_system(out_code))
    return true;
  if (!find_mapping(top, &stack) || stack.is_code)
    return false;
  const uintptr_t *words = (const uintptr_t *)(top & ~(sizeof top - 1));
  for (size_t i = 0; i < STACK_WORDS; i++) {
    if ((uintptr_t)&words[i + 1] > stack.end)
      return false;
    if (find_mapping(words[i], out_code) && out_code->is_code &&
        !is_system(out_code))
      return true;
  }
  return false;
}

void jr_fault_find(uintptr_t pc, uintptr_t top, char *path, size_t size) {
  struct mapping code;
  path[0] = '\0';
  if (!read_maps() || !find_code(pc, top, &code) || is_own(&code))
    return;
  size_t length = code.path_size < size - 1 ? code.path_size : size - 1;
  memcpy(path, code.path, length);
  path[length] = '\0';
}

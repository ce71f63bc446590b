/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Damages an image in all the ways there are, and opens and runs each, in a
/// process of its own:
///
///   damage [--sealed] [--step=N] [--seed=N] IMAGE
///
/// Each of the first 4,096 bytes is changed, 500 bytes anywhere, words of
/// headers are set to extremes, and the file is cut at every 64th byte. Every
/// time there must be an error with a message, or the output of the intact
/// image; within a second of computing and 256 MiB, and without a signal.
/// --step=N does every Nth. --sealed gives what is damaged the hash that it
/// then has, so that all the other checks are met; its code is then not run, as
/// the hash is all that protects that.
#include "run_image.h"

#include "base/files.h"
#include "runtime/image.h"
#include "runtime/table.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  FIRST_BYTES = 4096,
  RANDOM_FLIPS = 500,
  CUT_BYTES = 64,
  MOST_SECONDS = 1,
  MOST_KIB = 256 * 1024,
  DEADLINE_S = 60, ///< of the clock: the machine may be busy
  MOST_TEXT = 4096,
  STATUS_REFUSED = 1,
  STATUS_UNEXPLAINED = 3
};

#if defined(__SANITIZE_ADDRESS__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

struct damage {
  struct jr_bytes intact;
  struct jr_bytes expected; ///< what the intact image prints
  bool is_sealed;
  unsigned long step, count, done, refused;
  uint64_t random;
  unsigned long failures;
};

static uint64_t next_random(struct damage *damage) {
  damage->random = damage->random * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
  return damage->random >> 33;
}

/// In the child: opens the file, runs it, writes what it prints to `out`.
static int open_file(const struct damage *damage, int file, int out) {
  char path[64];
  jitrun_program_t *program = NULL;
  struct jr_bytes text = {0};
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .opt_level = -1,
                                         .inspect_only = damage->is_sealed};
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  jitrun_error_t *err = jitrun_program_open_file(path, &options, &program);
  if (!err && !damage->is_sealed)
    err = run_entry(program, &text);
  int status = 0;
  if (err)
    status = jitrun_error_message(err)[0] ? STATUS_REFUSED : STATUS_UNEXPLAINED;
  else if (write(out, text.data, text.size) != (ssize_t)text.size)
    status = STATUS_UNEXPLAINED;
  jitrun_error_free(err);
  jitrun_program_release(program);
  jr_bytes_deinit(&text);
  return status;
}

/// Limits of the child: twice of what it may take, so that it is measured and
/// not killed.
static void limit_child(void) {
  struct rlimit time = {2 * MOST_SECONDS + 1, 2 * MOST_SECONDS + 1};
  struct rlimit core = {0, 0};
  (void)setrlimit(RLIMIT_CPU, &time);
  (void)setrlimit(RLIMIT_CORE, &core);
  (void)alarm(DEADLINE_S);
}

static int memory_file(const void *data, size_t size) {
  int file = memfd_create("damaged", 0);
  if (file < 0 || write(file, data, size) != (ssize_t)size) {
    perror("damage: file in memory");
    exit(2);
  }
  return file;
}

/// What a child did.
struct outcome {
  int status;
  struct rusage usage;
  char text[MOST_TEXT];
  ssize_t text_bytes;
};

static struct outcome run_child(const struct damage *damage, const void *data,
                                size_t size) {
  struct outcome outcome = {0};
  int file = memory_file(data, size);
  int out = memory_file("", 0);
  pid_t child = fork();
  if (child == 0) {
    limit_child();
    _exit(open_file(damage, file, out));
  }
  if (child < 0 || wait4(child, &outcome.status, 0, &outcome.usage) != child) {
    perror("damage: process");
    exit(2);
  }
  outcome.text_bytes = pread(out, outcome.text, sizeof outcome.text, 0);
  (void)close(file);
  (void)close(out);
  return outcome;
}

/// Says what is wrong with an outcome, or NULL.
static const char *find_objection(const struct damage *damage,
                                  const struct outcome *outcome) {
  const struct jr_bytes *expected = &damage->expected;
  if (!WIFEXITED(outcome->status))
    return "ended by a signal";
  if (outcome->usage.ru_utime.tv_sec + outcome->usage.ru_stime.tv_sec >=
          MOST_SECONDS &&
      !IS_SANITIZED)
    return "took more than a second";
  if (outcome->usage.ru_maxrss > MOST_KIB && !IS_SANITIZED)
    return "took more than 256 MiB";
  if (WEXITSTATUS(outcome->status) == STATUS_REFUSED)
    return NULL;
  if (WEXITSTATUS(outcome->status) != 0)
    return "failed without a message";
  if (!damage->is_sealed &&
      (outcome->text_bytes != (ssize_t)expected->size ||
       memcmp(outcome->text, expected->data, expected->size) != 0))
    return "was taken for intact, and printed something else";
  return NULL;
}

/// Opens damaged bytes, if it is their turn.
static void try_bytes(struct damage *damage, unsigned char *data, size_t size,
                      const char *how, size_t where) {
  if (damage->count++ % damage->step != 0)
    return;
  if (damage->is_sealed)
    jitrun_error_free(jr_image_seal(data, size));
  struct outcome outcome = run_child(damage, data, size);
  const char *objection = find_objection(damage, &outcome);
  damage->done++;
  damage->refused += WIFEXITED(outcome.status) &&
                     WEXITSTATUS(outcome.status) == STATUS_REFUSED;
  if (!objection)
    return;
  damage->failures++;
  printf("%s %zu: %s (status 0x%x)\n", how, where, objection,
         (unsigned)outcome.status);
}

/// A copy of the intact file with `size` bytes at `where` set to `value`.
static void try_value(struct damage *damage, size_t where, const void *value,
                      size_t size, const char *how) {
  unsigned char *copy = malloc(damage->intact.size);
  if (!copy)
    exit(2);
  memcpy(copy, damage->intact.data, damage->intact.size);
  if (where + size <= damage->intact.size)
    memcpy(copy + where, value, size);
  try_bytes(damage, copy, damage->intact.size, how, where);
  free(copy);
}

static void flip(struct damage *damage, size_t where, unsigned char bits) {
  unsigned char value = damage->intact.data[where] ^ bits;
  try_value(damage, where, &value, 1, "flip at");
}

/// Sets the words of [start, end) to extremes.
static void set_extremes(struct damage *damage, size_t start, size_t end) {
  static const uint64_t values[] = {
      0,          1,         UINT64_MAX,      INT64_MAX,
      UINT32_MAX, INT32_MAX, UINT64_MAX - 63, UINT64_C(1) << 40};
  for (size_t at = start; at + 8 <= end && at < damage->intact.size; at += 4) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      if (at % 8 == 0)
        try_value(damage, at, &values[i], 8, "8 bytes at");
      try_value(damage, at, &values[i], 4, "4 bytes at");
    }
  }
}

static void try_all(struct damage *damage) {
  size_t size = damage->intact.size;
  Elf64_Ehdr header;
  if (size < sizeof header)
    return;
  memcpy(&header, damage->intact.data, sizeof header);
  const unsigned char *image =
      memmem(damage->intact.data, size, JR_TABLE_MAGIC, 8);
  for (size_t i = 0; i < FIRST_BYTES && i < size; i++) {
    flip(damage, i, 0xff);
    flip(damage, i, (unsigned char)(1u << i % 8));
  }
  for (int i = 0; i < RANDOM_FLIPS; i++)
    flip(damage, next_random(damage) % size,
         (unsigned char)(1u << next_random(damage) % 8));
  for (size_t cut = 0; cut < size; cut += CUT_BYTES) {
    unsigned char *copy = malloc(cut + 1);
    if (!copy)
      exit(2);
    memcpy(copy, damage->intact.data, cut);
    try_bytes(damage, copy, cut, "cut to", cut);
    free(copy);
  }
  set_extremes(damage, 0, sizeof header);
  set_extremes(damage, header.e_phoff,
               header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr));
  set_extremes(damage, header.e_shoff,
               header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr));
  if (image)
    set_extremes(damage, (size_t)(image - damage->intact.data),
                 (size_t)(image - damage->intact.data) +
                     sizeof(struct jr_table_header));
}

static bool read_option(struct damage *damage, const char *text) {
  if (strcmp(text, "--sealed") == 0)
    damage->is_sealed = true;
  else if (strncmp(text, "--step=", 7) == 0)
    damage->step = strtoul(text + 7, NULL, 10);
  else if (strncmp(text, "--seed=", 7) == 0)
    damage->random = strtoul(text + 7, NULL, 10);
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  struct damage damage = {.step = 1};
  int at = 1;
  while (at < argc && read_option(&damage, argv[at]))
    at++;
  if (at + 1 != argc || damage.step == 0) {
    (void)fprintf(stderr, "usage: damage [--sealed] [--step=N] [--seed=N] "
                          "IMAGE\n");
    return 2;
  }
  jitrun_error_t *err = jr_file_read(argv[at], &damage.intact);
  if (err || damage.intact.size < sizeof(Elf64_Ehdr)) {
    (void)fprintf(stderr, "damage: cannot read '%s'\n", argv[at]);
    jitrun_error_free(err);
    return 2;
  }
  struct outcome outcome =
      run_child(&damage, damage.intact.data, damage.intact.size);
  if (outcome.status != 0 || (!damage.is_sealed && outcome.text_bytes <= 0)) {
    (void)fprintf(stderr, "damage: '%s' cannot be run intact\n", argv[at]);
    return 2;
  }
  jr_bytes_append(&damage.expected, outcome.text, (size_t)outcome.text_bytes);
  try_all(&damage);
  printf("%lu of %lu damaged images: %lu refused, %lu failures\n", damage.done,
         damage.count, damage.refused, damage.failures);
  jr_bytes_deinit(&damage.expected);
  jr_bytes_deinit(&damage.intact);
  return damage.failures ? 1 : 0;
}

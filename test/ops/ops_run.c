/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Runs every entry of a program as native code at -O0 and -O2, from a cache,
/// from an object, from a shared library, and as the image that is linked into
/// this program, where there is one. Compares what it gives with stored values,
/// and all ways with the first, bit for bit.
///
///   ops_run [-q] FILE.mlir VALUES
///
/// VALUES is a folder with a file for each argument and each result of each
/// entry: ENTRY.in0.npy, ENTRY.out0.npy, and so on. An entry without results
/// gives the final contents of its arguments instead, of which those without a
/// file are not compared; an argument without a file is zeros of the shape of
/// its result. What numpy has no type for is stored as unsigned integers of the
/// same size. Each way compiles the file once; `-q` leaves out all but -O2 and
/// the cache, which is for sanitizers.
#include "compare.h"
#include "npy.h"
#include "value.h"

#ifdef OPS_IMAGES // {name, address} of images, made by test/CMakeLists.txt
#include OPS_IMAGES
#endif

#include "base/dtype.h"
#include "base/files.h"
#include "jitrun/compile.h"
#include "jitrun/program.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_VALUES = 64, MAX_ENTRIES = 256, PATH_SIZE = 1024 };

struct values {
  struct jr_value items[MAX_VALUES];
  size_t count;
};

static size_t failures;

/// Of what each entry gave in the way that runs now, and in the first.
static struct bits {
  uint64_t now, first;
  bool is_known;
} bits[MAX_ENTRIES], *current_bits;

static void hash_bytes(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    current_bits->now =
        (current_bits->now ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/// All elements of dimensions from `dim` on.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the rank.
static void hash_elements(const jitrun_type_t *type, const char *data,
                          uint32_t dim) {
  size_t size = jr_dtype_size((jitrun_dtype_t)type->dtype);
  if (dim == type->rank) {
    hash_bytes((const unsigned char *)data, size);
    return;
  }
  for (int64_t i = 0; i < jitrun_type_dims(type)[dim]; i++)
    hash_elements(type,
                  data + i * jitrun_type_strides(type)[dim] * (int64_t)size,
                  dim + 1);
}

/// ABORTED when the entry gave other bits than before.
static jitrun_error_t *compare_bits(void) {
  struct bits *result = current_bits;
  if (!result->is_known)
    result->first = result->now;
  result->is_known = true;
  if (result->now == result->first)
    return NULL;
  return jr_error(JITRUN_ABORTED, "gives other bits than the first way");
}

static void values_deinit(struct values *values) {
  for (size_t i = 0; i < values->count; i++)
    jr_value_deinit(&values->items[i]);
  values->count = 0;
}

/// Writes VALUES/ENTRY.<kind><index>.npy.
static void make_path(char path[PATH_SIZE], const char *folder,
                      const char *entry, const char *kind, size_t index) {
  (void)snprintf(path, PATH_SIZE, "%s/%s.%s%zu.npy", folder, entry, kind,
                 index);
}

static bool has_value(const char *folder, const char *entry, const char *kind,
                      size_t index) {
  char path[PATH_SIZE];
  make_path(path, folder, entry, kind, index);
  return access(path, F_OK) == 0;
}

static jitrun_error_t *read_value(const char *folder, const char *entry,
                                  const char *kind, size_t index,
                                  struct jr_value *out_value) {
  char path[PATH_SIZE];
  struct jr_bytes bytes = {0};
  make_path(path, folder, entry, kind, index);
  JITRUN_TRY(jr_file_read(path, &bytes));
  jitrun_error_t *error = jr_npy_load(&bytes, JITRUN_DTYPE_INVALID, out_value);
  jr_bytes_deinit(&bytes);
  return error ? jr_error_note(error, "while reading '%s'", path) : NULL;
}

/// Gives a stored value the declared element type, where it has the same size.
static void retype(struct jr_value *value, const jitrun_type_t *declared) {
  jitrun_dtype_t stored = (jitrun_dtype_t)value->type->dtype;
  if (jr_dtype_size(stored) == jr_dtype_size((jitrun_dtype_t)declared->dtype))
    value->type->dtype = declared->dtype;
}

/// Makes an argument as the entry declares it, with the stored elements.
static jitrun_error_t *make_argument(const char *folder,
                                     const jitrun_entry_t *entry, size_t index,
                                     struct values *arguments) {
  const jitrun_value_info_t *info = &entry->params[index];
  bool is_stored = has_value(folder, entry->name, "in", index);
  struct jr_value stored = {0};
  JITRUN_TRY(read_value(folder, entry->name, is_stored ? "in" : "out", index,
                        &stored));
  retype(&stored, info->type);
  struct jr_value *value = &arguments->items[index];
  jitrun_error_t *error = jr_value_init_as(
      info->type, jitrun_type_dims(stored.type), info->alignment, value);
  if (!error) {
    arguments->count++;
    if (!is_stored)
      jr_value_clear(value);
    else if (jr_value_same_shape(&stored, value))
      jr_value_copy(&stored, value);
    else
      error = jr_error(JITRUN_INVALID_ARGUMENT,
                       "%s.in%zu.npy is not of the declared type", entry->name,
                       index);
  }
  jr_value_deinit(&stored);
  return error;
}

/// Compares a view with the stored result.
static jitrun_error_t *compare_value(const char *folder, const char *entry,
                                     size_t index,
                                     const jitrun_tensor_t *tensor) {
  struct jr_value expected = {0};
  struct jr_value actual = {.data = tensor->data};
  JITRUN_TRY(read_value(folder, entry, "out", index, &expected));
  jitrun_error_t *error =
      jr_type_make(tensor->dtype, tensor->rank, tensor->dims, &actual.type);
  struct jr_bytes text = {0};
  if (!error) {
    if (tensor->strides && tensor->rank > 0)
      memcpy((int64_t *)(void *)(actual.type + 1) + tensor->rank,
             tensor->strides, tensor->rank * sizeof(int64_t));
    hash_elements(actual.type, actual.data, 0);
    retype(&expected, actual.type);
    if (!jr_compare(&actual, &expected, jr_tolerance_default(tensor->dtype),
                    &text))
      error = jr_error(JITRUN_ABORTED, "result %zu: %s", index,
                       jr_bytes_text(&text));
  }
  free(actual.type);
  jr_bytes_deinit(&text);
  jr_value_deinit(&expected);
  return error;
}

static jitrun_error_t *compare_all(const char *folder,
                                   const jitrun_entry_t *entry,
                                   const jitrun_execution_t *execution,
                                   const jitrun_tensor_t *arguments) {
  for (size_t i = 0; i < entry->result_count; i++)
    JITRUN_TRY(compare_value(folder, entry->name, i,
                             jitrun_execution_result(execution, i)));
  size_t compared = entry->result_count;
  for (size_t i = 0; entry->result_count == 0 && i < entry->param_count; i++) {
    if (!has_value(folder, entry->name, "out", i))
      continue;
    JITRUN_TRY(compare_value(folder, entry->name, i, &arguments[i]));
    compared++;
  }
  if (compared == 0)
    return jr_error(JITRUN_NOT_FOUND, "nothing is compared");
  return NULL;
}

static jitrun_error_t *run_entry(jitrun_program_t *program,
                                 const jitrun_entry_t *entry,
                                 const char *folder) {
  struct values arguments = {0};
  jitrun_tensor_t views[MAX_VALUES];
  jitrun_execution_t *execution = NULL;
  jitrun_error_t *error = NULL;
  for (size_t i = 0; i < entry->param_count && !error; i++) {
    error = make_argument(folder, entry, i, &arguments);
    if (!error)
      views[i] = jr_value_view(&arguments.items[i]);
  }
  if (!error)
    error = jitrun_program_start(program, entry, views, entry->param_count,
                                 NULL, &execution);
  if (!error)
    error = jitrun_execution_wait(execution, -1);
  if (!error)
    error = compare_all(folder, entry, execution, views);
  jitrun_execution_release(execution);
  values_deinit(&arguments);
  return error;
}

static void report(const char *way, const char *name, jitrun_error_t *error) {
  if (!error)
    return;
  const char *location = jitrun_error_location(error);
  printf("FAILED %s: %s: %s%s%s\n", way, name, location ? location : "",
         location ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    printf("  %s\n", jitrun_error_note_get(error, i));
  jitrun_error_free(error);
  failures++;
}

static void run_entries(const char *way, /*own*/ jitrun_program_t *program,
                        const char *folder) {
  size_t count = jitrun_program_entry_count(program);
  if (count > MAX_ENTRIES)
    report(way, "entries", jr_error(JITRUN_INTERNAL, "too many"));
  for (size_t i = 0; i < count && i < MAX_ENTRIES; i++) {
    const jitrun_entry_t *entry = jitrun_program_entry_get(program, i);
    current_bits = &bits[i];
    current_bits->now = UINT64_C(0xcbf29ce484222325);
    jitrun_error_t *failed = run_entry(program, entry, folder);
    report(way, entry->name, failed ? failed : compare_bits());
  }
  printf("%s: %zu entries\n", way, count);
  jitrun_program_release(program);
}

/// A way to run a file.
struct way {
  const char *name;
  int opt_level;
  const char *cache;       ///< folder; NULL: none
  jitrun_cache_use_t used; ///< what the cache has to be good for
};

static jitrun_error_t *open_program(const char *path, const struct way *way,
                                    jitrun_program_t **out_program) {
  jitrun_open_options_t options = {.size = sizeof options,
                                   .executor = JITRUN_EXECUTOR_JIT,
                                   .opt_level = way->opt_level,
                                   .cache_dir = way->cache};
  jitrun_stats_t stats = {.size = sizeof stats};
  JITRUN_TRY(jitrun_program_open_file(path, &options, out_program));
  jitrun_program_stats(*out_program, &stats);
  if (stats.cache == way->used)
    return NULL;
  jitrun_program_release(*out_program);
  return jr_error(JITRUN_INTERNAL, "the cache is used as %d, expected %d",
                  (int)stats.cache, (int)way->used);
}

static void run_program(const struct way *how, const char *path,
                        const char *folder) {
  const char *way = how->name;
  jitrun_program_t *program = NULL;
  jitrun_error_t *error = open_program(path, how, &program);
  report(way, path, error);
  if (!error)
    run_entries(way, program, folder);
}

#ifdef OPS_IMAGES
/// The image of the same name as the file.
static void run_linked(const char *path, const char *folder) {
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .executor = JITRUN_EXECUTOR_JIT};
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  size_t size = strcspn(name, ".");
  for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
    if (strlen(images[i].name) != size ||
        strncmp(images[i].name, name, size) != 0)
      continue;
    jitrun_program_t *program = NULL;
    jitrun_error_t *error =
        jitrun_program_open_image(images[i].image, &options, &program);
    report("linked", path, error);
    if (!error)
      run_entries("linked", program, folder);
    return;
  }
  report("linked", path, jr_error(JITRUN_NOT_FOUND, "no image of that name"));
}
#endif

static void run_image(jitrun_emit_t emit, const char *way, const char *path,
                      const char *folder) {
  char temporary[] = "/tmp/jitrun-ops-XXXXXX";
  char image[64];
  if (!mkdtemp(temporary)) {
    report(way, path, jr_error(JITRUN_INTERNAL, "no temporary folder"));
    return;
  }
  (void)snprintf(image, sizeof image, "%s/program%s", temporary, way);
  jitrun_compile_options_t options = {
      .size = sizeof options, .emit = emit, .opt_level = -1};
  jitrun_error_t *error = jitrun_compile_file(path, image, &options);
  if (error)
    report(way, path, error);
  else
    run_program(&(struct way){.name = way, .opt_level = -1}, image, folder);
  (void)unlink(image);
  (void)rmdir(temporary);
}

/// Removes a folder with files.
static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    char name[PATH_SIZE];
    (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    (void)unlink(name);
  }
  if (folder)
    (void)closedir(folder);
  (void)rmdir(path);
}

/// Compiles into a cache, and opens what is there then.
static void run_cached(const char *path, const char *folder) {
  char cache[] = "/tmp/jitrun-ops-XXXXXX";
  if (!mkdtemp(cache)) {
    report("cache", path, jr_error(JITRUN_INTERNAL, "no temporary folder"));
    return;
  }
  struct way compiled = {"-O2", 2, cache, JITRUN_CACHE_STORED};
  struct way kept = {"cache", 2, cache, JITRUN_CACHE_HIT};
  run_program(&compiled, path, folder);
  run_program(&kept, path, folder);
  remove_folder(cache);
}

int main(int argc, char **argv) {
  bool is_quick = argc > 1 && strcmp(argv[1], "-q") == 0;
  if (argc != 3 + is_quick) {
    (void)fprintf(stderr, "usage: ops_run [-q] FILE.mlir VALUES\n");
    return 2;
  }
  const char *path = argv[1 + is_quick];
  const char *folder = argv[2 + is_quick];
  run_cached(path, folder);
  if (!is_quick) {
    run_program(&(struct way){.name = "-O0"}, path, folder);
    run_image(JITRUN_EMIT_OBJECT, ".o", path, folder);
    run_image(JITRUN_EMIT_SHARED, ".so", path, folder);
#ifdef OPS_IMAGES
    run_linked(path, folder);
#endif
  }
  return failures > 0;
}

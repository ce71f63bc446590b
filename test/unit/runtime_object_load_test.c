/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The object loader, on objects that clang makes: for x86-64 their code is
/// run. What other machines' relocations do is in
/// runtime_object_reloc_test.c.
#include "runtime/object_load.h"

#include "base/cpu.h"
#include "build_object.h"
#include "runtime/symbols.h"

#include <inttypes.h>
#include <math.h>
#include <unwind.h>

/// What a walk up the stack came across.
struct walk {
  uint64_t code, end; ///< of the function of the object
  bool is_in, is_past;
};
static struct walk walk;

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context,
                                         void *unused) {
  (void)unused;
  uint64_t address = _Unwind_GetIP(context);
  walk.is_past |= walk.is_in;
  walk.is_in |= address >= walk.code && address < walk.end;
  return _URC_NO_REASON;
}

/// Far from any mapping: the test program itself is not near the libraries.
static int outside(int value) {
  (void)_Unwind_Backtrace(look_at_frame, NULL);
  return value * 2;
}

static void *resolve(void *context, const char *name) {
  if (context)
    ++*(size_t *)context;
  if (strcmp(name, "outside") == 0)
    return __extension__(void *) outside;
  return jr_symbol_find(name);
}

static jitrun_error_t *load(const struct jr_bytes *bytes,
                            struct jr_object **out_object) {
  const struct jr_object_options options = {.resolve = resolve,
                                            .machine = EM_X86_64};
  struct jr_elf elf;
  *out_object = NULL;
  JITRUN_TRY(jr_elf_open(bytes->data, bytes->size, &elf));
  return jr_object_load(&elf, &options, out_object);
}

typedef int (*int_fn_t)(int);
typedef double (*double_fn_t)(double);

static void find_function(struct jr_object *object, const char *name,
                          void *out_function) {
  void *address = jr_object_find(object, name);
  assert_non_null(address);
  memcpy(out_function, &address, sizeof address);
}

static int call_int(struct jr_object *object, const char *name, int value) {
  int_fn_t function;
  find_function(object, name, &function);
  return function(value);
}

static bool runs_here(void) {
  if (jr_cpu_machine() == EM_X86_64)
    return true;
  print_message("not run: the code is for x86-64\n");
  return false;
}

static const char program[] =
    "extern double sin(double), pow(double, double);\n"
    "extern int outside(int);\n"
    "extern void *memcpy(void *, const void *, unsigned long);\n"
    "__attribute__((noinline)) int twice(int x) { return 2 * x; }\n"
    "static int numbers[4] = {1, 2, 3, 4};\n"
    "int *pointer = &numbers[2];\n"
    "const char *const names[] = {\"ab\", \"cde\"};\n"
    "int counter[1000];\n"
    "int (*volatile table[2])(int) = {twice, outside};\n"
    "int calls(int x) { return twice(x) + twice(1); }\n"
    "int data(int x) { return *pointer + numbers[x]; }\n"
    "int text(int x) { return names[1][x]; }\n"
    "int bss(int x) { return counter[999] += x; }\n"
    "int far(int x) { return outside(x) + 1; }\n"
    "int indirect(int x) { return table[0](x) * 100 + table[1](x + 1); }\n"
    "double library(double x) { return sin(x) + pow(x, 0.25); }\n"
    "__attribute__((section(\".late\"))) int late(int x) { return x + 7; }\n"
    "int across(int x) { return late(x) * 2; }\n"
    "struct big { int x[64]; };\n"
    "int copy(int x) { struct big a, b; volatile int n = x;\n"
    "  for (int i = 0; i < 64; ++i) a.x[i] = n + i;\n"
    "  memcpy(&b, &a, sizeof a); return b.x[63]; }\n";

static void check_program(const char *flags) {
  struct jr_bytes bytes = build_file("in.c", program, flags, NULL);
  struct jr_object *object;
  double_fn_t library;
  expect_ok(load(&bytes, &object));
  jr_bytes_deinit(&bytes); // nothing of the file is needed any more
  assert_null(jr_object_find(object, "outside"));
  assert_null(jr_object_find(object, "numbers"));
  assert_null(jr_object_find(object, ""));
  if (runs_here()) {
    assert_int_equal(call_int(object, "calls", 5), 12);
    assert_int_equal(call_int(object, "data", 1), 5);
    assert_int_equal(call_int(object, "text", 2), 'e');
    assert_int_equal(call_int(object, "bss", 3), 3);
    assert_int_equal(call_int(object, "bss", 4), 7);
    assert_int_equal(call_int(object, "far", 20), 41);
    assert_int_equal(call_int(object, "indirect", 3), 608);
    assert_int_equal(call_int(object, "across", 3), 20);
    assert_int_equal(call_int(object, "copy", 3), 66);
    find_function(object, "library", &library);
    assert_true(library(0.5) == sin(0.5) + pow(0.5, 0.25));
  }
  jr_object_unload(object);
}

static void test_run(void **state) {
  (void)state;
  check_program(X86_64 "-O0 -fPIC");
  check_program(X86_64 "-O2 -fPIC -fno-builtin");
  check_program(X86_64 "-O2 -fPIC -fno-plt");
  check_program(X86_64 "-O2 -fPIE -ffunction-sections -fdata-sections");
  check_program(X86_64 "-O2 -fPIC -fvisibility=hidden -Wa,-mrelax-relocations="
                       "no");
}

/// Code is never writable, data never executable, while an object is loaded.
static void test_rights(void **state) {
  (void)state;
  struct jr_bytes bytes = build_file("in.c", program, X86_64 "-O1 -fPIC", NULL);
  struct jr_object *object;
  expect_ok(load(&bytes, &object));
  uint64_t code = (uintptr_t)jr_object_find(object, "calls");
  uint64_t constant = (uintptr_t)jr_object_find(object, "names");
  uint64_t data = (uintptr_t)jr_object_find(object, "counter");
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) {
    fail_msg("no /proc/self/maps");
    return;
  }
  char line[512];
  int seen = 0;
  while (fgets(line, sizeof line, maps)) {
    char *rest = NULL;
    uint64_t start = strtoull(line, &rest, 16);
    uint64_t end = strtoull(rest + 1, &rest, 16);
    const char *rights = rest + 1;
    if (code >= start && code < end)
      seen += strncmp(rights, runs_here() ? "r-xp" : "r--p", 4) == 0;
    if (data >= start && data < end)
      seen += strncmp(rights, "rw-p", 4) == 0;
    if (constant >= start && constant < end)
      seen += strncmp(rights, "rw-p", 4) == 0; // .data.rel.ro is data here
    assert_null(strstr(rights, "rwxp"));
  }
  (void)fclose(maps);
  assert_int_equal(seen, 3);
  jr_object_unload(object);
  jr_bytes_deinit(&bytes);
}

/// The stack can be walked through loaded code, as long as it is loaded.
static void test_unwind(void **state) {
  (void)state;
  struct jr_bytes bytes = build_file("in.c", program,
                                     X86_64 "-O1 -fPIC -fomit-frame-pointer "
                                            "-fasynchronous-unwind-tables",
                                     NULL);
  for (int i = 0; i < 3 && runs_here(); i++) {
    struct jr_object *object;
    expect_ok(load(&bytes, &object));
    uint64_t code = (uintptr_t)jr_object_find(object, "far");
    walk = (struct walk){.code = code, .end = code + 64};
    assert_int_equal(call_int(object, "far", 20), 41);
    assert_true(walk.is_in && walk.is_past);
    jr_object_unload(object);
    walk = (struct walk){0};
    assert_int_equal(outside(1), 2);
    assert_false(walk.is_in);
  }
  jr_bytes_deinit(&bytes);
}

static void refuse(const char *name, const char *source, const char *flags,
                   jitrun_code_t code, const char *part) {
  struct jr_bytes bytes = build_file(name, source, flags, NULL);
  struct jr_object *object;
  expect_error(load(&bytes, &object), code, part);
  assert_null(object);
  jr_bytes_deinit(&bytes);
}

static void test_undefined(void **state) {
  (void)state;
  static const char source[] =
      "extern int one(void), two(void), three(void), outside(int);\n"
      "__attribute__((weak)) extern int maybe(void);\n"
      "int f(void) { return one() + two() + three() + outside(2); }\n"
      "int g(void) { return maybe ? maybe() : -1; }\n";
  refuse("in.c", source, X86_64 "-O1 -fPIC", JITRUN_NOT_FOUND,
         "3 undefined symbols: 'one', 'two', 'three'");
}

/// A weak symbol that nothing defines is NULL.
static void test_weak(void **state) {
  (void)state;
  static const char source[] = "__attribute__((weak)) extern int maybe(void);\n"
                               "int g(int x) { return maybe ? maybe() : x; }\n";
  struct jr_bytes bytes = build_file("in.c", source, X86_64 "-O1 -fPIC", NULL);
  struct jr_object *object;
  expect_ok(load(&bytes, &object));
  if (runs_here())
    assert_int_equal(call_int(object, "g", 11), 11);
  jr_object_unload(object);
  jr_bytes_deinit(&bytes);
}

static void test_refused_c(void **state) {
  (void)state;
  refuse("in.c", "__thread int t; int f(void) { return t++; }",
         X86_64 "-O1 -fPIC", JITRUN_UNIMPLEMENTED, "thread-local");
  refuse("in.c", "extern __thread int tls_var; int f(void) {return tls_var;}",
         X86_64 "-O1 -fPIC", JITRUN_UNIMPLEMENTED, "tls_var");
  refuse("in.c", "int shared; int f(void) { return shared++; }",
         X86_64 "-O1 -fPIC -fcommon", JITRUN_UNIMPLEMENTED,
         "'shared' cannot be loaded: it is a COMMON");
  refuse("in.c",
         "static int a(void) { return 1; } static void *r(void) { return a; }\n"
         "int chosen(void) __attribute__((ifunc(\"r\")));",
         X86_64 "-O1 -fPIC", JITRUN_UNIMPLEMENTED, "'chosen'");
  refuse("in.c",
         "int outside(int); __attribute__((constructor)) void f(void) { "
         "outside(1); }",
         X86_64 "-O1 -fPIC", JITRUN_UNIMPLEMENTED, ".init_array");
  refuse("in.c", "int x[4]; int *f(void) { return x; }",
         X86_64 "-O1 -fno-pic -mcmodel=small", JITRUN_OUT_OF_RANGE,
         "symbol 'x'");
  refuse("in.c", "int x[4]; int f(long i) { return x[i]; }",
         X86_64 "-O1 -fno-pic -mcmodel=small", JITRUN_OUT_OF_RANGE,
         "R_X86_64_32S in section '.text'");
  refuse("in.c", "__attribute__((aligned(8192))) int x = 3;",
         X86_64 "-O1 -fPIC", JITRUN_UNIMPLEMENTED, "aligned to more than");
  refuse("in.c", "int f(void) { return 1; }", AARCH64 "-O1",
         JITRUN_FAILED_PRECONDITION,
         "code for aarch64 (ELF machine 183), wanted x86-64 (62)");
}

static void test_refused_assembly(void **state) {
  (void)state;
  refuse("in.s",
         ".data\n.reloc ., R_X86_64_COPY, f\n.quad 0\n.globl f\n.text\nf:",
         X86_64, JITRUN_UNIMPLEMENTED, "relocation kind 5 of x86-64");
  refuse("in.s", ".data\n.byte f\n", X86_64, JITRUN_UNIMPLEMENTED,
         "relocation kind 14 of x86-64, for symbol 'f'");
  refuse("in.s", ".section both,\"awx\"\n.byte 1\n", X86_64,
         JITRUN_UNIMPLEMENTED, "'both' cannot be loaded: it is writable and");
  refuse("in.s", ".bss\n.zero 0x7fffffff\n", X86_64, JITRUN_RESOURCE_EXHAUSTED,
         "split the program");
  refuse("in.s", ".section debug\nd: .quad 1\n.data\n.quad d\n", X86_64,
         JITRUN_UNIMPLEMENTED, "'debug', which is not loaded");
}

/// An object of debug information has relocations in sections that are not
/// loaded, of kinds and for symbols that do not matter.
static void test_debug(void **state) {
  (void)state;
  struct jr_bytes bytes =
      build_file("in.c", program, X86_64 "-O1 -g -fPIC", NULL);
  struct jr_object *object;
  expect_ok(load(&bytes, &object));
  jr_object_unload(object);
  jr_bytes_deinit(&bytes);
}

static void test_empty(void **state) {
  (void)state;
  struct jr_bytes bytes = build_file("in.c", "", X86_64, NULL);
  struct jr_object *object;
  expect_ok(load(&bytes, &object));
  assert_null(jr_object_find(object, "f"));
  jr_object_unload(object);
  jr_object_unload(NULL);
  jr_bytes_deinit(&bytes);
}

static void load_damaged(const struct jr_bytes *bytes) {
  struct jr_object *object;
  jitrun_error_free(load(bytes, &object));
  jr_object_unload(object);
}

/// No change of a byte and no cut does more than fail. (Code is not run: what
/// is damaged there cannot be seen.)
static void test_damage(void **state) {
  (void)state;
  struct jr_bytes bytes = build_file("in.c", program, X86_64 "-O1 -fPIC", NULL);
  static const unsigned char flips[] = {0x01, 0x80, 0xff};
  size_t size = bytes.size;
  for (size_t i = 0; i < size && i < 4096; i++) {
    for (size_t k = 0; k < sizeof flips; k++) {
      bytes.data[i] ^= flips[k];
      load_damaged(&bytes);
      bytes.data[i] ^= flips[k];
    }
  }
  for (size_t cut = 0; cut < size; cut += 64) {
    unsigned char *copy =
        malloc(cut ? cut : 1); // so that reading past it shows
    assert_non_null(copy);
    memcpy(copy, bytes.data, cut);
    load_damaged(&(struct jr_bytes){.data = copy, .size = cut});
    free(copy);
  }
  jr_bytes_deinit(&bytes);
}

static void load_once(void *context) {
  struct jr_object *object;
  jitrun_error_t *err = load(context, &object);
  assert_true((err == NULL) == (object != NULL));
  if (err)
    expect_error(err, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  jr_object_unload(object);
}

static void test_memory(void **state) {
  (void)state;
  struct jr_bytes bytes = build_file("in.c", program, X86_64 "-O1 -fPIC", NULL);
  sweep_allocations(load_once, &bytes);
  jr_bytes_deinit(&bytes);
}

/// Each name from outside is asked for once, however often it is used.
static void test_many(void **state) {
  (void)state;
  struct jr_bytes source = {0};
  size_t asked = 0;
  jr_bytes_append_text(&source, "extern int outside(int); extern double "
                                "sin(double);\nint v;\n");
  for (int i = 0; i < 1000; i++)
    jr_bytes_appendf(&source,
                     "int f%d(int x) { v += %d; return outside(x) + "
                     "(int)sin(x) + %s%d(x); }\n",
                     i, i, i ? "f" : "outside", i ? i - 1 : 0);
  // "outside0" does not exist: the first function calls outside() itself.
  char *first = strstr(jr_bytes_text(&source), "outside0");
  assert_non_null(first);
  first[7] = ' ';
  struct jr_bytes bytes =
      build_file("in.c", jr_bytes_text(&source), X86_64 "-O0 -fPIC", NULL);
  struct jr_elf elf;
  struct jr_object *object;
  const struct jr_object_options options = {
      .resolve = resolve, .resolve_context = &asked, .machine = EM_X86_64};
  expect_ok(jr_elf_open(bytes.data, bytes.size, &elf));
  expect_ok(jr_object_load(&elf, &options, &object));
  assert_int_equal(asked, 2);
  for (int i = 0; i < 1000; i++) {
    char name[16];
    (void)snprintf(name, sizeof name, "f%d", i);
    assert_non_null(jr_object_find(object, name));
  }
  if (runs_here())
    assert_int_equal(call_int(object, "f999", 0), 0);
  jr_object_unload(object);
  jr_bytes_deinit(&bytes);
  jr_bytes_deinit(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run),
      cmocka_unit_test(test_rights),
      cmocka_unit_test(test_unwind),
      cmocka_unit_test(test_undefined),
      cmocka_unit_test(test_weak),
      cmocka_unit_test(test_refused_c),
      cmocka_unit_test(test_refused_assembly),
      cmocka_unit_test(test_debug),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

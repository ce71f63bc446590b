/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Temporaries that share memory: random programs give what they give where
/// each temporary has memory of its own, by both executors.
#include "expect.h"

#include "jitrun/executable.h"

#include "base/bytes.h"

#include <stdlib.h>

enum { TEMPS = 24, CALLS = 60, MOST = 200, PROGRAMS = 24 };

static uint64_t seed;

static uint32_t next_random(uint32_t below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33) % below;
}

/// to[i] = 3 * a[i] + b[i] + n, each read from its start again where it ends.
static void mix(const int32_t *a, int64_t a_count, const int32_t *b,
                int64_t b_count, int32_t *to, int64_t to_count) {
  for (int64_t i = 0; i < to_count; i++)
    to[i] = (int32_t)(3 * (uint32_t)a[i % a_count] + (uint32_t)b[i % b_count] +
                      (uint32_t)to_count);
}

static int64_t size_of(const jitrun_arg_t *arg) {
  return jitrun_type_dims(arg->type)[0];
}

static jitrun_error_t *mix_execute(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  mix(args[0].value.data, size_of(&args[0]), args[1].value.data,
      size_of(&args[1]), args[2].value.data, size_of(&args[2]));
  return NULL;
}

/// Gives its argument back as its result.
static jitrun_error_t *same_execute(jitrun_call_t *call) {
  const jitrun_arg_t *arg = jitrun_call_args(call);
  return call->site->api->result_set(call, 0, arg->value.data,
                                     jitrun_type_dims(arg->type), NULL);
}

/// What it was last given, beyond the call.
static const int32_t *kept;

static jitrun_error_t *keep_execute(jitrun_call_t *call) {
  kept = jitrun_call_args(call)->value.data;
  return NULL;
}

/// Copies what was kept to its argument.
static jitrun_error_t *kept_execute(jitrun_call_t *call) {
  const jitrun_arg_t *arg = jitrun_call_args(call);
  memcpy(arg->value.data, kept, (size_t)size_of(arg) * sizeof *kept);
  return NULL;
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof *calls,
     .name = "test.mix",
     .platform = "host",
     .execute = mix_execute},
    {.size = sizeof *calls,
     .name = "test.same",
     .platform = "host",
     .execute = same_execute},
    {.size = sizeof *calls,
     .name = "test.keep",
     .platform = "host",
     .execute = keep_execute},
    {.size = sizeof *calls,
     .name = "test.kept",
     .platform = "host",
     .execute = kept_execute},
};

static jitrun_registry_t *registry;

static int create_registry(void **state) {
  (void)state;
  expect_ok(jitrun_registry_create(&registry));
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    expect_ok(jitrun_registry_register(registry, &calls[i]));
  return 0;
}

static int release_registry(void **state) {
  (void)state;
  jitrun_registry_release(registry);
  return 0;
}

static const char declarations[] =
    "func.func private @mix(memref<?xi32>, memref<?xi32>, memref<?xi32>)\n"
    "    attributes {rt.custom_call = \"test.mix\"}\n"
    "func.func private @same(memref<?xi32>) -> memref<?xi32>\n"
    "    attributes {rt.custom_call = \"test.same\"}\n";

/// A random program, and what its temporaries hold while it runs.
struct random_program {
  struct jr_bytes text;
  int64_t sizes[TEMPS];
  int32_t values[TEMPS][MOST];
  bool is_written[TEMPS], is_freed[TEMPS];
  uint32_t names;   ///< of values, so far
  bool is_native;   ///< it has loops
  bool has_choices; ///< and values that are one of two
};

static int32_t input[MOST];

/// A value for a temporary, or the parameter: a cast, a part of it, what a call
/// returns, one of two that are alike. Tells how many elements it has.
static uint32_t name_value(struct random_program *program, uint32_t temp,
                           int64_t *out_size) {
  uint32_t name = program->names++;
  struct jr_bytes *text = &program->text;
  int64_t size = temp < TEMPS ? program->sizes[temp] : MOST;
  uint32_t from = temp < TEMPS ? temp : TEMPS;
  uint32_t kind = next_random(program->has_choices ? 4 : 3);
  *out_size = size;
  if (kind == 1 && size > 1) {
    *out_size = 1 + next_random((uint32_t)size - 1);
    jr_bytes_appendf(text,
                     "  %%p%u = memref.subview %%t%u[0] [%d] [1] : "
                     "memref<%dxi32> to memref<%dxi32, strided<[1]>>\n"
                     "  %%v%u = memref.cast %%p%u : memref<%dxi32, "
                     "strided<[1]>> to memref<?xi32>\n",
                     name, from, (int)*out_size, (int)size, (int)*out_size,
                     name, name, (int)*out_size);
    return name;
  }
  const char *first = kind == 2 ? "r" : kind == 3 ? "s" : "v";
  jr_bytes_appendf(text,
                   "  %%%s%u = memref.cast %%t%u : memref<%dxi32> to "
                   "memref<?xi32>\n",
                   first, name, from, (int)size);
  if (kind == 2)
    jr_bytes_appendf(text,
                     "  %%v%u = call @same(%%r%u) : (memref<?xi32>) -> "
                     "memref<?xi32>\n",
                     name, name);
  if (kind == 3)
    jr_bytes_appendf(text,
                     "  %%v%u = arith.select %%yes, %%s%u, %%s%u : "
                     "memref<?xi32>\n",
                     name, name, name);
  return name;
}

static const int32_t *values_of(const struct random_program *program,
                                uint32_t temp) {
  return temp < TEMPS ? program->values[temp] : input;
}

/// A temporary that was written to, or the parameter.
static uint32_t pick_source(const struct random_program *program) {
  for (int i = 0; i < 8; i++) {
    uint32_t temp = next_random(TEMPS);
    if (program->is_written[temp] && !program->is_freed[temp])
      return temp;
  }
  return TEMPS;
}

static void add_call(struct random_program *program) {
  struct jr_bytes *text = &program->text;
  uint32_t a = pick_source(program);
  uint32_t b = pick_source(program);
  uint32_t to = next_random(TEMPS);
  int64_t sizes[3];
  if (program->is_freed[to] || to == a || to == b)
    return;
  uint32_t names[] = {name_value(program, a, &sizes[0]),
                      name_value(program, b, &sizes[1]), program->names++};
  sizes[2] = program->sizes[to];
  jr_bytes_appendf(text,
                   "  %%v%u = memref.cast %%t%u : memref<%dxi32> to "
                   "memref<?xi32>\n",
                   names[2], to, (int)sizes[2]);
  bool is_inside = program->is_native && next_random(3) == 0;
  if (is_inside)
    jr_bytes_append_text(text, "  scf.for %i = %c0 to %c2 step %c1 {\n");
  jr_bytes_appendf(text,
                   "  func.call @mix(%%v%u, %%v%u, %%v%u) : (memref<?xi32>, "
                   "memref<?xi32>, memref<?xi32>) -> ()\n",
                   names[0], names[1], names[2]);
  if (is_inside)
    jr_bytes_append_text(text, "  }\n");
  mix(values_of(program, a), sizes[0], values_of(program, b), sizes[1],
      program->values[to], sizes[2]);
  program->is_written[to] = true;
}

static void add_free(struct random_program *program) {
  uint32_t temp = next_random(TEMPS);
  if (program->is_freed[temp])
    return;
  program->is_freed[temp] = true;
  jr_bytes_appendf(&program->text, "  memref.dealloc %%t%u : memref<%dxi32>\n",
                   temp, (int)program->sizes[temp]);
}

/// The program of a number; the last source goes to the output.
static void make_program(uint32_t number, bool is_native,
                         struct random_program *program) {
  *program = (struct random_program){.is_native = is_native,
                                     .has_choices = program->has_choices};
  struct jr_bytes *text = &program->text;
  seed = number;
  jr_bytes_append_text(text, declarations);
  jr_bytes_appendf(text,
                   "func.func @main(%%t%d: memref<%dxi32>, %%out: "
                   "memref<?xi32> {jitrun.output}) {\n",
                   TEMPS, MOST);
  if (is_native)
    jr_bytes_append_text(text, "  %c0 = arith.constant 0 : index\n"
                               "  %c1 = arith.constant 1 : index\n"
                               "  %c2 = arith.constant 2 : index\n"
                               "  %yes = arith.constant true\n");
  for (uint32_t i = 0; i < TEMPS; i++) {
    program->sizes[i] = 1 + next_random(MOST);
    jr_bytes_appendf(text, "  %%t%u = memref.alloc() : memref<%dxi32>\n", i,
                     (int)program->sizes[i]);
  }
  for (uint32_t i = 0; i < CALLS; i++) {
    add_call(program);
    if (next_random(8) == 0)
      add_free(program);
  }
}

/// Runs it and compares the output with what the values in `program` say; the
/// bytes that are saved by sharing.
static uint64_t run_program(struct random_program *program,
                            const jitrun_open_options_t *options) {
  int64_t sizes[2];
  uint32_t last = pick_source(program);
  uint32_t name = program->names;
  int32_t expected[MOST];
  int32_t output[MOST] = {0};
  jr_bytes_appendf(&program->text,
                   "  %%v%u = memref.cast %%t%u : memref<%dxi32> to "
                   "memref<?xi32>\n"
                   "  call @mix(%%v%u, %%v%u, %%out) : (memref<?xi32>, "
                   "memref<?xi32>, memref<?xi32>) -> ()\n  return\n}\n",
                   name, last,
                   last < TEMPS ? (int)program->sizes[last] : (int)MOST, name,
                   name);
  sizes[0] = last < TEMPS ? program->sizes[last] : MOST;
  sizes[1] = MOST;
  mix(values_of(program, last), sizes[0], values_of(program, last), sizes[0],
      expected, MOST);
  jitrun_program_t *opened = NULL;
  const char *text = jr_bytes_text(&program->text);
  assert_non_null(text);
  expect_ok(jitrun_program_open_memory(text, strlen(text), "test.mlir", options,
                                       &opened));
  bool by_thunks = options->executor == JITRUN_EXECUTOR_THUNKS;
  const char *refusal = jitrun_program_thunks_refusal(
      opened, jitrun_program_entry_get(opened, 0));
  if (by_thunks && refusal)
    fail_msg("thunks cannot run it: %s", refusal);
  const jitrun_tensor_t args[] = {
      {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = &sizes[1], .data = input},
      {.dtype = JITRUN_DTYPE_S32,
       .rank = 1,
       .dims = &sizes[1],
       .data = output}};
  for (int i = 0; i < 2; i++) {
    memset(output, 0, sizeof output);
    expect_ok(jitrun_program_run(opened, NULL, args, 2, NULL, 0, NULL));
    assert_memory_equal(output, expected, sizeof output);
  }
  jitrun_program_info_t info = {.size = sizeof info};
  jitrun_program_info(opened, &info);
  assert_int_equal(jitrun_program_is_native(opened), !by_thunks);
  jitrun_program_release(opened);
  jr_bytes_deinit(&program->text);
  assert_true(info.temp_bytes <= info.temp_sum_bytes);
  return info.temp_sum_bytes - info.temp_bytes;
}

static void test_random_programs(void **state) {
  (void)state;
  static const jitrun_executor_t executors[] = {JITRUN_EXECUTOR_JIT,
                                                JITRUN_EXECUTOR_THUNKS};
  uint64_t saved_bytes = 0;
  static struct random_program program;
  for (int32_t i = 0; i < MOST; i++)
    input[i] = 7 * i - 5;
  for (uint32_t number = 0; number < PROGRAMS; number++) {
    jitrun_open_options_t options = {
        .size = sizeof options, .registry = registry, .opt_level = 1};
    for (size_t i = 0; i < 2; i++) {
      options.executor = executors[i];
      make_program(number, false, &program);
      saved_bytes += run_program(&program, &options);
    }
    options.executor = JITRUN_EXECUTOR_JIT;
    program.has_choices = true;
    make_program(number, true, &program);
    saved_bytes += run_program(&program, &options);
    options.executor = JITRUN_EXECUTOR_THUNKS;
    program.has_choices = false;
    make_program(number, true, &program);
    saved_bytes += run_program(&program, &options);
    options.executor = JITRUN_EXECUTOR_JIT;
    options.check = true;
    make_program(number, false, &program);
    (void)run_program(&program, &options);
  }
  assert_true(saved_bytes > 0);
}

/// Runs main, which writes four numbers to its output.
static void expect_output(const char *text, jitrun_executor_t executor,
                          int32_t first) {
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .registry = registry,
                                         .executor = executor,
                                         .opt_level = -1};
  const int64_t dims[] = {4};
  int32_t values[] = {1, 2, 3, 4};
  int32_t output[4] = {0};
  const jitrun_tensor_t args[] = {
      {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = values},
      {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = output}};
  jitrun_program_t *program = NULL;
  expect_ok(jitrun_program_open_memory(text, strlen(text), "test.mlir",
                                       &options, &program));
  expect_ok(jitrun_program_run(program, NULL, args, 2, NULL, 0, NULL));
  assert_int_equal(output[0], first);
  jitrun_program_release(program);
}

/// Memory that a call keeps, as its declaration says, is its own to the end.
static void test_kept(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @mix(memref<4xi32>, memref<4xi32>, memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.mix\"}\n"
      "func.func private @keep(memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.keep\", jitrun.keeps}\n"
      "func.func private @kept(memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.kept\"}\n"
      "func.func @main(%a: memref<4xi32>, %out: memref<4xi32>) {\n"
      "  %t = memref.alloc() : memref<4xi32>\n"
      "  %u = memref.alloc() : memref<4xi32>\n"
      "  call @mix(%a, %a, %t) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  call @keep(%t) : (memref<4xi32>) -> ()\n"
      "  call @mix(%a, %out, %u) : (memref<4xi32>, memref<4xi32>,\n"
      "                             memref<4xi32>) -> ()\n"
      "  call @kept(%out) : (memref<4xi32>) -> ()\n"
      "  return\n"
      "}\n";
  expect_output(text, JITRUN_EXECUTOR_JIT, 8);
  expect_output(text, JITRUN_EXECUTOR_THUNKS, 8);
}

/// Async work reads its memory later than what comes after it in the text.
static void test_async(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @sleep() attributes {\n"
      "  rt.custom_call = \"jitrun.sleep\", ms = 20 : i32}\n"
      "func.func private @mix(memref<4xi32>, memref<4xi32>, memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.mix\"}\n"
      "func.func @main(%a: memref<4xi32>, %out: memref<4xi32>) {\n"
      "  %t = memref.alloc() : memref<4xi32>\n"
      "  %u = memref.alloc() : memref<4xi32>\n"
      "  call @mix(%a, %a, %t) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  %token = async.execute {\n"
      "    func.call @sleep() : () -> ()\n"
      "    memref.copy %t, %out : memref<4xi32> to memref<4xi32>\n"
      "    async.yield\n"
      "  }\n"
      "  call @mix(%a, %a, %u) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  call @mix(%u, %u, %u) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  async.await %token : !async.token\n"
      "  return\n"
      "}\n";
  expect_output(text, JITRUN_EXECUTOR_JIT, 8);
}

/// A condition chooses memory, a block behind a branch uses it.
static void test_branches(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @mix(memref<4xi32>, memref<4xi32>, memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.mix\"}\n"
      "func.func @main(%a: memref<4xi32>, %out: memref<4xi32>) {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %t = memref.alloc() : memref<4xi32>\n"
      "  %u = memref.alloc() : memref<4xi32>\n"
      "  %w = memref.alloc() : memref<4xi32>\n"
      "  call @mix(%a, %a, %t) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  %x = memref.load %a[%c0] : memref<4xi32>\n"
      "  %one = arith.constant 1 : i32\n"
      "  %is = arith.cmpi eq, %x, %one : i32\n"
      "  %r = scf.if %is -> memref<4xi32> {\n"
      "    scf.yield %t : memref<4xi32>\n"
      "  } else {\n"
      "    scf.yield %a : memref<4xi32>\n"
      "  }\n"
      "  call @mix(%out, %out, %u) : (memref<4xi32>, memref<4xi32>,\n"
      "                               memref<4xi32>) -> ()\n"
      "  call @mix(%u, %r, %w) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  cf.br ^next\n"
      "^next:\n"
      "  call @mix(%r, %w, %out) : (memref<4xi32>, memref<4xi32>,\n"
      "                             memref<4xi32>) -> ()\n"
      "  return\n"
      "}\n";
  // t = 8, u = 4, w = 3 * 4 + 8 + 4 = 24, out = 3 * 8 + 24 + 4
  expect_output(text, JITRUN_EXECUTOR_JIT, 52);
}

/// Memory is followed through types without a rank.
static void test_unranked(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @mix(memref<4xi32>, memref<4xi32>, memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.mix\"}\n"
      "func.func @main(%a: memref<4xi32>, %out: memref<4xi32>) {\n"
      "  %t = memref.alloc() : memref<4xi32>\n"
      "  %u = memref.alloc() : memref<4xi32>\n"
      "  %w = memref.alloc() : memref<4xi32>\n"
      "  call @mix(%a, %a, %t) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  %q = memref.cast %t : memref<4xi32> to memref<*xi32>\n"
      "  call @mix(%out, %out, %u) : (memref<4xi32>, memref<4xi32>,\n"
      "                               memref<4xi32>) -> ()\n"
      "  %b = memref.cast %q : memref<*xi32> to memref<4xi32>\n"
      "  call @mix(%u, %b, %w) : (memref<4xi32>, memref<4xi32>,\n"
      "                           memref<4xi32>) -> ()\n"
      "  call @mix(%w, %w, %out) : (memref<4xi32>, memref<4xi32>,\n"
      "                             memref<4xi32>) -> ()\n"
      "  return\n"
      "}\n";
  // t = 8, u = 4, w = 3 * 4 + 8 + 4 = 24, out = 3 * 24 + 24 + 4
  expect_output(text, JITRUN_EXECUTOR_JIT, 100);
}

/// The sizes that a reshape reads are memory, too.
static void test_reshape(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @mix(memref<?xi32>, memref<4xi32>, memref<4xi32>)\n"
      "    attributes {rt.custom_call = \"test.mix\"}\n"
      "func.func @main(%a: memref<4xi32>, %out: memref<4xi32>) {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %two = arith.constant 2 : i32\n"
      "  %s = memref.alloc() : memref<1xi32>\n"
      "  %u = memref.alloc() : memref<4xi32>\n"
      "  memref.store %two, %s[%c0] : memref<1xi32>\n"
      "  %r = memref.reshape %a(%s) : (memref<4xi32>, memref<1xi32>) -> "
      "memref<?xi32>\n"
      "  linalg.fill ins(%two : i32) outs(%u : memref<4xi32>)\n"
      "  call @mix(%r, %u, %out) : (memref<?xi32>, memref<4xi32>,\n"
      "                             memref<4xi32>) -> ()\n"
      "  return\n"
      "}\n";
  // out = 3 * a + u + 4
  expect_output(text, JITRUN_EXECUTOR_JIT, 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_programs), cmocka_unit_test(test_kept),
      cmocka_unit_test(test_async),           cmocka_unit_test(test_branches),
      cmocka_unit_test(test_unranked),        cmocka_unit_test(test_reshape),
  };
  return cmocka_run_group_tests(tests, create_registry, release_registry);
}

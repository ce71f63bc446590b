/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening programs from images: handlers, signatures, stages, the choice of
/// the executor, and what a program says about itself.
#include "expect.h"
#include "sample_calls.h"

#include "base/alloc.h"
#include "jitrun/allocation.h"

#include <pthread.h>
#include <stdio.h>

/// What most tests begin with.
struct fixture {
  struct sample sample;
  jitrun_registry_t *registry;
};

static int set_up(void **state) {
  static struct fixture fixture;
  memset(&sample_calls, 0, sizeof sample_calls);
  expect_ok(build_sample(&fixture.sample));
  expect_ok(create_registry(&fixture.registry));
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *fixture = *state;
  jitrun_registry_release(fixture->registry);
  free(fixture->sample.image);
  return 0;
}

static void test_entries(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &program));
  assert_int_equal(jitrun_program_entry_count(program), 2);
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, NULL);
  assert_string_equal(entry->name, "main");
  assert_int_equal(entry->param_count, 3);
  assert_int_equal(entry->result_count, 2);
  assert_true(entry->params[1].is_output);
  assert_int_equal(entry->params[1].alignment, 16);
  assert_int_equal(entry->params[0].type->rank, 2);
  assert_null(jitrun_program_entry_find(program, "other"));
  assert_null(jitrun_program_entry_get(program, 2));
  assert_null(jitrun_program_thunks_refusal(program, entry));
  assert_string_equal(jitrun_program_thunks_refusal(
                          program, jitrun_program_entry_get(program, 1)),
                      "it returns a scalar");
  assert_false(jitrun_program_is_native(program));
  jitrun_program_retain(program);
  jitrun_program_release(program);
  jitrun_program_release(program);
  jitrun_program_release(NULL);
}

struct question {
  jitrun_program_t *program;
  size_t entry;
};

static void *ask(void *context) {
  const struct question *question = context;
  const jitrun_entry_t *entry =
      jitrun_program_entry_get(question->program, question->entry);
  return (void *)(uintptr_t)jitrun_entry_output(entry, 0);
}

/// Entries, and what they say of allocations, are found out when somebody asks,
/// once, by whichever thread, and without memory.
static void test_asking(void **state) {
  struct fixture *fixture = *state;
  struct question question;
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &question.program));
  const size_t counts[] = {3, 1};
  jr_alloc_fail_nth(1);
  for (question.entry = 0; question.entry < 2; question.entry++) {
    pthread_t threads[4];
    const void *output = NULL;
    for (size_t k = 0; k < 4; k++)
      assert_int_equal(pthread_create(&threads[k], NULL, ask, &question), 0);
    for (size_t k = 0; k < 4; k++) {
      void *found = NULL;
      assert_int_equal(pthread_join(threads[k], &found), 0);
      assert_true(output == NULL || output == found);
      output = found;
    }
    const jitrun_entry_t *entry =
        jitrun_program_entry_get(question.program, question.entry);
    assert_ptr_equal(jitrun_entry_output(entry, 0), output);
    assert_false(jitrun_entry_is_described(entry));
    assert_int_equal(jitrun_entry_output_count(entry), counts[question.entry]);
    assert_int_equal(jitrun_entry_input_count(entry), entry->param_count);
    for (uint32_t k = 0; k < entry->param_count; k++) {
      assert_int_equal(jitrun_entry_input(entry, k), k);
      assert_int_equal(jitrun_entry_allocation(entry, k)->number, k);
    }
  }
  assert_true(jr_alloc_fail_pending());
  jr_alloc_fail_nth(0);
  jitrun_program_release(question.program);
}

static void test_sites(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &program));
  assert_int_equal(jitrun_program_site_count(program), 4);
  assert_null(jitrun_program_site_get(program, 4));
  assert_null(jitrun_program_site_get(program, JITRUN_NO_SITE));
  const jitrun_site_t *site = jitrun_program_site_get(program, 0);
  assert_string_equal(site->target, "test.copy");
  assert_string_equal(site->file, "sample.mlir");
  assert_int_equal(site->line, 3);
  assert_int_equal(site->attr_count, 3);
  assert_string_equal(site->attrs[0].name, "alpha");
  assert_true(site->attrs[0].value.f64 == 0.5);
  assert_null(site->attrs[0].type_name);
  assert_string_equal(site->attrs[2].type_name, "sample.nested");
  assert_int_equal(site->attrs[2].value.items[0].count, 5);
  assert_string_equal(site->attrs[2].value.items[0].value.string, "hello");
  // As declared, which is another order.
  assert_string_equal(program->site_attrs[0][0].name, "beta");
  assert_string_equal(program->site_attrs[0][1].name, "alpha");
  jitrun_program_release(program);
}

static void test_missing_calls(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  jitrun_registry_t *empty;
  expect_ok(jitrun_registry_create(&empty));
  jitrun_error_t *err =
      open_sample(&fixture->sample, empty, JITRUN_EXECUTOR_AUTO, &program);
  assert_null(program);
  assert_string_equal(jitrun_error_location(err), "sample.mlir:3:5");
  // The target that two sites have is reported once.
  assert_int_equal(jitrun_error_note_count(err), 2);
  assert_non_null(strstr(jitrun_error_note_get(err, 0), "sample.mlir:4:5"));
  assert_non_null(strstr(jitrun_error_note_get(err, 0), "'test.note'"));
  assert_non_null(strstr(jitrun_error_note_get(err, 1), "'test.next'"));
  expect_error(err, JITRUN_NOT_FOUND, "'test.copy'");
  jitrun_registry_release(empty);
}

/// Opened only to look at, a program needs no calls, and is not run.
static void test_inspect_only(void **state) {
  struct fixture *fixture = *state;
  jitrun_registry_t *empty;
  jitrun_program_t *program;
  expect_ok(jitrun_registry_create(&empty));
  const jitrun_open_options_t options = {
      .size = sizeof options, .registry = empty, .inspect_only = true};
  expect_ok(
      jitrun_program_open_image(fixture->sample.image, &options, &program));
  jitrun_registry_release(empty);
  assert_string_equal(jitrun_program_site_get(program, 0)->target, "test.copy");
  const jitrun_entry_t *entry = jitrun_program_entry_get(program, 0);
  jitrun_tensor_t args[8] = {{0}};
  jitrun_error_t *err =
      jitrun_program_run(program, entry, args, entry->param_count, args,
                         entry->result_count, NULL);
  expect_error(err, JITRUN_FAILED_PRECONDITION, "only to look at");
  jitrun_program_release(program);

  expect_ok(jitrun_program_open_image(
      fixture->sample.image,
      &(jitrun_open_options_t){.size = sizeof(jitrun_open_options_t),
                               .registry = fixture->registry,
                               .inspect_only = true},
      &program));
  assert_int_equal(sample_calls.instantiated, 0);
  expect_ok(jr_program_check_calls(program, JR_CALLS_ALL));
  jitrun_program_release(program);
}

static void test_check_built_in(void **state) {
  struct fixture *fixture = *state;
  jitrun_registry_t *empty;
  jitrun_program_t *program;
  expect_ok(jitrun_registry_create(&empty));
  const jitrun_open_options_t options = {
      .size = sizeof options, .registry = empty, .inspect_only = true};
  expect_ok(
      jitrun_program_open_image(fixture->sample.image, &options, &program));
  expect_ok(jr_program_check_calls(program, JR_CALLS_BUILT_IN));
  expect_error(jr_program_check_calls(program, JR_CALLS_ALL), JITRUN_NOT_FOUND,
               "'test.copy'");
  jitrun_program_release(program);
  jitrun_registry_release(empty);
}

static void test_many_problems(void **state) {
  struct fixture *fixture = *state;
  struct jr_table_writer writer;
  struct sample sample;
  jitrun_program_t *program;
  write_sample(&writer);
  for (int i = 0; i < 100; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "missing.%d", i);
    const struct jr_site site = {.target = add_text(&writer, name),
                                 .first_arg = 9,
                                 .frame_bytes = 32,
                                 .flags = JR_SITE_STATIC};
    add_record(&writer, JR_SECTION_SITES, &site);
  }
  expect_ok(finish_sample(&writer, &sample));
  jitrun_error_t *err =
      open_sample(&sample, fixture->registry, JITRUN_EXECUTOR_AUTO, &program);
  assert_int_equal(jitrun_error_note_count(err), 16);
  assert_string_equal(jitrun_error_note_get(err, 15), "and 84 more");
  expect_error(err, JITRUN_NOT_FOUND, "'missing.0'");
  free(sample.image);
}

static void test_signature_mismatch(void **state) {
  (void)state;
  struct jr_table_writer writer;
  struct sample sample;
  jitrun_program_t *program;
  struct fixture *fixture = *state;
  write_sample(&writer);
  struct jr_attr *attr = jr_table_at(&writer, JR_SECTION_ATTRS, 0);
  attr->kind = JITRUN_ATTR_DICT;
  attr->dtype = 0;
  attr->value = 0;
  expect_ok(finish_sample(&writer, &sample));
  jitrun_error_t *err =
      open_sample(&sample, fixture->registry, JITRUN_EXECUTOR_AUTO, &program);
  assert_string_equal(jitrun_error_location(err), "sample.mlir:3:5");
  expect_error(err, JITRUN_INVALID_ARGUMENT, "alpha");
  assert_int_equal(sample_calls.instantiated, 0);
  free(sample.image);
}

static void test_stages(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &program));
  assert_int_equal(sample_calls.instantiated, 1);
  assert_int_equal(sample_calls.prepared, 0);
  assert_int_equal(sample_calls.destroyed, 0);
  jitrun_program_release(program);
  assert_int_equal(sample_calls.destroyed, 1);
}

static void test_instantiate_fails(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  sample_calls.fail_stage = "instantiate";
  jitrun_error_t *err = open_sample(&fixture->sample, fixture->registry,
                                    JITRUN_EXECUTOR_AUTO, &program);
  assert_null(program);
  assert_string_equal(jitrun_error_location(err), "sample.mlir:3:5");
  assert_string_equal(jitrun_error_note_get(err, 0),
                      "while instantiating custom call 'test.copy'");
  expect_error(err, JITRUN_ABORTED, "as asked");
  assert_int_equal(sample_calls.destroyed, 0);
}

static jitrun_error_t *do_nothing(struct jr_exec *exec) {
  (void)exec;
  return NULL;
}

static void test_executors(void **state) {
  struct fixture *fixture = *state;
  struct sample *sample = &fixture->sample;
  jitrun_registry_t *registry = fixture->registry;
  jitrun_program_t *program;
  expect_error(open_sample(sample, registry, JITRUN_EXECUTOR_JIT, &program),
               JITRUN_UNIMPLEMENTED, "no native code");
  set_code(sample, SAMPLE_MAIN, do_nothing);
  expect_error(open_sample(sample, registry, JITRUN_EXECUTOR_JIT, &program),
               JITRUN_UNIMPLEMENTED, "entry 'scalar' has no native code");
  set_code(sample, SAMPLE_SCALAR, do_nothing);
  for (int i = 0; i < 3; i++) {
    jitrun_executor_t executor = (jitrun_executor_t)i;
    expect_ok(open_sample(sample, registry, executor, &program));
    assert_int_equal(jitrun_program_is_native(program),
                     executor != JITRUN_EXECUTOR_THUNKS);
    jitrun_program_release(program);
  }
  struct jr_table_header *header = sample_header(sample);
  header->exec_version++;
  expect_error(open_sample(sample, registry, JITRUN_EXECUTOR_JIT, &program),
               JITRUN_FAILED_PRECONDITION, "of the native interface");
  header->exec_version--;
  header->machine = 8;
  expect_error(open_sample(sample, registry, JITRUN_EXECUTOR_JIT, &program),
               JITRUN_FAILED_PRECONDITION, "the code is for another machine");
  expect_ok(open_sample(sample, registry, JITRUN_EXECUTOR_AUTO, &program));
  assert_false(jitrun_program_is_native(program));
  jitrun_program_release(program);
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  jitrun_executor_t none = (jitrun_executor_t)7;
  expect_error(open_sample(sample, registry, none, &program),
               JITRUN_INVALID_ARGUMENT, "no executor 7");
}

static void test_missing_features(void **state) {
  struct fixture *fixture = *state;
  struct jr_table_writer writer;
  struct sample sample;
  jitrun_program_t *program;
  write_sample(&writer);
  writer.header.features = add_text(&writer, "sse2,+quantum,neon,imaginary");
  expect_ok(finish_sample(&writer, &sample));
  set_code(&sample, SAMPLE_MAIN, do_nothing);
  set_code(&sample, SAMPLE_SCALAR, do_nothing);
  expect_error(
      open_sample(&sample, fixture->registry, JITRUN_EXECUTOR_JIT, &program),
      JITRUN_FAILED_PRECONDITION, "quantum, ");
  expect_ok(
      open_sample(&sample, fixture->registry, JITRUN_EXECUTOR_AUTO, &program));
  assert_false(jitrun_program_is_native(program));
  jitrun_program_release(program);
  // Nothing is left when thunks cannot run any entry either.
  struct jr_table table;
  expect_ok(jr_table_check(sample.image, sample.size, &table));
  struct jr_entry *entries = (void *)(uintptr_t)table.entries;
  entries[SAMPLE_MAIN].thunks_refused = entries[SAMPLE_SCALAR].thunks_refused;
  jitrun_error_t *err =
      open_sample(&sample, fixture->registry, JITRUN_EXECUTOR_AUTO, &program);
  assert_string_equal(jitrun_error_note_get(err, 0),
                      "while thunks cannot run entry 'main': it returns a "
                      "scalar");
  expect_error(err, JITRUN_FAILED_PRECONDITION, "quantum");
  free(sample.image);
}

static void test_describe(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  char *text;
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &program));
  expect_ok(jitrun_program_describe(program, &text));
  assert_non_null(strstr(text, "\"native\": false"));
  assert_non_null(strstr(text, "\"entries\""));
  jitrun_text_free(text);
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_program_stats(program, &stats);
  assert_int_equal(stats.call_sites, 4);
  assert_int_equal(stats.data_bytes, fixture->sample.size);
  struct jr_bytes signature = {0};
  jr_entry_format(&signature, jitrun_program_entry_get(program, 0));
  assert_string_equal(jr_bytes_text(&signature),
                      "(2x3xi32, ?xf32, strides [?], i64) -> (2x3xi32, "
                      "2x3xi32)");
  jr_bytes_deinit(&signature);
  jitrun_program_release(program);
}

static void test_bad_images(void **state) {
  (void)state;
  jitrun_program_t *program;
  expect_error(jitrun_program_open_image(NULL, NULL, &program),
               JITRUN_INVALID_ARGUMENT, "NULL");
  _Alignas(64) static const unsigned char zeros[1024];
  expect_error(jitrun_program_open_image(zeros, NULL, &program),
               JITRUN_DATA_LOSS, "magic");
  expect_error(jitrun_program_open_image(zeros + 8, NULL, &program),
               JITRUN_INVALID_ARGUMENT, "aligned to 64");
  jitrun_open_options_t options = {0};
  expect_error(jitrun_program_open_image(zeros, &options, &program),
               JITRUN_INVALID_ARGUMENT, "size 0");
}

static void open_without_memory(void *context) {
  struct fixture *fixture = context;
  jitrun_program_t *program = NULL;
  char *text = NULL;
  jitrun_error_t *err = open_sample(&fixture->sample, fixture->registry,
                                    JITRUN_EXECUTOR_AUTO, &program);
  if (!err)
    err = jitrun_program_describe(program, &text);
  if (err)
    assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(err);
  jitrun_text_free(text);
  jitrun_program_release(program);
}

static void test_no_memory(void **state) {
  sweep_allocations(open_without_memory, *state);
  assert_int_equal(sample_calls.instantiated, sample_calls.destroyed + 1);
}

/// Programs of damaged images open, or do not.
static void test_flipped_bytes(void **state) {
  struct fixture *fixture = *state;
  for (size_t i = 0; i < fixture->sample.size; i++) {
    jitrun_program_t *program = NULL;
    fixture->sample.image[i] ^= 0x21;
    struct jr_image image = {.data = fixture->sample.image,
                             .size_bytes = fixture->sample.size};
    jitrun_open_options_t options = {.registry = fixture->registry,
                                     .executor = JITRUN_EXECUTOR_THUNKS};
    jitrun_error_free(jr_program_create(&image, &options, &program));
    jitrun_program_release(program);
    fixture->sample.image[i] ^= 0x21;
  }
}

#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_entries),       TEST(test_asking),
      TEST(test_sites),         TEST(test_missing_calls),
      TEST(test_inspect_only),  TEST(test_check_built_in),
      TEST(test_many_problems), TEST(test_signature_mismatch),
      TEST(test_stages),        TEST(test_instantiate_fails),
      TEST(test_executors),     TEST(test_missing_features),
      TEST(test_describe),      TEST(test_bad_images),
      TEST(test_no_memory),     TEST(test_flipped_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

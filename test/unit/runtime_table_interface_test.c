/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the arguments of an entry say of parameters, constants and outputs:
/// what is read, in which order, and every contradiction.
#include "sample_program.h"

#include "runtime/table_interface.h"

enum {
  OUTPUT = JR_PARAM_OUTPUT | JR_PARAM_PLACED,
  MUST = OUTPUT | JR_PARAM_MUST_ALIAS,
  MARKED = JR_PARAM_OUTPUT,
  CONSTANT = JR_PARAM_CONSTANT
};

/// An argument, a memref of bytes. Digits stand for the numbers of an index.
struct row {
  int64_t size_bytes; ///< 0: there is no more
  uint64_t number;    ///< as in the record
  const char *index, *output_index;
  uint64_t flags;
  const char *name;
};

enum { MOST_ROWS = 5 };

static uint64_t add_digits(struct jr_table_writer *writer, const char *digits,
                           uint32_t *out_count) {
  int64_t numbers[64] = {0};
  *out_count = digits ? (uint32_t)strlen(digits) : 0;
  for (uint32_t i = 0; i < *out_count; i++)
    numbers[i] = digits[i] == '-' ? -1 : digits[i] - '0';
  return jr_table_add_data(writer, numbers, *out_count * sizeof *numbers, 8);
}

static void add_row(struct jr_table_writer *writer, const struct row *row,
                    uint32_t index) {
  const int64_t extents[] = {row->size_bytes, 1};
  jr_type_ref_t type = add_buffer(writer, JITRUN_DTYPE_S8, 1, extents);
  struct jr_param param = {.type = type,
                           .alloc = index,
                           .alignment = 16,
                           .number = (uint32_t)row->number,
                           .flags = (uint32_t)row->flags,
                           .name =
                               add_text(writer, row->name ? row->name : "")};
  param.index = add_digits(writer, row->index, &param.index_count);
  param.output_index =
      add_digits(writer, row->output_index, &param.output_index_count);
  const struct jr_alloc alloc = {.kind = JR_ALLOC_PARAM,
                                 .param = index,
                                 .size_bytes = (uint64_t)row->size_bytes,
                                 .alignment = 16,
                                 .type = type};
  add_record(writer, JR_SECTION_PARAMS, &param);
  add_record(writer, JR_SECTION_ALLOCS, &alloc);
}

static void write_rows(struct jr_table_writer *writer,
                       const struct row rows[MOST_ROWS], const char *shape) {
  uint32_t count = 0;
  jr_table_writer_init(writer);
  for (; count < MOST_ROWS && rows[count].size_bytes > 0; count++)
    add_row(writer, &rows[count], count);
  const struct jr_entry entry = {.name = add_text(writer, "main"),
                                 .param_count = count,
                                 .result_shape =
                                     add_text(writer, shape ? shape : "")};
  add_record(writer, JR_SECTION_ENTRIES, &entry);
}

struct refused {
  const char *part, *shape;
  struct row rows[MOST_ROWS];
};

static const struct refused refusals[] = {
    {"argument 0 is a parameter and a constant",
     NULL,
     {{8, 1, NULL, NULL, CONSTANT, "c"}}},
    {"argument 0 is an output and a constant",
     NULL,
     {{8, 0, NULL, "", CONSTANT | OUTPUT, "c"}}},
    {"argument 0 is a constant without a name",
     NULL,
     {{8, 0, NULL, NULL, CONSTANT, NULL}}},
    {"argument 0 is part of a parameter, and does not say of which one",
     NULL,
     {{8, 0, "1", NULL, 0, NULL}}},
    {"argument 0 is of a parameter whose number is over 2^31",
     NULL,
     {{8, UINT32_MAX, NULL, NULL, 0, NULL}}},
    {"argument 0 has an output's index and is no output",
     NULL,
     {{8, 1, NULL, "0", JR_PARAM_PLACED, NULL}}},
    {"argument 0 must alias an output and is none",
     NULL,
     {{8, 1, NULL, NULL, JR_PARAM_MUST_ALIAS, NULL}}},
    {"argument 1 must alias an output and is no parameter",
     NULL,
     {{8, 1, NULL, NULL, 0, NULL}, {8, 0, NULL, "", MUST, NULL}}},
    {"argument 1 is an output and does not say which one",
     NULL,
     {{8, 1, NULL, NULL, 0, NULL}, {8, 0, NULL, NULL, MARKED, NULL}}},
    {"argument 0 has an index with numbers below 0",
     NULL,
     {{8, 1, "-", NULL, 0, NULL}}},
    {"argument 0 has an index of over 32 numbers",
     NULL,
     {{8, 1, "000000000000000000000000000000000", NULL, 0, NULL}}},
    {"1 of 2 outputs say which one they are: all have to, or none",
     NULL,
     {{8, 0, NULL, "0", OUTPUT, NULL}, {8, 0, NULL, NULL, MARKED, NULL}}},
    // Places of parameters.
    {"no argument is index {} of parameter 0",
     NULL,
     {{8, 2, NULL, NULL, 0, NULL}}},
    {"no argument is index {} of parameter 1",
     NULL,
     {{8, 1, NULL, NULL, 0, NULL}, {8, 3, NULL, NULL, 0, NULL}}},
    {"no argument is index {0} of parameter 0",
     NULL,
     {{8, 1, "1", NULL, 0, NULL}}},
    {"no argument is index {1} of parameter 0",
     NULL,
     {{8, 1, "0", NULL, 0, NULL}, {8, 1, "2", NULL, 0, NULL}}},
    {"no argument is index {1,0} of parameter 0",
     NULL,
     {{8, 1, "0", NULL, 0, NULL}, {8, 1, "11", NULL, 0, NULL}}},
    {"no argument is index {0} of parameter 1",
     NULL,
     {{8, 1, NULL, NULL, 0, NULL}, {8, 2, "1", NULL, 0, NULL}}},
    {"argument 2 is index {1} of parameter 0, and so is argument 0",
     NULL,
     {{8, 1, "1", NULL, 0, NULL},
      {8, 1, "0", NULL, 0, NULL},
      {8, 1, "1", NULL, 0, NULL}}},
    // Places of outputs.
    {"no argument is output {0}",
     NULL,
     {{8, 1, NULL, NULL, 0, NULL}, {8, 0, NULL, "1", OUTPUT, NULL}}},
    {"no argument is output {1}",
     NULL,
     {{8, 1, NULL, "2", OUTPUT, NULL}, {8, 0, NULL, "0", OUTPUT, NULL}}},
    {"argument 1 is output {0}, and so is argument 0",
     NULL,
     {{8, 1, NULL, "0", OUTPUT, NULL}, {8, 0, NULL, "0", OUTPUT, NULL}}},
    {"argument 1 is output {}, and so is argument 0",
     "u8[8]",
     {{8, 1, NULL, "", OUTPUT, NULL}, {8, 0, NULL, "", OUTPUT, NULL}}},
    // What the shape says.
    {"no argument is output {1}, which the result's shape has as 2xf32",
     "(u8[8], f32[2])",
     {{8, 1, NULL, "0", OUTPUT, NULL}}},
    {"no argument is output {0}, which the result's shape has as 8xui8",
     "(u8[8], f32[2])",
     {{8, 1, NULL, "1", OUTPUT, NULL}}},
    {"no argument is output {}, which the result's shape has as f32",
     "f32[]",
     {{8, 1, NULL, NULL, 0, NULL}}},
    {"argument 0 is output {2}, which the result's shape does not have",
     "(u8[8], ())",
     {{8, 1, NULL, "2", OUTPUT, NULL}, {8, 0, NULL, "0", OUTPUT, NULL}}},
    {"no argument is output {0}, which",
     "(u8[8])",
     {{8, 1, NULL, "00", OUTPUT, NULL}}},
    {"argument 0 is output {0}, which takes 12 bytes, and has 8",
     "(f32[3])",
     {{8, 1, NULL, "0", OUTPUT, NULL}}},
    {"the shape 'f33[]' cannot be read at column 1",
     "f33[]",
     {{8, 1, NULL, NULL, 0, NULL}}},
};

static void test_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    struct jr_table_writer writer;
    struct sample sample;
    struct jr_table table;
    write_rows(&writer, refusals[i].rows, refusals[i].shape);
    expect_ok(finish_sample(&writer, &sample));
    expect_error(jr_table_check(sample.image, sample.size, &table),
                 JITRUN_DATA_LOSS, refusals[i].part);
    free(sample.image);
  }
}

static void test_outside_of_the_data(void **state) {
  (void)state;
  static const uint64_t offsets[] = {1, 8, UINT64_MAX - 7};
  for (size_t i = 0; i < 3; i++) {
    static const struct row rows[MOST_ROWS] = {{8, 1, "0", NULL, 0, NULL}};
    struct jr_table_writer writer;
    struct sample sample;
    struct jr_table table;
    write_rows(&writer, rows, NULL);
    struct jr_param *param = jr_table_at(&writer, JR_SECTION_PARAMS, 0);
    param->index = offsets[i];
    expect_ok(finish_sample(&writer, &sample));
    expect_error(jr_table_check(sample.image, sample.size, &table),
                 JITRUN_DATA_LOSS, "has an index outside of the data");
    free(sample.image);
  }
}

/// Results, and a parameter that is no memref.
static void test_other_values(void **state) {
  (void)state;
  static const struct row rows[MOST_ROWS] = {{8, 1, NULL, NULL, 0, NULL},
                                             {8, 2, NULL, NULL, 0, NULL}};
  struct jr_arena arena = {0};
  struct jr_interface interface;
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_rows(&writer, rows, NULL);
  expect_ok(finish_sample(&writer, &sample));
  assert_non_null(sample.image);
  if (!sample.image) // for who does not know that this ends the test
    return;
  expect_ok(jr_table_check(sample.image, sample.size, &table));
  struct jr_entry *entry =
      (struct jr_entry *)(void *)(sample.image +
                                  table.header->sections[JR_SECTION_ENTRIES]
                                      .offset);
  entry->param_count = 1;
  entry->result_count = 1;
  expect_error(jr_interface_read(&table, 0, &arena, &interface),
               JITRUN_INVALID_ARGUMENT,
               "the entry returns 1 results, and arguments of it are");
  entry->param_count = 2;
  entry->result_count = 0;
  struct jr_param *params =
      (struct jr_param *)(void *)(sample.image +
                                  table.header->sections[JR_SECTION_PARAMS]
                                      .offset);
  params[1].alloc = JR_NONE;
  expect_error(jr_interface_read(&table, 0, &arena, &interface),
               JITRUN_INVALID_ARGUMENT,
               "argument 1 is no memref of static shape");
  jr_arena_deinit(&arena);
  free(sample.image);
}

static void read_rows(const struct row rows[MOST_ROWS], const char *shape,
                      struct sample *sample, struct jr_table *table,
                      struct jr_arena *arena, struct jr_interface *interface) {
  struct jr_table_writer writer;
  write_rows(&writer, rows, shape);
  expect_ok(finish_sample(&writer, sample));
  expect_ok(jr_table_check(sample->image, sample->size, table));
  expect_ok(jr_interface_read(table, 0, arena, interface));
}

/// Whatever order the arguments stand in.
static void test_described(void **state) {
  (void)state;
  static const struct row rows[MOST_ROWS] = {
      {8, 0, NULL, "11", OUTPUT, NULL},
      {16, 2, NULL, NULL, 0, NULL},
      {12, 1, "1", "0", MUST, NULL},
      {4, 0, NULL, NULL, CONSTANT, "weights"},
      {4, 1, "0", "10", OUTPUT | JR_PARAM_UNUSED, NULL}};
  struct jr_arena arena = {0};
  struct jr_interface interface;
  struct sample sample;
  struct jr_table table;
  read_rows(rows, "(f32[3]{0}, (s32[], c64[1], ()), token[])", &sample, &table,
            &arena, &interface);
  assert_true(interface.is_described);
  static const jitrun_allocation_kind_t kinds[] = {
      JITRUN_ALLOCATION_LIVE_OUT, JITRUN_ALLOCATION_PARAMETER,
      JITRUN_ALLOCATION_PARAMETER, JITRUN_ALLOCATION_CONSTANT,
      JITRUN_ALLOCATION_PARAMETER};
  static const jitrun_alias_t aliases[] = {JITRUN_ALIAS_NONE, JITRUN_ALIAS_NONE,
                                           JITRUN_ALIAS_MUST, JITRUN_ALIAS_NONE,
                                           JITRUN_ALIAS_MAY};
  for (uint32_t i = 0; i < MOST_ROWS; i++) {
    assert_int_equal(interface.allocations[i].kind, kinds[i]);
    assert_int_equal(interface.allocations[i].alias, aliases[i]);
    assert_int_equal(interface.allocations[i].size_bytes, rows[i].size_bytes);
    assert_int_equal(interface.allocations[i].alignment, 16);
    assert_int_equal(interface.allocations[i].is_unused, i == 4);
  }
  assert_string_equal(interface.allocations[3].name, "weights");
  static const uint32_t inputs[] = {4, 2, 1};
  assert_int_equal(interface.input_count, 3);
  assert_memory_equal(interface.inputs, inputs, sizeof inputs);
  static const uint32_t outputs[] = {2, 4, 0};
  static const uint8_t dtypes[] = {JITRUN_DTYPE_F32, JITRUN_DTYPE_S32,
                                   JITRUN_DTYPE_C64};
  assert_int_equal(interface.output_count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(interface.outputs[i].index, outputs[i]);
    assert_int_equal(interface.outputs[i].type->dtype, dtypes[i]);
  }
  assert_int_equal(interface.outputs[2].shape_index_count, 2);
  assert_int_equal(interface.outputs[2].shape_index[1], 1);
  jr_arena_deinit(&arena);
  free(sample.image);
}

/// A tuple's own memory holds nothing that anybody gives or gets; without a
/// shape, an index that others begin with is one.
static void test_tables_of_tuples(void **state) {
  (void)state;
  static const struct row rows[MOST_ROWS] = {{16, 1, NULL, NULL, 0, NULL},
                                             {8, 1, "0", "0", OUTPUT, NULL},
                                             {4, 1, "1", NULL, 0, NULL},
                                             {16, 0, NULL, "", OUTPUT, NULL},
                                             {4, 0, NULL, "1", OUTPUT, NULL}};
  static const char *const shapes[] = {NULL, "(u8[8], f32[])"};
  for (size_t i = 0; i < 2; i++) {
    struct jr_arena arena = {0};
    struct jr_interface interface;
    struct sample sample;
    struct jr_table table;
    read_rows(rows, shapes[i], &sample, &table, &arena, &interface);
    assert_int_equal(interface.allocations[0].kind, JITRUN_ALLOCATION_TUPLE);
    assert_int_equal(interface.allocations[3].kind, JITRUN_ALLOCATION_TUPLE);
    assert_int_equal(interface.input_count, 2);
    assert_int_equal(interface.output_count, 2);
    assert_int_equal(interface.outputs[0].index, 1);
    assert_int_equal(interface.outputs[1].index, 4);
    jr_arena_deinit(&arena);
    free(sample.image);
  }
}

/// Without anything said, all arguments are given as they are.
static void test_plain(void **state) {
  (void)state;
  static const struct row all[MOST_ROWS] = {{8, 0, NULL, NULL, 0, NULL},
                                            {8, 0, NULL, NULL, 0, NULL}};
  static const struct row marked[MOST_ROWS] = {
      {8, 0, NULL, NULL, MARKED, NULL},
      {8, 0, NULL, NULL, 0, NULL},
      {8, 0, NULL, NULL, MARKED, NULL}};
  static const struct row placed[MOST_ROWS] = {{8, 0, NULL, "1", OUTPUT, NULL},
                                               {8, 0, NULL, NULL, 0, NULL},
                                               {8, 0, NULL, "0", OUTPUT, NULL}};
  static const struct {
    const struct row *rows;
    uint32_t inputs, outputs[2];
  } cases[] = {{all, 2, {0, 1}}, {marked, 3, {0, 2}}, {placed, 3, {2, 0}}};
  for (size_t i = 0; i < 3; i++) {
    struct jr_arena arena = {0};
    struct jr_interface interface;
    struct sample sample;
    struct jr_table table;
    read_rows(cases[i].rows, NULL, &sample, &table, &arena, &interface);
    assert_false(interface.is_described);
    assert_int_equal(interface.input_count, cases[i].inputs);
    assert_int_equal(interface.output_count, 2);
    for (uint32_t k = 0; k < 2; k++) {
      assert_int_equal(interface.outputs[k].index, cases[i].outputs[k]);
      assert_int_equal(interface.outputs[k].shape_index[0], k);
    }
    jr_arena_deinit(&arena);
    free(sample.image);
  }
}

static void try_read(void *context) {
  struct sample *sample = context;
  struct jr_table table;
  jitrun_error_t *error = jr_table_check(sample->image, sample->size, &table);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
}

static void test_no_memory(void **state) {
  (void)state;
  static const struct row rows[MOST_ROWS] = {{8, 1, NULL, "0", OUTPUT, NULL}};
  struct jr_table_writer writer;
  struct sample sample;
  write_rows(&writer, rows, "(u8[8])");
  expect_ok(finish_sample(&writer, &sample));
  sweep_allocations(try_read, &sample);
  free(sample.image);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_outside_of_the_data),
                                     cmocka_unit_test(test_other_values),
                                     cmocka_unit_test(test_described),
                                     cmocka_unit_test(test_tables_of_tuples),
                                     cmocka_unit_test(test_plain),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks with registers: what is computed, and that a damaged list of them is
/// told. That they do what code does is for lit.
#include "runtime/table_check.h"
#include "runtime/thunk_ops.h"
#include "sample_program.h"

static void test_compute(void **state) {
  (void)state;
  static const struct {
    uint32_t op, bits;
    uint64_t a, b, expected;
  } cases[] = {
      {JR_OP_ADD, 8, 255, 2, 257},
      {JR_OP_SUB, 64, 0, 1, UINT64_MAX},
      {JR_OP_MUL, 64, UINT64_MAX, 2, UINT64_MAX - 1},
      {JR_OP_DIV_S, 8, 0x80, 0xff, 0x80},
      {JR_OP_DIV_S, 8, 0xf9, 2, (uint64_t)-3},
      {JR_OP_DIV_U, 8, 0xf9, 2, 124},
      {JR_OP_REM_S, 64, UINT64_C(1) << 63, UINT64_MAX, 0},
      {JR_OP_REM_S, 16, 0xfff9, 4, (uint64_t)-3},
      {JR_OP_REM_U, 16, 0xfff9, 4, 1},
      {JR_OP_CEIL_DIV_S, 32, 7, 2, 4},
      {JR_OP_CEIL_DIV_S, 32, 0xfffffff9, 2, (uint64_t)-3},
      {JR_OP_CEIL_DIV_U, 32, 0xfffffff9, 2, 0x7ffffffd},
      {JR_OP_FLOOR_DIV_S, 32, 0xfffffff9, 2, (uint64_t)-4},
      {JR_OP_FLOOR_DIV_S, 32, 7, 0xfffffffe, (uint64_t)-4},
      {JR_OP_SHL, 8, 1, 8, 0},
      {JR_OP_SHR_S, 8, 0x80, 9, UINT64_MAX},
      {JR_OP_SHR_U, 8, 0x80, 7, 1},
      {JR_OP_MIN_S, 8, 0x80, 1, 0x80},
      {JR_OP_MIN_U, 8, 0x80, 1, 1},
      {JR_OP_MAX_S, 8, 0x80, 1, 1},
      {JR_OP_MAX_U, 8, 0x80, 1, 0x80},
      {JR_OP_LT_S, 1, 1, 0, 1},
      {JR_OP_LT_U, 1, 1, 0, 0},
      {JR_OP_GE_S, 64, UINT64_MAX, 0, 0},
      {JR_OP_GE_U, 64, UINT64_MAX, 0, 1},
      {JR_OP_EXTEND_S, 1, 1, 1, UINT64_MAX},
      {JR_OP_EXTEND_U, 1, 1, 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint64_t operands[] = {cases[i].a, cases[i].b};
    uint64_t value = 0;
    assert_true(jr_thunk_compute(cases[i].op, cases[i].bits, operands, &value));
    assert_true(value == cases[i].expected);
  }
  for (uint32_t op = JR_OP_DIV_S; op <= JR_OP_FLOOR_DIV_S; op++) {
    const uint64_t operands[] = {1, 0};
    uint64_t value = 0;
    assert_false(jr_thunk_compute(op, 32, operands, &value));
  }
}

/// Registers of the program below.
enum { NUMBER, FLAG, MATRIX, INDEX, ELEMENT, REGISTER_COUNT };

/// After the sample's one thunk, which runs its calls.
static const struct jr_thunk added[] = {
    {JR_THUNK_SET, NUMBER, .bits = 5},
    {JR_THUNK_SET, FLAG, .bits = 1},
    {JR_THUNK_ADDRESS, MATRIX, .first = SAMPLE_ALLOC_A},
    {JR_THUNK_PARAM, INDEX, .from = SAMPLE_N},
    {JR_THUNK_FOR, INDEX, .a = INDEX, .b = INDEX, .c = INDEX, .d = 2}, // 5
    {JR_THUNK_SLICE, ELEMENT, .a = MATRIX, .b = INDEX},
    {JR_THUNK_LOAD, NUMBER, .a = ELEMENT},
    {JR_THUNK_CASE, FLAG, .c = 2, .d = 3}, // 8
    {JR_THUNK_BRANCH, 0, .bits = 1, .d = 1},
    {JR_THUNK_STORE, NUMBER, .a = ELEMENT}, // 10
    {JR_THUNK_BRANCH, 0, .c = 1},
    {JR_THUNK_COMPUTE, FLAG, .a = NUMBER, .b = NUMBER, .c = JR_OP_LT_S},
    {JR_THUNK_WHILE, FLAG, .c = 1, .d = 1}, // 13
    {JR_THUNK_SET, FLAG, .bits = 0},
    {JR_THUNK_CALL, 0, .a = 0}, // 15
    {JR_THUNK_FILL, MATRIX, .a = NUMBER},
    {JR_THUNK_COPY, MATRIX, .a = MATRIX},
    {JR_THUNK_SELECT, NUMBER, .a = FLAG, .b = NUMBER, .c = NUMBER}, // 18
    {JR_THUNK_ASSERT, FLAG, .a = 0},
    {JR_THUNK_MOVE, NUMBER, .a = NUMBER}, // 20: the first computation
    {JR_THUNK_CALL, 0, .a = 1},
    {JR_THUNK_MOVE, NUMBER, .a = NUMBER}, // 22: the second one
};

static void write_nests(struct jr_table_writer *writer) {
  write_sample(writer);
  const struct jr_register registers[REGISTER_COUNT] = {
      [NUMBER] = {.type = add_scalar(writer, JITRUN_DTYPE_S32)},
      [FLAG] = {.type = add_scalar(writer, JITRUN_DTYPE_PRED)},
      [MATRIX] = {.type =
                      add_buffer(writer, JITRUN_DTYPE_S32, 2, sample_matrix)},
      [INDEX] = {.type = add_scalar(writer, JITRUN_DTYPE_S64)},
      [ELEMENT] = {.type = add_buffer(writer, JITRUN_DTYPE_S32, 0, NULL)},
  };
  const struct jr_computation computations[] = {
      {.name = add_text(writer, "outer"), .first_thunk = 20, .thunk_count = 2},
      {.name = add_text(writer, "inner"), .first_thunk = 22, .thunk_count = 1}};
  for (size_t i = 0; i < REGISTER_COUNT; i++)
    add_record(writer, JR_SECTION_REGISTERS, &registers[i]);
  for (size_t i = 0; i < sizeof added / sizeof added[0]; i++)
    add_record(writer, JR_SECTION_THUNKS, &added[i]);
  for (size_t i = 0; i < 2; i++)
    add_record(writer, JR_SECTION_COMPUTATIONS, &computations[i]);
  struct jr_entry *entry = jr_table_at(writer, JR_SECTION_ENTRIES, SAMPLE_MAIN);
  entry->thunk_count = 20;
}

struct damage {
  enum jr_section_kind section;
  uint32_t index;
  size_t offset, size;
  uint64_t value;
  const char *part;
};

#define DAMAGE(section, index, record, field, value, part)                     \
  {JR_SECTION_##section,                                                       \
   index,                                                                      \
   offsetof(struct record, field),                                             \
   sizeof(((struct record *)0)->field),                                        \
   value,                                                                      \
   part}

static const struct damage damages[] = {
    DAMAGE(REGISTERS, NUMBER, jr_register, type, UINT32_MAX, "register 0"),
    DAMAGE(THUNKS, 1, jr_thunk, kind, 0, "can stand there"),
    DAMAGE(THUNKS, 1, jr_thunk, kind, JR_THUNK_ASSERT + 1, "that is known"),
    DAMAGE(THUNKS, 1, jr_thunk, kind, JR_THUNK_BRANCH, "can stand there"),
    DAMAGE(THUNKS, 1, jr_thunk, target, REGISTER_COUNT, "is not there"),
    DAMAGE(THUNKS, 1, jr_thunk, target, MATRIX, "uses what is not there"),
    DAMAGE(THUNKS, 2, jr_thunk, bits, 2, "uses what is not there"),
    DAMAGE(THUNKS, 3, jr_thunk, a, SAMPLE_ALLOC_B, "uses what is not there"),
    DAMAGE(THUNKS, 3, jr_thunk, a, 99, "uses what is not there"),
    DAMAGE(THUNKS, 3, jr_thunk, count, 4, "uses what is not there"),
    DAMAGE(THUNKS, 4, jr_thunk, from, SAMPLE_X, "uses what is not there"),
    DAMAGE(THUNKS, 5, jr_thunk, a, NUMBER, "is controlled by"),
    DAMAGE(THUNKS, 5, jr_thunk, d, 99, "does not end in time"),
    DAMAGE(THUNKS, 5, jr_thunk, d, 4, "does not end in time"),
    DAMAGE(THUNKS, 6, jr_thunk, b, NUMBER, "uses what is not there"),
    DAMAGE(THUNKS, 7, jr_thunk, a, INDEX, "uses what is not there"),
    DAMAGE(THUNKS, 7, jr_thunk, target, INDEX, "uses what is not there"),
    DAMAGE(THUNKS, 8, jr_thunk, target, MATRIX, "is controlled by"),
    DAMAGE(THUNKS, 8, jr_thunk, c, 3, "other branches"),
    DAMAGE(THUNKS, 8, jr_thunk, c, 1, "other branches"),
    DAMAGE(THUNKS, 9, jr_thunk, c, 1, "other branches"),
    DAMAGE(THUNKS, 9, jr_thunk, d, 3, "other branches"),
    DAMAGE(THUNKS, 12, jr_thunk, c, 0, "uses what is not there"),
    DAMAGE(THUNKS, 12, jr_thunk, c, JR_OP_ADD, "uses what is not there"),
    DAMAGE(THUNKS, 12, jr_thunk, c, JR_OP_EXTEND_U + 1, "what is not there"),
    DAMAGE(THUNKS, 12, jr_thunk, b, INDEX, "uses what is not there"),
    DAMAGE(THUNKS, 13, jr_thunk, c, 2, "is controlled by"),
    DAMAGE(THUNKS, 13, jr_thunk, target, NUMBER, "is controlled by"),
    DAMAGE(THUNKS, 15, jr_thunk, a, 2, "calls no computation"),
    DAMAGE(THUNKS, 16, jr_thunk, a, INDEX, "uses what is not there"),
    DAMAGE(THUNKS, 17, jr_thunk, a, ELEMENT, "uses what is not there"),
    DAMAGE(THUNKS, 18, jr_thunk, c, INDEX, "uses what is not there"),
    DAMAGE(THUNKS, 19, jr_thunk, a, 9, "uses what is not there"),
    DAMAGE(THUNKS, 20, jr_thunk, a, INDEX, "of computation 0"),
    DAMAGE(THUNKS, 21, jr_thunk, a, 0, "calls no computation"),
    DAMAGE(COMPUTATIONS, 0, jr_computation, first_thunk, 19, "computation 0"),
    DAMAGE(COMPUTATIONS, 1, jr_computation, thunk_count, 2, "thunks"),
    DAMAGE(COMPUTATIONS, 1, jr_computation, name, UINT32_MAX, "computation 1"),
};

static jitrun_error_t *check_nests(const struct damage *damage) {
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_nests(&writer);
  if (damage) {
    unsigned char *record =
        jr_table_at(&writer, damage->section, damage->index);
    memcpy(record + damage->offset, &damage->value, damage->size);
  }
  jitrun_error_t *err = finish_sample(&writer, &sample);
  if (!err)
    err = jr_table_check(sample.image, sample.size, &table);
  if (!err)
    jr_table_close(&table);
  free(sample.image);
  return err;
}

static void test_damaged_nests(void **state) {
  (void)state;
  expect_ok(check_nests(NULL));
  for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++)
    expect_error(check_nests(&damages[i]), JITRUN_DATA_LOSS, damages[i].part);
}

/// A chain of loops, each in the one before: `count` deep.
static jitrun_error_t *check_deep(uint32_t count) {
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_sample(&writer);
  const struct jr_register flag = {add_scalar(&writer, JITRUN_DTYPE_PRED), 0};
  add_record(&writer, JR_SECTION_REGISTERS, &flag);
  for (uint32_t i = count; i-- > 0;) {
    const struct jr_thunk nest = {JR_THUNK_WHILE, 0, .d = i};
    add_record(&writer, JR_SECTION_THUNKS, &nest);
  }
  struct jr_entry *entry =
      jr_table_at(&writer, JR_SECTION_ENTRIES, SAMPLE_MAIN);
  entry->thunk_count += count;
  jitrun_error_t *err = finish_sample(&writer, &sample);
  if (!err)
    err = jr_table_check(sample.image, sample.size, &table);
  if (!err)
    jr_table_close(&table);
  free(sample.image);
  return err;
}

static void test_depth(void **state) {
  (void)state;
  expect_ok(check_deep(JR_TABLE_MAX_NEST));
  expect_error(check_deep(JR_TABLE_MAX_NEST + 1), JITRUN_DATA_LOSS,
               "is nested too deep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compute),
      cmocka_unit_test(test_damaged_nests),
      cmocka_unit_test(test_depth),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

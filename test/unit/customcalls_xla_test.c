/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// XLA's calls on the host: gemm against the definition, over dimension
/// numbers, layouts and types; fills by the byte; where memory is short.
#include "fake_call.h"

#include "base/dtype.h"
#include "base/numbers.h"

#include <stdio.h>

#define ROOM 4096

enum { MAX_RANK = 6 };

/// An operand: sizes by the letters of its dimensions, laid out so that each
/// group of letters stays together, with gaps where `pad` is set.
struct operand {
  const char *letters;
  int64_t dims[MAX_RANK], strides[MAX_RANK];
  jitrun_dtype_t dtype;
  _Alignas(8) char data[ROOM * 8];
};

static struct operand lhs, rhs, out, before;

/// Sizes of the letters: b and c are the batch, k and l are summed over, m and
/// n are rows, p and q columns.
static int64_t size_of(char letter) {
  static const char letters[] = "bcklmnpq";
  static const int64_t sizes[] = {2, 3, 4, 2, 3, 2, 2, 3};
  return sizes[strchr(letters, letter) - letters];
}

/// `order` lists the letters from the slowest to the fastest in memory.
static void lay_out(struct operand *operand, const char *letters,
                    const char *order, int64_t step) {
  operand->letters = letters;
  for (size_t i = strlen(order); i-- > 0;) {
    size_t at = (size_t)(strchr(letters, order[i]) - letters);
    operand->dims[at] = size_of(order[i]);
    operand->strides[at] = step;
    step *= operand->dims[at];
  }
}

static void fill(struct operand *operand, jitrun_dtype_t dtype, int seed) {
  operand->dtype = dtype;
  for (int i = 0; i < ROOM; i++) {
    struct jr_number number = {.kind = JR_NUMBER_REAL,
                               .real = (i * 7 + seed) % 11 - 5};
    assert_true(jr_element_write(
        dtype, number, operand->data + (size_t)i * jr_dtype_size(dtype)));
  }
}

/// The element at the place that `index` gives each letter, by its character.
static void *find_element(struct operand *operand, const int64_t *index) {
  int64_t offset = 0;
  for (size_t i = 0; operand->letters[i]; i++)
    offset += index[(int)operand->letters[i]] * operand->strides[i];
  return operand->data + (size_t)offset * jr_dtype_size(operand->dtype);
}

static double read_element(struct operand *operand, const int64_t *index) {
  return jr_element_to_f64(operand->dtype, find_element(operand, index));
}

/// Next place of the letters; false past the last.
static bool next_index(const char *letters, int64_t *index) {
  for (size_t i = strlen(letters); i-- > 0;) {
    if (++index[(int)letters[i]] < size_of(letters[i]))
      return true;
    index[(int)letters[i]] = 0;
  }
  return false;
}

/// Compares out with alpha * lhs * rhs + beta * before.
static void check_product(const char *summed, double alpha, double beta) {
  int64_t index[128] = {0};
  do {
    double sum = 0;
    do
      sum += read_element(&lhs, index) * read_element(&rhs, index);
    while (next_index(summed, index));
    double old = beta != 0 ? read_element(&before, index) : 0;
    double expected = alpha * sum + beta * old;
    double found = read_element(&out, index);
    if (found != expected)
      fail_msg("%s x %s -> %s: %g, expected %g", lhs.letters, rhs.letters,
               out.letters, found, expected);
  } while (next_index(out.letters, index));
}

/// Dimension numbers of the letters, in `room`.
static jitrun_attr_t make_dims(const char *name, const char *letters,
                               const char *wanted, int64_t *room) {
  uint64_t count = strlen(wanted);
  for (uint64_t i = 0; i < count; i++)
    room[i] = strchr(letters, wanted[i]) - letters;
  return (jitrun_attr_t){.name = name,
                         .kind = JITRUN_ATTR_ARRAY,
                         .dtype = JITRUN_DTYPE_S64,
                         .count = count,
                         .value = {.data = room}};
}

struct problem {
  const char *lhs, *lhs_order, *rhs, *rhs_order, *out, *out_order;
  const char *batch, *summed;
  int64_t step;
};

static const struct problem problems[] = {
    {"mk", "mk", "kp", "kp", "mp", "mp", "", "k", 1},
    {"mk", "km", "kp", "pk", "mp", "pm", "", "k", 1},
    {"mk", "mk", "kp", "kp", "mp", "mp", "", "k", 2},
    {"km", "km", "pk", "pk", "mp", "pm", "", "k", 3},
    {"bmk", "bmk", "bkp", "bkp", "bmp", "bmp", "b", "k", 1},
    {"kbm", "bkm", "pkb", "bpk", "bmp", "mpb", "b", "k", 1},
    {"bcmk", "cbmk", "kpcb", "bckp", "bcmp", "bmpc", "bc", "k", 1},
    {"mnk", "mnk", "pqk", "kpq", "mnpq", "mnpq", "", "k", 1},
    {"klmn", "klmn", "pklq", "pqkl", "mnpq", "mnpq", "", "kl", 1},
    {"lk", "lk", "kl", "lk", "", "", "", "lk", 1},
    {"m", "m", "p", "p", "mp", "mp", "", "", 1},
    {"k", "k", "k", "k", "", "", "", "k", 2},
    {"bm", "bm", "bp", "bp", "bmp", "bmp", "b", "", 1},
};

static void add_operand(struct fake_call *fake, struct operand *operand) {
  fake_buffer(fake, operand->dtype, (uint16_t)strlen(operand->letters),
              operand->data, operand->dims, operand->strides);
}

struct gemm_case {
  struct fake_call fake;
  jitrun_attr_t items[4];
  int64_t room[4][MAX_RANK];
};

static void set_up(struct gemm_case *gemm, const struct problem *problem,
                   double alpha, double beta) {
  lay_out(&lhs, problem->lhs, problem->lhs_order, problem->step);
  lay_out(&rhs, problem->rhs, problem->rhs_order, problem->step);
  lay_out(&out, problem->out, problem->out_order, problem->step);
  bool is_dynamic = gemm->fake.is_dynamic;
  fake_init_builtin(&gemm->fake, "xla.gpu.gemm");
  gemm->fake.is_dynamic = is_dynamic;
  add_operand(&gemm->fake, &lhs);
  add_operand(&gemm->fake, &rhs);
  add_operand(&gemm->fake, &out);
  gemm->items[0] =
      make_dims("lhs_batch", problem->lhs, problem->batch, gemm->room[0]);
  gemm->items[1] =
      make_dims("lhs_contract", problem->lhs, problem->summed, gemm->room[1]);
  gemm->items[2] =
      make_dims("rhs_batch", problem->rhs, problem->batch, gemm->room[2]);
  gemm->items[3] =
      make_dims("rhs_contract", problem->rhs, problem->summed, gemm->room[3]);
  fake_attr(&gemm->fake, attr_s64("algorithm", 13));
  fake_attr(&gemm->fake, attr_f64("alpha_real", alpha));
  fake_attr(&gemm->fake, attr_f64("alpha_imag", 0));
  fake_attr(&gemm->fake, attr_f64("beta", beta));
  fake_attr(&gemm->fake, (jitrun_attr_t){.name = "dot_dims",
                                         .kind = JITRUN_ATTR_DICT,
                                         .count = 4,
                                         .value = {.items = gemm->items}});
}

static void solve(const struct problem *problem, jitrun_dtype_t dtype,
                  jitrun_dtype_t out_dtype, bool is_dynamic) {
  static const double scales[][2] = {{1, 0}, {2, -1}, {-0.5, 2}};
  for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
    struct gemm_case gemm = {.fake.is_dynamic = is_dynamic};
    fill(&lhs, dtype, 1);
    fill(&rhs, dtype, 2);
    fill(&out, out_dtype, 3);
    set_up(&gemm, problem, scales[i][0], scales[i][1]);
    before = out;
    fake_succeed(&gemm.fake);
    check_product(problem->summed, scales[i][0], scales[i][1]);
  }
}

/// All sums are small multiples of 1/2, so every type holds them exactly.
static void test_gemm(void **state) {
  (void)state;
  static const jitrun_dtype_t types[][2] = {
      {JITRUN_DTYPE_F64, JITRUN_DTYPE_F64},
      {JITRUN_DTYPE_F32, JITRUN_DTYPE_F32},
      {JITRUN_DTYPE_F16, JITRUN_DTYPE_F16},
      {JITRUN_DTYPE_BF16, JITRUN_DTYPE_F32},
      {JITRUN_DTYPE_F16, JITRUN_DTYPE_F32}};
  for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++)
    for (size_t j = 0; j < sizeof(types) / sizeof(types[0]); j++) {
      solve(&problems[i], types[j][0], types[j][1], false);
      solve(&problems[i], types[j][0], types[j][1], true);
    }
}

static void run_gemm(void *context) {
  (void)context;
  struct gemm_case gemm = {.fake.is_dynamic = false};
  fill(&lhs, JITRUN_DTYPE_F16, 1);
  fill(&rhs, JITRUN_DTYPE_F16, 2);
  fill(&out, JITRUN_DTYPE_F16, 3);
  set_up(&gemm, &problems[5], 1, 1);
  jitrun_error_t *error = fake_load(&gemm.fake);
  if (!error)
    error = fake_run(&gemm.fake);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  fake_deinit(&gemm.fake);
}

static void test_allocations(void **state) {
  (void)state;
  run_gemm(NULL); // opens the library, which allocates as it likes
  sweep_allocations(run_gemm, NULL);
}

static void test_gemm_refused(void **state) {
  (void)state;
  struct gemm_case gemm = {.fake.is_dynamic = false};
  fill(&lhs, JITRUN_DTYPE_F32, 1);
  fill(&rhs, JITRUN_DTYPE_F32, 2);
  fill(&out, JITRUN_DTYPE_F32, 3);
  set_up(&gemm, &problems[0], 1, 0);
  gemm.room[1][0] = -1;
  fake_refuse(&gemm.fake, JITRUN_INVALID_ARGUMENT, "dimension -1 in");
  set_up(&gemm, &problems[0], 1, 0);
  gemm.room[3][0] = INT64_MAX;
  fake_refuse(&gemm.fake, JITRUN_INVALID_ARGUMENT, "is none of the 2");
  set_up(&gemm, &problems[0], 1, 0);
  gemm.items[0].kind = JITRUN_ATTR_UNIT;
  fake_refuse(&gemm.fake, JITRUN_INVALID_ARGUMENT,
              "'lhs_batch' of attribute 'dot_dims' must be an array of i64");
  // m and n are not next to each other in memory
  struct problem apart = {"mnk", "nmk", "kp", "kp", "mnp", "mnp", "", "k", 1};
  set_up(&gemm, &apart, 1, 0);
  fake_fail(&gemm.fake, JITRUN_UNIMPLEMENTED,
            "the dimensions of 'lhs' that are its rows are apart in memory");
}

/// A fill of `size` bytes with a 32-bit constant.
static void fill_bytes(int64_t size, uint32_t constant, char *data) {
  struct fake_call fake;
  memset(data, 0x55, ROOM);
  fake_init_builtin(&fake, "xla.gpu.memset");
  fake_buffer(&fake, JITRUN_DTYPE_S8, 1, data, &size, NULL);
  fake_scalar(&fake, JITRUN_DTYPE_U32)->value.u32 = constant;
  if (constant != 0 && size % 4 != 0)
    fake_fail(&fake, JITRUN_INVALID_ARGUMENT,
              "Memref size is not divisible by 4");
  else
    fake_succeed(&fake);
}

static void test_memset(void **state) {
  (void)state;
  static const uint32_t constant = 0x04030201;
  static char data[ROOM];
  for (int64_t size = 0; size < 64; size++) {
    fill_bytes(size, constant, data);
    for (int64_t i = 0; i < 70; i++)
      assert_int_equal(data[i], size % 4 == 0 && i < size ? i % 4 + 1 : 0x55);
    fill_bytes(size, 0, data);
    for (int64_t i = 0; i < 70; i++)
      assert_int_equal(data[i], i < size ? 0 : 0x55);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gemm),
      cmocka_unit_test(test_gemm_refused),
      cmocka_unit_test(test_allocations),
      cmocka_unit_test(test_memset),
  };
  return cmocka_run_group_tests_name("customcalls_xla", tests, NULL,
                                     check_no_errors);
}

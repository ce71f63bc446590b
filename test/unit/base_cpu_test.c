/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// CPU features: the table against what the compiler's builtin says.
#include "base/cpu.h"
#include "expect.h"

/// True when nothing of `wanted` is missing.
static bool has_all(const char *wanted) {
  struct jr_bytes missing = {0};
  jr_cpu_missing(wanted, &missing);
  bool has = missing.size == 0;
  jr_bytes_deinit(&missing);
  return has;
}

static void names_what_is_missing(void **state) {
  (void)state;
  struct jr_bytes missing = {0};
  jr_cpu_missing("", &missing);
  assert_int_equal(missing.size, 0);
  jr_cpu_missing("+no-such,,other", &missing);
  assert_string_equal(jr_bytes_text(&missing), "no-such, other");
  jr_bytes_deinit(&missing);
}

#if defined(__x86_64__)

/// X(LLVM's name, the builtin's)
#define SAME(X)                                                                \
  X("sse3", "sse3")                                                            \
  X("ssse3", "ssse3")                                                          \
  X("sse4.1", "sse4.1")                                                        \
  X("sse4.2", "sse4.2")                                                        \
  X("crc32", "sse4.2")                                                         \
  X("popcnt", "popcnt")                                                        \
  X("aes", "aes")                                                              \
  X("pclmul", "pclmul")                                                        \
  X("avx", "avx")                                                              \
  X("f16c", "f16c")                                                            \
  X("fma", "fma")                                                              \
  X("movbe", "movbe")                                                          \
  X("xsave", "xsave")                                                          \
  X("avx2", "avx2")                                                            \
  X("bmi", "bmi")                                                              \
  X("bmi2", "bmi2")                                                            \
  X("adx", "adx")                                                              \
  X("sha", "sha")                                                              \
  X("gfni", "gfni")                                                            \
  X("vaes", "vaes")                                                            \
  X("vpclmulqdq", "vpclmulqdq")                                                \
  X("avxvnni", "avxvnni")                                                      \
  X("amx-tile", "amx-tile")                                                    \
  X("amx-int8", "amx-int8")                                                    \
  X("amx-bf16", "amx-bf16")                                                    \
  X("avx512f", "avx512f")                                                      \
  X("avx512cd", "avx512cd")                                                    \
  X("avx512bw", "avx512bw")                                                    \
  X("avx512dq", "avx512dq")                                                    \
  X("avx512vl", "avx512vl")                                                    \
  X("avx512ifma", "avx512ifma")                                                \
  X("avx512vbmi", "avx512vbmi")                                                \
  X("avx512vbmi2", "avx512vbmi2")                                              \
  X("avx512vnni", "avx512vnni")                                                \
  X("avx512bitalg", "avx512bitalg")                                            \
  X("avx512vpopcntdq", "avx512vpopcntdq")                                      \
  X("avx512bf16", "avx512bf16")                                                \
  X("avx512fp16", "avx512fp16")                                                \
  X("lzcnt", "lzcnt")                                                          \
  X("sse4a", "sse4a")                                                          \
  X("xop", "xop")                                                              \
  X("fma4", "fma4")

static void knows_what_all_have(void **state) {
  (void)state;
  assert_true(has_all("+64bit,+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"));
  assert_false(has_all("+x8,+ss"));
}

static void agrees_with_the_compiler(void **state) {
  (void)state;
#define ROW(llvm_name, builtin_name)                                           \
  {"+" llvm_name, __builtin_cpu_supports(builtin_name) != 0},
  const struct {
    const char *name;
    bool is_there;
  } features[] = {SAME(ROW)};
#undef ROW
  for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
    if (has_all(features[i].name) != features[i].is_there)
      fail_msg("%s differs from what the compiler says", features[i].name);
  }
  if (__builtin_cpu_supports("x86-64-v2"))
    assert_true(has_all("+cx16,+sahf"));
}

static void tells_vectors(void **state) {
  (void)state;
  enum jr_cpu_vectors expected = JR_VECTORS_BASE;
  if (has_all("avx2,fma,f16c,bmi2"))
    expected = has_all("avx512f,avx512bw,avx512dq,avx512vl") ? JR_VECTORS_AVX512
                                                             : JR_VECTORS_AVX2;
  for (int i = 0; i < 2; i++)
    assert_int_equal(jr_cpu_vectors(), expected);
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_what_is_missing),
#if defined(__x86_64__)
      cmocka_unit_test(knows_what_all_have),
      cmocka_unit_test(agrees_with_the_compiler),
      cmocka_unit_test(tells_vectors),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// CPU features. The compiler's builtin takes literals only, so each known
/// feature is one line of a list that is expanded into a table.
#include "base/cpu.h"

#include <elf.h>
#include <string.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#else
#include <cpuid.h>
#endif

static bool is_name(const char *name, size_t size, const char *literal) {
  return strlen(literal) == size && memcmp(name, literal, size) == 0;
}

#if defined(__x86_64__)

/// X(LLVM's name, name for __builtin_cpu_supports)
#define X86_FEATURES(X)                                                        \
  X("sse3", "sse3")                                                            \
  X("ssse3", "ssse3")                                                          \
  X("sse4.1", "sse4.1")                                                        \
  X("sse4.2", "sse4.2")                                                        \
  X("crc32", "sse4.2")                                                         \
  X("popcnt", "popcnt")                                                        \
  X("cx16", "x86-64-v2")                                                       \
  X("sahf", "x86-64-v2")                                                       \
  X("aes", "aes")                                                              \
  X("pclmul", "pclmul")                                                        \
  X("xsave", "xsave")                                                          \
  X("avx", "avx")                                                              \
  X("avx2", "avx2")                                                            \
  X("f16c", "f16c")                                                            \
  X("fma", "fma")                                                              \
  X("bmi", "bmi")                                                              \
  X("bmi2", "bmi2")                                                            \
  X("lzcnt", "lzcnt")                                                          \
  X("movbe", "movbe")                                                          \
  X("adx", "adx")                                                              \
  X("sha", "sha")                                                              \
  X("gfni", "gfni")                                                            \
  X("vaes", "vaes")                                                            \
  X("vpclmulqdq", "vpclmulqdq")                                                \
  X("sse4a", "sse4a")                                                          \
  X("fma4", "fma4")                                                            \
  X("xop", "xop")                                                              \
  X("avxvnni", "avxvnni")                                                      \
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
  X("amx-tile", "amx-tile")                                                    \
  X("amx-int8", "amx-int8")                                                    \
  X("amx-bf16", "amx-bf16")

/// What every x86-64 CPU has.
static const char *const base_features[] = {"64bit", "cmov", "cx8",  "fxsr",
                                            "mmx",   "sse",  "sse2", "x87"};

static bool has_feature(const char *name, size_t size) {
#define ROW(llvm_name, builtin_name)                                           \
  {llvm_name, __builtin_cpu_supports(builtin_name) != 0},
  const struct {
    const char *name;
    bool is_there;
  } features[] = {X86_FEATURES(ROW)};
#undef ROW
  for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
    if (is_name(name, size, features[i].name))
      return features[i].is_there;
  }
  for (size_t i = 0; i < sizeof base_features / sizeof base_features[0]; i++) {
    if (is_name(name, size, base_features[i]))
      return true;
  }
  return false;
}

/// Vendor, model, features, and the state that the system saves. The number of
/// the core that runs this is left out.
void jr_cpu_identify(struct jr_bytes *out_bytes) {
  static const unsigned leaves[][2] = {
      {0, 0}, {1, 0}, {7, 0}, {7, 1}, {0x80000001U, 0}};
  enum { LEAF_MODEL = 1 };
  unsigned saved[2] = {0};
  for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
    unsigned words[4] = {0};
    (void)__get_cpuid_count(leaves[i][0], leaves[i][1], &words[0], &words[1],
                            &words[2], &words[3]);
    if (i == LEAF_MODEL && words[2] & bit_OSXSAVE)
      __asm__("xgetbv" : "=a"(saved[0]), "=d"(saved[1]) : "c"(0));
    if (i == LEAF_MODEL)
      words[1] = 0;
    jr_bytes_append(out_bytes, words, sizeof words);
  }
  jr_bytes_append(out_bytes, saved, sizeof saved);
}

uint16_t jr_cpu_machine(void) {
  return EM_X86_64;
}

#elif defined(__aarch64__)

/// LLVM's names and the bits of AT_HWCAP that stand for them.
static const struct {
  const char *name;
  unsigned long bit;
} arm_features[] = {
    {"fp-armv8", 1UL << 0}, {"neon", 1UL << 1},     {"aes", 1UL << 3},
    {"sha2", 1UL << 6},     {"crc", 1UL << 7},      {"lse", 1UL << 8},
    {"fullfp16", 1UL << 9}, {"rdm", 1UL << 12},     {"jsconv", 1UL << 13},
    {"rcpc", 1UL << 15},    {"dotprod", 1UL << 20}, {"sve", 1UL << 22},
};

static bool has_feature(const char *name, size_t size) {
  unsigned long bits = getauxval(AT_HWCAP);
  for (size_t i = 0; i < sizeof arm_features / sizeof arm_features[0]; i++) {
    if (is_name(name, size, arm_features[i].name))
      return (bits & arm_features[i].bit) != 0;
  }
  return false;
}

void jr_cpu_identify(struct jr_bytes *out_bytes) {
  unsigned long words[] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
  jr_bytes_append(out_bytes, words, sizeof words);
}

uint16_t jr_cpu_machine(void) {
  return EM_AARCH64;
}

#else
#error "jitrun runs on x86-64 and aarch64"
#endif

const char *jr_cpu_machine_name(uint32_t machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86-64";
  case EM_AARCH64:
    return "aarch64";
  default:
    return "another machine";
  }
}

void jr_cpu_missing(const char *features, struct jr_bytes *out_missing) {
  bool is_first = true;
  while (*features) {
    size_t size = strcspn(features, ",");
    size_t skip = *features == '+' ? 1 : 0;
    if (size > skip && !has_feature(features + skip, size - skip)) {
      jr_bytes_append_text(out_missing, is_first ? "" : ", ");
      jr_bytes_append(out_missing, features + skip, size - skip);
      is_first = false;
    }
    features += size + (features[size] == ',' ? 1 : 0);
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// CPU features: a table of those that are known.
#include "base/cpu.h"

#include <elf.h>
#include <string.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#else
#include <cpuid.h>
#include <pthread.h>
#endif

static bool is_name(const char *name, size_t size, const char *literal) {
  return name[0] == literal[0] && strncmp(name, literal, size) == 0 &&
         literal[size] == '\0';
}

#if defined(__x86_64__)

/// Where the processor tells of features, and what the system must save for
/// them to be of use.
enum word { ECX_1, EBX_7, ECX_7, EDX_7, EAX_7_1, ECX_80000001, WORD_COUNT };
enum { SAVES_AVX = 0x6, SAVES_AVX512 = 0xe6, SAVES_AMX = 0x60000 };

/// Not asked of the compiler's builtin: with that, each program asks for
/// everything when it starts, which a virtual machine answers slowly.
static const struct {
  char name[16]; ///< LLVM's
  uint8_t word, bit;
  uint32_t saved;
} features[] = {
    {"sse3", ECX_1, 0, 0},
    {"pclmul", ECX_1, 1, 0},
    {"ssse3", ECX_1, 9, 0},
    {"fma", ECX_1, 12, SAVES_AVX},
    {"cx16", ECX_1, 13, 0},
    {"sse4.1", ECX_1, 19, 0},
    {"sse4.2", ECX_1, 20, 0},
    {"crc32", ECX_1, 20, 0},
    {"movbe", ECX_1, 22, 0},
    {"popcnt", ECX_1, 23, 0},
    {"aes", ECX_1, 25, 0},
    {"xsave", ECX_1, 27, 0},
    {"avx", ECX_1, 28, SAVES_AVX},
    {"f16c", ECX_1, 29, SAVES_AVX},
    {"bmi", EBX_7, 3, 0},
    {"avx2", EBX_7, 5, SAVES_AVX},
    {"bmi2", EBX_7, 8, 0},
    {"avx512f", EBX_7, 16, SAVES_AVX512},
    {"avx512dq", EBX_7, 17, SAVES_AVX512},
    {"adx", EBX_7, 19, 0},
    {"avx512ifma", EBX_7, 21, SAVES_AVX512},
    {"avx512cd", EBX_7, 28, SAVES_AVX512},
    {"sha", EBX_7, 29, 0},
    {"avx512bw", EBX_7, 30, SAVES_AVX512},
    {"avx512vl", EBX_7, 31, SAVES_AVX512},
    {"avx512vbmi", ECX_7, 1, SAVES_AVX512},
    {"avx512vbmi2", ECX_7, 6, SAVES_AVX512},
    {"gfni", ECX_7, 8, 0},
    {"vaes", ECX_7, 9, SAVES_AVX},
    {"vpclmulqdq", ECX_7, 10, SAVES_AVX},
    {"avx512vnni", ECX_7, 11, SAVES_AVX512},
    {"avx512bitalg", ECX_7, 12, SAVES_AVX512},
    {"avx512vpopcntdq", ECX_7, 14, SAVES_AVX512},
    {"amx-bf16", EDX_7, 22, SAVES_AMX},
    {"avx512fp16", EDX_7, 23, SAVES_AVX512},
    {"amx-tile", EDX_7, 24, SAVES_AMX},
    {"amx-int8", EDX_7, 25, SAVES_AMX},
    {"avxvnni", EAX_7_1, 4, SAVES_AVX},
    {"avx512bf16", EAX_7_1, 5, SAVES_AVX512},
    {"sahf", ECX_80000001, 0, 0},
    {"lzcnt", ECX_80000001, 5, 0},
    {"sse4a", ECX_80000001, 6, 0},
    {"xop", ECX_80000001, 11, SAVES_AVX},
    {"fma4", ECX_80000001, 16, SAVES_AVX},
};

/// What every x86-64 CPU has.
static const char base_features[][8] = {"64bit", "cmov", "cx8",  "fxsr",
                                        "mmx",   "sse",  "sse2", "x87"};

/// The first word of the state that the system saves.
static uint32_t read_saved(uint32_t ecx_1) {
  uint32_t low = 0;
  uint32_t high = 0;
  if (ecx_1 & bit_OSXSAVE)
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/// Asks the processor once for all features.
static void read_words(uint32_t words[WORD_COUNT], uint32_t *out_saved) {
  uint32_t a;
  uint32_t b;
  uint32_t c;
  uint32_t d;
  uint32_t last = 0;
  memset(words, 0, WORD_COUNT * sizeof words[0]);
  __cpuid(0, last, b, c, d);
  __cpuid(1, a, b, words[ECX_1], d);
  if (last >= 7) {
    __cpuid_count(7, 0, a, words[EBX_7], words[ECX_7], words[EDX_7]);
    if (a >= 1)
      __cpuid_count(7, 1, words[EAX_7_1], b, c, d);
  }
  __cpuid(0x80000001U, a, b, words[ECX_80000001], d); // in 64 bits always
  *out_saved = read_saved(words[ECX_1]);
}

/// A virtual machine takes longer to answer than the rest of opening a program
/// may take, so it is asked once.
static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static struct {
  uint32_t words[WORD_COUNT], saved;
} cpu;

static void read_cpu(void) {
  read_words(cpu.words, &cpu.saved);
}

static bool has_feature(const char *name, size_t size) {
  for (size_t i = 0; i < sizeof base_features / sizeof base_features[0]; i++) {
    if (is_name(name, size, base_features[i]))
      return true;
  }
  (void)pthread_once(&read_once, read_cpu);
  for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
    if (is_name(name, size, features[i].name))
      return (cpu.words[features[i].word] >> features[i].bit & 1) &&
             (cpu.saved & features[i].saved) == features[i].saved;
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
  unsigned last = 0;
  for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
    unsigned words[4] = {0};
    if (i == 0 || leaves[i][0] <= last || leaves[i][0] >> 31)
      __cpuid_count(leaves[i][0], leaves[i][1], words[0], words[1], words[2],
                    words[3]);
    if (i == 0)
      last = words[0];
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
  for (size_t i = 0; i < sizeof arm_features / sizeof arm_features[0]; i++) {
    if (is_name(name, size, arm_features[i].name))
      return (getauxval(AT_HWCAP) & arm_features[i].bit) != 0;
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

void jr_cpu_missing(const char *wanted, struct jr_bytes *out_missing) {
  bool is_first = true;
  while (*wanted) {
    size_t size = strcspn(wanted, ",");
    size_t skip = *wanted == '+' ? 1 : 0;
    if (size > skip && !has_feature(wanted + skip, size - skip)) {
      jr_bytes_append_text(out_missing, is_first ? "" : ", ");
      jr_bytes_append(out_missing, wanted + skip, size - skip);
      is_first = false;
    }
    wanted += size + (wanted[size] == ',' ? 1 : 0);
  }
}

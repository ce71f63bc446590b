/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See target.h. LLVM knows many CPUs by name, but does not tell through C
/// which features a name stands for; an image must say what it needs, so the
/// names are those whose features are listed here, and "native".
#include "jit/target.h"

#include "base/cpu.h"

#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

#include <elf.h>
#include <pthread.h>
#include <string.h>

#define V2 "cx16,sahf,popcnt,sse3,ssse3,sse4.1,sse4.2"
#define V3 V2 ",avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define V4 V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"

struct cpu {
  const char *name;
  const char *features;
  uint32_t elf_machine;
};

static const struct cpu cpus[] = {
    {"x86-64", "", EM_X86_64},    {"x86-64-v2", V2, EM_X86_64},
    {"x86-64-v3", V3, EM_X86_64}, {"x86-64-v4", V4, EM_X86_64},
    {"generic", "", EM_AARCH64},
};

static void initialize_targets(void) {
#ifdef JR_TARGET_X86
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
#endif
#ifdef JR_TARGET_AARCH64
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
#endif
}

static uint32_t triple_machine(const char *triple) {
  if (strncmp(triple, "x86_64", 6) == 0)
    return EM_X86_64;
  if (strncmp(triple, "aarch64", 7) == 0)
    return EM_AARCH64;
  return EM_NONE;
}

static jitrun_error_t *find_target(const char *triple,
                                   LLVMTargetRef *out_target) {
  char *message = NULL;
  if (triple_machine(triple) != EM_NONE && strstr(triple, "linux") &&
      !LLVMGetTargetFromTriple(triple, out_target, &message))
    return NULL;
  jitrun_error_t *error = jr_error(
      JITRUN_UNIMPLEMENTED,
      "target '%s' is not available%s%s; x86_64-linux-gnu and, where this "
      "build has its code generator, aarch64-linux-gnu are",
      triple, message ? ": " : "", message ? message : "");
  LLVMDisposeMessage(message);
  return error;
}

/// Finds a CPU of the list.
static jitrun_error_t *find_cpu(const char *name, uint32_t elf_machine,
                                const struct cpu **out_cpu) {
  for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
    if (cpus[i].elf_machine == elf_machine && !strcmp(cpus[i].name, name)) {
      *out_cpu = &cpus[i];
      return NULL;
    }
  }
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "CPU '%s' is not known for %s; use %s", name,
                  jr_cpu_machine_name(elf_machine),
                  elf_machine == EM_X86_64
                      ? "x86-64, x86-64-v2, x86-64-v3, x86-64-v4 or native"
                      : "generic or native");
}

/// Appends those features of this machine that an image can name.
static void append_host_features(struct jr_bytes *out, const char *features) {
  struct jr_bytes one = {0};
  for (const char *at = features; *at;) {
    size_t size = strcspn(at, ",");
    one.size = 0;
    jr_bytes_append(&one, at, size);
    const char *name = jr_bytes_text(&one);
    struct jr_bytes missing = {0};
    if (name)
      jr_cpu_missing(name, &missing);
    if (name && at[0] == '+' && missing.size == 0)
      jr_bytes_appendf(out, "%s%s", out->size ? "," : "", name + 1);
    jr_bytes_deinit(&missing);
    at += size;
    at += *at == ',';
  }
  jr_bytes_deinit(&one);
}

/// How code is to be generated.
struct codegen {
  LLVMTargetRef target;
  const char *cpu, *features;
  LLVMCodeGenOptLevel level;
};

static jitrun_error_t *create_machine(struct jr_target *target,
                                      const struct codegen *codegen) {
  target->machine = LLVMCreateTargetMachine(
      codegen->target, target->triple, codegen->cpu, codegen->features,
      codegen->level, LLVMRelocPIC, LLVMCodeModelSmall);
  if (!target->machine)
    return jr_error(JITRUN_INTERNAL, "LLVM has no machine for '%s', CPU '%s'",
                    target->triple, codegen->cpu);
  LLVMTargetDataRef data = LLVMCreateTargetDataLayout(target->machine);
  target->layout = LLVMCopyStringRepOfTargetData(data);
  LLVMDisposeTargetData(data);
  return NULL;
}

/// The machine of this process with all it has.
static jitrun_error_t *open_native(struct jr_target *target,
                                   struct codegen *codegen) {
  char *name = LLVMGetHostCPUName();
  char *features = LLVMGetHostCPUFeatures();
  append_host_features(&target->features, features);
  target->cpu = "native";
  codegen->cpu = name;
  codegen->features = features;
  jitrun_error_t *error = create_machine(target, codegen);
  LLVMDisposeMessage(name);
  LLVMDisposeMessage(features);
  return error;
}

static LLVMCodeGenOptLevel codegen_level(const struct jr_unit *unit) {
  static const LLVMCodeGenOptLevel levels[] = {
      LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
      LLVMCodeGenLevelAggressive};
  return unit->computes ? levels[unit->options->opt_level & 3]
                        : LLVMCodeGenLevelNone;
}

jitrun_error_t *jr_target_open(const struct jr_unit *unit,
                               struct jr_target *out_target) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize_targets);
  *out_target = (struct jr_target){0};
  const char *asked = unit->options->target;
  out_target->triple =
      asked ? LLVMNormalizeTargetTriple(asked) : LLVMGetDefaultTargetTriple();
  out_target->elf_machine = triple_machine(out_target->triple);
  struct codegen codegen = {.level = codegen_level(unit), .features = ""};
  JITRUN_TRY(find_target(out_target->triple, &codegen.target));
  const char *name = unit->options->cpu;
  bool native = !name || !strcmp(name, "native");
  if (native && out_target->elf_machine != jr_cpu_machine())
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "CPU 'native' is this machine's, and target '%s' is "
                    "another one",
                    out_target->triple);
  if (native && unit->has_native)
    return open_native(out_target, &codegen);
  const char *base =
      out_target->elf_machine == EM_X86_64 ? "x86-64" : "generic";
  const struct cpu *cpu;
  JITRUN_TRY(find_cpu(native ? base : name, out_target->elf_machine, &cpu));
  if (!unit->has_native)
    JITRUN_TRY(find_cpu(base, out_target->elf_machine, &cpu));
  out_target->cpu = codegen.cpu = cpu->name;
  jr_bytes_append_text(&out_target->features, cpu->features);
  return create_machine(out_target, &codegen);
}

void jr_target_close(struct jr_target *target) {
  if (target->machine)
    LLVMDisposeTargetMachine(target->machine);
  LLVMDisposeMessage(target->triple);
  LLVMDisposeMessage(target->layout);
  jr_bytes_deinit(&target->features);
  *target = (struct jr_target){0};
}

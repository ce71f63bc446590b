/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// This machine's CPU: how object files for it are marked, and whether it has
/// the features that code was compiled for.
#ifndef JR_BASE_CPU_H
#define JR_BASE_CPU_H

#include "base/bytes.h"

/// ELF e_machine of code that runs here.
uint16_t jr_cpu_machine(void);

/// The name of an ELF e_machine, "x86-64" or "aarch64"; "another machine" for
/// the rest.
const char *jr_cpu_machine_name(uint32_t machine);

/// Appends bytes that are equal where CPUs have the same features.
void jr_cpu_identify(struct jr_bytes *out_bytes);

/// Appends those of the comma-separated `wanted` features (LLVM's names, a '+'
/// before them is skipped) that this CPU lacks, or that are not known here,
/// separated by ", ".
void jr_cpu_missing(const char *wanted, struct jr_bytes *out_missing);

/// The vectors that code of ours may use where it has versions for several;
/// each has those before it.
enum jr_cpu_vectors {
  JR_VECTORS_BASE = 1, ///< what each CPU of the machine has: SSE2, NEON
  JR_VECTORS_AVX2,     ///< AVX2, FMA, F16C, BMI2
  JR_VECTORS_AVX512    ///< AVX-512 F, BW, DQ, VL
};

/// What this CPU has. Asks it once; thread-safe.
enum jr_cpu_vectors jr_cpu_vectors(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The machine that code is made for.
#ifndef JR_JIT_TARGET_H
#define JR_JIT_TARGET_H

#include "jit/unit.h"

#include "llvm-c/TargetMachine.h"

struct jr_target {
  LLVMTargetMachineRef machine;
  char *triple;             ///< LLVM message
  const char *cpu;          ///< as recorded in the image
  struct jr_bytes features; ///< as recorded in the image: what the code needs
  uint32_t elf_machine;
  char *layout; ///< LLVM message
};

/// Opens the target that the unit's options ask for. Where nothing
/// computes, code is made fast (O0), and for any CPU of the architecture where
/// all entries are lists of sites.
jitrun_error_t *jr_target_open(const struct jr_unit *unit,
                               struct jr_target *out_target) JITRUN_MUST_USE;
void jr_target_close(struct jr_target *target);

#endif

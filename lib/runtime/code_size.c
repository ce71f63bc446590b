/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// How much of an object or shared library is code.
#include "runtime/code_size.h"

#include "runtime/elf.h"

uint64_t jr_code_size(const void *data, size_t size) {
  struct jr_elf elf;
  uint64_t total = 0;
  jitrun_error_t *error = jr_elf_open(data, size, &elf);
  for (uint64_t i = 0; !error && i < elf.section_count; i++) {
    Elf64_Shdr section;
    error = jr_elf_section(&elf, i, &section);
    if (!error && (section.sh_flags & SHF_ALLOC) &&
        (section.sh_flags & SHF_EXECINSTR))
      total += section.sh_size;
  }
  jitrun_error_free(error);
  return total;
}

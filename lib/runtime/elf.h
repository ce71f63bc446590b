/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A bounded reader of ELF64 little-endian files: headers, sections, symbols.
/// Trusts nothing; never reads outside the bytes it was given.
#ifndef JR_RUNTIME_ELF_H
#define JR_RUNTIME_ELF_H

#include "base/error.h"

#include <elf.h>

struct jr_elf {
  const unsigned char *data;
  size_t size;
  Elf64_Ehdr header; ///< copies: the bytes need not be aligned
  uint64_t section_count;
};

/// Checks the ELF header and the section header table's bounds. DATA_LOSS or
/// INVALID_ARGUMENT says what is wrong.
jitrun_error_t *jr_elf_open(const void *data, size_t size,
                            struct jr_elf *out_elf)
    __attribute__((warn_unused_result));

/// Section `index`, with its content inside the file (SHT_NOBITS excepted).
jitrun_error_t *jr_elf_section(const struct jr_elf *elf, uint64_t index,
                               Elf64_Shdr *out_section)
    __attribute__((warn_unused_result));

/// The name of section `index`, for messages and comparisons; "" when it cannot
/// be read.
const char *jr_elf_section_name(const struct jr_elf *elf, uint64_t index);

/// Segment `index` (below header.e_phnum), with its content inside the file.
jitrun_error_t *jr_elf_segment(const struct jr_elf *elf, uint64_t index,
                               Elf64_Phdr *out_segment)
    __attribute__((warn_unused_result));

/// A symbol table with its names. Borrowed from the file's bytes.
struct jr_elf_symbols {
  const unsigned char *entries;
  uint64_t count;      ///< 0: the file has no such table
  const char *strings; ///< a NUL ends the last one
  uint64_t string_bytes;
  uint64_t section; ///< index of the table
};

/// Opens the first table of `type` (SHT_SYMTAB, SHT_DYNSYM).
jitrun_error_t *jr_elf_symbols_open(const struct jr_elf *elf, uint32_t type,
                                    struct jr_elf_symbols *out_symbols)
    __attribute__((warn_unused_result));

/// Symbol `index` and its NUL-terminated name in the file's bytes.
jitrun_error_t *jr_elf_symbol_get(const struct jr_elf_symbols *symbols,
                                  uint64_t index, Elf64_Sym *out_symbol,
                                  const char **out_name)
    __attribute__((warn_unused_result));

/// A defined symbol whose name begins with `prefix`; of a linked file one that
/// it exports, if there is one: those are few.
struct jr_elf_symbol {
  const char *name; ///< in the file's bytes, NUL-terminated
  Elf64_Sym symbol;
  uint64_t file_offset; ///< of its first byte in the file; UINT64_MAX when it
                        ///< is not in the file's bytes
  uint64_t room_bytes;  ///< from there to the end of its section (shared
                        ///< library: segment) in the file
};

/// Finds the only such symbol. NOT_FOUND when there is none, INVALID_ARGUMENT
/// when there are several (names two).
jitrun_error_t *jr_elf_find_prefix(const struct jr_elf *elf, const char *prefix,
                                   struct jr_elf_symbol *out_symbol)
    __attribute__((warn_unused_result));

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Loads relocatable objects (.o) made by jitrun into memory: x86-64 and
/// aarch64, the relocation kinds that LLVM emits for them, GOT and stubs where
/// needed, no page ever writable and executable at once.
#ifndef JR_RUNTIME_OBJECT_LOAD_H
#define JR_RUNTIME_OBJECT_LOAD_H

#include "runtime/elf.h"

#include <stdbool.h>

struct jr_object; ///< loaded code; owns its mapping

/// How undefined symbols get their addresses; NULL: not known.
typedef void *(*jr_resolve_fn_t)(void *context, const char *name);

struct jr_object_options {
  jr_resolve_fn_t resolve;
  void *resolve_context;
  uint16_t machine; ///< e_machine to accept; 0: this machine's (code that is
                    ///< for another one is relocated but never made executable)
  bool is_deferred; ///< not executable before jr_object_activate()
  int descriptor;   ///< of the file that the ELF is of, from its start; large
                    ///< sections that are only read are mapped from it; -1 or
                    ///< 0: none
  bool is_settled;  ///< by jr_object_settle(): may be mapped from `descriptor`
};

/// Loads all allocated sections. Errors name section, symbol and relocation;
/// all undefined symbols are listed in one message (NOT_FOUND); thread-local
/// storage, COMMON symbols and unknown relocation kinds are refused by name
/// (UNIMPLEMENTED); an object for another machine is FAILED_PRECONDITION.
jitrun_error_t *jr_object_load(const struct jr_elf *elf,
                               const struct jr_object_options *options,
                               struct jr_object **out_object)
    __attribute__((warn_unused_result));

/// Applies the relocations of an object in its file, so that it can be mapped
/// as it is, and linked as before. False when that is impossible: the object is
/// still the same, whatever its bytes are.
bool jr_object_settle(const struct jr_elf *elf, unsigned char *data);

/// Makes the code of an object executable, once.
jitrun_error_t *jr_object_activate(struct jr_object *object)
    __attribute__((warn_unused_result));

/// Address of a symbol that the object defines for others, or NULL.
void *jr_object_find(const struct jr_object *object, const char *name);

/// Address of `size` bytes at `offset` of the file, when the object was mapped
/// from it; NULL when it was not, and jr_object_find() knows more.
void *jr_object_at(const struct jr_object *object, uint64_t offset,
                   uint64_t size);

void jr_object_unload(struct jr_object *object);

#endif

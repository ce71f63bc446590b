/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Looking up handlers, for the loader of programs; and what the files of this
/// folder share about registering.
#ifndef JR_CUSTOMCALLS_REGISTRY_H
#define JR_CUSTOMCALLS_REGISTRY_H

#include "base/bytes.h"
#include "base/dylib.h"
#include "base/error.h"
#include "jitrun/registry.h"

/// The call of that name and platform, or NULL. Valid as long as the registry.
const jitrun_customcall_t *jr_registry_find(jitrun_registry_t *registry,
                                            const char *name,
                                            const char *platform);

/// As above; where none is registered, the function of that name in a library.
/// NULL: there is none.
jitrun_error_t *jr_registry_resolve(jitrun_registry_t *registry,
                                    const char *name, const char *platform,
                                    const jitrun_customcall_t **out_call)
    __attribute__((warn_unused_result));

/// The handler of classic custom calls of that name and platform, or NULL.
jitrun_classic_fn_t jr_registry_classic(jitrun_registry_t *registry,
                                        const char *name, const char *platform);

/// The function `name` of the first library that has one; NULL: none has. Valid
/// as long as the registry.
void *jr_registry_symbol(jitrun_registry_t *registry, const char *name);

/// Appends the paths of the libraries that functions are looked for in, each
/// with a NUL behind it.
void jr_registry_library_list(jitrun_registry_t *registry,
                              struct jr_bytes *out_paths);

/// The NOT_FOUND error for a name that jr_registry_find() does not know: says
/// which platforms have it, else which names are near.
jitrun_error_t *jr_registry_missing(jitrun_registry_t *registry,
                                    const char *name, const char *platform)
    __attribute__((returns_nonnull, warn_unused_result));

/// Adds all checked records of `plugin`, or none; ALREADY_EXISTS names the
/// first that is taken. `library` (handle NULL: none) is closed at the
/// registry's end, or here when this fails.
jitrun_error_t *jr_registry_add_all(jitrun_registry_t *registry,
                                    const jitrun_plugin_t *plugin,
                                    /*own*/ struct jr_dylib library)
    __attribute__((warn_unused_result));

/// INVALID_ARGUMENT when a record cannot be registered: what it lacks, and how
/// to give it.
jitrun_error_t *jr_record_check(const jitrun_customcall_t *call)
    __attribute__((warn_unused_result));

/// The same for a handler of classic custom calls.
jitrun_error_t *jr_classic_check(const jitrun_classic_t *classic)
    __attribute__((warn_unused_result));

#endif

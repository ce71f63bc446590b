/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a registry has besides its records: shared libraries whose symbols are
/// handlers of calls that nobody registered, and handlers of XLA's classic
/// custom calls. Used under the registry's lock.
#ifndef JR_CUSTOMCALLS_LIBRARIES_H
#define JR_CUSTOMCALLS_LIBRARIES_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/dylib.h"
#include "jitrun/jitrt.h"
#include "jitrun/registry.h"

/// One library of handlers.
struct jr_library {
  struct jr_dylib dylib;
  const char *path;
  const jitrun_jitrt_type_t *types; ///< that its handlers have ids of
  size_t type_count;
};

/// A record made of a symbol, once a name.
struct jr_library_call;

/// Zero-initialised is empty and ready.
struct jr_libraries {
  struct jr_library *items;
  size_t count, capacity;
  const jitrun_jitrt_t *adapter; ///< NULL as long as there is no library
  struct jr_library_call *calls;
  jitrun_classic_t *classic;
  size_t classic_count, classic_capacity;
};

/// Adds an opened library, to be closed by jr_libraries_deinit(). `path` is
/// copied.
jitrun_error_t *jr_libraries_add(struct jr_libraries *libraries,
                                 struct jr_arena *arena,
                                 const struct jr_library *library)
    __attribute__((warn_unused_result));

/// The record of the function `name` of the first library that has one. NULL:
/// none has.
jitrun_error_t *jr_libraries_find(struct jr_libraries *libraries,
                                  struct jr_arena *arena, const char *name,
                                  const jitrun_customcall_t **out_call)
    __attribute__((warn_unused_result));

/// The symbol `name` of the first library that has one, or NULL.
void *jr_libraries_symbol(const struct jr_libraries *libraries,
                          const char *name);

/// Appends ", and is no function of 'a.so', 'b.so'", or nothing.
void jr_libraries_list(const struct jr_libraries *libraries,
                       struct jr_bytes *text);

/// Adds all of `count` classic handlers, or none.
jitrun_error_t *jr_classic_add(struct jr_libraries *libraries,
                               struct jr_arena *arena,
                               const jitrun_classic_t *classic, size_t count)
    __attribute__((warn_unused_result));

/// The classic handler, or NULL: of those added, else a function of a library.
jitrun_classic_fn_t jr_classic_find(const struct jr_libraries *libraries,
                                    const char *name, const char *platform);

void jr_libraries_deinit(struct jr_libraries *libraries);

/// Adds a library of handlers to a registry, which closes it at its end, or
/// here when this fails.
jitrun_error_t *jr_registry_add_symbols(jitrun_registry_t *registry,
                                        /*own*/ struct jr_library *library,
                                        const jitrun_jitrt_t *adapter)
    __attribute__((warn_unused_result));

/// What libjitrun-jitrt offers, opened when first asked for. UNIMPLEMENTED
/// names the places where it is not.
jitrun_error_t *jr_jitrt_open(const jitrun_jitrt_t **out_adapter)
    __attribute__((warn_unused_result));

#endif

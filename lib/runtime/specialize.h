/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a specialiser is made of. specialize.c opens and closes it,
/// specialize_get.c decides which program runs, specialize_cache.c keeps them.
#ifndef JR_RUNTIME_SPECIALIZE_H
#define JR_RUNTIME_SPECIALIZE_H

#include "base/bytes.h"
#include "jitrun/specialize.h"
#include "runtime/symbolic_shape.h"

#include <pthread.h>

enum jr_variant_state {
  JR_VARIANT_COMPILING,
  JR_VARIANT_READY,
  JR_VARIANT_FAILED
};

/// A specialised program, whether it is there or not. Guarded by the
/// specialiser's lock, but for `words`, which never change.
struct jr_variant {
  struct jr_variant *chain;         ///< next with the same place in `chains`
  struct jr_variant *newer, *older; ///< by use
  jitrun_specializer_t *specializer;
  enum jr_variant_state state;
  size_t users; ///< that have the address: it stays while there are some
  jitrun_program_t *program;   ///< READY: retained
  const jitrun_entry_t *entry; ///< READY: of it
  jitrun_error_t *error;       ///< FAILED: why
  uint32_t failures;           ///< one after the other
  uint64_t retry_at_ns;        ///< FAILED: not before
  uint64_t hash[2];
  size_t word_count;
  int64_t words[]; ///< the key: jr_shapes_resolve()
};

enum { JR_CHAIN_COUNT = 256 };

/// The programs that are kept, by key and by use.
struct jr_variant_cache {
  struct jr_variant *chains[JR_CHAIN_COUNT];
  struct jr_variant *newest, *oldest;
  size_t count, limit;
};

struct jitrun_specializer {
  struct jr_bytes text; ///< the source, with a NUL behind it
  char *name, *cpu, *cache_dir, *entry_name;
  jitrun_open_options_t open_options; ///< its registry is retained
  jitrun_specialize_options_t options;
  jitrun_program_t *signature; ///< what `entry` belongs to
  const jitrun_entry_t *entry;
  jitrun_program_t *fallback; ///< the default program; NULL: none
  const jitrun_entry_t *fallback_entry;
  struct jr_shape_resolver resolver;
  pthread_mutex_t lock; ///< of all that follows
  pthread_cond_t done;  ///< some compile has ended
  size_t compiling;
  struct jr_variant_cache cache;
  jitrun_specializer_stats_t stats;
};

/// The variant with that key, NULL when there is none. Lock held.
struct jr_variant *jr_variant_find(const struct jr_variant_cache *cache,
                                   const int64_t *words, size_t word_count);

/// Adds a variant that is being compiled, as the newest; NULL without memory.
/// Lock held.
struct jr_variant *jr_variant_add(jitrun_specializer_t *specializer,
                                  const int64_t *words, size_t word_count);

/// Makes a variant the newest. Lock held.
void jr_variant_touch(struct jr_variant_cache *cache,
                      struct jr_variant *variant);

/// Takes out the oldest variants until the limit is kept, but for those that
/// are in use or being compiled. They are returned, linked by `chain`: free
/// them once the lock is not held, since handlers run then. Lock held.
struct jr_variant *jr_variant_trim(struct jr_variant_cache *cache);

/// Frees a variant and those behind it in `chain`.
void jr_variant_free(struct jr_variant *variant);

/// Frees all variants.
void jr_variant_cache_deinit(struct jr_variant_cache *cache);

#endif

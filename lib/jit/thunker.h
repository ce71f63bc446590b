/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks for functions that were planned: a second walk, over what the first
/// one wrote into the table. Each function becomes a list of thunks, entries at
/// the front of the table's, those that they call behind them. It stops at the
/// first operation that no thunk can express, which is then why thunks cannot
/// run the entries that get there.
///
/// plan_thunks.c walks functions and writes the lists, thunk_calls.c has calls,
/// thunk_nests.c control flow, thunk_memory.c memrefs, thunk_words.c scalars.
#ifndef JR_JIT_THUNKER_H
#define JR_JIT_THUNKER_H

#include "jit/plan.h"

struct jr_thunk_list {
  struct jr_thunk *items;
  size_t count, capacity;
};

enum jr_body_state { JR_BODY_NEW, JR_BODY_OPEN, JR_BODY_DONE, JR_BODY_REFUSED };

/// The thunks of one function.
struct jr_body {
  enum jr_body_state state;
  struct jr_thunk_list head; ///< registers that are set once: constants
  struct jr_thunk_list list;
  uint32_t *results;    ///< registers of what a private function returns
  jr_str_t refused;     ///< why there are none
  uint32_t computation; ///< index, once it is written
  uint32_t nests;       ///< that are open
  uint32_t deepest;     ///< of all, with those of what it calls
  bool is_called;
};

/// Numbers of values and operations, by their address.
struct jr_number_map {
  struct jr_number_place {
    const void *key;
    uint32_t number;
  } *places;
  size_t capacity, count;
};

struct jr_thunker {
  struct jr_unit *unit;
  struct jr_function *function; ///< that is walked
  struct jr_body *body;         ///< its own
  struct jr_body *bodies;       ///< one a function
  size_t *order;                ///< functions in the order of their ends
  size_t order_count;
  struct jr_number_map
      registers;                ///< values that are there once they are defined
  struct jr_number_map passing; ///< values that are fetched for each use
  struct jr_number_map sites;   ///< of calls
  size_t run;     ///< the RUN in the list that may become longer; or SIZE_MAX
  uint32_t depth; ///< of functions that are open
  bool failed;    ///< no memory
};

/// Every jr_thunk_* function that returns a bool says false once thunks cannot
/// run the function, or there is no memory.

/// Notes why; false.
bool jr_thunk_cannot(struct jr_thunker *thunker, MlirOperation op,
                     const char *reason);

/// Appends to the list, or to the head.
bool jr_thunk_add(struct jr_thunker *thunker, struct jr_thunk thunk);
bool jr_thunk_add_head(struct jr_thunker *thunker, struct jr_thunk thunk);

/// Opens a nest and tells where it is; closes it.
bool jr_thunk_open(struct jr_thunker *thunker, struct jr_thunk thunk,
                   size_t *out_place);
void jr_thunk_close(struct jr_thunker *thunker, size_t place);

/// Notes that nests are so deep where `op` is; false when no image has that.
bool jr_thunk_deepen(struct jr_thunker *thunker, MlirOperation op,
                     uint32_t depth);

/// A new register of a type; JR_NONE for types that no register has.
uint32_t jr_thunk_register(struct jr_thunker *thunker, jr_type_ref_t type);

/// A new register of the value's type that holds it from here on.
uint32_t jr_thunk_define(struct jr_thunker *thunker, MlirValue value);

/// The register for a value that is fetched for each use.
uint32_t jr_thunk_passing(struct jr_thunker *thunker, MlirValue value);

bool jr_number_set(struct jr_number_map *map, const void *key, uint32_t number);
uint32_t jr_number_get(const struct jr_number_map *map, const void *key);

/// The register that holds a value here; JR_NONE when there can be none.
uint32_t jr_thunk_use(struct jr_thunker *thunker, MlirValue value);

/// The same for a scalar, and for a memref.
uint32_t jr_thunk_word(struct jr_thunker *thunker, MlirValue value);
uint32_t jr_thunk_memory(struct jr_thunker *thunker, MlirValue value);

/// A constant of type index.
uint32_t jr_thunk_constant(struct jr_thunker *thunker, int64_t value);

/// R = a op b, of type index.
uint32_t jr_thunk_binary(struct jr_thunker *thunker, uint32_t op, uint32_t a,
                         uint32_t b);

/// Moves values into registers, as if all at once.
bool jr_thunk_move(struct jr_thunker *thunker, MlirOperation op, intptr_t first,
                   const uint32_t *registers, intptr_t count);

/// Walks the operations of a block up to its terminator.
bool jr_thunk_block(struct jr_thunker *thunker, MlirBlock block);

/// Makes the thunks of a function that is called.
struct jr_body *jr_thunk_function(struct jr_thunker *thunker, size_t index);

/// The index in SECTION_ARGS of a result of a custom call; JR_NONE for others.
uint32_t jr_thunk_result(MlirValue value);

/// One operation. `jr_thunk_scalar` and `jr_thunk_nest` set *out_known to false
/// for those that are none of theirs.
bool jr_thunk_call(struct jr_thunker *thunker, MlirOperation op);
bool jr_thunk_return(struct jr_thunker *thunker, MlirOperation op);
bool jr_thunk_scalar(struct jr_thunker *thunker, MlirOperation op,
                     bool *out_known);
bool jr_thunk_nest(struct jr_thunker *thunker, MlirOperation op,
                   bool *out_known);
bool jr_thunk_access(struct jr_thunker *thunker, MlirOperation op,
                     bool *out_known);

#endif

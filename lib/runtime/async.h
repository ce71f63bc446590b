/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What stands behind jitrun_async_t: tokens, values and groups (async.c), the
/// public functions (async_public.c) and the async work of an execution
/// (async_work.c, async_exec.c).
///
/// A handle made by a program has two references: one of whoever completes it,
/// given up when it is set, and one of the execution, which keeps all its
/// handles until its async work is done. Upstream's passes that count
/// references in the program are not used: in LLVM 22 they free handles twice
/// or not at all on error paths.
#ifndef JR_RUNTIME_ASYNC_H
#define JR_RUNTIME_ASYNC_H

#include "jitrun/async.h"
#include "jitrun/program.h"

#include <pthread.h>
#include <stdatomic.h>

enum jr_async_kind { JR_ASYNC_TOKEN = 1, JR_ASYNC_VALUE, JR_ASYNC_GROUP };

/// An error that several handles and threads have in common.
struct jr_async_error {
  atomic_size_t references;
  atomic_bool is_seen; ///< by somebody who can act on it
  jitrun_error_t *error;
};

/// Takes an error over; NULL for NULL and when there is no memory.
struct jr_async_error *jr_async_error_create(/*own*/ jitrun_error_t *error);
void jr_async_error_retain(struct jr_async_error *shared);
void jr_async_error_release(/*own*/ struct jr_async_error *shared);

/// Memory of an execution that values it returned are in.
struct jr_async_memory {
  atomic_size_t references;
  struct jr_async_memory *next; ///< while the execution ends
  void *data;
  size_t size_bytes;
  void *start;    ///< what is given to free()
  bool is_mapped; ///< or `data` to munmap()
};
void jr_async_memory_release(/*own*/ struct jr_async_memory *memory);

/// Called once a handle is set; may be freed by `run`.
struct jr_waiter {
  struct jr_waiter *next;
  void (*run)(void *context);
  void *context;
};

struct jitrun_async {
  atomic_size_t references;
  atomic_int state;      ///< jitrun_async_state_t
  atomic_bool is_result; ///< an entry has returned it
  bool is_open;          ///< whoever has it may set it; else a program does
  bool is_claimed;       ///< a value is being stored; lock held
  uint8_t kind;          ///< enum jr_async_kind
  pthread_mutex_t lock;
  struct jr_async_error *error;   ///< with state ERROR; may be NULL: no memory
  struct jr_waiter *waiters;      ///< the last first
  size_t wanted, added, done;     ///< GROUP: tokens
  jitrun_type_t *type;            ///< NULL: not known
  struct jr_async_memory *memory; ///< of its buffer; NULL: that is others'
  size_t storage_bytes;
  unsigned char *storage; ///< VALUE: a scalar, or MLIR's memref descriptor
};

/// MLIR's descriptor of a memref; then `rank` sizes and `rank` strides.
struct jr_descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t extents[];
};

/// A handle with one reference; NULL without memory.
jitrun_async_t *jr_async_create(enum jr_async_kind kind, size_t storage_bytes);

/// What a value of a type takes.
size_t jr_async_storage_bytes(const jitrun_type_t *type);

/// Sets the type, once; false without memory.
bool jr_async_set_type(jitrun_async_t *async, const jitrun_type_t *type);

/// Sets a handle that is pending, with one reference of an error or NULL, and
/// runs what waits for it; false (and gives the error up) when it was set.
bool jr_async_complete(jitrun_async_t *async, jitrun_async_state_t state,
                       /*own*/ struct jr_async_error *error);

/// Has waiter->run called when the handle is set; false when it is set.
bool jr_async_await(jitrun_async_t *async, struct jr_waiter *waiter);
/// Takes a waiter back; false when it was or is being run.
bool jr_async_forget(jitrun_async_t *async, struct jr_waiter *waiter);

/// Adds a token to a group, as number `*out_rank` of it; false without memory.
bool jr_async_add(jitrun_async_t *group, jitrun_async_t *token,
                  int64_t *out_rank);

/// The error of a handle, retained; NULL when it has none.
struct jr_async_error *jr_async_get_error(const jitrun_async_t *async);

/// Blocks until the handle is set, the time is over or *cancel is not 0.
void jr_async_block(jitrun_async_t *async, bool helps, int64_t timeout_ns,
                    const volatile int32_t *cancel);

/// True when a handle can be given where a value of `type` is wanted.
bool jr_async_fits(const jitrun_async_t *async, const jitrun_type_t *type);

extern const jitrun_async_api_t jr_async_api;

#endif

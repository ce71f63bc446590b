/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What is prepared of a call site when its program is loaded: the state of the
/// site, which all of its calls read. A call then fills a block with pointers
/// to the values of its frame, and with records of its memrefs.
#ifndef JR_JITRT_PLAN_H
#define JR_JITRT_PLAN_H

#include "base/arena.h"
#include "base/bytes.h"
#include "jitrun/jitrt.h"

/// One argument or result.
struct jr_jitrt_item {
  bool is_memref;     ///< has a record in the block, else is in the frame
  bool is_async;      ///< the record's data is an async value
  bool is_open;       ///< strides, which the type id is of, are not known yet
  bool must_be_dense; ///< the signature says so of an open one
  uint32_t record;    ///< where, from the beginning of the side's block
};

/// Arguments or results.
struct jr_jitrt_side {
  int64_t count;
  void **types; ///< type ids; NULL in place of open ones
  struct jr_jitrt_item *items;
  void *empty[1];            ///< the list of a side without values
  bool has_open, has_memref; ///< some value is
  size_t block_bytes;
};

struct jr_jitrt_plan {
  struct jr_arena arena; ///< of what has no place in the room
  size_t room_bytes, used_bytes;
  const jitrun_jitrt_call_t *record;
  struct jr_jitrt_side args, rets;
  int64_t attr_count;
  void **attrs;
  const char *failure; ///< what every call ends with: see check.c
  uint64_t room[];     ///< of all that a call reads, in one piece
};

/// A plan with room for so many bytes; NULL without memory.
struct jr_jitrt_plan *jr_jitrt_plan_create(const jitrun_jitrt_call_t *record,
                                           size_t room_bytes);
void jr_jitrt_plan_destroy(struct jr_jitrt_plan *plan);

/// `count` cleared elements out of the room of the plan, else of its arena.
void *jr_jitrt_take(struct jr_jitrt_plan *plan, size_t count,
                    size_t size_bytes);

/// What sides and attributes of a site take.
size_t jr_jitrt_measure(const jitrun_site_t *site);

/// Prepares `count` arguments or results of the types. False: `*out_refused` is
/// the index of one that has no encoding, or SIZE_MAX when there is no memory.
bool jr_jitrt_plan_side(struct jr_jitrt_plan *plan,
                        const jitrun_type_t *const *types, uint32_t count,
                        struct jr_jitrt_side *side, size_t *out_refused);

/// Encodes the attributes of a site. False: `*out_refused` is one that has no
/// encoding, or NULL when there is no memory.
bool jr_jitrt_plan_attrs(struct jr_jitrt_plan *plan, const jitrun_site_t *site,
                         const jitrun_attr_t **out_refused);

/// Compares with the declared signature, and sets plan->failure to what JitRt
/// says; false when there is no memory.
bool jr_jitrt_plan_checks(struct jr_jitrt_plan *plan);

/// Fills a block with a side of a call and returns the list that the handler
/// gets; NULL when a memref must be dense and is not.
void **jr_jitrt_fill(const struct jr_jitrt_side *side, jitrun_arg_t *values,
                     unsigned char *block);

/// One call: what a handler's `ctx` points to.
struct jr_jitrt_context {
  jitrun_call_t *call;
  const struct jr_jitrt_plan *plan;
  struct jr_bytes text;  ///< what jitrun_jitrt_error() added
  jitrun_error_t *error; ///< of the runtime: what the call then ends with
};

/// True when the runtime has a function: it may be older than this library.
#define JR_JITRT_HAS(api, field)                                               \
  ((api)->size >= offsetof(jitrun_call_api_t, field) + sizeof((api)->field) && \
   (api)->field)

/// Hands memref results and async memrefs to the runtime.
jitrun_error_t *jr_jitrt_take_results(jitrun_call_t *call, void **rets);

/// An error with a formatted text.
jitrun_error_t *jr_jitrt_fail(const jitrun_call_t *call, jitrun_code_t code,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

jitrun_error_t *jr_jitrt_no_memory(const jitrun_call_t *call);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tokens that stand for several others.
#include "client/tuple.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct join;

/// One of the tokens that are waited for.
struct joined {
  struct join *join;
  jitrun_async_t *token; ///< retained
};

struct join {
  size_t left; ///< atomic: of the tokens, and one of whoever makes it
  jitrun_async_t *done;
  struct joined joined[];
};

static void leave_join(struct join *join, size_t count) {
  if (__atomic_sub_fetch(&join->left, count, __ATOMIC_ACQ_REL) > 0)
    return;
  // Refused when there was an error.
  jitrun_error_free(jitrun_async_set_token(join->done));
  jitrun_async_release(join->done);
  free(join);
}

static void end_token(void *context) {
  const struct joined *joined = context;
  struct join *join = joined->join;
  jitrun_error_t *error = jitrun_async_error(joined->token);
  jitrun_async_release(joined->token);
  if (error)
    jitrun_async_set_error(join->done, error);
  leave_join(join, 1);
}

/// False when the token is not waited for.
static bool add_token(struct join *join, struct joined *joined,
                      jitrun_async_t *token) {
  if (!token)
    return false;
  *joined = (struct joined){.join = join, .token = token};
  jitrun_async_retain(token);
  jitrun_error_t *error = jitrun_async_then(token, end_token, joined);
  if (!error)
    return true;
  jitrun_async_set_error(join->done, error);
  jitrun_async_release(token);
  return false;
}

jitrun_error_t *jr_token_join(jitrun_async_t *const *tokens, size_t count,
                              jitrun_async_t **out_token) {
  *out_token = NULL;
  struct join *join = jr_malloc(sizeof *join + count * sizeof join->joined[0]);
  if (!join)
    return jr_error_no_memory();
  size_t missing = 1;
  join->left = count + missing;
  jitrun_error_t *error = jr_token_create(&join->done);
  if (error) {
    free(join);
    return error;
  }
  jitrun_async_retain(join->done);
  *out_token = join->done;
  for (size_t i = 0; i < count; i++)
    missing += !add_token(join, &join->joined[i], tokens[i]);
  leave_join(join, missing);
  return NULL;
}

jitrun_error_t *jitrun_buffer_after(jitrun_buffer_t *buffer,
                                    jitrun_async_t *const *tokens, size_t count,
                                    jitrun_buffer_t **out_buffer) {
  struct jr_memory *memory;
  jitrun_async_t *ready;
  if (!out_buffer || (count > 0 && !tokens))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a buffer that waits needs its tokens and a place to be "
                    "put in; one of them is NULL");
  *out_buffer = NULL;
  JITRUN_TRY(jr_buffer_use(buffer, "wait for", &memory));
  jitrun_async_t **all = jr_calloc(count + 1, sizeof(void *));
  if (count > 0 && all)
    memcpy(all, tokens, count * sizeof(void *));
  if (all)
    all[count] = buffer->ready;
  jitrun_error_t *error =
      all ? jr_token_join(all, count + 1, &ready) : jr_error_no_memory();
  free(all);
  if (error) {
    jr_memory_release(memory);
    return error;
  }
  const struct jr_shape shape = {.dtype = buffer->dtype,
                                 .rank = buffer->rank,
                                 .dims = buffer->dims,
                                 .size_bytes = buffer->size_bytes};
  return jr_buffer_create(buffer->device, &shape, buffer->offset_bytes, memory,
                          ready, out_buffer);
}

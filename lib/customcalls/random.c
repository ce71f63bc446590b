/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.threefry`, `jitrun.philox` and XLA's calls for the CPU: values from
/// a state, which is a key and a counter. A value depends on its place alone,
/// so that any number of threads makes the same ones.
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/parts.h"
#include "customcalls/random_blocks.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ARG_STATE, ARG_NEW_STATE, ARG_VALUES, ARG_COUNT };
enum {
  CHUNK = 2048, ///< words that one task makes at a time
  GRAIN = 16,   ///< chunks that are worth a thread
  STATE_BYTES = 16,
  LONG_STATE_BYTES = 24 ///< one that has all words of Philox' counter
};

#define WORDS                                                                  \
  (JITRUN_DTYPES(JITRUN_DTYPE_S32) | JITRUN_DTYPES(JITRUN_DTYPE_U32) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_S64) | JITRUN_DTYPES(JITRUN_DTYPE_U64))
#define VALUES                                                                 \
  (WORDS | JITRUN_DTYPES(JITRUN_DTYPE_S8) | JITRUN_DTYPES(JITRUN_DTYPE_U8) |   \
   JITRUN_DTYPES(JITRUN_DTYPE_S16) | JITRUN_DTYPES(JITRUN_DTYPE_U16) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_F16) | JITRUN_DTYPES(JITRUN_DTYPE_BF16) |        \
   JITRUN_DTYPES(JITRUN_DTYPE_F32) | JITRUN_DTYPES(JITRUN_DTYPE_F64))
#define STATE                                                                  \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 1, .max_rank = 1, .dtypes = WORDS

static const jitrun_param_t args[ARG_COUNT] = {
    [ARG_STATE] = {.name = "state", STATE},
    [ARG_NEW_STATE] = {.name = "new_state", STATE},
    [ARG_VALUES] = {.name = "values",
                    .kind = JITRUN_KIND_BUFFER,
                    .max_rank = JR_MAX_RANK,
                    .dtypes = VALUES}};

const jitrun_signature_t jr_random_signature = {
    .size = sizeof(jitrun_signature_t), .args = args, .arg_count = ARG_COUNT};

/// A generator, and how its words become values.
struct generator {
  jr_random_fn_t make_blocks;
  size_t block_words;
  bool takes_long_state;
  bool pairs_bytes; ///< values of one byte: two of a word, as JitRt has them
};

/// Values in the making, in one piece of memory.
struct filling {
  const struct generator *generator;
  struct jr_random random;
  char *to;
  size_t size_bytes;
  size_t word_bytes; ///< that are used of each word, its low ones
};

static int64_t count_bytes(const jitrun_type_t *type) {
  uint64_t bytes = 0;
  (void)jr_elements_bytes(jr_dtype_size((jitrun_dtype_t)type->dtype),
                          jitrun_type_dims(type), type->rank, &bytes);
  return (int64_t)bytes;
}

/// Both states, as far as their sizes are known.
static jitrun_error_t *check_states(const jitrun_call_t *call,
                                    const struct generator *generator,
                                    const jitrun_type_t *const *types) {
  for (int i = ARG_STATE; i <= ARG_NEW_STATE; i++) {
    if (jitrun_type_dims(types[i])[0] == JITRUN_DYNAMIC)
      continue;
    int64_t bytes = count_bytes(types[i]);
    if (bytes == STATE_BYTES ||
        (bytes == LONG_STATE_BYTES && generator->takes_long_state))
      continue;
    return jr_call_error(
        call, JITRUN_INVALID_ARGUMENT,
        "%s: '%s' has %" PRId64 " bytes; a key and a counter have 16%s",
        call->site->target, args[i].name, bytes,
        generator->takes_long_state ? ", or 24 with all of the counter" : "");
  }
  int64_t from = jitrun_type_dims(types[ARG_STATE])[0];
  int64_t to = jitrun_type_dims(types[ARG_NEW_STATE])[0];
  if (from == JITRUN_DYNAMIC || to == JITRUN_DYNAMIC ||
      count_bytes(types[ARG_STATE]) == count_bytes(types[ARG_NEW_STATE]))
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'state' has %" PRId64
                       " bytes, 'new_state' has %" PRId64
                       "; both must have as many",
                       call->site->target, count_bytes(types[ARG_STATE]),
                       count_bytes(types[ARG_NEW_STATE]));
}

/// Copies a state from or to dense memory.
static void copy_state(const jitrun_arg_t *state, uint32_t *words, bool reads) {
  static const int64_t one = 1;
  const int64_t *strides = jitrun_type_strides(state->type);
  char *memory = (char *)words;
  jr_copy_elements(&(struct jr_copy){
      .to = reads ? memory : state->value.data,
      .from = reads ? state->value.data : memory,
      .dims = jitrun_type_dims(state->type),
      .to_strides = reads ? &one : strides,
      .from_strides = reads ? strides : &one,
      .rank = 1,
      .element_bytes = jr_dtype_size((jitrun_dtype_t)state->type->dtype)});
}

/// A short state of Philox stands for one whose counter goes on with the key.
static struct jr_random read_state(const jitrun_arg_t *state) {
  uint32_t words[6];
  copy_state(state, words, true);
  if (count_bytes(state->type) == STATE_BYTES)
    memcpy(words + 4, words, 2 * sizeof *words);
  struct jr_random random;
  memcpy(random.key, words, sizeof random.key);
  memcpy(random.counter, words + 2, sizeof random.counter);
  return random;
}

static void write_state(const jitrun_arg_t *state,
                        const struct jr_random *random) {
  uint32_t words[6];
  memcpy(words, random->key, sizeof random->key);
  memcpy(words + 2, random->counter, sizeof random->counter);
  copy_state(state, words, false);
}

/// The low bytes of each word.
static void store_words(const struct filling *filling, const uint32_t *words,
                        char *to, size_t size_bytes) {
  if (filling->word_bytes == sizeof *words) {
    memcpy(to, words, size_bytes);
    return;
  }
  size_t whole = size_bytes - size_bytes % filling->word_bytes;
  for (size_t i = 0; i < whole && filling->word_bytes == 2; i += 2) {
    uint16_t half = (uint16_t)words[i / 2];
    memcpy(to + i, &half, sizeof half);
  }
  for (size_t i = 0; i < whole && filling->word_bytes == 1; i++)
    to[i] = (char)words[i];
  if (whole < size_bytes)
    to[whole] = (char)words[whole / 2];
}

/// Chunks [first, last).
static void fill_chunks(void *context, size_t first, size_t last) {
  const struct filling *filling = context;
  size_t block_words = filling->generator->block_words;
  size_t chunk_bytes = CHUNK * filling->word_bytes;
  for (size_t i = first; i < last; i++) {
    uint32_t words[CHUNK + 4 * JR_RANDOM_LANES];
    size_t start = i * chunk_bytes;
    size_t size = filling->size_bytes - start;
    if (size > chunk_bytes)
      size = chunk_bytes;
    size_t count = (size + filling->word_bytes - 1) / filling->word_bytes;
    filling->generator->make_blocks(&filling->random, i * (CHUNK / block_words),
                                    (count + block_words - 1) / block_words,
                                    words);
    store_words(filling, words, filling->to + start, size);
  }
}

/// Makes the values where they lie in one piece, else in a workspace.
static jitrun_error_t *fill_values(const jitrun_call_t *call,
                                   struct filling *filling,
                                   const jitrun_arg_t *values) {
  bool is_dense = jr_type_is_dense(values->type);
  size_t size = filling->size_bytes;
  size_t chunk_bytes = CHUNK * filling->word_bytes;
  filling->to = is_dense ? (char *)values->value.data
                         : call->site->api->workspace(call, size);
  if (!filling->to)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                         "%s: out of memory for %zu bytes of values",
                         call->site->target, size);
  call->site->api->parallel_for(call, (size + chunk_bytes - 1) / chunk_bytes,
                                GRAIN, fill_chunks, filling);
  if (is_dense)
    return NULL;
  int64_t strides[JR_MAX_RANK];
  const int64_t *dims = jitrun_type_dims(values->type);
  jr_dense_strides(dims, values->type->rank, strides);
  jr_copy_elements(&(struct jr_copy){
      .to = values->value.data,
      .from = filling->to,
      .dims = dims,
      .to_strides = jitrun_type_strides(values->type),
      .from_strides = strides,
      .rank = values->type->rank,
      .element_bytes = jr_dtype_size((jitrun_dtype_t)values->type->dtype)});
  return NULL;
}

static jitrun_error_t *run(jitrun_call_t *call,
                           const struct generator *generator) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  const jitrun_arg_t *values = &operands[ARG_VALUES];
  const jitrun_type_t *types[] = {operands[ARG_STATE].type,
                                  operands[ARG_NEW_STATE].type};
  jitrun_error_t *error = check_states(call, generator, types);
  if (error)
    return error;
  size_t element = jr_dtype_size((jitrun_dtype_t)values->type->dtype);
  size_t word_bytes = element < sizeof(uint32_t) ? element : sizeof(uint32_t);
  if (element == 1 && generator->pairs_bytes)
    word_bytes = 2;
  struct filling filling = {.generator = generator,
                            .random = read_state(&operands[ARG_STATE]),
                            .size_bytes = (size_t)count_bytes(values->type),
                            .word_bytes = word_bytes};
  if (filling.size_bytes > 0)
    error = fill_values(call, &filling, values);
  if (error)
    return error;
  size_t block_bytes = word_bytes * generator->block_words;
  jr_random_advance(&filling.random,
                    (filling.size_bytes + block_bytes - 1) / block_bytes,
                    generator->takes_long_state ? 128 : 64);
  write_state(&operands[ARG_NEW_STATE], &filling.random);
  return NULL;
}

#define THREEFRY .make_blocks = jr_threefry_blocks, .block_words = 2
#define PHILOX                                                                 \
  .make_blocks = jr_philox_blocks, .block_words = 4, .takes_long_state = true

static const struct generator threefry = {THREEFRY};
static const struct generator philox = {PHILOX};
static const struct generator xla_threefry = {THREEFRY, .pairs_bytes = true};
static const struct generator xla_philox = {PHILOX, .pairs_bytes = true};

jitrun_error_t *jr_threefry_check(jitrun_call_t *call) {
  return check_states(call, &threefry, call->site->types);
}

jitrun_error_t *jr_philox_check(jitrun_call_t *call) {
  return check_states(call, &philox, call->site->types);
}

static jitrun_error_t *run_threefry(jitrun_call_t *call) {
  return run(call, &threefry);
}

static jitrun_error_t *run_philox(jitrun_call_t *call) {
  return run(call, &philox);
}

jitrun_error_t *jr_xla_threefry(jitrun_call_t *call) {
  return run(call, &xla_threefry);
}

jitrun_error_t *jr_xla_philox(jitrun_call_t *call) {
  return run(call, &xla_philox);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.philox",
     .platform = "host",
     .summary = "fills values with random bits of Philox-4x32-10",
     .signature = &jr_random_signature,
     .execute = run_philox,
     .instantiate = jr_philox_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.threefry",
     .platform = "host",
     .summary = "fills values with random bits of Threefry-2x32-20",
     .signature = &jr_random_signature,
     .execute = run_threefry,
     .instantiate = jr_threefry_check},
};

JR_PART(random, calls, false);

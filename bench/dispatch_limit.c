/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The limit of dispatching: a loop over {handler, frame}, unrolled 32 times
/// so that the CPU learns the targets, with the same frames, the same handlers
/// and the same store of the current site that jitrun has. A count that is no
/// multiple of 32 enters the loop in its middle.
#include "dispatch_limit.h"
#include "handlers.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_BYTES = 64, ATTRS = 2 };

struct slot {
  jitrun_handler_t handler;
  jitrun_call_t *frame;
};

/// What a frame is in jitrun: 32 bytes and 16 an argument, on lines of its own.
struct frame {
  _Alignas(FRAME_BYTES) jitrun_call_t call;
  jitrun_arg_t args[2];
};

struct jr_limit {
  uint64_t count;
  struct slot *slots;
  struct frame *frames;
  jitrun_attr_t (*attrs)[ATTRS];
  volatile uint64_t current_site;
};

/// The generator's random numbers: a program is told by the `k` of its calls.
static uint32_t mix_bits(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

static void *slice(void *memory, uint32_t index) {
  return (char *)memory +
         (size_t)(index % JR_LIMIT_SLICES) * JR_LIMIT_SLICE_BYTES;
}

/// False when the site is not one that the generator would have made.
static bool fill_call(struct jr_limit *limit, uint64_t index,
                      const jitrun_site_t *site, void *memory) {
  if (site->attr_count != ATTRS || site->arg_count != 2)
    return false;
  struct frame *frame = &limit->frames[index];
  jitrun_attr_t *attrs = limit->attrs[index];
  memcpy(attrs, site->attrs, sizeof limit->attrs[index]);
  uint32_t bits = mix_bits(attrs[0].value.u32);
  const jitrun_customcall_t *handler =
      jr_bench_handler(bits % JR_BENCH_HANDLERS);
  if (strcmp(handler->name, site->target) != 0)
    return false;
  frame->call = (jitrun_call_t){.site = site, .attrs = attrs};
  for (uint32_t i = 0; i < 2; i++)
    frame->args[i] =
        (jitrun_arg_t){.value.data = slice(memory, bits >> (4 + 4 * i)),
                       .type = site->types[i]};
  limit->slots[index] = (struct slot){handler->execute, &frame->call};
  return true;
}

static bool fill_calls(struct jr_limit *limit, const jitrun_program_t *program,
                       void *memory) {
  size_t count = (size_t)limit->count;
  limit->slots = calloc(count, sizeof *limit->slots);
  limit->attrs = calloc(count, sizeof *limit->attrs);
  limit->frames = aligned_alloc(FRAME_BYTES, count * sizeof *limit->frames);
  if (!limit->slots || !limit->attrs || !limit->frames)
    return false;
  for (uint64_t i = 0; i < count; i++) {
    const jitrun_site_t *site = jitrun_program_site_get(program, i);
    if (!fill_call(limit, i, site, memory))
      return false;
  }
  return true;
}

struct jr_limit *jr_limit_create(const jitrun_program_t *program,
                                 void *memory) {
  struct jr_limit *limit = calloc(1, sizeof *limit);
  if (!limit)
    return NULL;
  limit->count = jitrun_program_site_count(program);
  if (limit->count == 0 || !fill_calls(limit, program, memory)) {
    jr_limit_destroy(limit);
    return NULL;
  }
  return limit;
}

void jr_limit_destroy(struct jr_limit *limit) {
  if (!limit)
    return;
  free(limit->slots);
  free(limit->attrs);
  free(limit->frames);
  free(limit);
}

/* clang-format off */
#define FOR_CALLS_LEFT(X)                                                      \
  X(31) X(30) X(29) X(28) X(27) X(26) X(25) X(24) X(23) X(22) X(21) X(20)      \
  X(19) X(18) X(17) X(16) X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8) X(7)   \
  X(6) X(5) X(4) X(3) X(2) X(1)
/* clang-format on */

#define CALL_SLOT(left)                                                        \
  *current_site = end - (left);                                                \
  error = (slots + end - (left))->handler((slots + end - (left))->frame);      \
  if (error)                                                                   \
    return error;

#define CASE_SLOT(left)                                                        \
  case left:                                                                   \
    CALL_SLOT(left)                                                            \
    __attribute__((fallthrough));

// NOLINTBEGIN(readability-function-size): the loop is unrolled.
jitrun_error_t *jr_limit_run(struct jr_limit *limit) {
  const struct slot *slots = limit->slots;
  volatile uint64_t *current_site = &limit->current_site;
  jitrun_error_t *error;
  uint64_t end = limit->count % 32;
  switch (end) {
    while (end < limit->count) {
      end += 32;
      CALL_SLOT(32)
      __attribute__((fallthrough));
      FOR_CALLS_LEFT(CASE_SLOT)
    case 0:;
    }
  default:;
  }
  *current_site = JITRUN_NO_SITE;
  return NULL;
}
// NOLINTEND(readability-function-size)

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A JitRt handler that looks at what it is given, in a call made by hand. It
/// reads raw pointers, as one that was built for JitRt does.
#ifndef TEST_UNIT_JITRT_LOOKING_H
#define TEST_UNIT_JITRT_LOOKING_H

#include "fake_call.h"

#include "jitrun/jitrt.h"

/// What the handlers look at besides what they are given.
static void (*look)(void *ctx, void **args, void **attrs, void **rets);
static unsigned call_count;

static inline bool run_look(void *ctx, void **args, void **attrs, void **rets) {
  call_count++;
  if (look)
    look(ctx, args, attrs, rets);
  return true;
}

static jitrun_jitrt_call_t looking = {.size = sizeof(jitrun_jitrt_call_t),
                                      .name = "test.custom_call",
                                      .function = run_look};
static jitrun_customcall_t record;

static inline void start(struct fake_call *fake,
                         const jitrun_jitrt_call_t *call) {
  record = jitrun_jitrt_adapt(call);
  fake_init(fake, &record);
  call_count = 0;
}

static inline int64_t count_of(void **list) {
  return *(int64_t *)list[0];
}

static inline const void *id_of(void **list, int64_t index) {
  return ((void **)list[1])[index];
}

#endif

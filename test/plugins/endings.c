/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls that do not return: each way in which a program can take its
/// process down or hold it up, to test who says so.
#define _GNU_SOURCE // NOLINT: signals

#include "jitrun/customcall.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// `end.segv`: writes to where nothing is.
static jitrun_error_t *segv(jitrun_call_t *call) {
  (void)call;
  volatile int *volatile nowhere = NULL;
  *nowhere = 1; // NOLINT: that is the point
  return NULL;
}

/// `end.measure`: lets the C library do the same.
static jitrun_error_t *measure(jitrun_call_t *call) {
  volatile uintptr_t nowhere = 8;
  volatile size_t length = strlen((const char *)nowhere); // NOLINT: the point
  return length ? NULL : measure(call);
}

/// `end.jump`: calls what is no function.
static jitrun_error_t *jump(jitrun_call_t *call) {
  jitrun_error_t *(*volatile nowhere)(jitrun_call_t *) = NULL;
  jitrun_error_t *volatile error = nowhere(call); // NOLINT: that is the point
  return error; // volatile: so the call is no jump, and comes back here
}

/// `end.overflow`: uses up the stack.
static jitrun_error_t *overflow(jitrun_call_t *call) {
  volatile char block[4096];
  memset((void *)(uintptr_t)block, 1, sizeof(block));
  jitrun_error_t *error = call ? overflow(call) : NULL;
  block[0] = 2; // so that the call above is not the last thing done
  return error;
}

/// `end.smash`: writes over what the runtime keeps of the call, then aborts.
static jitrun_error_t *smash(jitrun_call_t *call) {
  memset((void *)(uintptr_t)call->site, 0x5a, sizeof *call->site);
  abort();
}

/// `end.silent`: fails and does not say why.
static jitrun_error_t *fail_silently(jitrun_call_t *call) {
  return call->site->api->error(call, JITRUN_INTERNAL, "", SIZE_MAX);
}

/// `end.abort`.
static jitrun_error_t *end_abort(jitrun_call_t *call) {
  (void)call;
  abort();
}

/// `end.exit`: ends the process as if all were well.
static jitrun_error_t *end_exit(jitrun_call_t *call) {
  (void)call;
  exit(0);
}

/// `end.stop`: stops the process, which somebody must continue.
static jitrun_error_t *stop(jitrun_call_t *call) {
  (void)call;
  (void)raise(SIGSTOP);
  return NULL;
}

/// `end.wait`: waits for ever; the attribute asks for no signal to get in.
static jitrun_error_t *wait_forever(jitrun_call_t *call) {
  if (call->attrs[0].kind != JITRUN_ATTR_ABSENT && call->attrs[0].value.pred) {
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
  }
  for (;;)
    (void)pause();
  return NULL;
}

/// `end.eat`: takes memory until there is no more, and gives it back.
static jitrun_error_t *eat(jitrun_call_t *call) {
  enum { BITE = 1 << 24 };
  void **last = NULL;
  for (void **block = malloc(BITE); block; block = malloc(BITE)) {
    *block = (void *)last;
    last = block;
  }
  while (last) {
    void **next = (void **)*last;
    free((void *)last);
    last = next;
  }
  return call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED,
                                "end.eat has had enough", SIZE_MAX);
}

static const jitrun_attr_param_t wait_attrs[] = {
    {.name = "deaf",
     .kind = JITRUN_ATTR_SCALAR,
     .flags = JITRUN_OPTIONAL,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_PRED)}};
static const jitrun_signature_t wait_signature = {
    .size = sizeof(jitrun_signature_t), .attrs = wait_attrs, .attr_count = 1};

#define CALL(name_text, function)                                              \
  {.size = sizeof(jitrun_customcall_t),                                        \
   .name = (name_text),                                                        \
   .platform = "host",                                                         \
   .execute = (function)}

static const jitrun_customcall_t calls[] = {
    CALL("end.segv", segv),
    CALL("end.measure", measure),
    CALL("end.jump", jump),
    CALL("end.overflow", overflow),
    CALL("end.smash", smash),
    CALL("end.silent", fail_silently),
    CALL("end.abort", end_abort),
    CALL("end.exit", end_exit),
    CALL("end.stop", stop),
    CALL("end.eat", eat),
    {.size = sizeof(jitrun_customcall_t),
     .name = "end.wait",
     .platform = "host",
     .signature = &wait_signature,
     .execute = wait_forever},
};

static const jitrun_plugin_t plugin = {.size = sizeof(jitrun_plugin_t),
                                       .version = JITRUN_CUSTOMCALL_VERSION,
                                       .sanitizer = JITRUN_SANITIZER,
                                       .name = "endings",
                                       .calls = calls,
                                       .call_count =
                                           sizeof(calls) / sizeof(calls[0])};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= JITRUN_CUSTOMCALL_VERSION ? &plugin : NULL;
}

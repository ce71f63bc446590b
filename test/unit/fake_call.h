/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A call made by hand, for testing handlers without a program: add arguments
/// and attributes, load, run, look at the output. Includes cmocka.
#ifndef TEST_UNIT_FAKE_CALL_H
#define TEST_UNIT_FAKE_CALL_H

#include "expect.h"

#include "base/bytes.h"
#include "customcalls/registry.h"
#include "customcalls/signature.h"
#include "jitrun/customcall.h"

#include <stdlib.h>
#include <string.h>

#define FAKE_ROOM 8 ///< operands, attributes, and rank

/// A type record with room behind it.
struct fake_type {
  jitrun_type_t type;
  int64_t extents[2 * FAKE_ROOM];
};

struct fake_call {
  const jitrun_customcall_t *record;
  jitrun_site_t site;
  struct {
    jitrun_call_t call;
    jitrun_arg_t args[FAKE_ROOM];
  } frame;
  struct fake_type types[FAKE_ROOM];      ///< of the execution
  struct fake_type site_types[FAKE_ROOM]; ///< of the program
  const jitrun_type_t *site_type_list[FAKE_ROOM];
  jitrun_attr_t attrs[FAKE_ROOM];
  jitrun_attr_t ordered_attrs[FAKE_ROOM];
  struct jr_bytes output;
  bool is_dynamic;            ///< sizes and strides are not in the program
  int cancel_after;           ///< polls until it is cancelled; -1: never
  struct jitrun_world *world; ///< NULL: alone
  uint32_t replica, partition;
  void *state; ///< of the execution; one is enough
  void (*destroy_state)(void *state);
};

/// For the tests' own mistakes.
static inline void require_room(bool has_room) {
  if (has_room)
    return;
  print_error("a fake call has no room for more\n");
  abort();
}

/// The fake that a frame belongs to; NULL in the instantiate stage.
static inline struct fake_call *fake_of(const jitrun_call_t *call) {
  return (struct fake_call *)(void *)call->exec;
}

static inline jitrun_error_t *fake_error(const jitrun_call_t *call,
                                         jitrun_code_t code, const char *text,
                                         size_t text_size) {
  (void)call;
  return jr_error_text(code, text,
                       text_size == SIZE_MAX ? strlen(text) : text_size);
}

static inline void fake_print(const jitrun_call_t *call, const char *text,
                              size_t text_size) {
  if (call->exec)
    jr_bytes_append(&fake_of(call)->output, text, text_size);
}

/// In order, one item at a time.
static inline void fake_parallel_for(const jitrun_call_t *call, size_t count,
                                     size_t grain, jitrun_task_fn_t body,
                                     void *context) {
  (void)call;
  (void)grain;
  for (size_t i = 0; i < count; i++)
    body(context, i, i + 1);
}

static inline bool fake_cancelled(const jitrun_call_t *call) {
  struct fake_call *fake = fake_of(call);
  if (!fake || fake->cancel_after < 0)
    return false;
  return fake->cancel_after-- == 0;
}

static inline jitrun_error_t *fake_state(const jitrun_call_t *call,
                                         const jitrun_state_key_t *key,
                                         void **out_state) {
  struct fake_call *fake = fake_of(call);
  jitrun_error_t *error = NULL;
  if (!fake->state)
    error = key->create(call, key->context, &fake->state);
  fake->destroy_state = key->destroy;
  *out_state = fake->state;
  return error;
}

static inline uint32_t fake_replica(const jitrun_call_t *call) {
  return fake_of(call)->replica;
}

static inline uint32_t fake_partition(const jitrun_call_t *call) {
  return fake_of(call)->partition;
}

static inline struct jitrun_world *fake_world(const jitrun_call_t *call) {
  return fake_of(call)->world;
}

static const jitrun_call_api_t fake_api = {.size = sizeof(fake_api),
                                           .error = fake_error,
                                           .print = fake_print,
                                           .parallel_for = fake_parallel_for,
                                           .cancelled = fake_cancelled,
                                           .state = fake_state,
                                           .replica_id = fake_replica,
                                           .partition_id = fake_partition,
                                           .world = fake_world};

/// Starts a call without arguments of a record.
static inline void fake_init(struct fake_call *fake,
                             const jitrun_customcall_t *record) {
  assert_non_null(record);
  *fake = (struct fake_call){.record = record, .cancel_after = -1};
  fake->site = (jitrun_site_t){.size = sizeof(jitrun_site_t),
                               .api = &fake_api,
                               .target = record->name,
                               .file = "model.mlir",
                               .line = 7,
                               .column = 3,
                               .types = fake->site_type_list,
                               .attrs = fake->attrs,
                               .user_data = record->user_data};
  fake->frame.call.site = &fake->site;
}

static inline void fake_init_builtin(struct fake_call *fake, const char *name) {
  fake_init(fake, jr_registry_find(jitrun_registry_default(), name, "host"));
}

/// Adds the types of the next operand, an argument.
static inline jitrun_arg_t *fake_operand(struct fake_call *fake,
                                         jitrun_kind_t kind,
                                         jitrun_dtype_t dtype, uint16_t rank) {
  uint32_t index = fake->site.arg_count++;
  require_room(index < FAKE_ROOM && rank <= FAKE_ROOM);
  fake->types[index].type = (jitrun_type_t){
      .kind = (uint8_t)kind, .dtype = (uint8_t)dtype, .rank = rank};
  fake->site_types[index] = fake->types[index];
  fake->site_type_list[index] = &fake->site_types[index].type;
  fake->frame.args[index].type = &fake->types[index].type;
  return &fake->frame.args[index];
}

static inline jitrun_arg_t *fake_scalar(struct fake_call *fake,
                                        jitrun_dtype_t dtype) {
  return fake_operand(fake, JITRUN_KIND_SCALAR, dtype, 0);
}

/// `strides` NULL: dense, row-major.
static inline void fake_buffer(struct fake_call *fake, jitrun_dtype_t dtype,
                               uint16_t rank, void *data, const int64_t *dims,
                               const int64_t *strides) {
  fake_operand(fake, JITRUN_KIND_BUFFER, dtype, rank)->value.data = data;
  struct fake_type *type = &fake->types[fake->site.arg_count - 1];
  int64_t stride = 1;
  for (uint16_t i = rank; i-- > 0;) {
    type->extents[i] = dims[i];
    type->extents[rank + i] = strides ? strides[i] : stride;
    stride *= dims[i];
  }
  struct fake_type *site_type = &fake->site_types[fake->site.arg_count - 1];
  *site_type = *type;
  for (uint16_t i = 0; i < 2 * rank && fake->is_dynamic; i++)
    site_type->extents[i] = JITRUN_DYNAMIC;
}

/// Adds an attribute; they are kept sorted.
static inline void fake_attr(struct fake_call *fake, jitrun_attr_t attr) {
  uint32_t at = fake->site.attr_count++;
  require_room(at < FAKE_ROOM);
  for (; at > 0 && strcmp(fake->attrs[at - 1].name, attr.name) > 0; at--)
    fake->attrs[at] = fake->attrs[at - 1];
  fake->attrs[at] = attr;
}

static inline jitrun_attr_t attr_scalar(const char *name,
                                        jitrun_dtype_t dtype) {
  return (jitrun_attr_t){
      .name = name, .kind = JITRUN_ATTR_SCALAR, .dtype = (uint8_t)dtype};
}

static inline jitrun_attr_t attr_f64(const char *name, double value) {
  jitrun_attr_t attr = attr_scalar(name, JITRUN_DTYPE_F64);
  attr.value.f64 = value;
  return attr;
}

static inline jitrun_attr_t attr_s64(const char *name, int64_t value) {
  jitrun_attr_t attr = attr_scalar(name, JITRUN_DTYPE_S64);
  attr.value.s64 = value;
  return attr;
}

static inline jitrun_attr_t attr_pred(const char *name, bool value) {
  jitrun_attr_t attr = attr_scalar(name, JITRUN_DTYPE_PRED);
  attr.value.pred = value;
  return attr;
}

static inline jitrun_attr_t attr_string(const char *name, const char *value) {
  return (jitrun_attr_t){.name = name,
                         .kind = JITRUN_ATTR_STRING,
                         .count = strlen(value),
                         .value = {.string = value}};
}

/// What loading a program does for a site.
static inline jitrun_error_t *fake_load(struct fake_call *fake) {
  jitrun_call_t *call = &fake->frame.call;
  jitrun_error_t *error = jr_signature_check(fake->record, &fake->site);
  if (error)
    return error;
  call->attrs = fake->attrs;
  if (fake->record->signature) {
    jr_signature_order_attrs(fake->record->signature, &fake->site,
                             fake->ordered_attrs);
    call->attrs = fake->ordered_attrs;
  }
  return fake->record->instantiate ? fake->record->instantiate(call) : NULL;
}

static inline jitrun_error_t *fake_run(struct fake_call *fake) {
  fake->frame.call.exec = (jitrun_exec_t *)(void *)fake;
  jitrun_error_t *error = fake->record->execute(&fake->frame.call);
  fake->frame.call.exec = NULL;
  return error;
}

static inline void fake_deinit(struct fake_call *fake) {
  if (fake->record->destroy_state && fake->frame.call.state)
    fake->record->destroy_state(fake->frame.call.state);
  if (fake->state)
    fake->destroy_state(fake->state);
  fake->state = NULL;
  jr_bytes_deinit(&fake->output);
}

/// Loads, runs and ends a call that must succeed.
static inline void fake_succeed(struct fake_call *fake) {
  expect_ok(fake_load(fake));
  expect_ok(fake_run(fake));
  fake_deinit(fake);
}

/// Loads and ends a call that is refused.
static inline void fake_refuse(struct fake_call *fake, jitrun_code_t code,
                               const char *part) {
  expect_error(fake_load(fake), code, part);
  fake_deinit(fake);
}

/// Loads, runs and ends a call that fails when it runs.
static inline void fake_fail(struct fake_call *fake, jitrun_code_t code,
                             const char *part) {
  expect_ok(fake_load(fake));
  expect_error(fake_run(fake), code, part);
  fake_deinit(fake);
}

#endif

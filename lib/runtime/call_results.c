/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memrefs that handlers return: memory is given to a result by address, sizes
/// and strides, which are checked against its declared type. Where that leaves
/// them open, the frame has a type record of its own to hold them.
#include "base/dtype.h"
#include "runtime/context.h"
#include "runtime/table_check.h"

#include <string.h>

enum { RESULT_ALIGNMENT = 64 };

/// A result of a call, and its type as the program declares it.
struct result {
  jitrun_arg_t *arg;
  const jitrun_type_t *declared;
  uint32_t index;
};

static jitrun_error_t *find_result(const jitrun_call_t *call, uint32_t index,
                                   struct result *out_result) {
  const jitrun_site_t *site = call->site;
  if (!call->exec)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "result %u is given memory while nothing is executed",
                    index);
  if (index >= site->result_count)
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "result %u is given memory, the call has %u", index,
                    site->result_count);
  jitrun_arg_t *args = (jitrun_arg_t *)(uintptr_t)(call + 1);
  *out_result =
      (struct result){.arg = &args[site->arg_count + index],
                      .declared = site->types[site->arg_count + index],
                      .index = index};
  if (out_result->declared->kind != JITRUN_KIND_BUFFER)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "result %u is given memory, and is no buffer: store its "
                    "value",
                    index);
  return NULL;
}

static jitrun_error_t *refuse(const struct result *result, const char *what,
                              uint32_t number, int64_t found) {
  struct jr_bytes text = {0};
  jr_type_format(&text, result->declared);
  const char *type = jr_bytes_text(&text);
  jitrun_error_t *err = jr_error(
      JITRUN_OUT_OF_RANGE, "result %u has type %s, and is given %s %u of %lld",
      result->index, type ? type : "?", what, number, (long long)found);
  jr_bytes_deinit(&text);
  return err;
}

/// The sizes of the result; those that are declared must be the same.
static jitrun_error_t *fill_dims(const struct result *result,
                                 const int64_t *dims, int64_t *out_dims) {
  const int64_t *declared = jitrun_type_dims(result->declared);
  for (uint32_t i = 0; i < result->declared->rank; i++) {
    int64_t size = dims ? dims[i] : declared[i];
    if (size < 0 || (declared[i] != JITRUN_DYNAMIC && declared[i] != size))
      return refuse(result, "size", i, size);
    out_dims[i] = size;
  }
  return NULL;
}

/// The strides of the result. One that is declared must be the same where there
/// is more than one element along it.
static jitrun_error_t *fill_strides(const struct result *result,
                                    const int64_t *dims, const int64_t *strides,
                                    int64_t *out_strides) {
  const int64_t *declared = jitrun_type_strides(result->declared);
  uint32_t rank = result->declared->rank;
  bool is_empty = false;
  if (strides && rank > 0)
    memcpy(out_strides, strides, rank * sizeof *strides);
  else
    jr_dense_strides(dims, rank, out_strides);
  for (uint32_t i = 0; i < rank; i++)
    is_empty = is_empty || dims[i] == 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (declared[i] == JITRUN_DYNAMIC || declared[i] == out_strides[i])
      continue;
    if (strides && dims[i] > 1 && !is_empty)
      return refuse(result, "stride", i, out_strides[i]);
    out_strides[i] = declared[i];
  }
  return NULL;
}

/// Sizes and strides into the frame's own record of the type, if it has one.
static void store_extents(const struct result *result, const int64_t *extents) {
  if (result->arg->type != result->declared && result->declared->rank > 0)
    memcpy((void *)(uintptr_t)(result->arg->type + 1), extents,
           2 * sizeof *extents * result->declared->rank);
}

jitrun_error_t *jr_result_set(const jitrun_call_t *call, uint32_t index,
                              void *data, const int64_t *dims,
                              const int64_t *strides) {
  struct result result;
  int64_t extents[2 * JR_TABLE_MAX_RANK] = {0};
  JITRUN_TRY(find_result(call, index, &result));
  JITRUN_TRY(fill_dims(&result, dims, extents));
  JITRUN_TRY(
      fill_strides(&result, extents, strides, extents + result.declared->rank));
  store_extents(&result, extents);
  result.arg->value.data = data;
  return NULL;
}

/// Bytes that elements of these sizes and strides reach over.
static jitrun_error_t *measure(const struct result *result,
                               const int64_t *extents, uint64_t *out_bytes) {
  struct {
    jitrun_type_t type;
    int64_t extents[2 * JR_TABLE_MAX_RANK];
  } full = {.type = *result->declared};
  if (full.type.rank > 0)
    memcpy(full.extents, extents, 2 * sizeof *extents * full.type.rank);
  if (jr_type_size_bytes(&full.type, out_bytes))
    return NULL;
  return jr_error(JITRUN_OUT_OF_RANGE,
                  "result %u is asked to be larger than an address space, or "
                  "to have negative strides",
                  result->index);
}

jitrun_error_t *jr_result_alloc(const jitrun_call_t *call, uint32_t index,
                                const int64_t *dims) {
  struct result result;
  int64_t extents[2 * JR_TABLE_MAX_RANK] = {0};
  uint64_t size_bytes = 0;
  JITRUN_TRY(find_result(call, index, &result));
  JITRUN_TRY(fill_dims(&result, dims, extents));
  JITRUN_TRY(
      fill_strides(&result, extents, NULL, extents + result.declared->rank));
  JITRUN_TRY(measure(&result, extents, &size_bytes));
  struct jr_context *context = (struct jr_context *)(void *)call->exec;
  jitrun_error_t *error = NULL;
  void *data =
      jr_blocks_alloc(&context->blocks, size_bytes, RESULT_ALIGNMENT, &error);
  if (error)
    return jr_error_note(error, "while allocating result %u", index);
  if (!data)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "no memory for the %llu bytes of result %u",
                    (unsigned long long)size_bytes, index);
  store_extents(&result, extents);
  result.arg->value.data = data;
  return NULL;
}

/// True when a result without memory is one without elements.
static bool is_empty(const jitrun_type_t *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (jitrun_type_dims(type)[i] == 0)
      return true;
  }
  return false;
}

jitrun_error_t *jr_result_check(struct jr_exec *exec,
                                const jitrun_call_t *frame, uint64_t number) {
  const jitrun_site_t *site = frame->site;
  const jitrun_arg_t *args = (const jitrun_arg_t *)(const void *)(frame + 1);
  const jitrun_arg_t *result = &args[site->arg_count + number];
  if (jr_type_is_static(result->type) &&
      (result->value.data || is_empty(result->type)))
    return NULL;
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  jitrun_error_t *err =
      jr_error(JITRUN_INTERNAL,
               "custom call '%s' gave result %llu no memory; its handler has "
               "to call result_alloc or result_set",
               site->target, (unsigned long long)number);
  return jr_error_at(err, site->file, site->line, site->column);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See jr_foreign_format(). Values are called %a0, %a1 (arguments), %r#0
/// (results of the function), %o0 (what the entry returns), %p0 (addresses of
/// arguments), %q0 (of results).
#include "runtime/foreign_signature.h"

#include "jitrun/types.h"

#include <inttypes.h>

static void append(struct jr_bytes *text, struct jr_foreign_text part) {
  jr_bytes_append(text, part.text, part.size);
}

/// The type; of results, with and without the layout that they come with.
static void append_type(struct jr_bytes *text,
                        const struct jr_foreign_type *type, bool with_layout) {
  if (!type->is_memref) {
    append(text, type->element);
    return;
  }
  jr_bytes_append_text(text, "memref<");
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] == JITRUN_DYNAMIC)
      jr_bytes_append_text(text, "?x");
    else
      jr_bytes_appendf(text, "%" PRId64 "x", type->dims[i]);
  }
  append(text, type->element);
  if (with_layout && type->layout.size) {
    jr_bytes_append_text(text, ", ");
    append(text, type->layout);
  }
  jr_bytes_append_text(text, ">");
}

static void append_types(struct jr_bytes *text,
                         const struct jr_foreign_type *types, uint32_t count,
                         bool with_layout) {
  jr_bytes_append_text(text, "(");
  for (uint32_t i = 0; i < count; i++) {
    jr_bytes_append_text(text, i > 0 ? ", " : "");
    append_type(text, &types[i], with_layout);
  }
  jr_bytes_append_text(text, ")");
}

/// "(memref<...>, i32) -> (f32)" of the function itself.
static void append_signature(struct jr_bytes *text,
                             const struct jr_foreign_signature *signature) {
  append_types(text, signature->params, signature->param_count, true);
  jr_bytes_append_text(text, " -> ");
  append_types(text, signature->results, signature->result_count, true);
}

static void declare_address(struct jr_bytes *text, char kind, uint32_t index,
                            const struct jr_foreign_type *type) {
  if (!type->is_memref)
    return;
  jr_bytes_appendf(text, "func.func private @jitrun_address_%c%u(memref<*x",
                   kind, index);
  append(text, type->element);
  jr_bytes_append_text(text, ">) -> i64 attributes {llvm.emit_c_interface}\n");
}

static void declare_all(const struct jr_foreign_signature *signature,
                        struct jr_bytes *text) {
  jr_bytes_append_text(text, "func.func private @jitrun_foreign");
  append_signature(text, signature);
  jr_bytes_append_text(text, " attributes {llvm.emit_c_interface}\n"
                             "func.func private @jitrun_drop(i64) attributes "
                             "{llvm.emit_c_interface}\n");
  for (uint32_t i = 0; i < signature->param_count; i++)
    declare_address(text, 'a', i, &signature->params[i]);
  for (uint32_t i = 0; i < signature->result_count; i++)
    declare_address(text, 'r', i, &signature->results[i]);
}

/// %<out> = the address that the memref %<value> is to be freed by.
static void read_address(struct jr_bytes *text, const char *out, char kind,
                         uint32_t index, const struct jr_foreign_type *type) {
  const char *value = kind == 'a' ? "a" : "r#";
  jr_bytes_appendf(text, "  %%u%c%u = memref.cast %%%s%u : ", kind, index,
                   value, index);
  append_type(text, type, true);
  jr_bytes_append_text(text, " to memref<*x");
  append(text, type->element);
  jr_bytes_appendf(text,
                   ">\n  %%%s%u = call @jitrun_address_%c%u(%%u%c%u) : "
                   "(memref<*x",
                   out, index, kind, index, kind, index);
  append(text, type->element);
  jr_bytes_append_text(text, ">) -> i64\n");
}

static void call_function(const struct jr_foreign_signature *signature,
                          struct jr_bytes *text) {
  jr_bytes_append_text(text, "  ");
  if (signature->result_count)
    jr_bytes_appendf(text, "%%r:%u = ", signature->result_count);
  jr_bytes_append_text(text, "call @jitrun_foreign(");
  for (uint32_t i = 0; i < signature->param_count; i++)
    jr_bytes_appendf(text, "%s%%a%u", i > 0 ? ", " : "", i);
  jr_bytes_append_text(text, ") : ");
  append_signature(text, signature);
  jr_bytes_append_text(text, "\n");
}

/// Copies result `index`, before anything is freed: results may share memory.
static void copy_result(struct jr_bytes *text, uint32_t index,
                        const struct jr_foreign_type *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] != JITRUN_DYNAMIC)
      continue;
    jr_bytes_appendf(text,
                     "  %%c%u_%u = arith.constant %u : index\n"
                     "  %%d%u_%u = memref.dim %%r#%u, %%c%u_%u : ",
                     index, i, i, index, i, index, index, i);
    append_type(text, type, true);
    jr_bytes_append_text(text, "\n");
  }
  jr_bytes_appendf(text, "  %%o%u = memref.alloc(", index);
  const char *separator = "";
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] != JITRUN_DYNAMIC)
      continue;
    jr_bytes_appendf(text, "%s%%d%u_%u", separator, index, i);
    separator = ", ";
  }
  jr_bytes_append_text(text, ") : ");
  append_type(text, type, false);
  jr_bytes_appendf(text, "\n  memref.copy %%r#%u, %%o%u : ", index, index);
  append_type(text, type, true);
  jr_bytes_append_text(text, " to ");
  append_type(text, type, false);
  jr_bytes_append_text(text, "\n");
}

/// %q<index> becomes 0 where it is %<kind><other>.
static void keep_other(struct jr_bytes *text, uint32_t index, uint32_t *step,
                       char kind, uint32_t other) {
  jr_bytes_appendf(text,
                   "  %%e%u_%u = arith.cmpi eq, %%q%u, %%%c%u : i64\n"
                   "  %%s%u_%u = arith.select %%e%u_%u, %%zero, %%s%u_%u : "
                   "i64\n",
                   index, *step + 1, index, kind, other, index, *step + 1,
                   index, *step + 1, index, *step);
  ++*step;
}

/// Frees what result `index` is in, unless that is of somebody else.
static void drop_result(const struct jr_foreign_signature *signature,
                        struct jr_bytes *text, uint32_t index) {
  uint32_t step = 0;
  jr_bytes_appendf(text, "  %%s%u_0 = arith.addi %%q%u, %%zero : i64\n", index,
                   index);
  for (uint32_t i = 0; i < signature->param_count; i++) {
    if (signature->params[i].is_memref)
      keep_other(text, index, &step, 'p', i);
  }
  for (uint32_t i = 0; i < index; i++) {
    if (signature->results[i].is_memref)
      keep_other(text, index, &step, 'q', i);
  }
  jr_bytes_appendf(text, "  call @jitrun_drop(%%s%u_%u) : (i64) -> ()\n", index,
                   step);
}

static void return_results(const struct jr_foreign_signature *signature,
                           struct jr_bytes *text) {
  jr_bytes_append_text(text, "  return");
  for (uint32_t i = 0; i < signature->result_count; i++)
    jr_bytes_appendf(text, "%s%s%u", i > 0 ? ", " : " ",
                     signature->results[i].is_memref ? "%o" : "%r#", i);
  for (uint32_t i = 0; i < signature->result_count; i++) {
    jr_bytes_append_text(text, i > 0 ? ", " : " : ");
    append_type(text, &signature->results[i], false);
  }
  jr_bytes_append_text(text, "\n}\n");
}

static void handle_results(const struct jr_foreign_signature *signature,
                           struct jr_bytes *text) {
  const struct jr_foreign_type *results = signature->results;
  for (uint32_t i = 0; i < signature->result_count; i++) {
    if (!results[i].is_memref)
      continue;
    copy_result(text, i, &results[i]);
    read_address(text, "q", 'r', i, &results[i]);
  }
  for (uint32_t i = 0; i < signature->result_count; i++) {
    if (results[i].is_memref)
      drop_result(signature, text, i);
  }
}

void jr_foreign_format(const struct jr_foreign_signature *signature,
                       struct jr_bytes *text) {
  declare_all(signature, text);
  jr_bytes_append_text(text, "func.func @\"");
  append(text, signature->name);
  jr_bytes_append_text(text, "\"(");
  for (uint32_t i = 0; i < signature->param_count; i++) {
    jr_bytes_appendf(text, "%s%%a%u: ", i > 0 ? ", " : "", i);
    append_type(text, &signature->params[i], true);
  }
  jr_bytes_append_text(text, ") -> ");
  append_types(text, signature->results, signature->result_count, false);
  jr_bytes_append_text(text, " {\n  %zero = arith.constant 0 : i64\n");
  for (uint32_t i = 0; i < signature->param_count; i++) {
    if (signature->params[i].is_memref)
      read_address(text, "p", 'a', i, &signature->params[i]);
  }
  call_function(signature, text);
  handle_results(signature, text);
  return_results(signature, text);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Declared signatures against call sites. A program may have many thousands of
/// sites and nearly all are right, so checking makes no text until the first
/// difference; then it goes on to find all of them.
#include "customcalls/signature.h"

#include "base/bytes.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static bool allows_dtype(uint64_t dtypes, uint8_t dtype) {
  return dtype < 64 && (dtypes & JITRUN_DTYPES(dtype)) != 0;
}

/// Appends `prefix` and "f32|f64", or nothing when every dtype is allowed.
static void format_dtypes(struct jr_bytes *text, const char *prefix,
                          uint64_t dtypes) {
  if (dtypes == JITRUN_DTYPES_ANY)
    return;
  const char *separator = prefix;
  for (uint8_t dtype = 0; dtype < 64; dtype++) {
    const char *name = jr_dtype_name((jitrun_dtype_t)dtype);
    if (!name || !allows_dtype(dtypes, dtype))
      continue;
    jr_bytes_appendf(text, "%s%s", separator, name);
    separator = "|";
  }
}

static void format_ranks(struct jr_bytes *text, const jitrun_param_t *param) {
  if (param->max_rank == param->min_rank)
    jr_bytes_appendf(text, " rank %d", param->min_rank);
  else if (param->max_rank != -1)
    jr_bytes_appendf(text, " rank %d to %d", param->min_rank, param->max_rank);
  else if (param->min_rank > 0)
    jr_bytes_appendf(text, " rank %d or more", param->min_rank);
}

/// Pointers, to what only handlers know.
static bool is_handle(uint8_t kind) {
  return kind == JITRUN_KIND_OPAQUE || kind == JITRUN_KIND_TOKEN;
}

static bool has_rank(uint8_t kind) {
  return kind == JITRUN_KIND_BUFFER || kind == JITRUN_KIND_ASYNC_BUFFER;
}

/// Appends "buffer f32|f64 rank 2", "scalar i1", "opaque", "!vendor.type".
static void format_param(struct jr_bytes *text, const jitrun_param_t *param) {
  static const char *const kinds[] = {"any",         "scalar", "buffer",
                                      "opaque",      "token",  "async scalar",
                                      "async buffer"};
  jr_bytes_append_text(text, param->type_name ? param->type_name
                                              : kinds[param->kind]);
  if (is_handle(param->kind))
    return;
  format_dtypes(text, " ", param->dtypes);
  if (param->kind == 0 || has_rank(param->kind))
    format_ranks(text, param);
}

static bool has_elements(uint8_t kind) {
  return kind == JITRUN_ATTR_SCALAR || kind == JITRUN_ATTR_ARRAY ||
         kind == JITRUN_ATTR_TENSOR;
}

/// Appends "f64", "string", "array i64", "dictionary", "mhlo.dot".
static void format_attr_param(struct jr_bytes *text,
                              const jitrun_attr_param_t *param) {
  static const char *const kinds[] = {"any",   "scalar",  "string",
                                      "array", "tensor",  "dictionary",
                                      "unit",  "function"};
  if (param->type_name) {
    jr_bytes_append_text(text, param->type_name);
    return;
  }
  if (param->kind == JITRUN_ATTR_SCALAR && param->dtypes != JITRUN_DTYPES_ANY) {
    format_dtypes(text, "", param->dtypes);
    return;
  }
  jr_bytes_append_text(text, kinds[param->kind]);
  if (param->kind == 0 || has_elements(param->kind))
    format_dtypes(text, " ", param->dtypes);
}

static void format_params(struct jr_bytes *text, const jitrun_param_t *params,
                          uint32_t count, bool is_variadic) {
  jr_bytes_append_text(text, "(");
  for (uint32_t i = 0; i < count; i++) {
    jr_bytes_appendf(text, "%s%s: ", i > 0 ? ", " : "", params[i].name);
    format_param(text, &params[i]);
  }
  if (is_variadic)
    jr_bytes_append_text(text, count > 0 ? ", ..." : "...");
  jr_bytes_append_text(text, ")");
}

static void format_attrs(struct jr_bytes *text,
                         const jitrun_signature_t *signature) {
  bool is_variadic = (signature->flags & JITRUN_VARIADIC_ATTRS) != 0;
  if (signature->attr_count == 0 && !is_variadic)
    return;
  jr_bytes_append_text(text, " {");
  for (uint32_t i = 0; i < signature->attr_count; i++) {
    const jitrun_attr_param_t *attr = &signature->attrs[i];
    jr_bytes_appendf(text, "%s%s%s: ", i > 0 ? ", " : "", attr->name,
                     (attr->flags & JITRUN_OPTIONAL) != 0 ? "?" : "");
    format_attr_param(text, attr);
  }
  if (is_variadic)
    jr_bytes_append_text(text, signature->attr_count > 0 ? ", ..." : "...");
  jr_bytes_append_text(text, "}");
}

void jr_signature_format(struct jr_bytes *text,
                         const jitrun_signature_t *signature) {
  format_params(text, signature->args, signature->arg_count,
                (signature->flags & JITRUN_VARIADIC_ARGS) != 0);
  format_attrs(text, signature);
  jr_bytes_append_text(text, " -> ");
  format_params(text, signature->results, signature->result_count, false);
}

/// Appends what a call site has: "scalar i32", "buffer 2x?xf32",
/// "!vendor.type", "!async.value<f32>".
static void format_found(struct jr_bytes *text, const jitrun_type_t *type) {
  if (type->kind == JITRUN_KIND_SCALAR)
    jr_bytes_append_text(text, "scalar ");
  if (type->kind == JITRUN_KIND_BUFFER)
    jr_bytes_append_text(text, "buffer ");
  jr_type_format(text, type);
}

/// Appends "i64", "string", "array of 3 f32", "tensor 2x3xf32".
static void format_found_attr(struct jr_bytes *text,
                              const jitrun_attr_t *attr) {
  const char *dtype = jr_dtype_name((jitrun_dtype_t)attr->dtype);
  dtype = dtype ? dtype : "untyped elements";
  if (attr->type_name) {
    jr_bytes_append_text(text, attr->type_name);
    return;
  }
  switch ((jitrun_attr_kind_t)attr->kind) {
  case JITRUN_ATTR_SCALAR:
    jr_bytes_append_text(text, dtype);
    return;
  case JITRUN_ATTR_STRING:
    jr_bytes_append_text(text, "string");
    return;
  case JITRUN_ATTR_ARRAY:
    jr_bytes_appendf(text, "array of %" PRIu64 " %s", attr->count, dtype);
    return;
  case JITRUN_ATTR_TENSOR:
    jr_bytes_append_text(text, "tensor ");
    for (uint32_t i = 0; i < attr->rank; i++)
      jr_bytes_appendf(text, "%" PRId64 "x", attr->dims[i]);
    jr_bytes_append_text(text, dtype);
    return;
  case JITRUN_ATTR_DICT:
    jr_bytes_append_text(text, "dictionary");
    return;
  case JITRUN_ATTR_UNIT:
    jr_bytes_append_text(text, "unit");
    return;
  case JITRUN_ATTR_FUNCTION:
    jr_bytes_append_text(text, "function");
    return;
  case JITRUN_ATTR_ABSENT:
    break;
  }
  jr_bytes_append_text(text, "nothing");
}

static bool accepts_type(const jitrun_param_t *param,
                         const jitrun_type_t *type) {
  if (param->kind != 0 && param->kind != type->kind)
    return false;
  if (param->kind == JITRUN_KIND_OPAQUE)
    return !param->type_name ||
           strcmp(param->type_name, jitrun_type_name(type)) == 0;
  if (param->kind == JITRUN_KIND_TOKEN)
    return true;
  if (!allows_dtype(param->dtypes, type->dtype))
    return false;
  return !has_rank(type->kind) ||
         (type->rank >= param->min_rank &&
          (param->max_rank == -1 || type->rank <= param->max_rank));
}

/// A name without a value where an optional attribute of another kind is
/// declared.
static bool is_bare(const jitrun_attr_param_t *param,
                    const jitrun_attr_t *attr) {
  return attr->kind == JITRUN_ATTR_UNIT && param->kind != 0 &&
         param->kind != JITRUN_ATTR_UNIT &&
         (param->flags & JITRUN_OPTIONAL) != 0;
}

static bool accepts_attr(const jitrun_attr_param_t *param,
                         const jitrun_attr_t *attr) {
  if (is_bare(param, attr))
    return true;
  if (param->kind != 0 && param->kind != attr->kind)
    return false;
  if (param->type_name &&
      (!attr->type_name || strcmp(param->type_name, attr->type_name) != 0))
    return false;
  if (!has_elements(attr->kind))
    return true;
  if (attr->kind == JITRUN_ATTR_ARRAY && attr->count == 0 &&
      attr->dtype == JITRUN_DTYPE_INVALID)
    return true;
  return allows_dtype(param->dtypes, attr->dtype);
}

/// Arguments or results of a site beside the declared ones.
struct operands {
  const char *what;
  const jitrun_param_t *params;
  uint32_t param_count;
  const jitrun_type_t *const *types;
  uint32_t type_count;
  bool is_variadic;
};

static void begin_difference(struct jr_bytes *text) {
  if (text->size > 0)
    jr_bytes_append_text(text, "; ");
}

static void check_operands(struct jr_bytes *text,
                           const struct operands *operands) {
  for (uint32_t i = 0; i < operands->param_count; i++) {
    const jitrun_param_t *param = &operands->params[i];
    bool is_missing = i >= operands->type_count;
    if (!is_missing && accepts_type(param, operands->types[i]))
      continue;
    begin_difference(text);
    jr_bytes_appendf(text, "%s%s %u '%s': expected ",
                     is_missing ? "missing " : "", operands->what, i,
                     param->name);
    format_param(text, param);
    if (is_missing)
      continue;
    jr_bytes_append_text(text, ", found ");
    format_found(text, operands->types[i]);
  }
  if (operands->is_variadic)
    return;
  for (uint32_t i = operands->param_count; i < operands->type_count; i++) {
    begin_difference(text);
    jr_bytes_appendf(text, "unexpected %s %u: found ", operands->what, i);
    format_found(text, operands->types[i]);
  }
}

/// The site's attribute of that name, or NULL; they are sorted by name.
static const jitrun_attr_t *find_attr(const jitrun_site_t *site,
                                      const char *name) {
  uint32_t first = 0;
  uint32_t last = site->attr_count;
  while (first < last) {
    uint32_t middle = first + (last - first) / 2;
    int order = strcmp(site->attrs[middle].name, name);
    if (order == 0)
      return &site->attrs[middle];
    if (order < 0)
      first = middle + 1;
    else
      last = middle;
  }
  return NULL;
}

static bool is_declared(const jitrun_signature_t *signature, const char *name) {
  for (uint32_t i = 0; i < signature->attr_count; i++)
    if (strcmp(signature->attrs[i].name, name) == 0)
      return true;
  return false;
}

static void report_unknown(struct jr_bytes *text,
                           const jitrun_signature_t *signature,
                           const char *name) {
  struct jr_near_names near_names = {.wanted = name};
  for (uint32_t i = 0; i < signature->attr_count; i++)
    jr_near_names_offer(&near_names, signature->attrs[i].name);
  char hint[256];
  begin_difference(text);
  jr_bytes_appendf(text, "unknown attribute '%s'", name);
  if (jr_near_names_hint(&near_names, hint, sizeof(hint))[0] != '\0')
    jr_bytes_appendf(text, " (%s)", hint);
}

/// Appends a float as MLIR reads it: 2 as 2.0, 1e+20 as 1.0e+20.
static void append_literal(struct jr_bytes *text, struct jr_bytes *number) {
  const char *digits = jr_bytes_text(number);
  if (!digits)
    return;
  size_t whole = strspn(digits, "-0123456789");
  jr_bytes_append(text, digits, whole);
  jr_bytes_append_text(text, digits[whole] == '.' ? "" : ".0");
  jr_bytes_append_text(text, digits + whole);
}

/// Appends ": write 2.0 : f64" where there is a number of another type.
static void format_hint(struct jr_bytes *text, const jitrun_attr_param_t *param,
                        const jitrun_attr_t *attr) {
  if (param->kind != JITRUN_ATTR_SCALAR || attr->kind != JITRUN_ATTR_SCALAR ||
      param->dtypes == 0 || param->type_name)
    return;
  jitrun_dtype_t dtype = (jitrun_dtype_t)__builtin_ctzll(param->dtypes);
  struct jr_number number =
      jr_element_read((jitrun_dtype_t)attr->dtype, &attr->value);
  bool is_real = jr_dtype_number_kind(dtype) == JR_NUMBER_REAL;
  char element[16];
  if (dtype == JITRUN_DTYPE_PRED || attr->dtype == JITRUN_DTYPE_PRED ||
      (!is_real && number.kind == JR_NUMBER_REAL) ||
      (is_real && number.kind == JR_NUMBER_REAL && !isfinite(number.real)) ||
      !jr_element_write(dtype, number, element))
    return;
  struct jr_bytes value = {0};
  jr_element_format(&value, dtype, element);
  jr_bytes_append_text(text, ": write ");
  if (is_real)
    append_literal(text, &value);
  else
    jr_bytes_append(text, value.data, value.size);
  jr_bytes_appendf(text, " : %s", jr_dtype_name(dtype));
  jr_bytes_deinit(&value);
}

/// Reports a declared attribute that is missing or of another kind.
static void check_attr(struct jr_bytes *text, const jitrun_attr_param_t *param,
                       const jitrun_site_t *site) {
  const jitrun_attr_t *attr = find_attr(site, param->name);
  bool is_optional = (param->flags & JITRUN_OPTIONAL) != 0;
  if (attr ? accepts_attr(param, attr) : is_optional)
    return;
  begin_difference(text);
  jr_bytes_appendf(text, "%sattribute '%s': expected ", attr ? "" : "missing ",
                   param->name);
  format_attr_param(text, param);
  if (attr) {
    jr_bytes_append_text(text, ", found ");
    format_found_attr(text, attr);
    format_hint(text, param, attr);
  }
}

/// The usual case, without a text.
static bool accepts_attrs(const jitrun_signature_t *signature,
                          const jitrun_site_t *site) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < signature->attr_count; i++) {
    const jitrun_attr_param_t *param = &signature->attrs[i];
    const jitrun_attr_t *attr = find_attr(site, param->name);
    bool is_optional = (param->flags & JITRUN_OPTIONAL) != 0;
    if (attr ? !accepts_attr(param, attr) : !is_optional)
      return false;
    known += attr != NULL;
  }
  return (signature->flags & JITRUN_VARIADIC_ATTRS) != 0 ||
         known == site->attr_count;
}

/// A misspelt name comes first: it is why another is missing.
static void check_attrs(struct jr_bytes *text,
                        const jitrun_signature_t *signature,
                        const jitrun_site_t *site) {
  if (accepts_attrs(signature, site))
    return;
  bool is_variadic = (signature->flags & JITRUN_VARIADIC_ATTRS) != 0;
  for (uint32_t i = 0; !is_variadic && i < site->attr_count; i++)
    if (!is_declared(signature, site->attrs[i].name))
      report_unknown(text, signature, site->attrs[i].name);
  for (uint32_t i = 0; i < signature->attr_count; i++)
    check_attr(text, &signature->attrs[i], site);
}

static void check_site(struct jr_bytes *text,
                       const jitrun_signature_t *signature,
                       const jitrun_site_t *site) {
  struct operands args = {
      "argument",           signature->args,
      signature->arg_count, site->types,
      site->arg_count,      (signature->flags & JITRUN_VARIADIC_ARGS) != 0};
  check_operands(text, &args);
  struct operands results = {
      "result",
      signature->results,
      signature->result_count,
      site->result_count > 0 ? site->types + site->arg_count : NULL,
      site->result_count,
      false};
  check_operands(text, &results);
  check_attrs(text, signature, site);
}

/// The error from the differences that were found.
static jitrun_error_t *make_error(struct jr_bytes *differences,
                                  const jitrun_signature_t *signature,
                                  const jitrun_site_t *site) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(
      &text,
      "custom call '%s' does not match its declared signature: ", site->target);
  jr_bytes_append(&text, differences->data, differences->size);
  jr_bytes_append_text(&text, "; declared: ");
  jr_signature_format(&text, signature);
  jitrun_error_t *error =
      differences->failed || text.failed
          ? jr_error_no_memory()
          : jr_error_text(JITRUN_INVALID_ARGUMENT, (const char *)text.data,
                          text.size);
  jr_bytes_deinit(&text);
  return jr_error_at(error, site->file, site->line, site->column);
}

jitrun_error_t *jr_signature_check(const jitrun_customcall_t *call,
                                   const jitrun_site_t *site) {
  if (!call->signature)
    return NULL;
  struct jr_bytes differences = {0};
  check_site(&differences, call->signature, site);
  jitrun_error_t *error = NULL;
  if (differences.size > 0 || differences.failed)
    error = make_error(&differences, call->signature, site);
  jr_bytes_deinit(&differences);
  return error;
}

/// What a declared attribute reads as; `attr` NULL: the site does not have it.
static jitrun_attr_t read_attr(const jitrun_attr_param_t *param,
                               const jitrun_attr_t *attr) {
  if (attr && !is_bare(param, attr))
    return *attr;
  jitrun_attr_t result = {.name = param->name, .kind = JITRUN_ATTR_ABSENT};
  if (attr && param->kind == JITRUN_ATTR_SCALAR &&
      allows_dtype(param->dtypes, JITRUN_DTYPE_PRED)) {
    result.kind = JITRUN_ATTR_SCALAR;
    result.dtype = JITRUN_DTYPE_PRED;
    result.value.pred = true;
  }
  return result;
}

void jr_signature_order_attrs(const jitrun_signature_t *signature,
                              const jitrun_site_t *site,
                              jitrun_attr_t *out_attrs) {
  for (uint32_t i = 0; i < signature->attr_count; i++)
    out_attrs[i] = read_attr(&signature->attrs[i],
                             find_attr(site, signature->attrs[i].name));
}

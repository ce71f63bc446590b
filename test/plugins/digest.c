/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls that fold all they are given, but for addresses, into a digest
/// of 64 bits and make their results of it, so that one number tells whether
/// two ways of executing a program gave every handler the same.
/// test/lit/kinds/Inputs/digest.py computes the same digest without jitrun.
#include "jitrun/customcall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 8 };

static uint64_t mix(uint64_t digest, uint64_t word) {
  digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return digest ^ (digest >> 32);
}

static jitrun_error_t *refuse(const jitrun_call_t *call, const char *text) {
  return call->site->api->error(call, JITRUN_INTERNAL, text, SIZE_MAX);
}

static jitrun_error_t *begin_run(const jitrun_call_t *call, void *context,
                                 void **out_state) {
  (void)context;
  *out_state = calloc(1, sizeof(uint64_t));
  return *out_state ? NULL : refuse(call, "out of memory");
}

/// The digest of the call's execution.
static jitrun_error_t *find_run(const jitrun_call_t *call, uint64_t **out_run) {
  static const jitrun_state_key_t key = {.size = sizeof key,
                                         .scope = JITRUN_SCOPE_EXECUTION,
                                         .name = "test.digest",
                                         .create = begin_run,
                                         .destroy = free};
  void *state = NULL;
  jitrun_error_t *error = call->site->api->state(call, &key, &state);
  *out_run = state;
  return error;
}

static size_t element_bytes(uint8_t dtype) {
  switch (dtype) {
  case JITRUN_DTYPE_S16:
  case JITRUN_DTYPE_U16:
  case JITRUN_DTYPE_F16:
  case JITRUN_DTYPE_BF16:
    return 2;
  case JITRUN_DTYPE_S32:
  case JITRUN_DTYPE_U32:
  case JITRUN_DTYPE_F32:
    return 4;
  case JITRUN_DTYPE_S64:
  case JITRUN_DTYPE_U64:
  case JITRUN_DTYPE_F64:
  case JITRUN_DTYPE_C64:
  case JITRUN_DTYPE_OPAQUE:
    return 8;
  case JITRUN_DTYPE_C128:
    return 16;
  default:
    return 1;
  }
}

/// Bytes as words of 8, the last one filled up with zeros.
static uint64_t fold_bytes(uint64_t digest, const void *data, size_t size) {
  digest = mix(digest, size);
  for (size_t at = 0; at < size; at += 8) {
    uint64_t word = 0;
    memcpy(&word, (const char *)data + at, size - at < 8 ? size - at : 8);
    digest = mix(digest, word);
  }
  return digest;
}

static uint64_t fold_type(uint64_t digest, const jitrun_type_t *type) {
  bool is_opaque = type->kind == JITRUN_KIND_OPAQUE;
  uint64_t rank = is_opaque ? 0 : type->rank;
  digest = mix(digest, type->kind | (uint64_t)type->dtype << 8 | rank << 16);
  if (is_opaque) {
    const char *name = jitrun_type_name(type);
    return fold_bytes(digest, name, strlen(name));
  }
  for (uint32_t i = 0; i < 2u * type->rank; i++)
    digest = mix(digest, (uint64_t)jitrun_type_dims(type)[i]);
  return digest;
}

/// Walks the elements of a buffer in row-major order of their indices.
struct walk {
  const jitrun_type_t *type;
  int64_t index[MAX_RANK];
  int64_t element; ///< its number in memory
};

/// False when there is no element (at all, or after the last).
static bool walk_first(struct walk *walk, const jitrun_type_t *type) {
  *walk = (struct walk){.type = type};
  for (uint32_t i = 0; i < type->rank; i++) {
    if (jitrun_type_dims(type)[i] == 0)
      return false;
  }
  return type->rank <= MAX_RANK;
}

static bool walk_next(struct walk *walk) {
  const int64_t *dims = jitrun_type_dims(walk->type);
  const int64_t *strides = jitrun_type_strides(walk->type);
  for (uint32_t i = walk->type->rank; i-- > 0;) {
    walk->element += strides[i];
    if (++walk->index[i] < dims[i])
      return true;
    walk->element -= strides[i] * dims[i];
    walk->index[i] = 0;
  }
  return false;
}

static uint64_t fold_element(uint64_t digest, const void *data, size_t size) {
  for (size_t at = 0; at < size; at += 8) {
    uint64_t word = 0;
    memcpy(&word, (const char *)data + at, size < 8 ? size : 8);
    digest = mix(digest, word);
  }
  return digest;
}

static uint64_t fold_arg(uint64_t digest, const jitrun_arg_t *arg) {
  size_t size = element_bytes(arg->type->dtype);
  struct walk walk;
  digest = fold_type(digest, arg->type);
  if (arg->type->kind != JITRUN_KIND_BUFFER)
    return fold_element(digest, &arg->value, size);
  for (bool more = walk_first(&walk, arg->type); more; more = walk_next(&walk))
    digest = fold_element(
        digest, (const char *)arg->value.data + walk.element * (int64_t)size,
        size);
  return digest;
}

static uint64_t fold_attr(uint64_t digest, const jitrun_attr_t *attr) {
  size_t size = element_bytes(attr->dtype);
  digest = fold_bytes(digest, attr->name, strlen(attr->name));
  digest = mix(digest, attr->kind | (uint64_t)attr->dtype << 8 |
                           (uint64_t)attr->rank << 16);
  digest = mix(digest, attr->count);
  for (uint32_t i = 0; i < attr->rank; i++)
    digest = mix(digest, (uint64_t)attr->dims[i]);
  if (attr->kind == JITRUN_ATTR_SCALAR)
    digest = fold_element(digest, &attr->value, size);
  else if (attr->kind == JITRUN_ATTR_STRING) /* with the NUL that follows */
    digest = fold_bytes(digest, attr->value.string, attr->count + 1);
  else if (attr->kind == JITRUN_ATTR_ARRAY || attr->kind == JITRUN_ATTR_TENSOR)
    digest = fold_bytes(digest, attr->value.data, attr->count * size);
  else if (attr->kind == JITRUN_ATTR_FUNCTION)
    digest = mix(digest, attr->value.entry);
  return digest;
}

/// Attributes and all in their dictionaries, but for `trace`.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the test's dictionaries.
static uint64_t fold_attrs(uint64_t digest, const jitrun_attr_t *attrs,
                           uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    if (strcmp(attrs[i].name, "trace") == 0)
      continue;
    digest = fold_attr(digest, &attrs[i]);
    if (attrs[i].kind == JITRUN_ATTR_DICT)
      digest = fold_attrs(digest, attrs[i].value.items, attrs[i].count);
  }
  return digest;
}

/// All that is known of a site before it is called.
static uint64_t fold_site(uint64_t digest, const jitrun_site_t *site) {
  digest = fold_bytes(digest, site->target, strlen(site->target));
  digest = mix(digest, site->arg_count);
  digest = mix(digest, site->result_count);
  for (uint32_t i = 0; i < site->arg_count + site->result_count; i++)
    digest = fold_type(digest, site->types[i]);
  return fold_attrs(digest, site->attrs, site->attr_count);
}

/// Random bits as a value of a type: all are valid but for small integers. One
/// in 16 of 16-bit floats is a signalling NaN, which arithmetic would change.
static uint64_t make_word(uint64_t bits, uint8_t dtype) {
  size_t size = element_bytes(dtype);
  if (bits >> 60 == 0 && dtype == JITRUN_DTYPE_BF16)
    return 0x7f81;
  if (bits >> 60 == 0 && dtype == JITRUN_DTYPE_F16)
    return 0x7c01;
  if (dtype == JITRUN_DTYPE_PRED)
    return bits & 1;
  if (dtype == JITRUN_DTYPE_U4)
    return bits & 15;
  if (dtype == JITRUN_DTYPE_S4)
    return (bits & 15) | (bits & 8 ? 0xf0 : 0);
  return size < 8 ? bits & ((UINT64_C(1) << (8 * size)) - 1) : bits;
}

static void fill_buffer(const jitrun_arg_t *result, uint64_t seed) {
  uint8_t dtype = result->type->dtype;
  size_t size = element_bytes(dtype);
  uint64_t number = 100;
  struct walk walk;
  bool more = walk_first(&walk, result->type);
  for (; more; more = walk_next(&walk)) {
    char *at = (char *)result->value.data + walk.element * (int64_t)size;
    for (size_t part = 0; part < size; part += 8) {
      uint64_t word = make_word(mix(seed, number++), dtype);
      memcpy(at + part, &word, size < 8 ? size : 8);
    }
  }
}

/// Gives a buffer memory of the handler's, by columns where the type lets it.
static jitrun_error_t *set_buffer(const jitrun_call_t *call, uint32_t number,
                                  const jitrun_type_t *declared,
                                  const int64_t *dims) {
  int64_t strides[MAX_RANK];
  int64_t count = 1;
  const int64_t *asked = jitrun_type_strides(declared);
  uint32_t rank = declared->rank;
  bool by_columns = rank > 0 && asked[rank - 1] == JITRUN_DYNAMIC;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t at = by_columns ? i : rank - 1 - i;
    strides[at] = asked[at] == JITRUN_DYNAMIC ? count : asked[at];
    count = dims[at] > 0 ? count * dims[at] : count;
    if (dims[at] > 0 && count < strides[at] * dims[at])
      count = strides[at] * dims[at];
  }
  void *data = call->site->api->scratch(
      call, (size_t)count * element_bytes(declared->dtype));
  if (!data)
    return refuse(call, "no memory for a result");
  return call->site->api->result_set(call, number, data, dims,
                                     by_columns ? strides : NULL);
}

static jitrun_error_t *make_buffer(jitrun_call_t *call, uint32_t number,
                                   uint64_t seed) {
  const jitrun_site_t *site = call->site;
  const jitrun_type_t *declared = site->types[site->arg_count + number];
  int64_t dims[MAX_RANK];
  bool is_open = false;
  if (declared->rank > MAX_RANK)
    return refuse(call, "a result of rank over 8");
  for (uint32_t i = 0; i < declared->rank; i++) {
    dims[i] = jitrun_type_dims(declared)[i];
    is_open = is_open || dims[i] == JITRUN_DYNAMIC;
    if (dims[i] == JITRUN_DYNAMIC)
      dims[i] = (int64_t)(mix(seed, i) % 4);
  }
  uint32_t rank = declared->rank;
  bool by_columns =
      rank > 0 && jitrun_type_strides(declared)[rank - 1] == JITRUN_DYNAMIC;
  jitrun_error_t *error =
      by_columns || seed >> 63
          ? set_buffer(call, number, declared, dims)
          : site->api->result_alloc(call, number, is_open ? dims : NULL);
  if (!error)
    fill_buffer(&jitrun_call_results(call)[number], seed);
  return error;
}

static jitrun_error_t *make_results(jitrun_call_t *call, uint64_t digest) {
  for (uint32_t i = 0; i < call->site->result_count; i++) {
    jitrun_arg_t *result = &jitrun_call_results(call)[i];
    uint64_t seed = mix(digest, 1000 + i);
    if (result->type->kind == JITRUN_KIND_BUFFER) {
      jitrun_error_t *error = make_buffer(call, i, seed);
      if (error)
        return error;
      continue;
    }
    uint64_t word = make_word(seed, result->type->dtype);
    memcpy(&result->value, &word, element_bytes(result->type->dtype));
  }
  return NULL;
}

static void trace(const jitrun_call_t *call, uint64_t digest) {
  char text[256];
  for (uint32_t i = 0; i < call->site->attr_count; i++) {
    if (strcmp(call->site->attrs[i].name, "trace") != 0)
      continue;
    int size = snprintf(text, sizeof text, "call: %016" PRIx64 "\n", digest);
    call->site->api->print(call, text, (size_t)size);
  }
}

/// `test.kinds`: folds what it sees into the digest of the execution.
static jitrun_error_t *fold_call(jitrun_call_t *call) {
  uint64_t *run;
  jitrun_error_t *error = find_run(call, &run);
  if (error)
    return error;
  uint64_t digest = fold_site(*run, call->site);
  for (uint32_t i = 0; i < call->site->arg_count; i++)
    digest = fold_arg(digest, &jitrun_call_args(call)[i]);
  *run = digest;
  trace(call, digest);
  return make_results(call, digest);
}

/// `test.kinds_declared`: also compares the declared attribute with the same
/// among all.
static jitrun_error_t *fold_declared(jitrun_call_t *call) {
  const jitrun_attr_t *found = NULL;
  for (uint32_t i = 0; i < call->site->attr_count; i++) {
    if (strcmp(call->site->attrs[i].name, "a") == 0)
      found = &call->site->attrs[i];
  }
  const jitrun_attr_t *declared = &call->attrs[0];
  bool is_unit = found && found->kind == JITRUN_ATTR_UNIT;
  if (found ? !is_unit && (declared->kind != found->kind ||
                           declared->value.u64 != found->value.u64)
            : declared->kind != JITRUN_ATTR_ABSENT)
    return refuse(call, "the declared attribute differs from the same of all");
  return fold_call(call);
}

/// `test.kinds_state`: also compares the site with what it was at first.
static jitrun_error_t *instantiate(jitrun_call_t *call) {
  uint64_t *digest = malloc(sizeof *digest);
  if (!digest)
    return refuse(call, "out of memory");
  *digest = fold_site(0, call->site);
  call->state = digest;
  return NULL;
}

static jitrun_error_t *fold_state(jitrun_call_t *call) {
  if (!call->state || *(uint64_t *)call->state != fold_site(0, call->site))
    return refuse(call, "the site is not what it was when instantiated");
  return fold_call(call);
}

/// `test.digest`: prints the digest and gives it as an i64.
static jitrun_error_t *show_digest(jitrun_call_t *call) {
  char text[64];
  uint64_t *run;
  jitrun_error_t *error = find_run(call, &run);
  if (error)
    return error;
  int size = snprintf(text, sizeof text, "digest: %016" PRIx64 "\n", *run);
  call->site->api->print(call, text, (size_t)size);
  if (call->site->result_count == 1)
    jitrun_call_results(call)->value.u64 = *run;
  return NULL;
}

static const jitrun_attr_param_t declared_attrs[] = {
    {.name = "a", .flags = JITRUN_OPTIONAL, .dtypes = JITRUN_DTYPES_ANY}};
static const jitrun_param_t declared_results[] = {
    {.name = "r", .max_rank = -1, .dtypes = JITRUN_DTYPES_ANY}};
static const jitrun_signature_t declared_signature = {
    .size = sizeof(jitrun_signature_t),
    .results = declared_results,
    .result_count = 1,
    .attrs = declared_attrs,
    .attr_count = 1,
    .flags = JITRUN_VARIADIC_ARGS | JITRUN_VARIADIC_ATTRS,
};

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "test.kinds",
     .platform = "host",
     .execute = fold_call},
    {.size = sizeof(jitrun_customcall_t),
     .name = "test.kinds_declared",
     .platform = "host",
     .signature = &declared_signature,
     .execute = fold_declared},
    {.size = sizeof(jitrun_customcall_t),
     .name = "test.kinds_state",
     .platform = "host",
     .execute = fold_state,
     .instantiate = instantiate,
     .destroy_state = free},
    {.size = sizeof(jitrun_customcall_t),
     .name = "test.digest",
     .platform = "host",
     .execute = show_digest},
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "digest",
    .calls = calls,
    .call_count = sizeof calls / sizeof calls[0],
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}

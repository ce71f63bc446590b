/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See symbolic_shape.h. The order of the visits matters: sizes that an
/// argument of constrained shape has are static for all that come after it.
#include "runtime/symbolic_shape.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/error.h"
#include "runtime/table_check.h"

#include <stdlib.h>
#include <string.h>

/// Elements of a buffer that a program can be compiled for.
enum { MAX_CONTENT = 4096 };

static bool is_shaped(const struct jr_shape_param *param) {
  return !param->type || param->type->kind == JITRUN_KIND_BUFFER;
}

bool jr_shape_is_value(const struct jr_shape_param *param) {
  return param->constraint == JITRUN_CONSTRAINT_VALUE && param->type &&
         param->type->kind == JITRUN_KIND_SCALAR;
}

/// True for a parameter whose arguments may differ in what is compiled in.
static bool is_open(const struct jr_shape_param *param) {
  if (param->constraint == JITRUN_CONSTRAINT_VALUE || !param->type)
    return true;
  const int64_t *dims = jitrun_type_dims(param->type);
  for (uint32_t i = 0; is_shaped(param) && i < param->type->rank; i++) {
    if (dims[i] == JITRUN_DYNAMIC)
      return true;
  }
  return false;
}

/// Lists the open parameters by constraint, in their order where it is equal.
static void fill_order(struct jr_shape_resolver *resolver) {
  for (int wanted = JITRUN_CONSTRAINT_VALUE; wanted >= 0; wanted--) {
    for (size_t i = 0; i < resolver->param_count; i++) {
      const struct jr_shape_param *param = &resolver->params[i];
      if ((int)param->constraint == wanted && is_open(param))
        resolver->order[resolver->order_count++] = (uint32_t)i;
    }
  }
}

static int compare_sizes(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a;
  int64_t right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

/// Collects the sizes that the signature fixes; `sizes` NULL: counts only.
static size_t collect_sizes(const struct jr_shape_resolver *resolver,
                            int64_t *sizes) {
  size_t count = 0;
  for (size_t i = 0; i < resolver->param_count; i++) {
    const struct jr_shape_param *param = &resolver->params[i];
    uint32_t rank = param->type && is_shaped(param) ? param->type->rank : 0;
    for (uint32_t k = 0; k < rank; k++) {
      int64_t size = jitrun_type_dims(param->type)[k];
      if (size == JITRUN_DYNAMIC)
        continue;
      if (sizes)
        sizes[count] = size;
      count++;
    }
  }
  return count;
}

jitrun_error_t *jr_shape_resolver_init(const struct jr_shape_param *params,
                                       size_t count,
                                       struct jr_shape_resolver *out_resolver) {
  *out_resolver = (struct jr_shape_resolver){.param_count = count};
  struct jr_shape_resolver *resolver = out_resolver;
  resolver->params = jr_calloc(count, sizeof *resolver->params);
  resolver->order = jr_calloc(count, sizeof *resolver->order);
  if (resolver->params && count > 0)
    memcpy(resolver->params, params, count * sizeof *params);
  if (resolver->params && resolver->order) {
    resolver->static_count = collect_sizes(resolver, NULL);
    resolver->static_sizes =
        jr_calloc(resolver->static_count, sizeof *resolver->static_sizes);
  }
  if (!resolver->static_sizes) {
    jr_shape_resolver_deinit(resolver);
    return jr_error_no_memory();
  }
  fill_order(resolver);
  (void)collect_sizes(resolver, resolver->static_sizes);
  qsort(resolver->static_sizes, resolver->static_count,
        sizeof *resolver->static_sizes, compare_sizes);
  return NULL;
}

void jr_shape_resolver_deinit(struct jr_shape_resolver *resolver) {
  free(resolver->params);
  free(resolver->order);
  free(resolver->static_sizes);
  *resolver = (struct jr_shape_resolver){0};
}

/// The rank that counts for an argument: one that is too large is refused.
static size_t argument_rank(const struct jr_shape_param *param,
                            const jitrun_tensor_t *arg) {
  if (param->type)
    return param->type->rank;
  return arg->rank <= JR_TABLE_MAX_RANK ? arg->rank : 0;
}

/// True for a buffer whose elements are part of the key.
static bool has_content(const struct jr_shape_param *param) {
  return param->constraint == JITRUN_CONSTRAINT_VALUE && param->type &&
         param->type->kind == JITRUN_KIND_BUFFER && param->type->rank <= 1;
}

size_t jr_shape_content_words(const struct jr_shape_param *param,
                              const int64_t *dims) {
  if (!has_content(param))
    return 0;
  int64_t count = param->type->rank == 0 ? 1 : dims[0];
  if (count < 0 || count > MAX_CONTENT) /* is refused */
    return 0;
  return ((size_t)count * jr_dtype_size((jitrun_dtype_t)param->type->dtype) +
          sizeof(int64_t) - 1) /
         sizeof(int64_t);
}

/// The words of elements that an argument needs, whatever it is.
static size_t content_room(const struct jr_shape_param *param,
                           const jitrun_tensor_t *arg) {
  bool has_sizes = has_content(param) && arg->rank == param->type->rank &&
                   (arg->rank == 0 || arg->dims);
  return has_sizes ? jr_shape_content_words(param, arg->dims) : 0;
}

size_t jr_shapes_room(const struct jr_shape_resolver *resolver,
                      const jitrun_tensor_t *args) {
  size_t room = 0;
  for (size_t i = 0; i < resolver->order_count; i++) {
    uint32_t at = resolver->order[i];
    /* Itself, and a size with its id in the list of those that were seen. */
    room += 1 + 3 * argument_rank(&resolver->params[at], &args[at]) +
            content_room(&resolver->params[at], &args[at]);
  }
  return room;
}

/// Sizes that were seen, with what they became, from the end of the words.
struct seen {
  int64_t *end;
  size_t count;
  int64_t next_id;
};

/// What a size became: `otherwise` when it is new.
static int64_t see_size(struct seen *seen, int64_t size, int64_t otherwise) {
  for (size_t i = 1; i <= seen->count; i++) {
    const int64_t *pair = seen->end - 2 * i;
    if (pair[0] == size)
      return pair[1];
  }
  seen->count++;
  int64_t *pair = seen->end - 2 * seen->count;
  pair[0] = size;
  pair[1] = otherwise;
  return otherwise;
}

static bool is_static_size(const struct jr_shape_resolver *resolver,
                           int64_t size) {
  return size == 1 ||
         bsearch(&size, resolver->static_sizes, resolver->static_count,
                 sizeof size, compare_sizes) != NULL;
}

/// The dimension that a size of an argument becomes.
static int64_t resolve_size(const struct jr_shape_resolver *resolver,
                            const struct jr_shape_param *param,
                            struct seen *seen, int64_t size) {
  if (param->constraint >= JITRUN_CONSTRAINT_SHAPE) {
    (void)see_size(seen, size, size);
    return size;
  }
  if (is_static_size(resolver, size))
    return size;
  int64_t id = see_size(seen, size, seen->next_id);
  seen->next_id -= id == seen->next_id;
  return id;
}

/// Says why an argument does not fit; NULL when it does.
static jitrun_error_t *check_shape(const struct jr_shape_param *param,
                                   const jitrun_tensor_t *arg, uint32_t index) {
  static const char failed[] = "failed to resolve symbolic shape";
  if (param->type ? arg->rank != param->type->rank
                  : arg->rank > JR_TABLE_MAX_RANK)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s: argument %u is of rank %u, %u is %s", failed, index,
                    arg->rank,
                    param->type ? param->type->rank : JR_TABLE_MAX_RANK,
                    param->type ? "needed" : "the most");
  if (arg->rank > 0 && !arg->dims)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s: sizes of argument %u are NULL", failed, index);
  for (uint32_t i = 0; i < arg->rank; i++) {
    int64_t wanted =
        param->type ? jitrun_type_dims(param->type)[i] : JITRUN_DYNAMIC;
    if (arg->dims[i] < 0)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "%s: size %u of argument %u is %lld", failed, i, index,
                      (long long)arg->dims[i]);
    if (wanted != JITRUN_DYNAMIC && wanted != arg->dims[i])
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "%s: size %u of argument %u is %lld, %lld is needed",
                      failed, i, index, (long long)arg->dims[i],
                      (long long)wanted);
  }
  return NULL;
}

/// True when the strides follow from the sizes, wherever they count.
static bool is_dense(const jitrun_tensor_t *arg) {
  int64_t wanted = 1;
  bool is_dense = true;
  for (uint32_t i = arg->strides ? arg->rank : 0; i-- > 0;) {
    if (arg->dims[i] == 0)
      return true;
    is_dense = is_dense && (arg->dims[i] == 1 || arg->strides[i] == wanted);
    (void)__builtin_mul_overflow(wanted, arg->dims[i], &wanted);
  }
  return is_dense;
}

/// The bytes of a scalar, as far as they fit in a word.
static jitrun_error_t *read_value(const struct jr_shape_param *param,
                                  const jitrun_tensor_t *arg, uint32_t index,
                                  int64_t *out_word) {
  if (arg->rank != 0 || arg->dtype != (jitrun_dtype_t)param->type->dtype ||
      !arg->data)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "failed to resolve symbolic shape: argument %u is not a "
                    "value of %s",
                    index, jr_dtype_name((jitrun_dtype_t)param->type->dtype));
  size_t size = jr_dtype_size(arg->dtype);
  *out_word = 0;
  memcpy(out_word, arg->data,
         size < sizeof *out_word ? size : sizeof *out_word);
  return NULL;
}

/// True when elements so far apart are where the type says.
static bool fits_stride(const jitrun_type_t *type, int64_t count,
                        int64_t stride) {
  int64_t wanted = type->rank > 0 ? jitrun_type_strides(type)[0] : 1;
  return count <= 1 || stride == wanted ||
         (wanted == JITRUN_DYNAMIC && stride >= 0);
}

/// The elements of a buffer, one after the other, in `words`, as many as
/// jr_shape_content_words().
static jitrun_error_t *read_content(const struct jr_shape_param *param,
                                    const jitrun_tensor_t *arg, uint32_t index,
                                    int64_t *words) {
  jitrun_dtype_t dtype = (jitrun_dtype_t)param->type->dtype;
  int64_t count = arg->rank == 0 ? 1 : arg->dims[0];
  int64_t stride = arg->rank > 0 && arg->strides ? arg->strides[0] : 1;
  size_t size = jr_dtype_size(dtype);
  if (count > MAX_CONTENT)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "failed to resolve symbolic shape: argument %u has %lld "
                    "elements, %d are the most that can be compiled in",
                    index, (long long)count, (int)MAX_CONTENT);
  if (arg->dtype != dtype || (count > 0 && !arg->data) ||
      !fits_stride(param->type, count, stride))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "failed to resolve symbolic shape: argument %u has no "
                    "values of %s",
                    index, jr_dtype_name(dtype));
  memset(words, 0, jr_shape_content_words(param, arg->dims) * sizeof *words);
  for (int64_t i = 0; i < count; i++)
    memcpy((char *)words + (size_t)i * size,
           (const char *)arg->data + (size_t)i * (size_t)stride * size, size);
  return NULL;
}

/// Writes the words of one argument and moves `*word` past them.
static jitrun_error_t *resolve_arg(const struct jr_shape_resolver *resolver,
                                   const jitrun_tensor_t *arg, uint32_t index,
                                   struct seen *seen, int64_t **word) {
  const struct jr_shape_param *param = &resolver->params[index];
  if (jr_shape_is_value(param))
    return read_value(param, arg, index, (*word)++);
  if (!is_shaped(param)) { /* a value that cannot be compiled in */
    *(*word)++ = 0;
    return NULL;
  }
  JITRUN_TRY(check_shape(param, arg, index));
  *(*word)++ = is_dense(arg) ? (int64_t)arg->rank : ~(int64_t)arg->rank;
  for (uint32_t i = 0; i < arg->rank; i++)
    *(*word)++ = resolve_size(resolver, param, seen, arg->dims[i]);
  if (has_content(param)) {
    JITRUN_TRY(read_content(param, arg, index, *word));
    *word += jr_shape_content_words(param, arg->dims);
  }
  return NULL;
}

jitrun_error_t *jr_shapes_resolve(const struct jr_shape_resolver *resolver,
                                  const jitrun_tensor_t *args, int64_t *words,
                                  size_t *out_count) {
  struct seen seen = {.end = words + jr_shapes_room(resolver, args),
                      .next_id = -2};
  int64_t *word = words;
  for (size_t i = 0; i < resolver->order_count; i++) {
    uint32_t at = resolver->order[i];
    JITRUN_TRY(resolve_arg(resolver, &args[at], at, &seen, &word));
  }
  *out_count = (size_t)(word - words);
  return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A library of handlers as it would be built for JitRt: it includes nothing of
/// jitrun, links nothing, and leaves the type ids undefined. Targets have names
/// that C has not.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int64_t __type_id_bool, __type_id_int8, __type_id_int16, __type_id_int32,
    __type_id_int64, __type_id_uint8, __type_id_uint64, __type_id_bfloat16,
    __type_id_f16, __type_id_float, __type_id_double, __type_id_string,
    __type_id_array_int64, __type_id_array_float, __type_id_empty_array,
    __type_id__tensor_int32_t, __type_id_tensor_double, __type_id_nullopt,
    __type_id_function_ordinal, __type_id_dictionary, __type_id_memref_view,
    __type_id_strided_memref_view, __type_id_opaque;
extern bool jitrun_jitrt_error(void *ctx, const char *text);

#define HANDLER(function, target)                                              \
  __attribute__((visibility("default"))) bool function(                        \
      void *ctx, void **args, void **attrs, void **rets) __asm__(target);      \
  bool function(void *ctx, void **args, void **attrs, void **rets)
#define UNUSED (void)ctx, (void)args, (void)attrs, (void)rets

struct memref {
  uint8_t dtype, rank;
  void *data;
  int64_t extents[];
};

struct array {
  int64_t size;
  const void *data;
};

static void show_memref(const struct memref *memref, const char *name) {
  printf("%s %u [", name, memref->dtype);
  for (int i = 0; i < 2 * memref->rank; i++)
    printf("%s%" PRId64,
           i == 0              ? ""
           : i == memref->rank ? "; "
                               : " ",
           memref->extents[i]);
  printf("]");
}

static bool show_integer(const int64_t *id, const void *value) {
  if (id == &__type_id_bool)
    printf("bool %d", *(const bool *)value);
  else if (id == &__type_id_int8)
    printf("int8 %d", *(const int8_t *)value);
  else if (id == &__type_id_int16)
    printf("int16 %d", *(const int16_t *)value);
  else if (id == &__type_id_int32)
    printf("int32 %d", *(const int32_t *)value);
  else if (id == &__type_id_int64)
    printf("int64 %" PRId64, *(const int64_t *)value);
  else if (id == &__type_id_uint8)
    printf("uint8 %u", *(const uint8_t *)value);
  else if (id == &__type_id_uint64)
    printf("uint64 %" PRIu64, *(const uint64_t *)value);
  else
    return false;
  return true;
}

static bool show_value(const int64_t *id, const void *value) {
  if (show_integer(id, value))
    return true;
  if (id == &__type_id_bfloat16)
    printf("bfloat16 %x", *(const uint16_t *)value);
  else if (id == &__type_id_f16)
    printf("f16 %x", *(const uint16_t *)value);
  else if (id == &__type_id_float)
    printf("float %g", *(const float *)value);
  else if (id == &__type_id_double)
    printf("double %g", *(const double *)value);
  else if (id == &__type_id_memref_view)
    show_memref(value, "memref");
  else if (id == &__type_id_strided_memref_view)
    show_memref(value, "strided");
  else
    return false;
  return true;
}

static void show_list(void **attrs);

static void show_array(const struct array *array, const char *name,
                       bool is_float) {
  printf("%s", name);
  for (int64_t i = 0; i < array->size; i++) {
    if (is_float)
      printf(" %g", ((const float *)array->data)[i]);
    else
      printf(" %" PRId64, ((const int64_t *)array->data)[i]);
  }
}

static void show_attr(const int64_t *id, void *value) {
  const struct array *array = value;
  const int64_t *words = value;
  if (show_value(id, value))
    return;
  if (id == &__type_id_string)
    printf("string %" PRId64 " %s", array->size, (const char *)array->data);
  else if (id == &__type_id_array_int64)
    show_array(array, "array_int64", false);
  else if (id == &__type_id_array_float)
    show_array(array, "array_float", true);
  else if (id == &__type_id_empty_array)
    printf("empty_array %" PRId64 " %s", array->size,
           array->data ? "some" : "none");
  else if (id == &__type_id__tensor_int32_t)
    printf("_tensor_int32_t %" PRId64 " rank %" PRId64 " %" PRId64 "x%" PRId64,
           words[0], words[2], words[3], words[4]);
  else if (id == &__type_id_tensor_double)
    printf("tensor_double %" PRId64 " rank %" PRId64 " last %g", words[0],
           words[2], ((const double *)array->data)[words[0] - 1]);
  else if (id == &__type_id_nullopt)
    printf("nullopt %s", value ? "some" : "none");
  else if (id == &__type_id_function_ordinal)
    printf("function_ordinal %d", *(const int32_t *)value);
  else if (id == &__type_id_dictionary)
    show_list(value);
  else
    printf("?");
}

static void show_list(void **attrs) {
  int64_t count = *(const int64_t *)attrs[0];
  printf("{");
  for (int64_t i = 0; i < count; i++) {
    const struct array *name = attrs[1 + 3 * i];
    printf("%s%.*s = ", i > 0 ? ", " : "", (int)name->size,
           (const char *)name->data);
    show_attr(attrs[2 + 3 * i], attrs[3 + 3 * i]);
  }
  printf("}");
}

HANDLER(show, "test.show") {
  UNUSED;
  int64_t count = *(const int64_t *)args[0];
  printf("(");
  for (int64_t i = 0; i < count; i++) {
    printf("%s", i > 0 ? ", " : "");
    if (!show_value(((void **)args[1])[i], args[2 + i]))
      printf("?");
  }
  printf(") ");
  show_list(attrs);
  printf("\n");
  (void)fflush(stdout);
  return true;
}

/// Results are the arguments, of the same types.
HANDLER(copy_scalars, "test.copy_scalars") {
  UNUSED;
  static const struct {
    const int64_t *id;
    size_t size;
  } sizes[] = {{&__type_id_bool, 1},  {&__type_id_int8, 1},
               {&__type_id_int16, 2}, {&__type_id_int32, 4},
               {&__type_id_int64, 8}, {&__type_id_float, 4},
               {&__type_id_double, 8}};
  int64_t count = *(const int64_t *)args[0];
  if (count != *(const int64_t *)rets[0])
    return jitrun_jitrt_error(ctx, "as many results as arguments are needed");
  for (int64_t i = 0; i < count; i++) {
    const int64_t *id = ((void **)rets[1])[i];
    if (id != ((void **)args[1])[i])
      return jitrun_jitrt_error(ctx, "a result has another type");
    for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++)
      if (sizes[j].id == id)
        memcpy(rets[2 + i], args[2 + i], sizes[j].size);
  }
  return true;
}

/// Multiplies the elements of a matrix of floats, of any layout.
HANDLER(scale, "test.scale") {
  UNUSED;
  const struct memref *x = args[2];
  const float *factor = attrs[3];
  for (int64_t i = 0; i < x->extents[0]; i++)
    for (int64_t j = 0; j < x->extents[1]; j++)
      ((float *)x->data)[i * x->extents[2] + j * x->extents[3]] *= *factor;
  return true;
}

HANDLER(fail, "test.fail") {
  UNUSED;
  return false;
}

HANDLER(complain, "test.complain") {
  UNUSED;
  jitrun_jitrt_error(ctx, "Uh oh");
  return jitrun_jitrt_error(ctx, "that was not good");
}

/// Classic custom calls. All write f(x) = 2 x + size of the opaque text.
#define CLASSIC __attribute__((visibility("default")))
typedef struct XlaCustomCallStatus_ XlaCustomCallStatus;
extern void XlaCustomCallStatusSetFailure(XlaCustomCallStatus *status,
                                          const char *message, size_t size);
extern void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus *status);

static void double_all(const float *from, float *to, size_t more) {
  for (int i = 0; i < 4; i++)
    to[i] = 2 * from[i] + (float)more;
}

CLASSIC void gpu_one(void *stream, void **buffers, const char *opaque,
                     size_t opaque_size);
void gpu_one(void *stream, void **buffers, const char *opaque,
             size_t opaque_size) {
  printf("stream %s, hole %s, opaque %s\n", stream ? "some" : "none",
         buffers[1] ? "some" : "none", opaque);
  (void)fflush(stdout);
  double_all(buffers[0], buffers[2], opaque_size);
}

CLASSIC void gpu_two(void *stream, void **buffers, const char *opaque,
                     size_t opaque_size, XlaCustomCallStatus *status);
void gpu_two(void *stream, void **buffers, const char *opaque,
             size_t opaque_size, XlaCustomCallStatus *status) {
  (void)stream;
  if (strcmp(opaque, "fail") == 0) {
    XlaCustomCallStatusSetFailure(status, "out of luck, and more", 11);
    return;
  }
  if (strcmp(opaque, "recover") == 0) {
    XlaCustomCallStatusSetFailure(status, "no", 2);
    XlaCustomCallStatusSetSuccess(status);
  }
  double_all(buffers[0], buffers[2], opaque_size);
}

CLASSIC void cpu_one(void *out, const void **in);
void cpu_one(void *out, const void **in) {
  double_all(in[0], out, 0);
}

CLASSIC void cpu_two(void *out, const void **in, XlaCustomCallStatus *status);
void cpu_two(void *out, const void **in, XlaCustomCallStatus *status) {
  (void)status;
  void **outs = out;
  double_all(in[0], outs[0], 0);
  double_all(in[1], outs[1], 1);
}

CLASSIC void cpu_three(void *out, const void **in, const char *opaque,
                       size_t opaque_size, XlaCustomCallStatus *status);
void cpu_three(void *out, const void **in, const char *opaque,
               size_t opaque_size, XlaCustomCallStatus *status) {
  if (opaque_size == 0)
    XlaCustomCallStatusSetFailure(status, "nothing to do", 100);
  else
    double_all(in[0], out, (size_t)opaque[0]);
}

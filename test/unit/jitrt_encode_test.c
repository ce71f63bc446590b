/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// JitRt's ABI: each encoding as a handler finds it, and results on their way
/// back.
#include "jitrt_looking.h"

#include <stdlib.h>

static void look_empty(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx;
  assert_int_equal(count_of(args), 0);
  assert_int_equal(count_of(attrs), 0);
  assert_int_equal(count_of(rets), 0);
}

static void passes_nothing(void **state) {
  (void)state;
  struct fake_call fake;
  start(&fake, &looking);
  look = look_empty;
  fake_succeed(&fake);
  assert_int_equal(call_count, 1);
}

static void look_scalars(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)attrs, (void)rets;
  assert_int_equal(count_of(args), 7);
  assert_ptr_equal(id_of(args, 0), &__type_id_bool);
  assert_true(*(bool *)args[2]);
  assert_ptr_equal(id_of(args, 1), &__type_id_int8);
  assert_int_equal(*(int8_t *)args[3], -8);
  assert_ptr_equal(id_of(args, 2), &__type_id_int16);
  assert_int_equal(*(int16_t *)args[4], -16);
  assert_ptr_equal(id_of(args, 3), &__type_id_int32);
  assert_int_equal(*(int32_t *)args[5], -32);
  assert_ptr_equal(id_of(args, 4), &__type_id_int64);
  assert_int_equal(*(int64_t *)args[6], -64);
  assert_ptr_equal(id_of(args, 5), &__type_id_float);
  assert_true(*(float *)args[7] == 1.5f);
  assert_ptr_equal(id_of(args, 6), &__type_id_double);
  assert_true(*(double *)args[8] == -2.5);
}

static void passes_scalars(void **state) {
  (void)state;
  struct fake_call fake;
  start(&fake, &looking);
  fake_scalar(&fake, JITRUN_DTYPE_PRED)->value.pred = true;
  fake_scalar(&fake, JITRUN_DTYPE_S8)->value.s8 = -8;
  fake_scalar(&fake, JITRUN_DTYPE_S16)->value.s16 = -16;
  fake_scalar(&fake, JITRUN_DTYPE_S32)->value.s32 = -32;
  fake_scalar(&fake, JITRUN_DTYPE_S64)->value.s64 = -64;
  fake_scalar(&fake, JITRUN_DTYPE_F32)->value.f32 = 1.5f;
  fake_scalar(&fake, JITRUN_DTYPE_F64)->value.f64 = -2.5;
  look = look_scalars;
  fake_succeed(&fake);
  assert_int_equal(call_count, 1);
}

static void look_others(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)attrs, (void)rets;
  assert_ptr_equal(id_of(args, 0), &__type_id_uint8);
  assert_int_equal(*(uint8_t *)args[2], 200);
  assert_ptr_equal(id_of(args, 1), &__type_id_uint16);
  assert_ptr_equal(id_of(args, 2), &__type_id_uint32);
  assert_ptr_equal(id_of(args, 3), &__type_id_uint64);
  assert_ptr_equal(id_of(args, 4), &__type_id_bfloat16);
  assert_int_equal(*(uint16_t *)args[6], 0x3fc0);
  assert_ptr_equal(id_of(args, 5), &__type_id_f16);
  assert_ptr_equal(id_of(args, 6), &__type_id_opaque);
  assert_ptr_equal(*(void **)args[8], &call_count);
  assert_ptr_equal(id_of(args, 7), &__type_id_async_chain);
  assert_ptr_equal(*(void **)args[9], &look);
}

static void passes_other_values(void **state) {
  (void)state;
  struct fake_call fake;
  start(&fake, &looking);
  fake_scalar(&fake, JITRUN_DTYPE_U8)->value.u8 = 200;
  fake_scalar(&fake, JITRUN_DTYPE_U16);
  fake_scalar(&fake, JITRUN_DTYPE_U32);
  fake_scalar(&fake, JITRUN_DTYPE_U64);
  fake_scalar(&fake, JITRUN_DTYPE_BF16)->value.u16 = 0x3fc0;
  fake_scalar(&fake, JITRUN_DTYPE_F16);
  fake_operand(&fake, JITRUN_KIND_OPAQUE, JITRUN_DTYPE_OPAQUE, 0)
      ->value.opaque = &call_count;
  fake_operand(&fake, JITRUN_KIND_TOKEN, JITRUN_DTYPE_TOKEN, 0)->value.async =
      (jitrun_async_t *)(void *)&look;
  look = look_others;
  fake_succeed(&fake);
}

static float numbers[24];

static void look_memrefs(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)attrs, (void)rets;
  const unsigned char *dense = args[2];
  assert_ptr_equal(id_of(args, 0), &__type_id_memref_view);
  assert_int_equal(dense[0], 11);
  assert_int_equal(dense[1], 2);
  void *data;
  memcpy(&data, dense + 8, sizeof(data));
  assert_ptr_equal(data, numbers);
  int64_t extents[4];
  memcpy(extents, dense + 16, sizeof(extents));
  assert_int_equal(extents[0], 2);
  assert_int_equal(extents[1], 3);
  assert_int_equal(extents[2], 3);
  assert_int_equal(extents[3], 1);

  jitrun_jitrt_memref_t *strided = jitrun_jitrt_memref(args, 1);
  assert_ptr_equal(id_of(args, 1), &__type_id_strided_memref_view);
  assert_ptr_equal(strided->data, numbers + 4);
  assert_int_equal(jitrun_jitrt_strides(strided)[0], 12);

  assert_ptr_equal(id_of(args, 2), &__type_id_memref_view);
  assert_int_equal(jitrun_jitrt_memref(args, 2)->dtype, 20); // f8E4M3FN
  assert_int_equal(jitrun_jitrt_memref(args, 2)->rank, 0);
  // no elements: any strides are those of an identity layout
  assert_ptr_equal(id_of(args, 3), &__type_id_memref_view);
  assert_null(jitrun_jitrt_memref(args, 4));
}

static void passes_memrefs(void **state) {
  (void)state;
  struct fake_call fake;
  const int64_t dims[] = {2, 3};
  const int64_t strides[] = {12, 1};
  const int64_t none[] = {0, 3};
  uint8_t small = 7;
  start(&fake, &looking);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, numbers, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, numbers + 4, dims, strides);
  fake_buffer(&fake, JITRUN_DTYPE_F8E4M3FN, 0, &small, NULL, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, numbers, none, strides);
  look = look_memrefs;
  fake_succeed(&fake);
  assert_int_equal(call_count, 1);
}

static void look_open(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)attrs, (void)rets;
  assert_ptr_equal(id_of(args, 0), &__type_id_memref_view);
  assert_ptr_equal(id_of(args, 1), &__type_id_strided_memref_view);
  assert_int_equal(jitrun_jitrt_dims(jitrun_jitrt_memref(args, 1))[1], 3);
}

static void tells_open_layouts_per_call(void **state) {
  (void)state;
  struct fake_call fake;
  const int64_t dims[] = {2, 3};
  const int64_t strides[] = {12, 1};
  start(&fake, &looking);
  fake.is_dynamic = true;
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, numbers, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, numbers, dims, strides);
  look = look_open;
  fake_succeed(&fake);
  assert_int_equal(call_count, 1);
}

static void **find(void **attrs, const char *name) {
  for (int64_t i = 0; i < count_of(attrs); i++) {
    void **attr = attrs + 1 + 3 * i;
    const jitrun_jitrt_array_t *found = attr[0];
    if (strcmp(found->data, name) == 0)
      return attr;
  }
  fail_msg("no attribute '%s'", name);
  return NULL;
}

static void look_attrs(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)args, (void)rets;
  assert_int_equal(count_of(attrs), 8);
  assert_ptr_equal(find(attrs, "bool")[1], &__type_id_bool);
  assert_true(*(bool *)find(attrs, "bool")[2]);
  assert_ptr_equal(find(attrs, "real")[1], &__type_id_double);
  assert_true(*(double *)find(attrs, "real")[2] == 0.25);
  const jitrun_jitrt_array_t *text = find(attrs, "text")[2];
  assert_ptr_equal(find(attrs, "text")[1], &__type_id_string);
  assert_int_equal(text->size, 3);
  assert_memory_equal(text->data, "a\0b", 4);
  const jitrun_jitrt_array_t *array = find(attrs, "array")[2];
  assert_ptr_equal(find(attrs, "array")[1], &__type_id_array_int32);
  assert_int_equal(array->size, 2);
  assert_int_equal(((const int32_t *)array->data)[1], 2);
  const jitrun_jitrt_array_t *empty = find(attrs, "empty")[2];
  assert_ptr_equal(find(attrs, "empty")[1], &__type_id_empty_array);
  assert_int_equal(empty->size, 0);
  assert_null(empty->data);
  const int64_t *tensor = find(attrs, "tensor")[2]; // {n, data, rank, shape}
  assert_ptr_equal(find(attrs, "tensor")[1], &__type_id__tensor_int32_t);
  assert_int_equal(tensor[0], 2);
  assert_int_equal(tensor[2], 2);
  assert_int_equal(tensor[3], 1);
  assert_int_equal(tensor[4], 2);
  assert_ptr_equal(find(attrs, "unit")[1], &__type_id_nullopt);
  assert_null(find(attrs, "unit")[2]);
  assert_ptr_equal(find(attrs, "where")[1], &__type_id_function_ordinal);
  assert_int_equal(*(int32_t *)find(attrs, "where")[2], 3);
  // as the helpers see them
  assert_ptr_equal(jitrun_jitrt_attr_id(attrs, "unit"), &__type_id_nullopt);
  assert_null(jitrun_jitrt_attr_id(attrs, "units"));
  assert_null(jitrun_jitrt_attr(attrs, "bool", &__type_id_int32));
  assert_ptr_equal(
      jitrun_jitrt_attr_array(attrs, "array", &__type_id_array_int32), array);
  assert_ptr_equal(
      jitrun_jitrt_attr_array(attrs, "empty", &__type_id_array_int64), empty);
  assert_null(jitrun_jitrt_attr_array(attrs, "tensor", &__type_id_array_int32));
}

static const int32_t two[] = {1, 2};

static void passes_attributes(void **state) {
  (void)state;
  struct fake_call fake;
  const int64_t dims[] = {1, 2};
  start(&fake, &looking);
  fake_attr(&fake, attr_pred("bool", true));
  fake_attr(&fake, attr_f64("real", 0.25));
  fake_attr(&fake, (jitrun_attr_t){.name = "text",
                                   .kind = JITRUN_ATTR_STRING,
                                   .count = 3,
                                   .value.string = "a\0b"});
  fake_attr(&fake, (jitrun_attr_t){.name = "array",
                                   .kind = JITRUN_ATTR_ARRAY,
                                   .dtype = JITRUN_DTYPE_S32,
                                   .count = 2,
                                   .value.data = two});
  fake_attr(&fake, (jitrun_attr_t){.name = "empty", .kind = JITRUN_ATTR_ARRAY});
  fake_attr(&fake, (jitrun_attr_t){.name = "tensor",
                                   .kind = JITRUN_ATTR_TENSOR,
                                   .dtype = JITRUN_DTYPE_S32,
                                   .rank = 2,
                                   .count = 2,
                                   .dims = dims,
                                   .value.data = two});
  fake_attr(&fake, (jitrun_attr_t){.name = "unit", .kind = JITRUN_ATTR_UNIT});
  fake_attr(&fake, (jitrun_attr_t){.name = "where",
                                   .kind = JITRUN_ATTR_FUNCTION,
                                   .value.entry = 3});
  look = look_attrs;
  fake_succeed(&fake);
  assert_int_equal(call_count, 1);
}

static int64_t pair_id;

static void look_structures(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)args, (void)rets;
  // dictionaries are sorted, structures in the order of their binding
  void **dict = jitrun_jitrt_attr(attrs, "dict", &__type_id_dictionary);
  assert_int_equal(count_of(dict), 2);
  assert_string_equal(((jitrun_jitrt_array_t *)dict[1])->data, "first");
  void **pair = jitrun_jitrt_attr(attrs, "pair", &pair_id);
  assert_string_equal(((jitrun_jitrt_array_t *)pair[1])->data, "second");
  assert_string_equal(((jitrun_jitrt_array_t *)pair[4])->data, "first");
  assert_int_equal(
      *(int64_t *)jitrun_jitrt_attr(pair, "first", &__type_id_int64), 1);
  assert_int_equal(
      *(int32_t *)jitrun_jitrt_attr(attrs, "fft", &__type_id_se_fft_type), 4);
  void **dot =
      jitrun_jitrt_attr(attrs, "dot", &__type_id_dot_dimension_numbers);
  assert_int_equal(count_of(dot), 1);
}

static jitrun_attr_t attr_items(const char *name, const jitrun_attr_t *items,
                                uint64_t count, const char *type_name) {
  return (jitrun_attr_t){.name = name,
                         .kind = JITRUN_ATTR_DICT,
                         .count = count,
                         .value.items = items,
                         .type_name = type_name};
}

static void passes_structures(void **state) {
  (void)state;
  struct fake_call fake;
  static const char *const fields[] = {"second", "first"};
  const jitrun_jitrt_type_t types[] = {{"testlib.pair", &pair_id, fields, 2}};
  jitrun_jitrt_call_t call = looking;
  call.types = types;
  call.type_count = 1;
  const jitrun_attr_t items[] = {attr_s64("first", 1), attr_s64("second", 2)};
  const jitrun_attr_t dot[] = {attr_s64("lhs_batch", 1)};
  jitrun_attr_t fft = attr_scalar("fft", JITRUN_DTYPE_S32);
  fft.value.s32 = 4;
  fft.type_name = "mhlo.fft_type";
  start(&fake, &call);
  fake_attr(&fake, attr_items("dict", items, 2, NULL));
  fake_attr(&fake, attr_items("pair", items, 2, "testlib.pair"));
  fake_attr(&fake, attr_items("dot", dot, 1, "mhlo.dot"));
  fake_attr(&fake, fft);
  look = look_structures;
  fake_succeed(&fake);
  assert_int_equal(call_count, 1);
}

static void write_results(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)args, (void)attrs;
  assert_ptr_equal(id_of(rets, 0), &__type_id_int32);
  *(int32_t *)rets[2] = 42;
  assert_ptr_equal(id_of(rets, 1), &__type_id_opaque);
  *(void **)rets[3] = &call_count;
  assert_ptr_equal(id_of(rets, 2), &__type_id_async_float);
  *(void **)rets[4] = &look;
  assert_ptr_equal(id_of(rets, 3), &__type_id_async_memref);
  jitrun_jitrt_memref_t *later = rets[5];
  assert_int_equal(jitrun_jitrt_dims(later)[0], 3);
  later->data = &record;
  assert_ptr_equal(id_of(rets, 4), &__type_id_memref_view);
  jitrun_jitrt_memref_t *memref = jitrun_jitrt_memref(rets, 4);
  assert_null(memref->data);
  assert_int_equal(memref->dtype, JITRUN_DTYPE_F32);
  assert_int_equal(jitrun_jitrt_dims(memref)[0], 3);
  memref->data = numbers;
}

static jitrun_error_t *keep_result(const jitrun_call_t *call, uint32_t index,
                                   void *data, const int64_t *dims,
                                   const int64_t *strides) {
  assert_int_equal(dims[0], 3);
  assert_null(strides);
  jitrun_call_results(
      &((struct fake_call *)(void *)call->exec)->frame.call)[index]
      .value.data = data;
  return NULL;
}

static void set_extent(struct fake_call *fake, uint32_t index, int64_t dim) {
  fake->types[index].extents[0] = dim;
  fake->types[index].extents[1] = 1;
  fake->site_types[index] = fake->types[index];
}

/// Five results and what becomes of them.
static void add_results(struct fake_call *fake) {
  static const struct {
    jitrun_kind_t kind;
    jitrun_dtype_t dtype;
    uint16_t rank;
  } kinds[] = {{JITRUN_KIND_SCALAR, JITRUN_DTYPE_S32, 0},
               {JITRUN_KIND_OPAQUE, JITRUN_DTYPE_OPAQUE, 0},
               {JITRUN_KIND_ASYNC_SCALAR, JITRUN_DTYPE_F32, 0},
               {JITRUN_KIND_ASYNC_BUFFER, JITRUN_DTYPE_F32, 1},
               {JITRUN_KIND_BUFFER, JITRUN_DTYPE_F32, 1}};
  for (uint32_t i = 0; i < 5; i++)
    fake_operand(fake, kinds[i].kind, kinds[i].dtype, kinds[i].rank);
  fake->site.arg_count = 0;
  fake->site.result_count = 5;
  set_extent(fake, 3, 3);
  set_extent(fake, 4, 3);
}

static void takes_results(void **state) {
  (void)state;
  struct fake_call fake;
  jitrun_call_api_t api = fake_api;
  api.result_set = keep_result;
  start(&fake, &looking);
  fake.site.api = &api;
  add_results(&fake);
  look = write_results;
  expect_ok(fake_load(&fake));
  expect_ok(fake_run(&fake));
  const jitrun_arg_t *results = jitrun_call_results(&fake.frame.call);
  assert_int_equal(results[0].value.s32, 42);
  assert_ptr_equal(results[1].value.opaque, &call_count);
  assert_ptr_equal(results[2].value.async, &look);
  assert_ptr_equal(results[3].value.async, &record);
  assert_ptr_equal(results[4].value.data, numbers);
  fake_deinit(&fake);
}

static void wants_memory_of_memref_results(void **state) {
  (void)state;
  struct fake_call fake;
  jitrun_call_api_t api = fake_api;
  api.result_set = keep_result;
  start(&fake, &looking);
  fake.site.api = &api;
  add_results(&fake);
  look = NULL;
  fake_fail(&fake, JITRUN_INTERNAL,
            "custom call 'test.custom_call' failed: it set no memory for "
            "result 4");
  look = write_results;
  start(&fake, &looking);
  add_results(&fake);
  fake_fail(&fake, JITRUN_UNIMPLEMENTED,
            "returns a memref, which this runtime cannot take");
}

/// A runtime of one state.
static struct {
  void *state;
  void (*destroy)(void *state);
} kept;

static jitrun_error_t *find_state(const jitrun_call_t *call,
                                  const jitrun_state_key_t *key,
                                  void **out_state) {
  jitrun_error_t *error =
      kept.state ? NULL : key->create(call, key->context, &kept.state);
  kept.destroy = key->destroy;
  *out_state = kept.state;
  return error;
}

static void allocate_result(void *ctx, void **args, void **attrs, void **rets) {
  write_results(ctx, args, attrs, rets);
  jitrun_jitrt_memref(rets, 4)->data = malloc(12);
}

static void frees_results_at_the_end(void **state) {
  (void)state;
  struct fake_call fake;
  jitrun_call_api_t api = fake_api;
  api.result_set = keep_result;
  api.state = find_state;
  jitrun_jitrt_call_t call = looking;
  call.flags = JITRUN_JITRT_FREES_RESULTS;
  start(&fake, &call);
  fake.site.api = &api;
  add_results(&fake);
  look = allocate_result;
  expect_ok(fake_load(&fake));
  expect_ok(fake_run(&fake));
  expect_ok(fake_run(&fake));
  kept.destroy(kept.state);
  kept.state = NULL;
  fake_deinit(&fake);
}

static jitrun_error_t *alloc_result(const jitrun_call_t *call, uint32_t index,
                                    const int64_t *dims) {
  if (dims[0] != 3)
    return call->site->api->error(call, JITRUN_OUT_OF_RANGE, "not 3", SIZE_MAX);
  return keep_result(call, index, numbers, dims, NULL);
}

static int64_t wanted = 3;

static void ask_for_result(void *ctx, void **args, void **attrs, void **rets) {
  write_results(ctx, args, attrs, rets);
  void *data = jitrun_jitrt_ret_alloc(ctx, rets, 4, &wanted);
  assert_ptr_equal(data, wanted == 3 ? numbers : NULL);
}

static void gives_memory_for_results(void **state) {
  (void)state;
  struct fake_call fake;
  jitrun_call_api_t api = fake_api;
  api.result_alloc = alloc_result;
  start(&fake, &looking);
  fake.site.api = &api;
  add_results(&fake);
  look = ask_for_result;
  fake_succeed(&fake);
  wanted = 4;
  start(&fake, &looking);
  fake.site.api = &api;
  add_results(&fake);
  fake_fail(&fake, JITRUN_OUT_OF_RANGE, "not 3");
  wanted = 3;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_nothing),
      cmocka_unit_test(passes_scalars),
      cmocka_unit_test(passes_other_values),
      cmocka_unit_test(passes_memrefs),
      cmocka_unit_test(tells_open_layouts_per_call),
      cmocka_unit_test(passes_attributes),
      cmocka_unit_test(passes_structures),
      cmocka_unit_test(takes_results),
      cmocka_unit_test(wants_memory_of_memref_results),
      cmocka_unit_test(frees_results_at_the_end),
      cmocka_unit_test(gives_memory_for_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

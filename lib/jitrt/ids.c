/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The type ids, and the tables that lead to them. An id is an address: all who
/// compare it must see one variable, so they are never bound to this library
/// alone, and a program that links it may hold them in its place.
#include "jitrt/ids.h"

#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DEFINE(name) int64_t __type_id_##name;
JITRUN_JITRT_TYPE_IDS(DEFINE)

#define ID(name) (&__type_id_##name)
enum { DTYPE_COUNT = JITRUN_DTYPE_F8E4M3FNUZ + 1 };

static const int64_t *const scalar_ids[DTYPE_COUNT] = {
    [JITRUN_DTYPE_PRED] = ID(bool),     [JITRUN_DTYPE_S8] = ID(int8),
    [JITRUN_DTYPE_S16] = ID(int16),     [JITRUN_DTYPE_S32] = ID(int32),
    [JITRUN_DTYPE_S64] = ID(int64),     [JITRUN_DTYPE_U8] = ID(uint8),
    [JITRUN_DTYPE_U16] = ID(uint16),    [JITRUN_DTYPE_U32] = ID(uint32),
    [JITRUN_DTYPE_U64] = ID(uint64),    [JITRUN_DTYPE_F16] = ID(f16),
    [JITRUN_DTYPE_BF16] = ID(bfloat16), [JITRUN_DTYPE_F32] = ID(float),
    [JITRUN_DTYPE_F64] = ID(double),
};

static const int64_t *const array_ids[DTYPE_COUNT] = {
    [JITRUN_DTYPE_S8] = ID(array_int8),   [JITRUN_DTYPE_S16] = ID(array_int16),
    [JITRUN_DTYPE_S32] = ID(array_int32), [JITRUN_DTYPE_S64] = ID(array_int64),
    [JITRUN_DTYPE_F32] = ID(array_float), [JITRUN_DTYPE_F64] = ID(array_double),
};

static const int64_t *const tensor_ids[DTYPE_COUNT] = {
    [JITRUN_DTYPE_S32] = ID(_tensor_int32_t),
    [JITRUN_DTYPE_S64] = ID(tensor_int64_t),
    [JITRUN_DTYPE_F32] = ID(tensor_float),
    [JITRUN_DTYPE_F64] = ID(tensor_double),
};

static const int64_t *const async_ids[DTYPE_COUNT] = {
    [JITRUN_DTYPE_PRED] = ID(async_bool),  [JITRUN_DTYPE_S8] = ID(async_int8),
    [JITRUN_DTYPE_S16] = ID(async_int16),  [JITRUN_DTYPE_S32] = ID(async_int32),
    [JITRUN_DTYPE_S64] = ID(async_int64),  [JITRUN_DTYPE_F32] = ID(async_float),
    [JITRUN_DTYPE_F64] = ID(async_double),
};

static const int64_t *find_id(const int64_t *const *ids, uint8_t dtype) {
  return dtype < DTYPE_COUNT ? ids[dtype] : NULL;
}

const int64_t *jr_jitrt_scalar_id(uint8_t dtype) {
  return find_id(scalar_ids, dtype);
}

const int64_t *jr_jitrt_array_id(uint8_t dtype) {
  return find_id(array_ids, dtype);
}

const int64_t *jr_jitrt_tensor_id(uint8_t dtype) {
  return find_id(tensor_ids, dtype);
}

const int64_t *jr_jitrt_async_id(uint8_t dtype) {
  return find_id(async_ids, dtype);
}

const int64_t *jr_jitrt_tensor_of(const int64_t *array_id) {
  for (size_t i = 0; i < DTYPE_COUNT; i++)
    if (array_ids[i] && array_ids[i] == array_id)
      return tensor_ids[i];
  return NULL;
}

static const char *const dot_fields[] = {"lhs_batch", "lhs_contract",
                                         "rhs_batch", "rhs_contract"};
static const char *const conv_fields[] = {
    "input_batch_dim",       "input_feature_dim",      "input_spatial_dims",
    "kernel_in_feature_dim", "kernel_out_feature_dim", "kernel_spatial_dims",
    "output_batch_dim",      "output_feature_dim",     "output_spatial_dims"};
static const char *const backend_fields[] = {
    "algorithm",         "tensor_ops_enabled",
    "is_cudnn_frontend", "is_cudnn_reordered_int8",
    "knob_ids",          "knob_values",
    "operand_0_layout",  "operand_1_layout",
    "result_layout",     "workspace_size"};
static const char *const channel_fields[] = {"handle", "type"};
static const char *const trace_fields[] = {"hlo_op"};

#define FIELDS(array) (array), sizeof(array) / sizeof((array)[0])
static const jitrun_jitrt_type_t types[] = {
    {"lmhlo_gpu.activation", ID(se_dnn_activation), NULL, 0},
    {"lmhlo_gpu.convolution_backend_config", ID(conv_backend_config),
     FIELDS(backend_fields)},
    {"lmhlo_gpu.epilogue", ID(se_cublas_lt_epilogue), NULL, 0},
    {"mhlo.channel_handle", ID(channel_handle), FIELDS(channel_fields)},
    {"mhlo.conv", ID(conv_dim_numbers), FIELDS(conv_fields)},
    {"mhlo.dot", ID(dot_dimension_numbers), FIELDS(dot_fields)},
    {"mhlo.fft_type", ID(se_fft_type), NULL, 0},
    {"rt.hlo_trace", ID(hlo_trace), FIELDS(trace_fields)},
};

static const jitrun_jitrt_type_t *find_type(const jitrun_jitrt_type_t *list,
                                            size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i].name, name) == 0)
      return &list[i];
  return NULL;
}

const jitrun_jitrt_type_t *jr_jitrt_type(const jitrun_jitrt_call_t *record,
                                         const char *name) {
  const jitrun_jitrt_type_t *type =
      find_type(record->types, record->type_count, name);
  return type ? type : find_type(types, sizeof(types) / sizeof(types[0]), name);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attribute types of XLA's dialects: numbers as XLA gives them, structures
/// with the field names and order of JitRt's handlers. The dimension numbers of
/// convolutions also have a notation of their own, "[b, 0, f]x[0, i, o]->...",
/// which the compiler knows.
#include "customcalls/attr_types.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define FIELD(field_text, field_name, field_kind, field_dtype)                 \
  {.text = (field_text),                                                       \
   .name = (field_name),                                                       \
   .kind = (field_kind),                                                       \
   .dtype = (field_dtype),                                                     \
   .flags = JITRUN_FIELD_OPTIONAL}
#define INT(text, name) FIELD(text, name, JITRUN_FIELD_SCALAR, JITRUN_DTYPE_S64)
#define INTS(text, name) FIELD(text, name, JITRUN_FIELD_ARRAY, JITRUN_DTYPE_S64)
#define BOOL(text) FIELD(text, NULL, JITRUN_FIELD_SCALAR, JITRUN_DTYPE_PRED)
#define ENUMERATION(type_name, type_cases)                                     \
  {.size = sizeof(jitrun_attr_type_t),                                         \
   .name = (type_name),                                                        \
   .cases = (type_cases),                                                      \
   .case_count = COUNT_OF(type_cases),                                         \
   .dtype = JITRUN_DTYPE_S32}
#define STRUCTURE(type_name, type_fields)                                      \
  {.size = sizeof(jitrun_attr_type_t),                                         \
   .name = (type_name),                                                        \
   .fields = (type_fields),                                                    \
   .field_count = COUNT_OF(type_fields)}

static const jitrun_attr_field_t dot_fields[] = {
    INTS("lhs_batching_dimensions", "lhs_batch"),
    INTS("lhs_contracting_dimensions", "lhs_contract"),
    INTS("rhs_batching_dimensions", "rhs_batch"),
    INTS("rhs_contracting_dimensions", "rhs_contract"),
};

static const jitrun_attr_field_t conv_fields[] = {
    INT("input_batch_dimension", "input_batch_dim"),
    INT("input_feature_dimension", "input_feature_dim"),
    INTS("input_spatial_dimensions", "input_spatial_dims"),
    INT("kernel_input_feature_dimension", "kernel_in_feature_dim"),
    INT("kernel_output_feature_dimension", "kernel_out_feature_dim"),
    INTS("kernel_spatial_dimensions", "kernel_spatial_dims"),
    INT("output_batch_dimension", "output_batch_dim"),
    INT("output_feature_dimension", "output_feature_dim"),
    INTS("output_spatial_dimensions", "output_spatial_dims"),
};

static const jitrun_attr_field_t channel_fields[] = {INT("handle", NULL),
                                                     INT("type", NULL)};

static const jitrun_attr_field_t backend_fields[] = {
    INT("algorithm", NULL),         BOOL("tensor_ops_enabled"),
    BOOL("is_cudnn_frontend"),      BOOL("is_cudnn_reordered_int8"),
    INTS("knob_ids", NULL),         INTS("knob_values", NULL),
    INTS("operand_0_layout", NULL), INTS("operand_1_layout", NULL),
    INTS("result_layout", NULL),    INT("workspace_size", NULL),
};

static const jitrun_attr_field_t trace_fields[] = {
    {.text = "", .name = "hlo_op", .kind = JITRUN_FIELD_STRING}};

static const jitrun_attr_case_t fft_types[] = {
    {"FFT", 1}, {"IFFT", 2}, {"IRFFT", 3}, {"RFFT", 4}};

static const jitrun_attr_case_t epilogues[] = {
    {"Default", 1}, {"Relu", 2},      {"Bias", 4},       {"BiasRelu", 6},
    {"Gelu", 32},   {"BiasGelu", 36}, {"GeluAux", 1056}, {"BiasGeluAux", 1060}};

static const jitrun_attr_case_t activations[] = {
    {"None", 0},  {"Sigmoid", 1}, {"Relu", 2},     {"Relu6", 3},
    {"ReluX", 4}, {"Tanh", 5},    {"BandPass", 6}, {"Elu", 7}};

const jitrun_attr_type_t jr_xla_attr_types[] = {
    STRUCTURE("mhlo.dot", dot_fields),
    STRUCTURE("mhlo.conv", conv_fields),
    STRUCTURE("mhlo.channel_handle", channel_fields),
    ENUMERATION("mhlo.fft_type", fft_types),
    STRUCTURE("lmhlo_gpu.convolution_backend_config", backend_fields),
    ENUMERATION("lmhlo_gpu.epilogue", epilogues),
    ENUMERATION("lmhlo_gpu.activation", activations),
    STRUCTURE("rt.hlo_trace", trace_fields),
};

const size_t jr_xla_attr_type_count = COUNT_OF(jr_xla_attr_types);

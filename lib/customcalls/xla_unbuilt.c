/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Calls of GPU libraries, and of XLA's libraries for the CPU, declared but not
/// built on the host: a program that has one is told so when it is opened, not
/// that the name is unknown, and a call that is written wrong is told that.
#include "customcalls/builtins.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stddef.h>
#include <stdint.h>

jitrun_error_t *jr_xla_unbuilt(jitrun_call_t *call) {
  return jr_call_error(call, JITRUN_UNIMPLEMENTED,
                       "'%s' is not built yet on the host; a plug-in may "
                       "register a call of this name",
                       call->site->target);
}

#define UID {.name = "uid", JR_XLA_SCALAR(S64), JR_XLA_OPTIONAL}
/// An array or a tensor.
#define LIST .kind = 0, JR_XLA_OF(S64)

static const jitrun_param_t conv_args[] = {{.name = "operand0", JR_XLA_BUFFER},
                                           {.name = "operand1", JR_XLA_BUFFER},
                                           {.name = "output", JR_XLA_BUFFER},
                                           {.name = "scratch", JR_XLA_BUFFER}};

static const jitrun_param_t fused_args[] = {{.name = "operand0", JR_XLA_BUFFER},
                                            {.name = "operand1", JR_XLA_BUFFER},
                                            {.name = "bias", JR_XLA_BUFFER},
                                            {.name = "output", JR_XLA_BUFFER},
                                            {.name = "scratch", JR_XLA_BUFFER}};

static const jitrun_param_t side_args[] = {
    {.name = "operand0", JR_XLA_BUFFER}, {.name = "operand1", JR_XLA_BUFFER},
    {.name = "bias", JR_XLA_BUFFER},     {.name = "side_input", JR_XLA_BUFFER},
    {.name = "output", JR_XLA_BUFFER},   {.name = "scratch", JR_XLA_BUFFER}};

/// Those of every convolution, then what the fused ones have besides.
static const jitrun_attr_param_t conv_attrs[] = {
    {.name = "backend_config", .kind = JITRUN_ATTR_DICT},
    {.name = "conv_dims", .kind = JITRUN_ATTR_DICT},
    {.name = "feature_group_count", JR_XLA_SCALAR(S64)},
    {.name = "lhs_dilation", LIST},
    {.name = "padding", LIST},
    {.name = "result_scale", JR_XLA_SCALAR(F64)},
    {.name = "rhs_dilation", LIST},
    UID,
    {.name = "window_reversal", LIST},
    {.name = "window_strides", LIST},
    {.name = "activation_mode", JR_XLA_SCALAR(S32)},
    {.name = "side_input_scale", JR_XLA_SCALAR(F64)}};

const jitrun_signature_t jr_xla_conv_types = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .args = conv_args,
                                              .arg_count = 4,
                                              .attrs = conv_attrs,
                                              .attr_count = 10};

const jitrun_signature_t jr_xla_fused_types = {.size =
                                                   sizeof(jitrun_signature_t),
                                               .args = fused_args,
                                               .arg_count = 5,
                                               .attrs = conv_attrs,
                                               .attr_count = 11};

const jitrun_signature_t jr_xla_side_types = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .args = side_args,
                                              .arg_count = 6,
                                              .attrs = conv_attrs,
                                              .attr_count = 12};

static const jitrun_param_t filter_args[] = {
    {.name = "filter_input", JR_XLA_BUFFER},
    {.name = "filter_output", JR_XLA_BUFFER}};

static const jitrun_param_t bias_args[] = {
    {.name = "filter_input", JR_XLA_BUFFER},
    {.name = "bias_input", JR_XLA_BUFFER},
    {.name = "filter_output", JR_XLA_BUFFER},
    {.name = "bias_output", JR_XLA_BUFFER}};

static const jitrun_attr_param_t filter_attrs[] = {
    {.name = "filter_dims", LIST}};

const jitrun_signature_t jr_xla_filter_types = {.size =
                                                    sizeof(jitrun_signature_t),
                                                .args = filter_args,
                                                .arg_count = 2,
                                                .attrs = filter_attrs,
                                                .attr_count = 1};

const jitrun_signature_t jr_xla_bias_types = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .args = bias_args,
                                              .arg_count = 4,
                                              .attrs = filter_attrs,
                                              .attr_count = 1};

static const jitrun_param_t matmul_args[] = {
    {.name = "a", JR_XLA_BUFFER},    {.name = "b", JR_XLA_BUFFER},
    {.name = "c", JR_XLA_BUFFER},    {.name = "d", JR_XLA_BUFFER},
    {.name = "bias", JR_XLA_BUFFER}, {.name = "aux", JR_XLA_BUFFER}};

static const jitrun_param_t aux_args[] = {{.name = "a", JR_XLA_BUFFER},
                                          {.name = "b", JR_XLA_BUFFER},
                                          {.name = "c", JR_XLA_BUFFER},
                                          {.name = "d", JR_XLA_BUFFER},
                                          {.name = "aux", JR_XLA_BUFFER}};

static const jitrun_attr_param_t matmul_attrs[] = {
    {.name = "algorithm", JR_XLA_SCALAR(S64)},
    {.name = "alpha_imag", JR_XLA_SCALAR(F64)},
    {.name = "alpha_real", JR_XLA_SCALAR(F64)},
    {.name = "beta", JR_XLA_SCALAR(F64)},
    {.name = "dot_dims", .kind = JITRUN_ATTR_DICT},
    {.name = "epilogue", JR_XLA_SCALAR(S32)},
    {.name = "precision", JR_XLA_OF(S32), JR_XLA_OPTIONAL},
    UID};

#define MATMUL                                                                 \
  .size = sizeof(jitrun_signature_t), .attrs = matmul_attrs, .attr_count = 8

const jitrun_signature_t jr_xla_lt_types = {MATMUL, .args = matmul_args,
                                            .arg_count = 4};
const jitrun_signature_t jr_xla_lt_bias_types = {MATMUL, .args = matmul_args,
                                                 .arg_count = 5};
const jitrun_signature_t jr_xla_lt_aux_types = {MATMUL, .args = aux_args,
                                                .arg_count = 5};
const jitrun_signature_t jr_xla_lt_both_types = {MATMUL, .args = matmul_args,
                                                 .arg_count = 6};

static const jitrun_param_t f8_args[] = {
    {.name = "a", JR_XLA_BUFFER},       {.name = "b", JR_XLA_BUFFER},
    {.name = "c", JR_XLA_BUFFER},       {.name = "d", JR_XLA_BUFFER},
    {.name = "a_scale", JR_XLA_BUFFER}, {.name = "b_scale", JR_XLA_BUFFER},
    {.name = "c_scale", JR_XLA_BUFFER}, {.name = "d_scale", JR_XLA_BUFFER},
    {.name = "d_amax", JR_XLA_BUFFER}};

const jitrun_signature_t jr_xla_lt_f8_types = {MATMUL, .args = f8_args,
                                               .arg_count = 8};
const jitrun_signature_t jr_xla_lt_amax_types = {MATMUL, .args = f8_args,
                                                 .arg_count = 9};

static const jitrun_attr_param_t graph_attrs[] = {
    {.name = "capture", .kind = JITRUN_ATTR_FUNCTION}};

const jitrun_signature_t jr_xla_graph_types = {.size =
                                                   sizeof(jitrun_signature_t),
                                               .attrs = graph_attrs,
                                               .attr_count = 1,
                                               .flags = JITRUN_VARIADIC_ARGS};

static const jitrun_param_t cpu_conv_args[] = {
    {.name = "input", JR_XLA_BUFFER},
    {.name = "kernel", JR_XLA_BUFFER},
    {.name = "output", JR_XLA_BUFFER}};

/// Its attributes are for who builds it.
const jitrun_signature_t jr_xla_cpu_conv_types = {
    .size = sizeof(jitrun_signature_t),
    .args = cpu_conv_args,
    .arg_count = 3,
    .flags = JITRUN_VARIADIC_ATTRS};

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in with the two element-wise steps of a multi-layer perceptron, as a
/// starting point for one of your own. It needs one header and links nothing:
///
///   cc -O2 -fPIC -shared -I<prefix>/include mlp.c -o mlp.so
///   jitrun run model.mlir --plugin=./mlp.so ...
///
/// In a program, after which `call @bias(%x, %b)` calls the handler below:
///
///   func.func private @bias(memref<4x8xf32>, memref<8xf32>)
///       attributes {rt.custom_call = "mlp.bias"}
#include "jitrun/customcall.h"

/// `mlp.bias`: adds b[j] to every x[i, j], in place.
///
/// The types in the arguments are those of this execution, so their sizes are
/// always known, even where the program says `memref<?x8xf32>`. What the
/// declared signature says (two f32 buffers of ranks 2 and 1) has been checked
/// when the program was loaded. That the sizes fit together is for the handler
/// to check.
static jitrun_error_t *add_bias(jitrun_call_t *call) {
  const jitrun_arg_t *x = &jitrun_call_args(call)[0];
  const jitrun_arg_t *b = &jitrun_call_args(call)[1];
  const int64_t *dims = jitrun_type_dims(x->type);
  const int64_t *x_strides = jitrun_type_strides(x->type);
  const int64_t b_stride = jitrun_type_strides(b->type)[0];

  // An error is made by the runtime, which adds where in the program it was.
  if (jitrun_type_dims(b->type)[0] != dims[1])
    return call->site->api->error(
        call, JITRUN_INVALID_ARGUMENT,
        "b must have as many elements as x has columns", SIZE_MAX);

  // Strides count elements, and are those of the program's memref: a view into
  // a larger buffer, or a transposed one, is as welcome as a dense matrix.
  float *x_data = x->value.data;
  const float *b_data = b->value.data;
  for (int64_t i = 0; i < dims[0]; i++)
    for (int64_t j = 0; j < dims[1]; j++)
      x_data[i * x_strides[0] + j * x_strides[1]] += b_data[j * b_stride];
  return NULL;
}

/// Replaces the negative ones of `count` elements by 0; NaN stays.
static void clamp_elements(float *data, int64_t count, int64_t stride) {
  for (int64_t i = 0; i < count; i++)
    if (data[i * stride] < 0)
      data[i * stride] = 0;
}

/// The recursion over the dimensions of a buffer: each one but the last is a
/// loop over the buffers of one rank less that it consists of.
static void clamp_buffer(float *data, const int64_t *dims,
                         const int64_t *strides, unsigned rank) {
  if (rank == 1) {
    clamp_elements(data, dims[0], strides[0]);
    return;
  }
  for (int64_t i = 0; i < dims[0]; i++)
    clamp_buffer(data + i * strides[0], dims + 1, strides + 1, rank - 1);
}

/// `mlp.relu`: replaces every element of x by max(0, element), in place. Takes
/// any rank.
static jitrun_error_t *apply_relu(jitrun_call_t *call) {
  const jitrun_arg_t *x = jitrun_call_args(call);
  if (x->type->rank == 0)
    clamp_elements(x->value.data, 1, 1);
  else
    clamp_buffer(x->value.data, jitrun_type_dims(x->type),
                 jitrun_type_strides(x->type), x->type->rank);
  return NULL;
}

/// What the calls accept. A program whose call differs is refused when it is
/// loaded, with a message that lists the differences and this declaration.
#define F32 JITRUN_DTYPES(JITRUN_DTYPE_F32)

static const jitrun_param_t bias_args[] = {
    {.name = "x",
     .kind = JITRUN_KIND_BUFFER,
     .min_rank = 2,
     .max_rank = 2,
     .dtypes = F32},
    {.name = "b",
     .kind = JITRUN_KIND_BUFFER,
     .min_rank = 1,
     .max_rank = 1,
     .dtypes = F32},
};
static const jitrun_signature_t bias_signature = {
    .size = sizeof(jitrun_signature_t), .args = bias_args, .arg_count = 2};

static const jitrun_param_t relu_args[] = {
    {.name = "x", .kind = JITRUN_KIND_BUFFER, .max_rank = -1, .dtypes = F32},
};
static const jitrun_signature_t relu_signature = {
    .size = sizeof(jitrun_signature_t), .args = relu_args, .arg_count = 1};

/// The names that programs call. A plug-in is loaded as long as anything uses
/// it, so all of this can be static data.
static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "mlp.bias",
     .platform = "host",
     .summary = "x[i, j] += b[j]",
     .signature = &bias_signature,
     .execute = add_bias},
    {.size = sizeof(jitrun_customcall_t),
     .name = "mlp.relu",
     .platform = "host",
     .summary = "x = max(x, 0)",
     .signature = &relu_signature,
     .execute = apply_relu},
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "mlp",
    .calls = calls,
    .call_count = sizeof(calls) / sizeof(calls[0]),
};

/// The one function that jitrun looks for. `max_version` is the newest version
/// that the running jitrun knows: with one older than this plug-in there is
/// nothing to offer.
const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}

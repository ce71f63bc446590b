/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.fft` and XLA's calls for the same: Fourier transforms of the last
/// one to three dimensions, one dimension after the other. Inverse ones are
/// divided by the number of elements. Plans are states of the program, so that
/// all sites that have a length in common share one.
#include "customcalls/fft.h"

#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/fft_plan.h"
#include "customcalls/lines.h"
#include "customcalls/parts.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ARG_INPUT, ARG_OUTPUT, ARG_COUNT };
enum { ATTR_DIMENSIONS, ATTR_INVERSE, ATTR_COUNT };

#define NUMBERS                                                                \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 1, .max_rank = JR_MAX_RANK,          \
  .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F32) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_F64) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_C64) | JITRUN_DTYPES(JITRUN_DTYPE_C128)

static const jitrun_param_t args[ARG_COUNT] = {
    [ARG_INPUT] = {.name = "input", NUMBERS},
    [ARG_OUTPUT] = {.name = "output", NUMBERS}};
static const jitrun_attr_param_t attrs[ATTR_COUNT] = {
    [ATTR_DIMENSIONS] = {.name = "dimensions",
                         JR_XLA_SCALAR(S64),
                         JR_XLA_OPTIONAL},
    [ATTR_INVERSE] = {.name = "inverse", JR_XLA_SCALAR(PRED), JR_XLA_OPTIONAL}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = args,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attrs,
                                             .attr_count = ATTR_COUNT};

enum { XLA_LENGTH, XLA_TYPE, XLA_UID, XLA_ATTR_COUNT };
static const jitrun_attr_param_t xla_attrs[XLA_ATTR_COUNT] = {
    [XLA_LENGTH] = {.name = "fft_length", JR_XLA_OF(S64)},
    [XLA_TYPE] = {.name = "fft_type", JR_XLA_SCALAR(S32)},
    [XLA_UID] = {.name = "uid", JR_XLA_SCALAR(S64), JR_XLA_OPTIONAL}};
const jitrun_signature_t jr_xla_fft_types = {.size = sizeof(jitrun_signature_t),
                                             .args = args,
                                             .arg_count = ARG_COUNT,
                                             .attrs = xla_attrs,
                                             .attr_count = XLA_ATTR_COUNT};
const jitrun_signature_t jr_xla_cpu_fft_types = {.size =
                                                     sizeof(jitrun_signature_t),
                                                 .args = args,
                                                 .arg_count = ARG_COUNT,
                                                 .attrs = xla_attrs,
                                                 .attr_count = XLA_UID};

/// The state of a site.
struct fft {
  enum jr_fft_kind kind;
  bool is_inverse;
  uint32_t dimension_count;
  int64_t lengths[JR_FFT_MAX_DIMENSIONS]; ///< dynamic: any
  const struct jr_fft_plan
      *plans[JR_FFT_MAX_DIMENSIONS]; ///< NULL: not known before an execution
};

/// Dimensions that are transformed; after create() it is all of them.
static uint32_t count_of(const struct fft *fft) {
  return fft->dimension_count < JR_FFT_MAX_DIMENSIONS ? fft->dimension_count
                                                      : JR_FFT_MAX_DIMENSIONS;
}

static bool is_complex(const jitrun_type_t *type) {
  return type->dtype == JITRUN_DTYPE_C64 || type->dtype == JITRUN_DTYPE_C128;
}

static bool is_double(const jitrun_type_t *type) {
  return type->dtype == JITRUN_DTYPE_F64 || type->dtype == JITRUN_DTYPE_C128;
}

/// What the element types say, which is all there is to know but for the
/// direction.
static jitrun_error_t *read_kind(const jitrun_call_t *call,
                                 enum jr_fft_kind *out_kind) {
  const jitrun_type_t *input = call->site->types[ARG_INPUT];
  const jitrun_type_t *output = call->site->types[ARG_OUTPUT];
  *out_kind = !is_complex(input)    ? JR_FFT_FROM_REAL
              : !is_complex(output) ? JR_FFT_TO_REAL
                                    : JR_FFT_COMPLEX;
  if (is_double(input) == is_double(output) &&
      (is_complex(input) || is_complex(output)))
    return NULL;
  return jr_call_error(
      call, JITRUN_INVALID_ARGUMENT,
      "%s: 'input' has elements of %s, 'output' of %s; both must be complex of "
      "one type, or one real and the other complex of that",
      call->site->target, jr_dtype_name((jitrun_dtype_t)input->dtype),
      jr_dtype_name((jitrun_dtype_t)output->dtype));
}

static jitrun_error_t *refuse_size(const jitrun_call_t *call,
                                   const jitrun_type_t *const *types, int arg,
                                   int64_t needed) {
  uint32_t last = types[arg]->rank - 1u;
  int64_t length = jitrun_type_dims(types[ARG_COUNT - 1 - arg])[last];
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: dimension %u of '%s' is %" PRId64 "; %" PRId64
                       " real numbers in '%s' have %" PRId64 " complex ones",
                       call->site->target, last, args[arg].name,
                       jitrun_type_dims(types[arg])[last], length,
                       args[ARG_COUNT - 1 - arg].name, needed);
}

/// Lengths that XLA's attribute has.
static jitrun_error_t *check_lengths(const jitrun_call_t *call,
                                     const struct fft *fft,
                                     const jitrun_type_t *type,
                                     const char *name) {
  for (uint32_t i = 0; i < fft->dimension_count; i++) {
    uint32_t dimension = type->rank - fft->dimension_count + i;
    int64_t found = jitrun_type_dims(type)[dimension];
    if (found != fft->lengths[i] && found != JITRUN_DYNAMIC &&
        fft->lengths[i] != JITRUN_DYNAMIC)
      return jr_call_error(
          call, JITRUN_INVALID_ARGUMENT,
          "%s: dimension %u of '%s' is %" PRId64 ", 'fft_length' says %" PRId64,
          call->site->target, dimension, name, found, fft->lengths[i]);
  }
  return NULL;
}

/// Sizes, as far as they are known.
static jitrun_error_t *check_sizes(const jitrun_call_t *call,
                                   const struct fft *fft,
                                   const jitrun_type_t *const *types) {
  static const char *const names[] = {"input", "output"};
  uint32_t last = types[ARG_INPUT]->rank - 1u;
  int complex_arg = fft->kind == JR_FFT_TO_REAL ? ARG_INPUT : ARG_OUTPUT;
  int other = ARG_COUNT - 1 - complex_arg;
  jitrun_error_t *error = jr_dims_agree(
      call, types, names, fft->kind == JR_FFT_COMPLEX ? JR_MAX_RANK : last);
  if (!error)
    error = check_lengths(call, fft, types[other], names[other]);
  if (error || fft->kind == JR_FFT_COMPLEX)
    return error;
  int64_t found = jitrun_type_dims(types[complex_arg])[last];
  int64_t length = jitrun_type_dims(types[other])[last];
  if (found == JITRUN_DYNAMIC || length == JITRUN_DYNAMIC ||
      (found == length / 2 + 1 && length > 0))
    return NULL;
  return refuse_size(call, types, complex_arg, length > 0 ? length / 2 + 1 : 0);
}

/// What a plan is for.
struct purpose {
  size_t length;
  bool is_double, is_real;
};

static jitrun_error_t *create_plan(const jitrun_call_t *call, void *context,
                                   void **out_state) {
  const struct purpose *purpose = context;
  *out_state =
      jr_fft_plan_create(purpose->length, purpose->is_double, purpose->is_real);
  if (*out_state)
    return NULL;
  return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                       "%s: out of memory for the plan of length %zu",
                       call->site->target, purpose->length);
}

static void destroy_plan(void *state) {
  jr_fft_plan_destroy(state);
}

static jitrun_error_t *get_plan(const jitrun_call_t *call,
                                struct purpose purpose,
                                const struct jr_fft_plan **out_plan) {
  static const char *const names[2][2] = {
      {"jitrun.fft.c64", "jitrun.fft.f32"},
      {"jitrun.fft.c128", "jitrun.fft.f64"}};
  const jitrun_state_key_t key = {.size = sizeof key,
                                  .scope = JITRUN_SCOPE_PROGRAM,
                                  .name =
                                      names[purpose.is_double][purpose.is_real],
                                  .id = (int64_t)purpose.length,
                                  .create = create_plan,
                                  .destroy = destroy_plan,
                                  .context = &purpose};
  void *state = NULL;
  jitrun_error_t *error = call->site->api->state(call, &key, &state);
  *out_plan = state;
  return error;
}

/// Plans for all dimensions that are known.
static jitrun_error_t *get_plans(const jitrun_call_t *call,
                                 const jitrun_type_t *const *types,
                                 struct fft *fft) {
  const jitrun_type_t *type =
      types[fft->kind == JR_FFT_TO_REAL ? ARG_OUTPUT : ARG_INPUT];
  jitrun_error_t *error = NULL;
  for (uint32_t i = 0; i < count_of(fft) && !error; i++) {
    uint32_t dimension = type->rank - fft->dimension_count + i;
    int64_t length = jitrun_type_dims(type)[dimension];
    if (fft->plans[i] || length == JITRUN_DYNAMIC || length == 0)
      continue;
    error = get_plan(call,
                     (struct purpose){.length = (size_t)length,
                                      .is_double = is_double(type),
                                      .is_real = fft->kind != JR_FFT_COMPLEX &&
                                                 dimension + 1 == type->rank},
                     &fft->plans[i]);
  }
  return error;
}

static jitrun_error_t *create(jitrun_call_t *call, struct fft *fft) {
  const jitrun_type_t *const *types = call->site->types;
  if (fft->dimension_count < 1 || fft->dimension_count > types[0]->rank ||
      fft->dimension_count > JR_FFT_MAX_DIMENSIONS)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: %u dimensions are to be transformed, of %u; "
                         "there must be 1 to 3",
                         call->site->target, fft->dimension_count,
                         types[0]->rank);
  jitrun_error_t *error = check_sizes(call, fft, types);
  if (!error)
    error = get_plans(call, types, fft);
  return error ? error : jr_call_keep(call, fft, sizeof *fft);
}

static jitrun_error_t *fft_create(jitrun_call_t *call) {
  const jitrun_attr_t *dimensions = &call->attrs[ATTR_DIMENSIONS];
  const jitrun_attr_t *inverse = &call->attrs[ATTR_INVERSE];
  struct fft fft = {
      .dimension_count = 1,
      .lengths = {JITRUN_DYNAMIC, JITRUN_DYNAMIC, JITRUN_DYNAMIC}};
  jitrun_error_t *error = read_kind(call, &fft.kind);
  if (error)
    return error;
  if (dimensions->kind != JITRUN_ATTR_ABSENT)
    fft.dimension_count =
        dimensions->value.s64 < 0 || dimensions->value.s64 > JR_MAX_RANK
            ? 0
            : (uint32_t)dimensions->value.s64;
  fft.is_inverse = fft.kind == JR_FFT_TO_REAL ||
                   (inverse->kind != JITRUN_ATTR_ABSENT && inverse->value.pred);
  if (fft.kind == JR_FFT_FROM_REAL && fft.is_inverse)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: 'inverse' is set, and 'input' is real; the "
                         "inverse takes complex numbers",
                         call->site->target);
  return create(call, &fft);
}

/// Of one of XLA's platforms: kind and direction by number.
static jitrun_error_t *xla_create(jitrun_call_t *call, enum jr_fft_kind kind,
                                  bool is_inverse) {
  const jitrun_attr_t *lengths = &call->attrs[XLA_LENGTH];
  struct fft fft = {.is_inverse = is_inverse,
                    .dimension_count = lengths->count > JR_MAX_RANK
                                           ? JR_MAX_RANK
                                           : (uint32_t)lengths->count};
  jitrun_error_t *error = read_kind(call, &fft.kind);
  if (error)
    return error;
  if (fft.kind != kind)
    return jr_call_error(
        call, JITRUN_INVALID_ARGUMENT,
        "%s: 'fft_type' is %d, which is not for an input of %s and an output "
        "of %s",
        call->site->target, (int)call->attrs[XLA_TYPE].value.s32,
        jr_dtype_name((jitrun_dtype_t)call->site->types[ARG_INPUT]->dtype),
        jr_dtype_name((jitrun_dtype_t)call->site->types[ARG_OUTPUT]->dtype));
  for (uint32_t i = 0; i < fft.dimension_count && i < JR_FFT_MAX_DIMENSIONS;
       i++)
    fft.lengths[i] = ((const int64_t *)lengths->value.data)[i];
  return create(call, &fft);
}

static jitrun_error_t *refuse_type(const jitrun_call_t *call) {
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "Unsupported FFT type: %d",
                       (int)call->attrs[XLA_TYPE].value.s32);
}

/// Numbers of StreamExecutor, those for f64 after those for f32.
jitrun_error_t *jr_xla_fft_create(jitrun_call_t *call) {
  switch (call->attrs[XLA_TYPE].value.s32) {
  case 1:
  case 5:
    return xla_create(call, JR_FFT_COMPLEX, false);
  case 2:
  case 6:
    return xla_create(call, JR_FFT_COMPLEX, true);
  case 3:
  case 7:
    return xla_create(call, JR_FFT_TO_REAL, true);
  case 4:
  case 8:
    return xla_create(call, JR_FFT_FROM_REAL, false);
  default:
    return refuse_type(call);
  }
}

/// Numbers of XLA's FftType.
jitrun_error_t *jr_xla_cpu_fft_create(jitrun_call_t *call) {
  switch (call->attrs[XLA_TYPE].value.s32) {
  case 0:
    return xla_create(call, JR_FFT_COMPLEX, false);
  case 1:
    return xla_create(call, JR_FFT_COMPLEX, true);
  case 2:
    return xla_create(call, JR_FFT_FROM_REAL, false);
  case 3:
    return xla_create(call, JR_FFT_TO_REAL, true);
  default:
    return refuse_type(call);
  }
}

/// A buffer, with what is needed for its lines.
struct buffer {
  char *data;
  size_t element_bytes;
  uint32_t rank;
  const int64_t *dims, *strides;
};

static struct buffer get_buffer(const jitrun_arg_t *arg) {
  return (struct buffer){.data = arg->value.data,
                         .element_bytes =
                             jr_dtype_size((jitrun_dtype_t)arg->type->dtype),
                         .rank = arg->type->rank,
                         .dims = jitrun_type_dims(arg->type),
                         .strides = jitrun_type_strides(arg->type)};
}

static struct jr_lines get_lines(const struct buffer *buffer,
                                 uint32_t dimension) {
  ptrdiff_t bytes = (ptrdiff_t)buffer->element_bytes;
  struct jr_lines lines = {.data = buffer->data,
                           .element_bytes = buffer->element_bytes,
                           .count = (size_t)buffer->dims[dimension],
                           .step_bytes = bytes * buffer->strides[dimension],
                           .line_count = 1};
  for (uint32_t i = 0; i < buffer->rank; i++) {
    if (i == dimension)
      continue;
    lines.dims[lines.rank] = (size_t)buffer->dims[i];
    lines.steps_bytes[lines.rank++] = bytes * buffer->strides[i];
    lines.line_count *= (size_t)buffer->dims[i];
  }
  return lines;
}

/// Steps in their order, and where numbers are between them.
struct work {
  const jitrun_call_t *call;
  const struct fft *fft;
  struct buffer input, output, middle;
  int64_t middle_strides[JR_MAX_RANK];
  size_t middle_bytes;
  struct jr_fft_step steps[JR_FFT_MAX_DIMENSIONS];
};

static void add_step(struct work *work, uint32_t number, uint32_t index,
                     const struct buffer *in, const struct buffer *out) {
  const struct fft *fft = work->fft;
  uint32_t dimension = in->rank - fft->dimension_count + index;
  bool is_last = dimension + 1 == in->rank;
  work->steps[number] =
      (struct jr_fft_step){.call = work->call,
                           .plan = fft->plans[index],
                           .kind = is_last ? fft->kind : JR_FFT_COMPLEX,
                           .is_inverse = fft->is_inverse,
                           .scale = 1,
                           .in = get_lines(in, dimension),
                           .out = get_lines(out, dimension)};
}

/// From the last dimension to the first; where the last becomes real it comes
/// at the end, and the others are made beside.
static void list_steps(struct work *work) {
  uint32_t count = count_of(work->fft);
  const struct buffer *in = &work->input;
  bool ends_real = work->fft->kind == JR_FFT_TO_REAL;
  if (ends_real && count > 1) {
    char *data = work->middle.data;
    work->middle = work->input;
    work->middle.data = data;
    work->middle.strides = work->middle_strides;
    jr_dense_strides(in->dims, in->rank, work->middle_strides);
    work->middle_bytes = in->element_bytes;
    for (uint32_t i = 0; i < in->rank; i++)
      work->middle_bytes *= (size_t)in->dims[i];
  }
  double scale = 1;
  for (uint32_t i = 0; i < count && work->fft->is_inverse; i++)
    scale /= (double)work->fft->plans[i]->length;
  const struct buffer *out = ends_real ? &work->middle : &work->output;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index =
        ends_real ? (count + count - 2 - i) % count : count - 1 - i;
    if (index + 1 == count)
      out = &work->output;
    add_step(work, i, index, in, out);
    if (i + 1 == count)
      work->steps[i].scale = scale;
    in = out;
  }
}

static jitrun_error_t *run_steps(struct work *work) {
  uint32_t count = count_of(work->fft);
  size_t room = 0;
  for (uint32_t i = 0; i < count; i++) {
    size_t bytes = jr_fft_step_room(&work->steps[i]);
    room = bytes > room ? bytes : room;
  }
  size_t bytes = room + work->middle_bytes;
  char *memory = work->call->site->api->workspace(work->call, bytes);
  if (!memory)
    return jr_call_error(work->call, JITRUN_RESOURCE_EXHAUSTED,
                         "%s: out of memory for %zu bytes to transform in",
                         work->call->site->target, bytes);
  if (work->middle_bytes > 0) {
    work->middle.data = memory + room;
    list_steps(work);
  }
  for (uint32_t i = 0; i < count; i++)
    jr_fft_step_run(&work->steps[i], memory);
  return NULL;
}

static bool is_empty(const struct buffer *buffer) {
  for (uint32_t i = 0; i < buffer->rank; i++)
    if (buffer->dims[i] == 0)
      return true;
  return false;
}

jitrun_error_t *jr_xla_fft(jitrun_call_t *call) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  const jitrun_type_t *types[] = {operands[ARG_INPUT].type,
                                  operands[ARG_OUTPUT].type};
  struct fft fft = *(const struct fft *)call->state;
  struct work work = {.call = call,
                      .fft = &fft,
                      .input = get_buffer(&operands[ARG_INPUT]),
                      .output = get_buffer(&operands[ARG_OUTPUT])};
  jitrun_error_t *error = check_sizes(call, &fft, types);
  if (error || is_empty(&work.output))
    return error;
  error = get_plans(call, types, &fft);
  if (error)
    return error;
  list_steps(&work);
  return run_steps(&work);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.fft",
     .platform = "host",
     .summary = "Fourier transform of the last dimensions",
     .signature = &signature,
     .execute = jr_xla_fft,
     .instantiate = fft_create,
     .destroy_state = free},
};

JR_PART(fft, calls, false);

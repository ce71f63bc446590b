/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See attrs_opaque.h. Such an attribute is only its text, so a table says what
/// texts there are: "name<field = value, ...>", "name<"string">", "name word".
/// One has a notation of its own, the dimension numbers of convolutions.
#include "jit/attrs_opaque.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 16, MAX_INTS = 256, MAX_SPATIAL = 16, MAX_STRING = 4096 };

enum field_kind { FIELD_INT, FIELD_BOOL, FIELD_INTS, FIELD_STRING };

struct field {
  const char *text; ///< in the program; "" for a value without a name
  const char *name; ///< for handlers
  enum field_kind kind;
};

struct choice {
  const char *text;
  int32_t value;
};

/// One kind of attribute: either fields or choices, ended by an empty one.
struct form {
  const char *dialect, *name;
  const struct field *fields;
  const struct choice *choices;
};

static const struct field dot_fields[] = {
    {"lhs_batching_dimensions", "lhs_batch", FIELD_INTS},
    {"lhs_contracting_dimensions", "lhs_contract", FIELD_INTS},
    {"rhs_batching_dimensions", "rhs_batch", FIELD_INTS},
    {"rhs_contracting_dimensions", "rhs_contract", FIELD_INTS},
    {0}};

/// Three groups of three: see read_layouts().
static const struct field conv_fields[] = {
    {"input_batch_dimension", "input_batch_dim", FIELD_INT},
    {"input_feature_dimension", "input_feature_dim", FIELD_INT},
    {"input_spatial_dimensions", "input_spatial_dims", FIELD_INTS},
    {"kernel_input_feature_dimension", "kernel_in_feature_dim", FIELD_INT},
    {"kernel_output_feature_dimension", "kernel_out_feature_dim", FIELD_INT},
    {"kernel_spatial_dimensions", "kernel_spatial_dims", FIELD_INTS},
    {"output_batch_dimension", "output_batch_dim", FIELD_INT},
    {"output_feature_dimension", "output_feature_dim", FIELD_INT},
    {"output_spatial_dimensions", "output_spatial_dims", FIELD_INTS},
    {0}};

static const struct field channel_fields[] = {
    {"handle", "handle", FIELD_INT}, {"type", "type", FIELD_INT}, {0}};

static const struct field backend_fields[] = {
    {"algorithm", "algorithm", FIELD_INT},
    {"tensor_ops_enabled", "tensor_ops_enabled", FIELD_BOOL},
    {"is_cudnn_frontend", "is_cudnn_frontend", FIELD_BOOL},
    {"is_cudnn_reordered_int8", "is_cudnn_reordered_int8", FIELD_BOOL},
    {"knob_ids", "knob_ids", FIELD_INTS},
    {"knob_values", "knob_values", FIELD_INTS},
    {"operand_0_layout", "operand_0_layout", FIELD_INTS},
    {"operand_1_layout", "operand_1_layout", FIELD_INTS},
    {"result_layout", "result_layout", FIELD_INTS},
    {"workspace_size", "workspace_size", FIELD_INT},
    {0}};

static const struct field trace_fields[] = {{"", "hlo_op", FIELD_STRING}, {0}};

static const struct choice fft_types[] = {
    {"FFT", 1}, {"IFFT", 2}, {"IRFFT", 3}, {"RFFT", 4}, {0}};

static const struct choice epilogues[] = {
    {"Default", 1},    {"Relu", 2},           {"Bias", 4},
    {"BiasRelu", 6},   {"Gelu", 32},          {"BiasGelu", 36},
    {"GeluAux", 1056}, {"BiasGeluAux", 1060}, {0}};

static const struct choice activations[] = {
    {"None", 0}, {"Sigmoid", 1},  {"Relu", 2}, {"Relu6", 3}, {"ReluX", 4},
    {"Tanh", 5}, {"BandPass", 6}, {"Elu", 7},  {0}};

static const struct form forms[] = {
    {"mhlo", "dot", .fields = dot_fields},
    {"mhlo", "conv", .fields = conv_fields},
    {"mhlo", "channel_handle", .fields = channel_fields},
    {"mhlo", "fft_type", .choices = fft_types},
    {"lmhlo_gpu", "convolution_backend_config", .fields = backend_fields},
    {"lmhlo_gpu", "epilogue", .choices = epilogues},
    {"lmhlo_gpu", "activation", .choices = activations},
    {"rt", "hlo_trace", .fields = trace_fields},
};

/// What is left of the text.
struct scanner {
  MlirContext context;
  const char *at, *end;
};

static void skip_space(struct scanner *scanner) {
  while (scanner->at < scanner->end && isspace((unsigned char)*scanner->at))
    scanner->at++;
}

static bool is_done(struct scanner *scanner) {
  skip_space(scanner);
  return scanner->at == scanner->end;
}

static bool accept(struct scanner *scanner, const char *token) {
  size_t length = strlen(token);
  skip_space(scanner);
  if ((size_t)(scanner->end - scanner->at) < length ||
      memcmp(scanner->at, token, length) != 0)
    return false;
  scanner->at += length;
  return true;
}

/// A run of letters, digits and underscores; empty where there is none.
static MlirStringRef read_word(struct scanner *scanner) {
  skip_space(scanner);
  const char *start = scanner->at;
  while (scanner->at < scanner->end &&
         (isalnum((unsigned char)*scanner->at) || *scanner->at == '_'))
    scanner->at++;
  return mlirStringRefCreate(start, (size_t)(scanner->at - start));
}

static bool is_word(MlirStringRef word, const char *text) {
  return word.length == strlen(text) &&
         memcmp(word.data, text, word.length) == 0;
}

/// A decimal number of 64 bits.
static bool read_int(struct scanner *scanner, int64_t *out_value) {
  bool is_negative = accept(scanner, "-");
  MlirStringRef word = read_word(scanner);
  int64_t value = 0;
  for (size_t i = 0; i < word.length; i++) {
    int digit = word.data[i] - '0';
    if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, is_negative ? -digit : digit, &value))
      return false;
  }
  *out_value = value;
  return word.length > 0;
}

static bool read_ints(struct scanner *scanner, MlirAttribute *out_value) {
  int64_t values[MAX_INTS];
  intptr_t count = 0;
  if (!accept(scanner, "["))
    return false;
  bool is_closed = accept(scanner, "]");
  while (!is_closed) {
    if (count == MAX_INTS || !read_int(scanner, &values[count]))
      return false;
    count++;
    is_closed = accept(scanner, "]");
    if (!is_closed && !accept(scanner, ","))
      return false;
  }
  *out_value = mlirDenseI64ArrayGet(scanner->context, count, values);
  return true;
}

/// -1 for what is none.
static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  char letter = (char)(digit | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// What stands behind a backslash; moves past it.
static bool read_escape(struct scanner *scanner, char *out_byte) {
  size_t room = (size_t)(scanner->end - scanner->at);
  if (room == 0)
    return false;
  char first = *scanner->at++;
  switch (first) {
  case '"':
  case '\\':
    *out_byte = first;
    return true;
  case 'n':
    *out_byte = '\n';
    return true;
  case 't':
    *out_byte = '\t';
    return true;
  default:
    break;
  }
  if (room < 2 || hex_digit(first) < 0 || hex_digit(*scanner->at) < 0)
    return false;
  *out_byte = (char)(hex_digit(first) * 16 + hex_digit(*scanner->at++));
  return true;
}

static bool read_string(struct scanner *scanner, MlirAttribute *out_value) {
  char bytes[MAX_STRING];
  size_t count = 0;
  if (!accept(scanner, "\""))
    return false;
  while (scanner->at < scanner->end && count < MAX_STRING) {
    char byte = *scanner->at++;
    if (byte == '"') {
      *out_value = mlirStringAttrGet(scanner->context,
                                     mlirStringRefCreate(bytes, count));
      return true;
    }
    if (byte == '\\' && !read_escape(scanner, &byte))
      return false;
    bytes[count++] = byte;
  }
  return false;
}

static MlirAttribute make_int(MlirContext context, unsigned width,
                              int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, width), value);
}

static bool read_value(struct scanner *scanner, enum field_kind kind,
                       MlirAttribute *out_value) {
  int64_t number = 0;
  if (kind == FIELD_INTS)
    return read_ints(scanner, out_value);
  if (kind == FIELD_STRING)
    return read_string(scanner, out_value);
  if (kind == FIELD_INT) {
    if (!read_int(scanner, &number))
      return false;
    *out_value = make_int(scanner->context, 64, number);
    return true;
  }
  MlirStringRef word = read_word(scanner);
  if (!is_word(word, "true") && !is_word(word, "false"))
    return false;
  *out_value = mlirBoolAttrGet(scanner->context, is_word(word, "true"));
  return true;
}

static MlirAttribute default_value(MlirContext context, enum field_kind kind) {
  if (kind == FIELD_INTS)
    return mlirDenseI64ArrayGet(context, 0, NULL);
  if (kind == FIELD_STRING)
    return mlirStringAttrGet(context, mlirStringRefCreate("", 0));
  return kind == FIELD_INT ? make_int(context, 64, 0)
                           : mlirBoolAttrGet(context, false);
}

/// "field = value", each field at most once.
static bool read_field(struct scanner *scanner, const struct field *fields,
                       MlirAttribute *values) {
  MlirStringRef word = read_word(scanner);
  size_t i = 0;
  while (fields[i].text && !is_word(word, fields[i].text))
    i++;
  if (!fields[i].text || !mlirAttributeIsNull(values[i]))
    return false;
  return (word.length == 0 || accept(scanner, "=")) &&
         read_value(scanner, fields[i].kind, &values[i]);
}

static bool read_fields(struct scanner *scanner, const struct field *fields,
                        MlirAttribute *values) {
  if (is_done(scanner))
    return true;
  do {
    if (!read_field(scanner, fields, values))
      return false;
  } while (accept(scanner, ","));
  return is_done(scanner);
}

/// What the dimensions of one operand of a convolution are.
struct layout {
  int64_t letters[2];
  int64_t spatial[MAX_SPATIAL];
  uint32_t letter_mask, spatial_mask; ///< which were there
};

/// One dimension: one of the two letters, or the number of a spatial one.
static bool read_dimension(struct scanner *scanner, const char *letters,
                           int64_t place, struct layout *layout) {
  for (int i = 0; i < 2; i++) {
    const char letter[] = {letters[i], '\0'};
    if (!accept(scanner, letter))
      continue;
    bool is_new = (layout->letter_mask & 1u << i) == 0;
    layout->letter_mask |= 1u << i;
    layout->letters[i] = place;
    return is_new;
  }
  int64_t number = 0;
  if (!read_int(scanner, &number) || number < 0 || number >= MAX_SPATIAL ||
      (layout->spatial_mask & 1u << number) != 0)
    return false;
  layout->spatial_mask |= 1u << number;
  layout->spatial[number] = place;
  return true;
}

/// "[b, 0, 1, f]" into three values.
static bool read_layout(struct scanner *scanner, const char *letters,
                        MlirAttribute *values) {
  struct layout layout = {0};
  intptr_t count = 0;
  if (!accept(scanner, "["))
    return false;
  do {
    if (!read_dimension(scanner, letters, count++, &layout))
      return false;
  } while (accept(scanner, ","));
  // spatial dimensions are numbered without gaps
  if (layout.letter_mask != 3 ||
      (layout.spatial_mask & (layout.spatial_mask + 1)) != 0)
    return false;
  for (int i = 0; i < 2; i++)
    values[i] = make_int(scanner->context, 64, layout.letters[i]);
  values[2] = mlirDenseI64ArrayGet(scanner->context, count - 2, layout.spatial);
  return accept(scanner, "]");
}

/// "[b, 0, f]x[0, i, o]->[b, 0, f]": input, kernel, output.
static bool read_layouts(struct scanner *scanner, MlirAttribute *values) {
  return read_layout(scanner, "bf", values) && accept(scanner, "x") &&
         read_layout(scanner, "io", values + 3) && accept(scanner, "->") &&
         read_layout(scanner, "bf", values + 6) && is_done(scanner);
}

static bool read_struct(struct scanner *scanner, const struct form *form,
                        MlirAttribute *out_attribute) {
  MlirAttribute values[MAX_FIELDS] = {{0}};
  MlirNamedAttribute items[MAX_FIELDS];
  bool is_conv = form->fields == conv_fields;
  bool is_read = is_conv && !accept(scanner, "raw")
                     ? read_layouts(scanner, values)
                     : read_fields(scanner, form->fields, values);
  intptr_t count = 0;
  for (const struct field *field = form->fields; field->text; field++) {
    MlirAttribute value = values[count];
    if (mlirAttributeIsNull(value))
      value = default_value(scanner->context, field->kind);
    items[count++] = mlirNamedAttributeGet(
        mlirIdentifierGet(scanner->context,
                          mlirStringRefCreateFromCString(field->name)),
        value);
  }
  *out_attribute = mlirDictionaryAttrGet(scanner->context, count, items);
  return is_read;
}

static bool read_choice(struct scanner *scanner, const struct form *form,
                        MlirAttribute *out_attribute) {
  MlirStringRef word = read_word(scanner);
  for (const struct choice *choice = form->choices; choice->text; choice++) {
    if (!is_word(word, choice->text))
      continue;
    *out_attribute = make_int(scanner->context, 32, choice->value);
    return is_done(scanner);
  }
  return false;
}

static const struct form *find_form(MlirStringRef dialect, MlirStringRef name) {
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    if (is_word(dialect, forms[i].dialect) && is_word(name, forms[i].name))
      return &forms[i];
  }
  return NULL;
}

const char *jr_opaque_translate(MlirContext context, MlirAttribute opaque,
                                MlirAttribute *out_attribute) {
  MlirStringRef data = mlirOpaqueAttrGetData(opaque);
  MlirStringRef dialect = mlirOpaqueAttrGetDialectNamespace(opaque);
  struct scanner scanner = {context, data.data, data.data + data.length};
  const struct form *form = find_form(dialect, read_word(&scanner));
  if (!form)
    return is_word(dialect, "complex")
               ? "complex numbers are only possible in dense tensors"
               : "it is of a dialect's own kind, and none that jitrun knows";
  if (accept(&scanner, "<")) {
    if (scanner.at == scanner.end || scanner.end[-1] != '>')
      return "it does not end as it begins";
    scanner.end--;
  }
  bool is_read = form->fields ? read_struct(&scanner, form, out_attribute)
                              : read_choice(&scanner, form, out_attribute);
  return is_read ? NULL : "it is not written as such an attribute is";
}

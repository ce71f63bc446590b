/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// .npy files. The header is a Python dictionary; what numpy writes there is a
/// small part of that language, and only that part is read here.
#include "npy.h"

#include "base/dtype.h"
#include "base/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum {
  PRELUDE_SIZE = 8, ///< magic and version
  HEADER_ALIGNMENT = 64
};

/// Kind and size of elements in numpy's words.
struct npy_dtype {
  const char *name;
  jitrun_dtype_t dtype;
};

static const struct npy_dtype npy_dtypes[] = {
    {"b1", JITRUN_DTYPE_PRED}, {"i1", JITRUN_DTYPE_S8},
    {"i2", JITRUN_DTYPE_S16},  {"i4", JITRUN_DTYPE_S32},
    {"i8", JITRUN_DTYPE_S64},  {"u1", JITRUN_DTYPE_U8},
    {"u2", JITRUN_DTYPE_U16},  {"u4", JITRUN_DTYPE_U32},
    {"u8", JITRUN_DTYPE_U64},  {"f2", JITRUN_DTYPE_F16},
    {"f4", JITRUN_DTYPE_F32},  {"f8", JITRUN_DTYPE_F64},
    {"c8", JITRUN_DTYPE_C64},  {"c16", JITRUN_DTYPE_C128},
    {"V2", JITRUN_DTYPE_BF16}, {"f1", JITRUN_DTYPE_F8E5M2},
};

enum { NPY_DTYPES = sizeof npy_dtypes / sizeof npy_dtypes[0] };

/// A reader of the dictionary, and what it has found.
struct reader {
  const char *at, *end;
  jitrun_dtype_t wanted; ///< INVALID: whatever the file says
  jitrun_dtype_t dtype;
  bool has_nibbles; ///< S4 as ml_dtypes has it: without the sign above
  bool is_swapped, is_fortran;
  size_t rank;
  int64_t dims[JR_MAX_RANK];
  bool has_dtype, has_order, has_shape;
};

static jitrun_error_t *refuse(const char *problem) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "not a usable .npy file: %s",
                  problem);
}

bool jr_npy_matches(const void *data, size_t size) {
  return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

static void skip_blanks(struct reader *reader) {
  while (reader->at < reader->end && *reader->at != '\0' &&
         strchr(" \t\n\r", *reader->at))
    reader->at++;
}

/// Skips blanks and then `byte`, if it is there.
static bool take_byte(struct reader *reader, char byte) {
  skip_blanks(reader);
  if (reader->at == reader->end || *reader->at != byte)
    return false;
  reader->at++;
  return true;
}

static bool take_word(struct reader *reader, const char *word) {
  skip_blanks(reader);
  size_t size = strlen(word);
  if ((size_t)(reader->end - reader->at) < size ||
      memcmp(reader->at, word, size) != 0)
    return false;
  reader->at += size;
  return true;
}

/// Reads a quoted string without escapes.
static bool take_string(struct reader *reader, const char **out_text,
                        size_t *out_size) {
  skip_blanks(reader);
  if (reader->at == reader->end)
    return false;
  char quote = *reader->at;
  if (quote != '\'' && quote != '"')
    return false;
  const char *begin = reader->at + 1;
  const char *close = memchr(begin, quote, (size_t)(reader->end - begin));
  if (!close || memchr(begin, '\\', (size_t)(close - begin)))
    return false;
  *out_text = begin;
  *out_size = (size_t)(close - begin);
  reader->at = close + 1;
  return true;
}

/// Bytes without a type, and numbers that stand for a type that numpy lacks:
/// true when they are taken for the wanted dtype.
static bool take_wanted(struct reader *reader, const char *name, size_t size) {
  static const struct npy_dtype stand_ins[] = {
      {"V1", JITRUN_DTYPE_F8E5M2},
      {"u1", JITRUN_DTYPE_F8E5M2},
      {"V1", JITRUN_DTYPE_F8E4M3FN},
      {"u1", JITRUN_DTYPE_F8E4M3FN},
      {"V1", JITRUN_DTYPE_F8E4M3B11FNUZ},
      {"u1", JITRUN_DTYPE_F8E4M3B11FNUZ},
      {"V1", JITRUN_DTYPE_F8E5M2FNUZ},
      {"u1", JITRUN_DTYPE_F8E5M2FNUZ},
      {"V1", JITRUN_DTYPE_F8E4M3FNUZ},
      {"u1", JITRUN_DTYPE_F8E4M3FNUZ},
      {"V1", JITRUN_DTYPE_S4},
      {"i1", JITRUN_DTYPE_S4},
      {"V1", JITRUN_DTYPE_U4},
      {"u1", JITRUN_DTYPE_U4},
      {"u2", JITRUN_DTYPE_BF16},
  };
  for (size_t i = 0; i < sizeof stand_ins / sizeof stand_ins[0]; i++) {
    const struct npy_dtype *stand_in = &stand_ins[i];
    if (stand_in->dtype != reader->wanted || size != 2 ||
        memcmp(stand_in->name, name, size) != 0)
      continue;
    reader->dtype = reader->wanted;
    reader->has_nibbles = *name == 'V' && reader->dtype == JITRUN_DTYPE_S4;
    return true;
  }
  return false;
}

/// Reads a value of 'descr', "<f4".
static jitrun_error_t *take_dtype(struct reader *reader) {
  const char *text;
  size_t size;
  if (!take_string(reader, &text, &size))
    return refuse("'descr' is not the name of one element type");
  reader->has_dtype = true;
  reader->is_swapped = size > 0 && *text == '>';
  if (size > 1 && strchr("<>|=", *text) &&
      take_wanted(reader, text + 1, size - 1))
    return NULL;
  for (size_t i = 0; size > 1 && strchr("<>|=", *text) && i < NPY_DTYPES; i++) {
    const char *name = npy_dtypes[i].name;
    if (strlen(name) == size - 1 && memcmp(name, text + 1, size - 1) == 0) {
      reader->dtype = npy_dtypes[i].dtype;
      return NULL;
    }
  }
  if (size == 3 && memcmp(text + 1, "V1", 2) == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "its elements are bytes of a type that numpy does not name "
                    "('%.3s'): say the type in front, as in 2x3xf8E4M3FN@x.npy "
                    "(f8E5M2, f8E4M3FN, f8E4M3B11FNUZ, f8E5M2FNUZ, "
                    "f8E4M3FNUZ, i4 or ui4)",
                    text);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "not a usable .npy file: its elements are '%.*s'; known are "
                  "b1, i1 to i8, u1 to u8, f2 to f8, c8, c16, V2 for bf16",
                  size < 40 ? (int)size : 40, text);
}

static jitrun_error_t *take_order(struct reader *reader) {
  reader->has_order = true;
  reader->is_fortran = take_word(reader, "True");
  if (!reader->is_fortran && !take_word(reader, "False"))
    return refuse("'fortran_order' is neither True nor False");
  return NULL;
}

static bool take_number(struct reader *reader, int64_t *out_number) {
  skip_blanks(reader);
  const char *begin = reader->at;
  *out_number = 0;
  for (; reader->at < reader->end; reader->at++) {
    int digit = *reader->at - '0';
    if (digit < 0 || digit > 9)
      break;
    if (__builtin_mul_overflow(*out_number, 10, out_number) ||
        __builtin_add_overflow(*out_number, digit, out_number))
      return false;
  }
  (void)take_byte(reader, 'L'); // as Python 2 wrote them
  return reader->at > begin;
}

static jitrun_error_t *take_shape(struct reader *reader) {
  reader->has_shape = true;
  reader->rank = 0;
  if (!take_byte(reader, '('))
    return refuse("'shape' is no tuple");
  while (!take_byte(reader, ')')) {
    if (reader->rank == JR_MAX_RANK)
      return refuse("it has more than 64 dimensions");
    if (!take_number(reader, &reader->dims[reader->rank]))
      return refuse("'shape' has a size that is no number, or out of range");
    reader->rank++;
    if (!take_byte(reader, ',') && reader->at < reader->end &&
        *reader->at != ')')
      return refuse("'shape' is no tuple of numbers");
  }
  return NULL;
}

static jitrun_error_t *take_entry(struct reader *reader) {
  const char *key;
  size_t size;
  if (!take_string(reader, &key, &size) || !take_byte(reader, ':'))
    return refuse("its header is no dictionary");
  if (size == 5 && memcmp(key, "descr", size) == 0)
    return take_dtype(reader);
  if (size == 13 && memcmp(key, "fortran_order", size) == 0)
    return take_order(reader);
  if (size == 5 && memcmp(key, "shape", size) == 0)
    return take_shape(reader);
  return refuse("its header has a key that is not known");
}

static jitrun_error_t *read_dictionary(struct reader *reader) {
  if (!take_byte(reader, '{'))
    return refuse("its header is no dictionary");
  while (!take_byte(reader, '}')) {
    JITRUN_TRY(take_entry(reader));
    bool has_comma = take_byte(reader, ',');
    if (!has_comma && (reader->at == reader->end || *reader->at != '}'))
      return refuse("its header is no dictionary");
  }
  if (!reader->has_dtype || !reader->has_order || !reader->has_shape)
    return refuse("its header lacks 'descr', 'fortran_order' or 'shape'");
  return NULL;
}

/// Finds the header: where its dictionary is, and where the elements begin.
static jitrun_error_t *find_header(const unsigned char *data, size_t data_size,
                                   struct reader *reader, size_t *out_begin) {
  if (data_size < PRELUDE_SIZE + 2 || !jr_npy_matches(data, data_size))
    return refuse("it does not begin as one");
  size_t header = PRELUDE_SIZE + 2;
  uint64_t size = (uint64_t)(data[8] | data[9] << 8);
  if (data[6] < 1 || data[6] > 3)
    return refuse("its version is not 1, 2 or 3");
  if (data[6] > 1) {
    header += 2;
    if (data_size < header)
      return refuse("its header is cut off");
    size |= (uint64_t)data[10] << 16 | (uint64_t)data[11] << 24;
  }
  if (size > data_size - header)
    return refuse("its header is cut off");
  *out_begin = header + (size_t)size;
  reader->at = (const char *)data + header;
  reader->end = (const char *)data + *out_begin;
  return NULL;
}

static void reverse_bytes(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size / 2; i++) {
    unsigned char byte = bytes[i];
    bytes[i] = bytes[size - 1 - i];
    bytes[size - 1 - i] = byte;
  }
}

/// Turns big-endian elements round; a complex number is two.
static void swap_elements(unsigned char *data, size_t size,
                          jitrun_dtype_t dtype) {
  size_t part = jr_dtype_size(dtype);
  if (dtype == JITRUN_DTYPE_C64 || dtype == JITRUN_DTYPE_C128)
    part /= 2;
  for (size_t i = 0; i + part <= size; i += part)
    reverse_bytes(data + i, part);
}

/// Gives a dense type the strides of Fortran order.
static void set_fortran_strides(jitrun_type_t *type) {
  int64_t *dims = (int64_t *)(void *)(type + 1);
  int64_t *strides = dims + type->rank;
  int64_t stride = 1;
  for (size_t i = 0; i < type->rank; i++) {
    strides[i] = stride;
    stride *= dims[i]; // within the size that was checked in the other order
  }
}

jitrun_error_t *jr_npy_measure(const void *data, size_t size,
                               uint64_t *out_size) {
  // V1 is a byte, whatever it is taken for.
  struct reader reader = {.wanted = JITRUN_DTYPE_F8E4M3FN};
  size_t begin = 0;
  JITRUN_TRY(find_header(data, size, &reader, &begin));
  JITRUN_TRY(read_dictionary(&reader));
  uint64_t elements = 0;
  if (!jr_elements_bytes(jr_dtype_size(reader.dtype), reader.dims, reader.rank,
                         &elements) ||
      __builtin_add_overflow(elements, begin, out_size))
    return refuse("its size is out of range");
  return NULL;
}

/// Makes elements of S4 what they are in memory, and sees that those of four
/// bits have no more.
static jitrun_error_t *settle_nibbles(const struct reader *reader,
                                      unsigned char *data, uint64_t count) {
  if (reader->dtype != JITRUN_DTYPE_S4 && reader->dtype != JITRUN_DTYPE_U4)
    return NULL;
  bool is_signed = reader->dtype == JITRUN_DTYPE_S4;
  for (uint64_t i = 0; i < count; i++) {
    if (reader->has_nibbles && data[i] >= 8 && data[i] < 16)
      data[i] |= 0xf0;
    int value = is_signed ? (signed char)data[i] : data[i];
    if (value < (is_signed ? -8 : 0) || value > (is_signed ? 7 : 15))
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "element %" PRIu64 " is %d, which is out of the range of "
                      "%s",
                      i, value, jr_dtype_name(reader->dtype));
  }
  return NULL;
}

jitrun_error_t *jr_npy_load(struct jr_bytes *bytes, jitrun_dtype_t wanted,
                            struct jr_value *out_value) {
  *out_value = (struct jr_value){0};
  struct reader reader = {.wanted = wanted};
  size_t begin = 0;
  JITRUN_TRY(find_header(bytes->data, bytes->size, &reader, &begin));
  JITRUN_TRY(read_dictionary(&reader));
  jitrun_type_t *type;
  JITRUN_TRY(jr_type_make(reader.dtype, reader.rank, reader.dims, &type));
  uint64_t size = 0;
  (void)jr_type_size_bytes(type, &size); // jr_type_make() has seen to it
  if (size != bytes->size - begin) {
    free(type);
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "not a usable .npy file: its header asks for %" PRIu64
                    " bytes of elements, it has %zu",
                    size, bytes->size - begin);
  }
  jitrun_error_t *error = settle_nibbles(&reader, bytes->data + begin, size);
  if (error) {
    free(type);
    return error;
  }
  if (reader.is_swapped)
    swap_elements(bytes->data + begin, (size_t)size, reader.dtype);
  if (reader.is_fortran && size > 0)
    set_fortran_strides(type);
  *out_value = (struct jr_value){
      .type = type, .block = bytes->data, .data = bytes->data + begin};
  *bytes = (struct jr_bytes){0};
  return NULL;
}

void jr_raw_format(struct jr_bytes *out, const struct jr_value *value) {
  uint64_t size;
  if (jr_type_is_dense(value->type) && jr_type_size_bytes(value->type, &size)) {
    jr_bytes_append(out, value->data, (size_t)size);
    return;
  }
  size_t element = jr_dtype_size((jitrun_dtype_t)value->type->dtype);
  uint64_t count = jr_value_count(value);
  for (uint64_t i = 0; i < count && !out->failed; i++)
    jr_bytes_append(out, jr_value_element(value->type, value->data, i),
                    element);
}

/// How numpy may name the elements; what it has no type for is written as
/// numpy.save does with the types of ml_dtypes, and four bits as a byte.
static const char *find_name(jitrun_dtype_t dtype) {
  switch (dtype) {
  case JITRUN_DTYPE_F8E5M2:
  case JITRUN_DTYPE_F8E4M3FN:
  case JITRUN_DTYPE_F8E4M3B11FNUZ:
  case JITRUN_DTYPE_F8E5M2FNUZ:
  case JITRUN_DTYPE_F8E4M3FNUZ:
    return "V1";
  case JITRUN_DTYPE_S4:
    return "i1";
  case JITRUN_DTYPE_U4:
    return "u1";
  default:
    break;
  }
  for (size_t i = 0; i < NPY_DTYPES; i++) {
    if (npy_dtypes[i].dtype == dtype)
      return npy_dtypes[i].name;
  }
  return NULL;
}

jitrun_error_t *jr_npy_format(struct jr_bytes *out,
                              const struct jr_value *value) {
  jitrun_dtype_t dtype = (jitrun_dtype_t)value->type->dtype;
  const char *name = find_name(dtype);
  if (!name)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "numpy has no type for elements of %s; a name that does "
                    "not end in .npy gives the raw elements",
                    jr_dtype_name(dtype));
  size_t start = out->size;
  static const unsigned char prelude[PRELUDE_SIZE + 2] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0, 0};
  jr_bytes_append(out, prelude, sizeof prelude);
  char order = jr_dtype_size(dtype) == 1 ? '|' : '<';
  jr_bytes_appendf(out, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                   order, name);
  const int64_t *dims = jitrun_type_dims(value->type);
  uint32_t rank = value->type->rank;
  for (uint32_t i = 0; i < rank; i++)
    jr_bytes_appendf(out, "%s%" PRId64 "%s", i > 0 ? " " : "", dims[i],
                     i + 1 < rank || rank == 1 ? "," : "");
  jr_bytes_append_text(out, "), }");
  while (!out->failed && (out->size + 1 - start) % HEADER_ALIGNMENT != 0)
    jr_bytes_append_text(out, " ");
  jr_bytes_append_text(out, "\n");
  if (!out->failed) {
    size_t size = out->size - start - sizeof prelude;
    out->data[start + PRELUDE_SIZE] = (unsigned char)(size & 0xff);
    out->data[start + PRELUDE_SIZE + 1] = (unsigned char)(size >> 8);
  }
  jr_raw_format(out, value);
  return jr_bytes_check(out);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A small program for tests, written record by record, and the calls it makes.
///
///   main(a: 2x3xi32, b: ?xf32 with any stride, n: i64) -> (2x3xi32, copy of a)
///     test.copy(a, result) {alpha, beta, nested {text}}
///     test.note(b, n, 7, temp)
///     test.note(constant)
///   scalar(x: i32) -> i32, by code only
///     test.next(x) -> i32
#ifndef JR_TEST_SAMPLE_PROGRAM_H
#define JR_TEST_SAMPLE_PROGRAM_H

#include "expect.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "runtime/context.h"
#include "runtime/table_write.h"

#include <stdlib.h>
#include <string.h>

/// Indices of what build_sample() writes.
enum {
  SAMPLE_MAIN,
  SAMPLE_SCALAR,

  SAMPLE_A = 0,
  SAMPLE_B,
  SAMPLE_N,
  SAMPLE_RESULT,
  SAMPLE_COPIED,
  SAMPLE_X,
  SAMPLE_Y,

  SAMPLE_ALLOC_A = 0,
  SAMPLE_ALLOC_B,
  SAMPLE_ALLOC_RESULT,
  SAMPLE_ALLOC_TEMP,
  SAMPLE_ALLOC_CONSTANT,

  SAMPLE_SITE_COPY = 0,
  SAMPLE_SITE_NOTE,
  SAMPLE_SITE_CONSTANT,
  SAMPLE_SITE_NEXT
};

static const int64_t sample_matrix[] = {2, 3, 3, 1};
static const int64_t sample_vector[] = {JITRUN_DYNAMIC, JITRUN_DYNAMIC};
static const int64_t sample_temp[] = {16, 1};

static inline jr_str_t add_text(struct jr_table_writer *writer,
                                const char *text) {
  return jr_table_add_string(writer, text, strlen(text));
}

static inline jr_type_ref_t add_buffer(struct jr_table_writer *writer,
                                       uint8_t dtype, uint16_t rank,
                                       const int64_t *extents) {
  return jr_table_add_type(writer, JITRUN_KIND_BUFFER, dtype, rank, extents);
}

static inline jr_type_ref_t add_scalar(struct jr_table_writer *writer,
                                       uint8_t dtype) {
  return jr_table_add_type(writer, JITRUN_KIND_SCALAR, dtype, 0, NULL);
}

/// Adds one record; without memory nothing is added, as finish will say.
static inline void add_record(struct jr_table_writer *writer,
                              enum jr_section_kind section,
                              const void *record) {
  void *place = jr_table_add(writer, section, 1);
  if (place)
    memcpy(place, record, jr_section_record_bytes(section));
}

static inline void add_params(struct jr_table_writer *writer) {
  jr_type_ref_t matrix = add_buffer(writer, JITRUN_DTYPE_S32, 2, sample_matrix);
  jr_type_ref_t vector = add_buffer(writer, JITRUN_DTYPE_F32, 1, sample_vector);
  jr_type_ref_t s32 = add_scalar(writer, JITRUN_DTYPE_S32);
  const struct jr_param params[] = {
      {.type = matrix,
       .alloc = SAMPLE_ALLOC_A,
       .alignment = 4,
       .name = add_text(writer, "a")},
      {.type = vector,
       .alloc = SAMPLE_ALLOC_B,
       .alignment = 16,
       .flags = JR_PARAM_OUTPUT},
      {.type = add_scalar(writer, JITRUN_DTYPE_S64),
       .alloc = JR_NONE,
       .first_word = 2},
      {.type = matrix, .alloc = SAMPLE_ALLOC_RESULT, .alignment = 4},
      {.type = matrix,
       .alloc = SAMPLE_ALLOC_A,
       .alignment = 4,
       .flags = JR_RESULT_COPY},
      {.type = s32, .alloc = JR_NONE},
      {.type = s32, .alloc = JR_NONE},
  };
  for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
    add_record(writer, JR_SECTION_PARAMS, &params[i]);
}

static inline void add_allocs(struct jr_table_writer *writer) {
  static const float constant[16] = {1.5f, -2.0f};
  jr_type_ref_t matrix = add_buffer(writer, JITRUN_DTYPE_S32, 2, sample_matrix);
  jr_type_ref_t vector = add_buffer(writer, JITRUN_DTYPE_F32, 1, sample_vector);
  jr_type_ref_t temp = add_buffer(writer, JITRUN_DTYPE_F32, 1, sample_temp);
  const struct jr_alloc allocs[] = {
      {.kind = JR_ALLOC_PARAM,
       .param = SAMPLE_A,
       .size_bytes = 24,
       .alignment = 4,
       .type = matrix},
      {.kind = JR_ALLOC_PARAM,
       .param = SAMPLE_B,
       .alignment = 16,
       .type = vector},
      {.kind = JR_ALLOC_LIVE_OUT,
       .param = SAMPLE_RESULT,
       .size_bytes = 24,
       .alignment = 4,
       .type = matrix},
      {.kind = JR_ALLOC_TEMP,
       .param = JR_NONE,
       .size_bytes = 64,
       .offset = 64,
       .alignment = 64,
       .type = temp},
      {.kind = JR_ALLOC_CONSTANT,
       .param = JR_NONE,
       .size_bytes = 64,
       .offset = jr_table_add_data(writer, constant, sizeof constant, 64),
       .alignment = 64,
       .type = temp,
       .name = add_text(writer, "weights")},
  };
  for (size_t i = 0; i < sizeof allocs / sizeof allocs[0]; i++)
    add_record(writer, JR_SECTION_ALLOCS, &allocs[i]);
}

/// Attributes of the first site: {alpha: f64, beta: i32[3], nested: {text}}.
static inline void add_attrs(struct jr_table_writer *writer) {
  static const int32_t beta[] = {1, -2, 3};
  double alpha = 0.5;
  uint64_t bits = 0;
  memcpy(&bits, &alpha, sizeof bits);
  const struct jr_attr attrs[] = {
      {.name = add_text(writer, "alpha"),
       .kind = JITRUN_ATTR_SCALAR,
       .dtype = JITRUN_DTYPE_F64,
       .value = bits},
      {.name = add_text(writer, "beta"),
       .kind = JITRUN_ATTR_ARRAY,
       .dtype = JITRUN_DTYPE_S32,
       .count = 3,
       .value = jr_table_add_data(writer, beta, sizeof beta, 8)},
      {.name = add_text(writer, "nested"),
       .kind = JITRUN_ATTR_DICT,
       .count = 1,
       .value = 3,
       .type = add_text(writer, "sample.nested")},
      {.name = add_text(writer, "text"),
       .kind = JITRUN_ATTR_STRING,
       .count = 5,
       .value = jr_table_add_data(writer, "hello", 6, 8)},
  };
  for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++)
    add_record(writer, JR_SECTION_ATTRS, &attrs[i]);
}

static inline void add_args(struct jr_table_writer *writer) {
  jr_type_ref_t matrix = add_buffer(writer, JITRUN_DTYPE_S32, 2, sample_matrix);
  jr_type_ref_t vector = add_buffer(writer, JITRUN_DTYPE_F32, 1, sample_vector);
  jr_type_ref_t temp = add_buffer(writer, JITRUN_DTYPE_F32, 1, sample_temp);
  jr_type_ref_t s32 = add_scalar(writer, JITRUN_DTYPE_S32);
  jr_type_ref_t s64 = add_scalar(writer, JITRUN_DTYPE_S64);
  const struct jr_arg args[] = {
      {.kind = JR_ARG_SLICE, .index = SAMPLE_ALLOC_A, .type = matrix},
      {.kind = JR_ARG_SLICE, .index = SAMPLE_ALLOC_RESULT, .type = matrix},
      {.kind = JR_ARG_VIEW, .index = SAMPLE_ALLOC_B, .type = vector},
      {.kind = JR_ARG_PARAM, .index = SAMPLE_N, .type = s64},
      {.kind = JR_ARG_CONST, .type = s32, .value = 7},
      {.kind = JR_ARG_SLICE, .index = SAMPLE_ALLOC_TEMP, .type = temp},
      {.kind = JR_ARG_SLICE, .index = SAMPLE_ALLOC_CONSTANT, .type = temp},
      {.kind = JR_ARG_SCALAR, .type = s32},
      {.kind = JR_ARG_RESULT, .type = s32},
  };
  for (size_t i = 0; i < sizeof args / sizeof args[0]; i++)
    add_record(writer, JR_SECTION_ARGS, &args[i]);
}

static inline void add_sites(struct jr_table_writer *writer) {
  jr_str_t file = add_text(writer, "sample.mlir");
  jr_str_t note = add_text(writer, "test.note");
  const struct jr_site sites[] = {
      {.target = add_text(writer, "test.copy"),
       .file = file,
       .line = 3,
       .column = 5,
       .arg_count = 2,
       .attr_count = 3,
       .flags = JR_SITE_STATIC,
       .region = 2},
      {.target = note,
       .file = file,
       .line = 4,
       .column = 5,
       .first_arg = 2,
       .arg_count = 4,
       .flags = JR_SITE_STATIC},
      {.target = note,
       .file = file,
       .line = 5,
       .column = 5,
       .first_arg = 6,
       .arg_count = 1,
       .flags = JR_SITE_STATIC},
      {.target = add_text(writer, "test.next"),
       .file = file,
       .line = 9,
       .column = 7,
       .first_arg = 7,
       .arg_count = 1,
       .result_count = 1},
  };
  for (size_t i = 0; i < sizeof sites / sizeof sites[0]; i++) {
    struct jr_site site = sites[i];
    site.frame_bytes = jr_frame_header_bytes(site.arg_count, site.result_count);
    add_record(writer, JR_SECTION_SITES, &site);
  }
}

static inline void add_entries(struct jr_table_writer *writer) {
  jr_str_t file = add_text(writer, "sample.mlir");
  const struct jr_entry entries[] = {
      {.name = add_text(writer, "main"),
       .param_count = 3,
       .result_count = 2,
       .thunk_count = 1,
       .scalar_words = 3,
       .file = file,
       .line = 1,
       .column = 1},
      {.name = add_text(writer, "scalar"),
       .first_param = 5,
       .param_count = 1,
       .result_count = 1,
       .scalar_words = 1,
       .result_words = 1,
       .thunks_refused = add_text(writer, "it returns a scalar"),
       .file = file,
       .line = 8,
       .column = 1},
  };
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    add_record(writer, JR_SECTION_ENTRIES, &entries[i]);
  const struct jr_thunk thunk = {.kind = JR_THUNK_RUN, .count = 3};
  add_record(writer, JR_SECTION_THUNKS, &thunk);
  const struct jr_assert assertion = {
      .message = add_text(writer, "assertion failed: x is small"),
      .file = file,
      .line = 10,
      .column = 2};
  add_record(writer, JR_SECTION_ASSERTS, &assertion);
  const struct jr_skipped skipped = {.name = add_text(writer, "wide"),
                                     .reason = add_text(writer, "its type")};
  add_record(writer, JR_SECTION_SKIPPED, &skipped);
  const struct jr_region regions[] = {
      {.name = add_text(writer, "layer")},
      {.name = add_text(writer, "dot"), .parent = 1}};
  for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++)
    add_record(writer, JR_SECTION_REGIONS, &regions[i]);
}

static inline void write_sample(struct jr_table_writer *writer) {
  jr_table_writer_init(writer);
  writer->header.producer = add_text(writer, "test");
  writer->header.source = add_text(writer, "sample.mlir");
  writer->header.temp_bytes = 128;
  writer->header.temp_alignment = 64;
  add_params(writer);
  add_allocs(writer);
  add_attrs(writer);
  add_args(writer);
  add_sites(writer);
  add_entries(writer);
}

/// An aligned copy of a finished image, or NULL with the error set.
struct sample {
  unsigned char *image;
  size_t size;
};

static inline jitrun_error_t *finish_sample(struct jr_table_writer *writer,
                                            struct sample *out_sample) {
  struct jr_bytes bytes = {0};
  *out_sample = (struct sample){0};
  jitrun_error_t *err = jr_table_finish(writer, &bytes);
  if (!err) {
    out_sample->image = jr_malloc_aligned(64, bytes.size);
    out_sample->size = bytes.size;
    if (out_sample->image)
      memcpy(out_sample->image, bytes.data, bytes.size);
    else
      err = jr_error_no_memory();
  }
  jr_bytes_deinit(&bytes);
  jr_table_writer_deinit(writer);
  return err;
}

static inline jitrun_error_t *build_sample(struct sample *out_sample) {
  struct jr_table_writer writer;
  write_sample(&writer);
  return finish_sample(&writer, out_sample);
}

static inline struct jr_table_header *sample_header(struct sample *sample) {
  if (!sample->image)
    abort();
  return (void *)sample->image;
}

/// Gives an entry code: a function of the test.
static inline void set_code(struct sample *sample, uint32_t entry,
                            jr_entry_fn_t code) {
  struct jr_table_header *header = sample_header(sample);
  header->machine = jr_cpu_machine();
  header->exec_version = JR_EXEC_VERSION;
  int64_t *offsets = (void *)(sample->image + header->size_bytes);
  offsets[entry] = (int64_t)((uintptr_t)code - (uintptr_t)sample->image);
}

#endif

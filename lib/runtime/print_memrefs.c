/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The printMemref functions of MLIR's runner library, with its format. A
/// memref is passed as MLIR's C interface does: the address of a descriptor, or
/// rank and address where the rank is not known.
#include "runtime/functions.h"

#include "base/bytes.h"
#include "base/dtype.h"
#include "base/numbers.h"
#include "runtime/current.h"
#include "runtime/print_format.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

/// What is printed in one piece.
enum { PIECE_BYTES = 65536 };

/// A descriptor; strides stand behind the sizes.
struct descriptor {
  void *allocated;
  const unsigned char *data;
  int64_t offset;
  int64_t extents[]; ///< sizes, then strides
};

/// A memref without a rank.
struct unranked {
  int64_t rank;
  const struct descriptor *descriptor;
};

/// One memref while it is printed.
struct printing {
  const struct descriptor *descriptor;
  int64_t rank;
  jitrun_dtype_t dtype;
  struct jr_bytes text;
};

static void flush(struct printing *printing) {
  if (!printing->text.failed && printing->text.size > 0)
    jr_current_print((const char *)printing->text.data, printing->text.size);
  jr_bytes_deinit(&printing->text);
  printing->text = (struct jr_bytes){0};
}

static void append_real(struct jr_bytes *text, double value) {
  char number[JR_G6_SIZE];
  jr_format_g6(value, number);
  jr_bytes_append_text(text, number);
}

/// Bytes are printed as the characters that they are.
static void append_element(struct printing *printing,
                           const unsigned char *data) {
  struct jr_bytes *text = &printing->text;
  struct jr_number number = jr_element_read(printing->dtype, data);
  if (printing->dtype == JITRUN_DTYPE_S8) {
    jr_bytes_append(text, data, 1);
  } else if (number.kind == JR_NUMBER_SIGNED) {
    jr_bytes_appendf(text, "%" PRId64, number.s64);
  } else if (number.kind == JR_NUMBER_COMPLEX) {
    jr_bytes_append_text(text, "(");
    append_real(text, number.real);
    jr_bytes_append_text(text, ",");
    append_real(text, number.imag);
    jr_bytes_append_text(text, ")");
  } else {
    append_real(text, number.real);
  }
}

/// A dimension and those inside: each of its items but the first is set apart
/// by as many blanks as there are brackets before it.
static void append_dimension(struct printing *printing, int64_t dimension,
                             const unsigned char *data) {
  if (dimension == printing->rank) {
    append_element(printing, data);
    return;
  }
  const int64_t *extents = printing->descriptor->extents;
  int64_t step = extents[printing->rank + dimension] *
                 (int64_t)jr_dtype_size(printing->dtype);
  jr_bytes_append_text(&printing->text, "[");
  for (int64_t i = 0; i < extents[dimension]; i++) {
    if (i > 0) {
      bool is_row = dimension + 1 < printing->rank;
      jr_bytes_appendf(&printing->text, "%s%*s", is_row ? ", \n" : ", ",
                       (int)dimension + 1, "");
    }
    append_dimension(printing, dimension + 1, data + i * step);
    if (printing->text.size > PIECE_BYTES)
      flush(printing);
  }
  jr_bytes_append_text(&printing->text, "]");
}

static void append_extents(struct printing *printing, const char *name,
                           const int64_t *extents) {
  jr_bytes_appendf(&printing->text, " %s = [", name);
  for (int64_t i = 0; i < printing->rank; i++)
    jr_bytes_appendf(&printing->text, "%s%" PRId64, i > 0 ? ", " : "",
                     extents[i]);
  jr_bytes_append_text(&printing->text, "]");
}

/// What there is to know of the memref but its elements.
static void append_head(struct printing *printing, const char *kind) {
  const struct descriptor *descriptor = printing->descriptor;
  jr_bytes_appendf(
      &printing->text,
      "%s base@ = %#" PRIxPTR " rank = %" PRId64 " offset = %" PRId64, kind,
      (uintptr_t)descriptor->data, printing->rank, descriptor->offset);
  append_extents(printing, "sizes", descriptor->extents);
  append_extents(printing, "strides", descriptor->extents + printing->rank);
}

static void print_shape(const struct unranked *memref) {
  struct printing printing = {.descriptor = memref->descriptor,
                              .rank = memref->rank};
  append_head(&printing, "Unranked Memref");
  jr_bytes_append_text(&printing.text, "\n");
  flush(&printing);
}

static void print_memref(const char *kind, jitrun_dtype_t dtype, int64_t rank,
                         const struct descriptor *descriptor) {
  struct printing printing = {
      .descriptor = descriptor, .rank = rank, .dtype = dtype};
  append_head(&printing, kind);
  jr_bytes_append_text(&printing.text, " data = \n");
  if (rank == 0)
    jr_bytes_append_text(&printing.text, "[");
  append_dimension(&printing, 0,
                   descriptor->data +
                       descriptor->offset * (int64_t)jr_dtype_size(dtype));
  jr_bytes_append_text(&printing.text, rank == 0 ? "]\n" : "\n");
  flush(&printing);
}

// X(suffix of MLIR's names, dtype)
#define ELEMENTS(X)                                                            \
  X(I8, S8)                                                                    \
  X(I16, S16)                                                                  \
  X(I32, S32)                                                                  \
  X(I64, S64)                                                                  \
  X(F16, F16)                                                                  \
  X(BF16, BF16)                                                                \
  X(F32, F32)                                                                  \
  X(F64, F64)                                                                  \
  X(C32, C64)                                                                  \
  X(C64, C128)                                                                 \
  X(Ind, S64)

// X(rank, suffix, dtype)
#define RANKED(X)                                                              \
  X(0, F32, F32)                                                               \
  X(1, I8, S8)                                                                 \
  X(1, I32, S32)                                                               \
  X(1, I64, S64)                                                               \
  X(1, F32, F32)                                                               \
  X(1, F64, F64)                                                               \
  X(1, C32, C64)                                                               \
  X(1, C64, C128)                                                              \
  X(1, Ind, S64)                                                               \
  X(2, F32, F32)                                                               \
  X(3, F32, F32)                                                               \
  X(4, F32, F32)

// The bare call passes rank and address, that of the C interface their address.
#define DEFINE(suffix, dtype)                                                  \
  static void print_##suffix(int64_t rank,                                     \
                             const struct descriptor *descriptor) {            \
    print_memref("Unranked Memref", JITRUN_DTYPE_##dtype, rank, descriptor);   \
  }                                                                            \
  static void print_address_##suffix(const struct unranked *memref) {          \
    print_##suffix(memref->rank, memref->descriptor);                          \
  }
ELEMENTS(DEFINE)

#define DEFINE_RANKED(rank, suffix, dtype)                                     \
  static void print_##rank##d_##suffix(const struct descriptor *descriptor) {  \
    print_memref("Memref", JITRUN_DTYPE_##dtype, rank, descriptor);            \
  }
RANKED(DEFINE_RANKED)

#define FUNCTION(name, function) {name, __extension__(void *)(function)},
#define ENTRIES(suffix, dtype)                                                 \
  FUNCTION("printMemref" #suffix, print_##suffix)                              \
  FUNCTION("_mlir_ciface_printMemref" #suffix, print_address_##suffix)         \
  FUNCTION("_mlir_ciface_printMemrefShape" #suffix, print_shape)
#define RANKED_ENTRY(rank, suffix, dtype)                                      \
  FUNCTION("_mlir_ciface_printMemref" #rank "d" #suffix,                       \
           print_##rank##d_##suffix)

static const struct jr_symbol functions[] = {ELEMENTS(ENTRIES)
                                                 RANKED(RANKED_ENTRY)};

size_t jr_print_memref_calls(const struct jr_symbol **out_functions) {
  *out_functions = functions;
  return sizeof functions / sizeof functions[0];
}

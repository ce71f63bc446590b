/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Kernels for one size of vectors, included by reduction_kernels.c once for
/// each: VECTOR_BYTES, TARGET is what functions are declared with, and
/// LEVEL(name) the name of something for it.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

#define NAME(name) LEVEL(name##_f32)
#define NUMBER float
#define MASK int32_t
#define LOWEST (-__builtin_inff())
#define HIGHEST __builtin_inff()
#define IS_NAN(x) ((x) != (x))
#define REDUCERS FLOAT_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_f64)
#define NUMBER double
#define MASK int64_t
#define LOWEST (-__builtin_inf())
#define HIGHEST __builtin_inf()
#define IS_NAN(x) ((x) != (x))
#define REDUCERS FLOAT_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_s8)
#define NUMBER int8_t
#define MASK int8_t
#define LOWEST INT8_MIN
#define HIGHEST INT8_MAX
#define IS_NAN(x) 0
#define REDUCERS ORDERED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_u8)
#define NUMBER uint8_t
#define MASK int8_t
#define LOWEST 0
#define HIGHEST UINT8_MAX
#define IS_NAN(x) 0
#define REDUCERS ORDERED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_s16)
#define NUMBER int16_t
#define MASK int16_t
#define LOWEST INT16_MIN
#define HIGHEST INT16_MAX
#define IS_NAN(x) 0
#define REDUCERS ORDERED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_u16)
#define NUMBER uint16_t
#define MASK int16_t
#define LOWEST 0
#define HIGHEST UINT16_MAX
#define IS_NAN(x) 0
#define REDUCERS ORDERED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_s32)
#define NUMBER int32_t
#define MASK int32_t
#define LOWEST INT32_MIN
#define HIGHEST INT32_MAX
#define IS_NAN(x) 0
#define REDUCERS ORDERED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_u32)
#define NUMBER uint32_t
#define MASK int32_t
#define LOWEST 0
#define HIGHEST UINT32_MAX
#define IS_NAN(x) 0
#define REDUCERS UNSIGNED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_s64)
#define NUMBER int64_t
#define MASK int64_t
#define LOWEST INT64_MIN
#define HIGHEST INT64_MAX
#define IS_NAN(x) 0
#define REDUCERS ORDERED_REDUCERS
#include "customcalls/reduction_block.h"

#define NAME(name) LEVEL(name##_u64)
#define NUMBER uint64_t
#define MASK int64_t
#define LOWEST 0
#define HIGHEST UINT64_MAX
#define IS_NAN(x) 0
#define REDUCERS UNSIGNED_REDUCERS
#include "customcalls/reduction_block.h"

#define KERNEL(type, lower, upper)                                             \
  [JR_REDUCE_##upper] = {.fold = LEVEL(fold_##lower##_##type),                 \
                         .add_rows = LEVEL(add_##lower##_##type),              \
                         .start = LEVEL(start_##lower##_##type)},
#define F32(lower, upper) KERNEL(f32, lower, upper)
#define F64(lower, upper) KERNEL(f64, lower, upper)
#define S8(lower, upper) KERNEL(s8, lower, upper)
#define U8(lower, upper) KERNEL(u8, lower, upper)
#define S16(lower, upper) KERNEL(s16, lower, upper)
#define U16(lower, upper) KERNEL(u16, lower, upper)
#define S32(lower, upper) KERNEL(s32, lower, upper)
#define U32(lower, upper) KERNEL(u32, lower, upper)
#define S64(lower, upper) KERNEL(s64, lower, upper)
#define U64(lower, upper) KERNEL(u64, lower, upper)
static const struct level LEVEL(level) = {
    .kernels = {[JR_WIDE_F32] = {FLOAT_REDUCERS(F32)},
                [JR_WIDE_F64] = {FLOAT_REDUCERS(F64)},
                [JR_WIDE_S8] = {ORDERED_REDUCERS(S8)},
                [JR_WIDE_U8] = {ORDERED_REDUCERS(U8)},
                [JR_WIDE_S16] = {ORDERED_REDUCERS(S16)},
                [JR_WIDE_U16] = {ORDERED_REDUCERS(U16)},
                [JR_WIDE_S32] = {ORDERED_REDUCERS(S32)},
                [JR_WIDE_U32] = {UNSIGNED_REDUCERS(U32)},
                [JR_WIDE_S64] = {ORDERED_REDUCERS(S64)},
                [JR_WIDE_U64] = {UNSIGNED_REDUCERS(U64)}}};
#undef KERNEL
#undef F32
#undef F64
#undef S8
#undef U8
#undef S16
#undef U16
#undef S32
#undef U32
#undef S64
#undef U64
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)

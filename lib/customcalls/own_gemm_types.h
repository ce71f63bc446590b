/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products for both types and one kind of vectors, included by own_gemm.c once
/// for each: TARGET lets functions use them, VECTOR_BYTES is their size, a tile
/// has at most ROWS rows and is two of them wide, VECTORS is their name.
// NOLINTBEGIN(llvm-header-guard)
#define JOIN2(x, type, vectors) x##_##type##_##vectors
#define JOIN(x, type, vectors) JOIN2(x, type, vectors)

#define NUMBER float
#define TYPE f32
#include "customcalls/own_gemm_blocks.h"
#undef NUMBER
#undef TYPE

#define NUMBER double
#define TYPE f64
#include "customcalls/own_gemm_blocks.h"
#undef NUMBER
#undef TYPE

#undef JOIN2
#undef JOIN
#undef TARGET
#undef VECTOR_BYTES
#undef ROWS
#undef VECTORS
// NOLINTEND(llvm-header-guard)
